"""Groestl-512 by columns and tables, which shares no table and no formula with the reference."""

from tightfit.primitives.groestl_columns import hashed


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return hashed(message, bits=512)
