"""SHA3-512: the sponge over Keccak-f[1600] with rate 72 and padding 0x06."""

from tightfit.primitives.keccak import sponge


def digest(message: bytes) -> bytes:
    """The 64-byte digest of a message of whole bytes."""
    return sponge(message, rate=72, padding=0x06, digest_bytes=64)
