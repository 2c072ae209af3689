"""Speck64/128 in CTR mode, by our references of the mode and of the cipher."""

from functools import partial

from tightfit.primitives import load_primitive
from tightfit.primitives.modes import ctr


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on; `iv` is the first counter block."""
    return ctr(partial(load_primitive("speck64-128").reference.encrypt, key), iv, start, length)
