"""HC-128 as its specification words it: two tables of 512 words that move on in turn, 512 steps each."""

MASK = (1 << 32) - 1


def _right(word: int, bits: int) -> int:
    return (word >> bits | word << (32 - bits)) & MASK


def _f1(x: int) -> int:
    return _right(x, 7) ^ _right(x, 18) ^ x >> 3


def _f2(x: int) -> int:
    return _right(x, 17) ^ _right(x, 19) ^ x >> 10


def _step(one: list[int], other: list[int], j: int, right: bool) -> int:
    """A step on word j of a table, for P with turns to the right, for Q to the left; a word of keystream."""
    turns = (10, 23, 8) if right else (22, 9, 24)
    a, b, c = (one[(j - back) % 512] for back in (3, 10, 511))
    one[j] = (one[j] + (_right(a, turns[0]) ^ _right(c, turns[1])) + _right(b, turns[2])) & MASK
    x = one[(j - 12) % 512]
    return (other[x & 0xFF] + other[256 + (x >> 16 & 0xFF)] & MASK) ^ one[j]


def _tables(key: bytes, iv: bytes) -> tuple[list[int], list[int]]:
    """P and Q: key and iv expanded, then 1024 steps whose words replace those of the tables."""
    k, v = ([int.from_bytes(data[i : i + 4], "little") for i in range(0, 16, 4)] for data in (key, iv))
    w = k + k + v + v
    for i in range(16, 1280):
        w.append((_f2(w[i - 2]) + w[i - 7] + _f1(w[i - 15]) + w[i - 16] + i) & MASK)
    p, q = w[256:768], w[768:]
    for one, other, right in ((p, q, True), (q, p, False)):
        for j in range(512):
            one[j] = _step(one, other, j, right)
    return p, q


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    p, q = _tables(key, iv)
    stream = bytearray()
    for i in range(-(-(start + length) // 4)):
        one, other, right = (p, q, True) if i % 1024 < 512 else (q, p, False)
        stream += _step(one, other, i % 512, right).to_bytes(4, "little")
    return bytes(stream[start : start + length])
