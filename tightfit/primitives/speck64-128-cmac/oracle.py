"""Speck64/128-CMAC by code that shares nothing with the reference: no library has Speck."""

from tightfit.primitives.modes_by_bits import Cipher, authenticated


def tag(key: bytes, message: bytes) -> bytes:
    """The tag of 8 bytes of a message."""
    return authenticated(Cipher("speck64-128", key), message)
