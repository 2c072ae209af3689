"""Trivium as its specification words it: 288 bits s1 to s288, a clock at a time."""


def _bits(data: bytes) -> list[int]:
    """The highest bit of the last byte first, as the registers take key and iv."""
    return [byte >> bit & 1 for byte in reversed(data) for bit in range(7, -1, -1)]


def _clock(s: list[int]) -> int:
    """A bit of keystream; the state moves on. s[1] is the first bit of the state."""
    t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]
    z = t1 ^ t2 ^ t3
    t1 ^= s[91] & s[92] ^ s[171]
    t2 ^= s[175] & s[176] ^ s[264]
    t3 ^= s[286] & s[287] ^ s[69]
    s[1:] = [t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
    return z


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s = [0, *_bits(key), *[0] * 13, *_bits(iv), *[0] * 4, *[0] * 108, 1, 1, 1]
    for _ in range(4 * 288):
        _clock(s)
    stream = [sum(_clock(s) << bit for bit in range(8)) for _ in range(start + length)]
    return bytes(stream[start:])
