"""Poly1305 as RFC 8439 words it (section 2.5), to be read."""

PRIME = (1 << 130) - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def tag(key: bytes, message: bytes) -> bytes:
    """The tag of a message under a one-time key of 32 bytes."""
    r = int.from_bytes(key[:16], "little") & CLAMP
    s = int.from_bytes(key[16:], "little")
    accumulator = 0
    for start in range(0, len(message), 16):
        block = message[start : start + 16] + b"\1"
        accumulator = (accumulator + int.from_bytes(block, "little")) * r % PRIME
    return ((accumulator + s) % (1 << 128)).to_bytes(16, "little")
