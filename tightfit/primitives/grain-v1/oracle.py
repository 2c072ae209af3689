"""Grain v1 in steps of 16 clocks: each register an integer whose lowest bit is the oldest, shifted whole.

The two polynomials are factored, so that they share no list of terms with the specification.
"""

STEP = 16
MASK = (1 << STEP) - 1


def _key_bits(s: int, b: int) -> int:
    low, middle, high, top, own = s >> 3, s >> 25, s >> 46, s >> 64, b >> 63
    h = middle ^ own ^ top & (low ^ high ^ own) ^ high & (low & (middle ^ top ^ own) ^ own & (middle ^ top))
    return (h ^ b >> 1 ^ b >> 2 ^ b >> 4 ^ b >> 10 ^ b >> 31 ^ b >> 43 ^ b >> 56) & MASK


def _feedback(b: int) -> int:
    b9, b15, b21, b28, b33, b37, b45, b52, b60, b63 = (
        b >> n for n in (9, 15, 21, 28, 33, 37, 45, 52, 60, 63)
    )
    ends, pair, low, square = b63 & b60, b37 & b33, b15 & b9, b28 & b21
    total = b ^ b >> 62 ^ b60 ^ b52 ^ b45 ^ b37 ^ b33 ^ b28 ^ b21 ^ b >> 14 ^ b9
    total ^= low ^ ends & ~(b21 & b15) ^ pair & ~(b60 & b52) ^ b33 & square & ~low
    return total ^ b63 & b45 & b28 & b9 ^ b52 & b45 & (b60 ^ ends & b37 ^ pair & square)


def _step(s: int, b: int, feed: bool) -> tuple[int, int, int]:
    z = _key_bits(s, b)
    back = z if feed else 0
    new_s = (s ^ s >> 13 ^ s >> 23 ^ s >> 38 ^ s >> 51 ^ s >> 62 ^ back) & MASK
    new_b = (s ^ _feedback(b) ^ back) & MASK
    return (s | new_s << 80) >> STEP, (b | new_b << 80) >> STEP, z


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s, b = int.from_bytes(iv, "little") | MASK << 64, int.from_bytes(key, "little")
    for _ in range(160 // STEP):
        s, b, _ = _step(s, b, feed=True)
    stream = bytearray()
    while len(stream) < start + length:
        s, b, z = _step(s, b, feed=False)
        stream += z.to_bytes(2, "little")
    return bytes(stream[start : start + length])
