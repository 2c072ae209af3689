"""SHA-224 (FIPS 180-4): SHA-256 with an initial value of its own, and 28 bytes of the digest."""

from tightfit.primitives.sha2 import WORDS_32, WORDS_64

# The second 32 bits of the fractions of roots, of which SHA-384 has all 64 (5.3.2, 5.3.4).
INITIAL = tuple(word & WORDS_32.mask for word in WORDS_64.roots(2, 8, 16))


def digest(message: bytes) -> bytes:
    """The 28-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes."""
    return WORDS_32.digest(INITIAL, message, length, digest_bytes=28)
