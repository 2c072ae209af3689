"""@NAME@ as its standard words it, to be read.

Here goes `keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes`, so many bytes of the keystream
from byte `start` on. It may be slow; names and steps are those of the standard.
"""
