"""@NAME@ as its standard words it, to be read.

Here goes `encrypt(key: bytes, block: bytes) -> bytes`, and `decrypt` with the same arguments where an
operation has that entry. It may be slow; names and steps are those of the standard.
"""
