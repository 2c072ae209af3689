"""SHA-512 (FIPS 180-4): eighty steps on words of 64 bits."""

from tightfit.primitives.sha2 import WORDS_64

INITIAL = WORDS_64.roots(2, 0, 8)


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes."""
    return WORDS_64.digest(INITIAL, message, length, digest_bytes=64)
