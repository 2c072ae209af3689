"""@NAME@ as its standard words it, to be read.

Here goes `digest(message: bytes) -> bytes`. It may be slow; names and steps are those of the standard.
"""
