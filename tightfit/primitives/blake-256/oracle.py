"""BLAKE-256 by rows: the four words of a row are lanes of one number, so that G takes four columns at once.

The constants are computed, and the permutations say where each word of the message goes.
"""

LANE = 64
LANES = sum(0xFFFFFFFF << LANE * i for i in range(4))
ROW = (1 << 4 * LANE) - 1
PLACES = (
    "0123456789abcdef",
    "a8bf2e7d341c9605",
    "3d5af4bc1e802796",
    "d382ca90f1b6547e",
    "194e52c3d06abf87",
    "4e078b2a6f3519dc",
    "82db61a9ec7f0543",
    "95e6b8d2c7f1403a",
    "6c95df0b73e48a21",
    "f61c37542a09deb8",
)


def _pi(bits: int) -> int:
    """Pi with that many bits of fraction, by Machin's formula."""
    guard = bits + 32

    def arctangent(n: int) -> int:
        power, total, k = (1 << guard) // n, 0, 0
        while power:
            total += (-power if k % 2 else power) // (2 * k + 1)
            power //= n * n
            k += 1
        return total

    return 4 * (4 * arctangent(5) - arctangent(239)) >> 32


FRACTION = (_pi(512) % (1 << 512)).to_bytes(64)
START = bytes.fromhex("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")


def _row(numbers: list[int]) -> int:
    return sum(number << LANE * i for i, number in enumerate(numbers))


def _numbers(data: bytes) -> list[int]:
    return [int.from_bytes(part) for part in zip(*[iter(data)] * 4, strict=True)]


def _right(row: int, count: int) -> int:
    spread = row << 32 - count
    return (spread | spread >> 32) & LANES


def _step(rows: list[int], added: int, far: int, near: int) -> list[int]:
    a, b, c, d = rows
    a = (a + b + added) & LANES
    d = _right(d ^ a, far)
    c = (c + d) & LANES
    return [a, _right(b ^ c, near), c, d]


def _turned(rows: list[int], by: int) -> list[int]:
    """Row i by i lanes down, or up again with -1."""
    shifts = [i * by % 4 * LANE for i in range(4)]
    return [(row >> s | row << 4 * LANE - s) & ROW for row, s in zip(rows, shifts, strict=True)]


def _round(rows: list[int], order: str, text: list[int]) -> list[int]:
    slots: list[int] = [0] * 16
    for word, constant, digit in zip(text, _numbers(FRACTION), order, strict=True):
        place = int(digit, 16)
        slots[place] ^= word
        slots[place ^ 1] ^= constant
    for half, by in ((slots[:8], 1), (slots[8:], -1)):
        rows = _step(rows, _row(half[::2]), 16, 12)
        rows = _turned(_step(rows, _row(half[1::2]), 8, 7), by)
    return rows


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    total = 8 * len(message)
    bits = (int.from_bytes(message) << 1 | 1) << (446 - total) % 512 << 1 | 1
    size = (total + 65) // 512 * 64 + 64
    text = (bits << 64 | total).to_bytes(size)
    value = _numbers(START)
    for done in range(0, size, 64):
        count = min(total, 8 * done + 512) if 8 * done < total else 0
        constants = _numbers(FRACTION)[:8]
        lower = [constants[4 + i] ^ count >> 32 * (i // 2) & 0xFFFFFFFF for i in range(4)]
        rows = [_row(value[:4]), _row(value[4:]), _row(constants[:4]), _row(lower)]
        for number in range(14):
            rows = _round(rows, PLACES[number % 10], _numbers(text[done : done + 64]))
        upper, under = rows[0] ^ rows[2], rows[1] ^ rows[3]
        value = [
            old ^ (row >> LANE * i & 0xFFFFFFFF)
            for old, (row, i) in zip(value, [(r, i) for r in (upper, under) for i in range(4)], strict=True)
        ]
    return b"".join(word.to_bytes(4) for word in value)
