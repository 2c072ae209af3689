"""Skein-512-512 by products and pairs of words, which shares no table and no formula with the reference."""

from tightfit.primitives.skein_turns import hashed


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return hashed(message, size=8)
