"""Groestl-512: matrices of 16 columns, 14 rounds."""

from tightfit.primitives import groestl

DIGEST_BYTES = 64


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes."""
    return groestl.counted(message, length, DIGEST_BYTES)
