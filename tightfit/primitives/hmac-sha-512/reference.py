"""HMAC-SHA-512, by our references of the construction and of the hash."""

from tightfit.primitives import load_primitive
from tightfit.primitives.modes import hmac


def tag(key: bytes, message: bytes) -> bytes:
    """The tag of 64 bytes of a message."""
    return hmac(load_primitive("sha-512").reference.digest, 128, key, message)
