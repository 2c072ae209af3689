"""SOSEMANUK as its specification words it: 24 rounds of Serpent for the state, then steps of LFSR and FSM."""

MASK = 0xFFFFFFFF
BOXES = (
    (3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12),
    (15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4),
    (8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2),
    (0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14),
    (1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13),
    (15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1),
    (7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0),
    (1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6),
)
PHI = 0x9E3779B9
BETA = 0x1A9
"""The polynomial that beta is a root of."""


def _left(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & MASK


def _substitute(box: int, x: list[int]) -> list[int]:
    """Bit i of the four words is one input of the S-box."""
    y = [0, 0, 0, 0]
    for i in range(32):
        out = BOXES[box][sum((x[n] >> i & 1) << n for n in range(4))]
        y = [y[n] | (out >> n & 1) << i for n in range(4)]
    return y


def _mix(x: list[int]) -> list[int]:
    """Serpent's linear transformation."""
    a, b, c, d = x
    a, c = _left(a, 13), _left(c, 3)
    b, d = _left(b ^ a ^ c, 1), _left(d ^ c ^ a << 3 & MASK, 7)
    a, c = _left(a ^ b ^ d, 5), _left(c ^ d ^ b << 7 & MASK, 22)
    return [a, b, c, d]


def _round_keys(key: bytes) -> list[list[int]]:
    w = [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)]
    for i in range(100):
        w.append(_left(w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ PHI ^ i, 11))
    return [_substitute((3 - i) % 8, w[8 + 4 * i : 12 + 4 * i]) for i in range(25)]


def _times_beta(c: int, power: int) -> int:
    """c times beta to a power, in the field of 256 elements."""
    for _ in range(power):
        c <<= 1
        c ^= BETA if c & 0x100 else 0
    return c


def _bytes_of(c: int, *powers: int) -> int:
    return int.from_bytes(bytes(_times_beta(c, power) for power in powers))


def _times_alpha(z: int) -> int:
    return z << 8 & MASK ^ _bytes_of(z >> 24, 23, 245, 48, 239)


def _over_alpha(z: int) -> int:
    return z >> 8 ^ _bytes_of(z & 0xFF, 16, 39, 6, 64)


def _state(key: bytes, iv: bytes) -> tuple[list[int], int, int]:
    """s1 to s10, R1 and R2."""
    keys = _round_keys(key)
    x = [int.from_bytes(iv[at : at + 4], "little") for at in range(0, 16, 4)]
    kept = {}
    for i in range(24):
        x = _mix(_substitute(i % 8, [word ^ k for word, k in zip(x, keys[i], strict=True)]))
        kept[i + 1] = x
    last = [word ^ k for word, k in zip(x, keys[24], strict=True)]
    y12, y18 = kept[12], kept[18]
    return [*reversed(last), y18[1], y18[3], *reversed(y12)], y18[0], y18[2]


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s, r1, r2 = _state(key, iv)
    stream = b""
    while len(stream) < start + length:
        f, old = [], []
        for _ in range(4):
            choice = s[1] ^ s[8] if r1 & 1 else s[1]
            r1, r2 = r2 + choice & MASK, _left(r1 * 0x54655307 & MASK, 7)
            f.append((s[9] + r1 & MASK) ^ r2)
            old.append(s[0])
            s = [*s[1:], s[9] ^ _over_alpha(s[3]) ^ _times_alpha(s[0])]
        z = [out ^ word for out, word in zip(_substitute(2, f), old, strict=True)]
        stream += b"".join(word.to_bytes(4, "little") for word in z)
    return stream[start : start + length]
