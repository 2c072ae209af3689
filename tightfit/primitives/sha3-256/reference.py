"""SHA3-256: the sponge over Keccak-f[1600] with rate 136 and padding 0x06."""

from tightfit.primitives.keccak import sponge


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    return sponge(message, rate=136, padding=0x06, digest_bytes=32)
