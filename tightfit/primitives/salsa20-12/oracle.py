"""Salsa20/12 by numbers of 256 bits: each is a diagonal of the matrix, its four words 64 bits apart.

A round is the same on all four words at once; an exchange of two diagonals and turns of words turn the matrix
over. No library has 12 rounds: pycryptodome's Salsa20 has 20.
"""

import struct

LANES = sum(0xFFFFFFFF << 64 * lane for lane in range(4))
WHOLE = (1 << 256) - 1


def _diagonal(matrix: tuple[int, ...], down: int) -> int:
    """The words that are `down` rows below the main diagonal."""
    return sum(matrix[(5 * lane + 4 * down) % 16] << 64 * lane for lane in range(4))


def _mixed(target: int, one: int, other: int, factor: int) -> int:
    """Four words, with the sums of others rotated: a product by a power of two, folded."""
    products = (one + other & LANES) * factor
    return target ^ (products | products >> 32) & LANES


def _turned(diagonal: int, lanes: int) -> int:
    """Words moved to the next lanes below."""
    return (diagonal >> 64 * lanes | diagonal << 256 - 64 * lanes) & WHOLE


def _hashed(matrix: tuple[int, ...]) -> bytes:
    start = [_diagonal(matrix, down) for down in range(4)]
    a, b, c, d = start
    for _ in range(12):
        b = _mixed(b, a, d, 1 << 7)
        c = _mixed(c, b, a, 1 << 9)
        d = _mixed(d, c, b, 1 << 13)
        a = _mixed(a, d, c, 1 << 18)
        b, c, d = _turned(d, 1), _turned(c, 2), _turned(b, 3)
    sums = [(now + then) & LANES for now, then in zip((a, b, c, d), start, strict=True)]
    words = (sums[(row - column) % 4] >> 64 * column & 0xFFFFFFFF for row in range(4) for column in range(4))
    return struct.pack("<16I", *words)


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream under a 16-byte key and an 8-byte nonce, from byte `start` on."""
    begin, skipped = divmod(start, 64)
    stream = bytearray()
    while len(stream) < skipped + length:
        count = (begin + len(stream) // 64).to_bytes(8, "little")
        laid = b"".join((b"expa", key, b"nd 1", iv, count, b"6-by", key, b"te k"))
        stream += _hashed(struct.unpack("<16I", laid))
    return bytes(stream[skipped : skipped + length])
