"""PRESENT-80 built another way than the reference: a list of bits, the S-box as logic, positions as digits.

No library that the project depends on has PRESENT, so this stands in for one. It shares no table and no
formula with `reference.py`: the S-box is its algebraic normal form, the inverse S-box is found by trying, and
pLayer turns the three base-4 digits of a position round.
"""

from collections.abc import Sequence
from functools import lru_cache

Bits = tuple[int, ...]  # the least significant bit first


def _bits(data: bytes) -> Bits:
    return tuple(byte >> i & 1 for byte in reversed(data) for i in range(8))


def _bytes(bits: Sequence[int]) -> bytes:
    octets = [bits[i : i + 8] for i in range(0, len(bits), 8)]
    return bytes(sum(bit << i for i, bit in enumerate(octet)) for octet in reversed(octets))


def _sbox(a: int, b: int, c: int, d: int) -> Bits:
    """The S-box on one nibble, `a` its least significant bit."""
    return (
        a ^ c ^ d ^ b & c,
        b ^ d ^ b & d ^ c & d ^ a & b & c ^ a & b & d ^ a & c & d,
        1 ^ c ^ d ^ a & b ^ a & d ^ b & d ^ a & b & d ^ a & c & d,
        1 ^ a ^ b ^ d ^ b & c ^ a & b & c ^ a & b & d ^ a & c & d,
    )


_NIBBLES = [tuple(n >> i & 1 for i in range(4)) for n in range(16)]
_FORWARD = {nibble: _sbox(*nibble) for nibble in _NIBBLES}
_BACKWARD = {image: nibble for nibble, image in _FORWARD.items()}


def _substitute(state: Bits, table: dict[Bits, Bits]) -> Bits:
    return tuple(bit for i in range(0, 64, 4) for bit in table[state[i : i + 4]])


def _digits(position: int) -> tuple[int, int, int]:
    return position // 16, position // 4 % 4, position % 4


def _source(position: int) -> int:
    """The bit that pLayer puts at a position: 16 p + 4 q + r comes from 16 q + 4 r + p."""
    p, q, r = _digits(position)
    return 16 * q + 4 * r + p


_FROM = [_source(position) for position in range(64)]
_TO = [_FROM.index(position) for position in range(64)]


@lru_cache(maxsize=4096)
def _keys(key: bytes) -> tuple[Bits, ...]:
    register, keys = list(_bits(key)), []
    for counter in range(1, 33):
        keys.append(tuple(register[16:]))
        register = register[19:] + register[:19]
        register[76:] = _FORWARD[tuple(register[76:])]
        for i in range(5):
            register[15 + i] ^= counter >> i & 1
    return tuple(keys)


def _add(state: Bits, key: Bits) -> Bits:
    return tuple(a ^ b for a, b in zip(state, key, strict=True))


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 10-byte key."""
    *keys, last = _keys(key)
    state = _bits(block)
    for round_key in keys:
        state = _substitute(_add(state, round_key), _FORWARD)
        state = tuple(state[i] for i in _FROM)
    return _bytes(_add(state, last))


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 10-byte key."""
    *keys, last = _keys(key)
    state = _add(_bits(block), last)
    for round_key in reversed(keys):
        state = tuple(state[i] for i in _TO)
        state = _add(_substitute(state, _BACKWARD), round_key)
    return _bytes(state)
