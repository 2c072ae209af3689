"""A hash of four bytes, small enough to be made wrong in many ways: 16-byte blocks, a 2-byte count."""

BLOCK_BYTES = 16
DEFINITION = """\
name: Toy
kind: hash
standard: this file
block_bytes: 16
digest_bytes: 4
seed: 1
operations:
  hash: {entries: [hash], ranked: [middle]}
"""


def _compress(state: bytes, block: bytes) -> bytes:
    for byte in block:
        total = state[0] + byte & 0xFF
        state = state[1:] + bytes([(total << 1 & 0xFF | total >> 7) ^ state[1]])
    return state


def digest(message: bytes) -> bytes:
    """Padding is 80h, zeros, and the number of message bytes in two bytes, the low one first."""
    zeros = -(len(message) + 3) % BLOCK_BYTES
    padded = message + b"\x80" + bytes(zeros) + (len(message) & 0xFFFF).to_bytes(2, "little")
    state = bytes((1, 2, 3, 4))
    for i in range(0, len(padded), BLOCK_BYTES):
        state = _compress(state, padded[i : i + BLOCK_BYTES])
    return state
