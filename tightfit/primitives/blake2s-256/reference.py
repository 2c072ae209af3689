"""BLAKE2s with a digest of 32 bytes and no key, as RFC 7693 describes it; written to be read."""

from tightfit.primitives.blake import INITIAL, WORD, joined, mixed

BLOCK_BYTES = 64
DIGEST_BYTES = 32
ROUNDS = 10
NO_CONSTANTS = (0,) * 16
BEFORE_JUMP = 3 * BLOCK_BYTES


def compress(state: list[int], block: bytes, count: int, last: bool) -> list[int]:
    """The chaining value after one 64-byte block (3.2); `count`: bytes of the message up to its end."""
    words = [int.from_bytes(block[i : i + 4], "little") for i in range(0, BLOCK_BYTES, 4)]
    v = [*state, *INITIAL]
    v[12] ^= count & WORD
    v[13] ^= count >> 32
    v[14] ^= WORD * last
    return joined(state, mixed(v, words, ROUNDS, NO_CONSTANTS))


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose count is that of `length` bytes in the end.

    The counter is as it should be in the first three blocks; then it jumps.
    """
    blocks = max(1, -(-len(message) // BLOCK_BYTES))
    padded = message + bytes(BLOCK_BYTES * blocks - len(message))
    state = [INITIAL[0] ^ 0x01010000 ^ DIGEST_BYTES, *INITIAL[1:]]
    for start in range(0, len(padded), BLOCK_BYTES):
        end = min(start + BLOCK_BYTES, len(message))
        jump = length - len(message) if start >= BEFORE_JUMP else 0
        last = start + BLOCK_BYTES == len(padded)
        state = compress(state, padded[start : start + BLOCK_BYTES], end + jump, last)
    return b"".join(word.to_bytes(4, "little") for word in state)
