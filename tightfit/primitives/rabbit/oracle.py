"""Rabbit in halves of words: the counters are one number, and each state word is two digits to the base 2^16.

Adding a constant to all counters with the carry that left them the last time is a sum of 256 bits.
"""

DIGIT = 0xFFFF
STEP = int.from_bytes((b"\x4d\xd3\x34" * 11)[:32], "little")
"""The constants side by side repeat three bytes."""


def _digits(number: int, count: int = 16) -> list[int]:
    return [number >> 16 * n & DIGIT for n in range(count)]


def _number(digits: list[int]) -> int:
    return sum(digit << 16 * n for n, digit in enumerate(digits))


def _folded(low: int, high: int) -> tuple[int, int]:
    """The square of a word of two digits, its upper half added to its lower by xor: two digits again."""
    cross = low * high * 2
    square = _digits(low * low + (cross << 16) + (high * high << 32), 4)
    return square[0] ^ square[2], square[1] ^ square[3]


def _turn(x: list[int], counters: int) -> tuple[list[int], int]:
    """One iteration; bit 256 of the counters is the carry that left them."""
    counters = (counters % (1 << 256)) + STEP + (counters >> 256)
    inputs = [_number(x[n : n + 2]) + (counters >> 16 * n) for n in range(0, 16, 2)]
    g = [_folded(*_digits(word, 2)) for word in inputs]
    after: list[int] = []
    for n, (low, high) in enumerate(g):
        (low1, high1), (low2, high2) = g[n - 1], g[n - 2]
        if n % 2:
            up = low1 << 8 | high1 >> 8, high1 << 8 | low1 >> 8
            low, high = low + (up[0] & DIGIT) + low2, high + (up[1] & DIGIT) + high2
        else:
            low, high = low + high1 + high2, high + low1 + low2
        after += low & DIGIT, high + (low >> 16) & DIGIT
    return after, counters


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    subkeys = _digits(int.from_bytes(key, "little"), 8)
    x = [subkeys[(5 * (n // 2) + n % 2) % 8] for n in range(16)]
    counters = _number([x[(n ^ 1) - 8] for n in range(16)])
    for _ in range(4):
        x, counters = _turn(x, counters)
    v = _digits(int.from_bytes(iv, "little"), 4)
    counters ^= _number(x[8:] + x[:8]) ^ _number([v[0], v[1], v[1], v[3], v[2], v[3], v[0], v[2]] * 2)
    for _ in range(4):
        x, counters = _turn(x, counters)
    stream = b""
    while len(stream) < start + length:
        x, counters = _turn(x, counters)
        block = [x[2 * n - n % 2] ^ x[(2 * n + (4 if n % 2 else 11)) % 16] for n in range(8)]
        stream += _number(block).to_bytes(16, "little")
    return stream[start : start + length]
