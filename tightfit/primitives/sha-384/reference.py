"""SHA-384 (FIPS 180-4): eighty steps on words of 64 bits."""

from tightfit.primitives.sha2 import WORDS_64

INITIAL = WORDS_64.roots(2, 8, 16)  # the ninth to the sixteenth prime (5.3.4)


def digest(message: bytes) -> bytes:
    """The 48-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes."""
    return WORDS_64.digest(INITIAL, message, length, digest_bytes=48)
