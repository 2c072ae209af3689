"""@NAME@ as its standard words it, to be read.

Here go `encrypt(key: bytes, iv: bytes, text: bytes) -> bytes` and `decrypt`, the same backward, for texts of
whole blocks. They may be slow; names and steps are those of the standard.
"""
