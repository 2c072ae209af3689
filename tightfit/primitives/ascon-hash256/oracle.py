"""Ascon-Hash256 by the table of the S-box: no formula of the reference is in it."""

from tightfit.primitives.ascon_columns import permuted

PARAMETERS = b"\x02\x00\xcc\x00\x01\x08"
"""Kind 2, p[12] twice, a digest of 0x100 bits, a rate of 8 bytes."""


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    state = permuted([int.from_bytes(PARAMETERS, "little"), 0, 0, 0, 0])
    left = int.from_bytes(message + b"\x01", "little")
    for _ in range(len(message) // 8 + 1):
        state[0] ^= left % 2**64
        state = permuted(state)
        left >>= 64
    out = 0
    for at in range(0, 256, 64):
        out |= state[0] << at
        state = permuted(state)
    return out.to_bytes(32, "little")
