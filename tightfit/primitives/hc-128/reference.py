"""HC-128 as its specification words it: tables P and Q, a step at a time."""

MASK = 0xFFFFFFFF
SIZE = 512


def _right(word: int, bits: int) -> int:
    return (word >> bits | word << 32 - bits) & MASK


def _f1(x: int) -> int:
    return _right(x, 7) ^ _right(x, 18) ^ x >> 3


def _f2(x: int) -> int:
    return _right(x, 17) ^ _right(x, 19) ^ x >> 10


def _g1(x: int, y: int, z: int) -> int:
    return (_right(x, 10) ^ _right(z, 23)) + _right(y, 8)


def _g2(x: int, y: int, z: int) -> int:
    return (_right(x, 22) ^ _right(z, 9)) + _right(y, 24)


def _h(table: list[int], x: int) -> int:
    return table[x & 0xFF] + table[256 + (x >> 16 & 0xFF)] & MASK


def _tables(key: bytes, iv: bytes) -> tuple[list[int], list[int]]:
    """P and Q as the expansion of key and iv leaves them."""
    words = [int.from_bytes(part[at : at + 4], "little") for part in (key, iv) for at in range(0, 16, 4)]
    w = [*words[:4], *words[:4], *words[4:], *words[4:]]
    for i in range(16, 1280):
        w.append(_f2(w[i - 2]) + w[i - 7] + _f1(w[i - 15]) + w[i - 16] + i & MASK)
    return w[256:768], w[768:1280]


def _step(p: list[int], q: list[int], i: int) -> int:
    """Step i of 1024: a word of P or of Q is new, and a word of keystream comes of it."""
    new, other, g = (p, q, _g1) if i % 1024 < SIZE else (q, p, _g2)
    j = i % SIZE
    new[j] = new[j] + g(new[j - 3], new[j - 10], new[j - 511]) & MASK
    return _h(other, new[j - 12]) ^ new[j]


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    p, q = _tables(key, iv)
    for i in range(2 * SIZE):
        new = p if i < SIZE else q
        word = _step(p, q, i)
        new[i % SIZE] = word
    stream = b"".join(_step(p, q, i).to_bytes(4, "little") for i in range(-(-(start + length) // 4)))
    return stream[start : start + length]
