"""Salsa20/12 with a key of 128 bits, as the specification of Salsa20 words it, to be read."""

MASK = (1 << 32) - 1
CONSTANTS = b"expand 16-byte k"
COLUMNS = ((0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11))
ROWS = ((0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14))
DOUBLE_ROUNDS = 6


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def _quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """Section 3, on four words of the state."""
    for into, one, other, bits in ((b, a, d, 7), (c, b, a, 9), (d, c, b, 13), (a, d, c, 18)):
        state[into] ^= _rotated((state[one] + state[other]) & MASK, bits)


def block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """The expansion (section 9) hashed (section 8): 64 bytes."""
    constants = [CONSTANTS[i : i + 4] for i in range(0, 16, 4)]
    middle = nonce + counter.to_bytes(8, "little")
    start = constants[0] + key + constants[1] + middle + constants[2] + key + constants[3]
    initial = [int.from_bytes(start[i : i + 4], "little") for i in range(0, 64, 4)]
    state = list(initial)
    for _ in range(DOUBLE_ROUNDS):
        for words in COLUMNS + ROWS:
            _quarter_round(state, *words)
    sums = ((a + b) & MASK for a, b in zip(state, initial, strict=True))
    return b"".join(word.to_bytes(4, "little") for word in sums)


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on; block 0 comes first (section 10)."""
    first, after = start // 64, -(-(start + length) // 64)
    stream = b"".join(block(key, iv, counter) for counter in range(first, after))
    return stream[start - 64 * first :][:length]
