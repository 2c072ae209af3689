"""Skein-512-512: Threefish-512, a digest of 512 bits."""

from tightfit.primitives import skein

BLOCK_BYTES = 64


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message of `length` bytes of which some are left out behind the third block."""
    return skein.counted(message, length, BLOCK_BYTES)
