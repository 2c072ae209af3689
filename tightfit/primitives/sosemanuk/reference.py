"""SOSEMANUK as its specification words it: Serpent24 for key and iv, a register over GF(2^32), two words."""

MASK = (1 << 32) - 1
S_BOXES = (
    (3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12),
    (15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4),
    (8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2),
    (0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14),
    (1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13),
    (15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1),
    (7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0),
    (1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6),
)
BETA = 0x1A9
"""The polynomial of beta, x^8 + x^7 + x^5 + x^3 + 1."""
ALPHA = (23, 245, 48, 239)
"""alpha^4 = beta^23 alpha^3 + beta^245 alpha^2 + beta^48 alpha + beta^239."""
INVERSE = (16, 39, 6, 64)
"""1/alpha = beta^16 alpha^3 + beta^39 alpha^2 + beta^6 alpha + beta^64."""


def _left(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def _substituted(number: int, x: list[int]) -> list[int]:
    """An S-box on the 32 nibbles whose bits are those of four words."""
    nibbles = (sum((x[j] >> i & 1) << j for j in range(4)) for i in range(32))
    images = [S_BOXES[number][nibble] for nibble in nibbles]
    return [sum((image >> j & 1) << i for i, image in enumerate(images)) for j in range(4)]


def _mixed(x: list[int]) -> list[int]:
    """The linear transformation of Serpent."""
    a, b, c, d = _left(x[0], 13), x[1], _left(x[2], 3), x[3]
    b = _left(b ^ a ^ c, 1)
    d = _left(d ^ c ^ a << 3 & MASK, 7)
    a = _left(a ^ b ^ d, 5)
    c = _left(c ^ d ^ b << 7 & MASK, 22)
    return [a, b, c, d]


def _round_keys(key: bytes) -> list[list[int]]:
    """The 25 round keys of Serpent24."""
    w = _words((key + b"\1").ljust(32, b"\0")[:32])
    for i in range(100):
        w.append(_left(w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ 0x9E3779B9 ^ i, 11))
    return [_substituted((3 - i) % 8, w[8 + 4 * i : 12 + 4 * i]) for i in range(25)]


def _product(power: int, byte: int) -> int:
    """beta^power times a byte."""
    for _ in range(power):
        byte = byte << 1 ^ (BETA if byte & 0x80 else 0)
    return byte


def _times(powers: tuple[int, ...], byte: int) -> int:
    """A byte times four powers of beta, the first the highest byte of a word."""
    return int.from_bytes(bytes(_product(power, byte) for power in powers), "big")


def _initial(key: bytes, iv: bytes) -> tuple[list[int], int, int]:
    """s1 to s10, R1 and R2: what Serpent24 makes of the iv after 12, 18 and 24 rounds."""
    keys = _round_keys(key)
    x, after = _words(iv), {}
    for i in range(24):
        x = _mixed(_substituted(i % 8, [a ^ b for a, b in zip(x, keys[i], strict=True)]))
        after[i + 1] = x
    last = [a ^ b for a, b in zip(x, keys[24], strict=True)]
    y = after[18]
    return [*reversed(last), y[1], y[3], *reversed(after[12])], y[0], y[2]


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s, r1, r2 = _initial(key, iv)
    stream = bytearray()
    while len(stream) < start + length:
        f, dropped = [], []
        for _ in range(4):
            r1, r2 = (r2 + (s[1] ^ s[8] if r1 & 1 else s[1])) & MASK, _left(r1 * 0x54655307 & MASK, 7)
            f.append((s[9] + r1 & MASK) ^ r2)
            by_alpha = s[0] << 8 & MASK ^ _times(ALPHA, s[0] >> 24)
            over_alpha = s[3] >> 8 ^ _times(INVERSE, s[3] & 0xFF)
            s.append(s[9] ^ over_alpha ^ by_alpha)
            dropped.append(s.pop(0))
        for a, b in zip(_substituted(2, f), dropped, strict=True):
            stream += (a ^ b).to_bytes(4, "little")
    return bytes(stream[start : start + length])
