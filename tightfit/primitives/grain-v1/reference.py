"""Grain v1 as its specification words it: registers of 80 bits, s linear and b nonlinear, clock by clock."""

LINEAR = (62, 51, 38, 23, 13, 0)
NONLINEAR = (
    *((62,), (60,), (52,), (45,), (37,), (33,), (28,), (21,), (14,), (9,), (0,)),
    *((63, 60), (37, 33), (15, 9), (60, 52, 45), (33, 28, 21), (63, 45, 28, 9), (60, 52, 37, 33)),
    *((63, 60, 21, 15), (63, 60, 52, 45, 37), (33, 28, 21, 15, 9), (52, 45, 37, 33, 28, 21)),
)
FILTER = ((1,), (4,), (0, 3), (2, 3), (3, 4), (0, 1, 2), (0, 2, 3), (0, 2, 4), (1, 2, 4), (2, 3, 4))
ADDED = (1, 2, 4, 10, 31, 43, 56)


def _polynomial(terms: tuple[tuple[int, ...], ...], x: list[int]) -> int:
    return sum(all(x[i] for i in term) for term in terms) % 2


def _clock(s: list[int], b: list[int], feed: bool) -> int:
    """A bit of keystream, which goes back into both registers while they are set up."""
    h = _polynomial(FILTER, [s[3], s[25], s[46], s[64], b[63]])
    z = (h + sum(b[k] for k in ADDED)) % 2
    back = z if feed else 0
    new_s = (sum(s[i] for i in LINEAR) + back) % 2
    new_b = (s[0] + _polynomial(NONLINEAR, b) + back) % 2
    s[:] = [*s[1:], new_s]
    b[:] = [*b[1:], new_b]
    return z


def _bits(data: bytes) -> list[int]:
    return [byte >> i & 1 for byte in data for i in range(8)]


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s, b = _bits(iv) + [1] * 16, _bits(key)
    for _ in range(160):
        _clock(s, b, feed=True)
    stream = [sum(_clock(s, b, feed=False) << i for i in range(8)) for _ in range(start + length)]
    return bytes(stream[start:])
