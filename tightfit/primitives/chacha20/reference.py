"""ChaCha20 as RFC 8439 words it (section 2), to be read."""

MASK = (1 << 32) - 1
CONSTANTS = b"expand 32-byte k"
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def _quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """Section 2.1, on four words of the state."""
    for into, other, rotates, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[into] = (state[into] + state[other]) & MASK
        state[rotates] = _rotated(state[rotates] ^ state[into], bits)


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """The block function (section 2.3): 64 bytes."""
    start = CONSTANTS + key + counter.to_bytes(4, "little") + nonce
    initial = [int.from_bytes(start[i : i + 4], "little") for i in range(0, 64, 4)]
    state = list(initial)
    for _ in range(10):
        for words in COLUMNS + DIAGONALS:
            _quarter_round(state, *words)
    sums = ((a + b) & MASK for a, b in zip(state, initial, strict=True))
    return b"".join(word.to_bytes(4, "little") for word in sums)


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on; block 0 comes first."""
    first, after = start // 64, -(-(start + length) // 64)
    stream = b"".join(block(key, counter, iv) for counter in range(first, after))
    return stream[start - 64 * first :][:length]
