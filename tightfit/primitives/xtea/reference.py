"""XTEA as its report (Needham, Wheeler 1997) describes it: two words of 32 bits, 32 cycles of two rounds."""

CYCLES = 32
DELTA = 0x9E3779B9
MASK = (1 << 32) - 1


def words(data: bytes) -> list[int]:
    """Big-endian words."""
    return [int.from_bytes(data[i : i + 4], "big") for i in range(0, len(data), 4)]


def mix(word: int) -> int:
    """What a round makes of one half, but for its key."""
    return (word << 4 ^ word >> 5) + word & MASK


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    k = words(key)
    v0, v1 = words(block)
    total = 0
    for _ in range(CYCLES):
        v0 = v0 + (mix(v1) ^ total + k[total & 3] & MASK) & MASK
        total = total + DELTA & MASK
        v1 = v1 + (mix(v0) ^ total + k[total >> 11 & 3] & MASK) & MASK
    return (v0 << 32 | v1).to_bytes(8, "big")


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    k = words(key)
    v0, v1 = words(block)
    total = DELTA * CYCLES & MASK
    for _ in range(CYCLES):
        v1 = v1 - (mix(v0) ^ total + k[total >> 11 & 3] & MASK) & MASK
        total = total - DELTA & MASK
        v0 = v0 - (mix(v1) ^ total + k[total & 3] & MASK) & MASK
    return (v0 << 32 | v1).to_bytes(8, "big")
