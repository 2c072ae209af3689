"""Groestl by columns of 64 bits, for the oracles of its family: all steps on a byte are one look-up.

It shares nothing with the references. The S-box comes from powers and logarithms of 3, the affine map is a
product of polynomials modulo x^8 + 1, and the eight products of a byte are one number.
"""


def _logarithms() -> tuple[list[int], dict[int, int]]:
    powers = [1]
    while len(powers) < 255:
        last = powers[-1]
        following = last ^ 2 * last
        powers.append(following ^ 0x11B if following > 255 else following)
    return powers, {power: n for n, power in enumerate(powers)}


_POWERS, _LOGARITHMS = _logarithms()


def _product(a: int, b: int) -> int:
    return _POWERS[(_LOGARITHMS[a] + _LOGARITHMS[b]) % 255] if a and b else 0


def _affine(a: int) -> int:
    """a (x^4 + x^3 + x^2 + x + 1) + x^6 + x^5 + x + 1 modulo x^8 + 1."""
    spread = a ^ a << 1 ^ a << 2 ^ a << 3 ^ a << 4
    return 0b1100011 ^ spread % 256 ^ spread // 256


def _boxes() -> list[list[int]]:
    """For each row, what a byte adds to its column; the first row is the top byte."""
    boxes = [[] for _ in range(8)]
    for byte in range(256):
        value = _affine(_POWERS[-_LOGARITHMS[byte] % 255] if byte else 0)
        column = 0
        for factor in (2, 7, 5, 3, 5, 4, 3, 2):
            column = column << 8 | _product(factor, value)
        for row, box in enumerate(boxes):
            box.append(column >> 8 * row | column << 64 - 8 * row & (1 << 64) - 1)
    return boxes


_BOXES = _boxes()
_ONES = (1 << 64) - 1


def _walk(columns: list[int], rounds: int, reach: tuple[int, ...], inverted: bool) -> list[int]:
    """All rounds of a permutation; reach: the column from which each row comes."""
    width = len(columns)
    for r in range(rounds):
        if inverted:
            columns = [word ^ _ONES ^ j << 4 ^ r for j, word in enumerate(columns)]
        else:
            columns = [word ^ (j << 4 ^ r) << 56 for j, word in enumerate(columns)]
        rows = [word.to_bytes(8) for word in columns] * 2
        following = []
        for j in range(width):
            total = 0
            for row, (box, far) in enumerate(zip(_BOXES, reach, strict=True)):
                total ^= box[rows[j + far][row]]
            following.append(total)
        columns = following
    return columns


def hashed(message: bytes, bits: int) -> bytes:
    """The digest of `bits` bits, 256 or 512."""
    width, rounds, far = (8, 10, 7) if bits == 256 else (16, 14, 11)
    straight, crossed = (0, 1, 2, 3, 4, 5, 6, far), (1, 3, 5, far, 0, 2, 4, 6)
    size = 8 * width
    filled = len(message) // size + (2 if len(message) % size > size - 9 else 1)
    text = message.ljust(filled * size - 8, b"\0") + filled.to_bytes(8)
    text = text[: len(message)] + b"\x80" + text[len(message) + 1 :]
    chain = [0] * (width - 1) + [bits]
    for start in range(0, len(text), size):
        block = [int.from_bytes(text[i : i + 8]) for i in range(start, start + size, 8)]
        first = _walk([a ^ b for a, b in zip(chain, block, strict=True)], rounds, straight, False)
        second = _walk(block, rounds, crossed, True)
        chain = [a ^ b ^ c for a, b, c in zip(chain, first, second, strict=True)]
    last = _walk(chain, rounds, straight, False)
    return b"".join((a ^ b).to_bytes(8) for a, b in zip(chain, last, strict=True))[-bits // 8 :]
