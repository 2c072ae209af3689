"""SHA-512 by an implementation that shares nothing with ours: that of Python's `hashlib`."""

import hashlib


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return hashlib.sha512(message).digest()
