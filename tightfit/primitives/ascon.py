"""The permutations of Ascon as NIST SP 800-232 describes them; shared by the references of its family."""

MASK = (1 << 64) - 1
WORDS = 5
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
"""To the right, of each word (section 3.4)."""

State = list[int]


def _right(word: int, count: int) -> int:
    """A word rotated right by `count` bits."""
    return (word >> count | word << 64 - count) & MASK


def _constant(i: int) -> int:
    """Constant i of section 3.2; the twelve rounds have the last twelve of sixteen."""
    return (15 - i) % 16 << 4 | i % 16


def _substitute(x: State) -> State:
    """The S-box on all columns of bits (section 3.3)."""
    x0, x1, x2, x3, x4 = x
    x0, x2, x4 = x0 ^ x4, x2 ^ x1, x4 ^ x3
    x = [x0, x1, x2, x3, x4]
    y = [x[i] ^ ~x[(i + 1) % 5] & x[(i + 2) % 5] & MASK for i in range(5)]
    return [y[0] ^ y[4], y[1] ^ y[0], y[2] ^ MASK, y[3] ^ y[2], y[4]]


def permute(x: State, rounds: int = 12) -> State:
    """Ascon-p[rounds] on five words."""
    for i in range(12 - rounds, 12):
        x = [*x[:2], x[2] ^ _constant(i), *x[3:]]
        x = _substitute(x)
        x = [word ^ _right(word, a) ^ _right(word, b) for word, (a, b) in zip(x, ROTATIONS, strict=True)]
    return x


def load(data: bytes) -> int:
    """Up to eight bytes as a word: little-endian (section 2.1)."""
    return int.from_bytes(data, "little")


def store(word: int) -> bytes:
    """A word as eight bytes."""
    return word.to_bytes(8, "little")


def pad(data: bytes, size: int) -> bytes:
    """A bit 1 and zeros, to a multiple of `size` bytes (appendix A.2)."""
    return data + b"\1" + bytes(size - 1 - len(data) % size)
