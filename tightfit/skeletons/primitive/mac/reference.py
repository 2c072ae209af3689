"""@NAME@ as its standard words it, to be read.

Here goes `tag(key: bytes, message: bytes) -> bytes`. It may be slow; names and steps
are those of the standard.
"""
