"""Ascon-Hash256: the sponge over Ascon-p[12] with a rate of 8 bytes (NIST SP 800-232, section 5.1)."""

from tightfit.primitives.ascon import load, pad, permute, store

INITIAL = 0x0000080100CC0002


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    x = permute([INITIAL, 0, 0, 0, 0])
    padded = pad(message, 8)
    for i in range(0, len(padded), 8):
        x[0] ^= load(padded[i : i + 8])
        x = permute(x)
    squeezed = store(x[0])
    while len(squeezed) < 32:
        x = permute(x)
        squeezed += store(x[0])
    return squeezed
