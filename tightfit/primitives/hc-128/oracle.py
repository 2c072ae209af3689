"""HC-128 with its two tables as one of 1024 words that turns round, and rotations as products folded."""

import struct
from itertools import islice

WORD = 2**32


def _turn(word: int, left: int) -> int:
    """A rotation: a product with a power of two, its overflow brought in below."""
    high, low = divmod(word << left, WORD)
    return high | low


def _expanded(key: bytes, iv: bytes) -> list[int]:
    """The last 1024 of the 1280 words that key and initial value become."""
    words = list(struct.unpack("<16I", 2 * key + 2 * iv))
    for count in range(16, 1280):
        near, far = words[-2], words[-15]
        total = _turn(near, 15) ^ _turn(near, 13) ^ near // 1024
        total += _turn(far, 25) ^ _turn(far, 14) ^ far // 8
        words.append((total + words[-7] + words[-16] + count) % WORD)
    return words[256:]


def _words(table: list[int]):
    """Words without end: the table is changed on the way, P its first half and Q its second."""
    while True:
        for at in range(1024):
            half = at & 512
            spots = (half | at - back & 511 for back in (3, 10, 511, 12))
            c, b, a, x = (table[spot] for spot in spots)
            if half:
                change = (_turn(c, 10) ^ _turn(a, 23)) + _turn(b, 8)
            else:
                change = (_turn(c, 22) ^ _turn(a, 9)) + _turn(b, 24)
            fresh = table[at] = (table[at] + change) % WORD
            partner = half ^ 512
            yield (table[partner | x & 255] + table[partner | 256 | x >> 16 & 255]) % WORD ^ fresh


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    table = _expanded(key, iv)
    words = _words(table)
    for at, word in enumerate(islice(words, 1024)):
        table[at] = word
    count = -(-(start + length) // 4)
    return struct.pack(f"<{count}I", *islice(words, count))[start : start + length]
