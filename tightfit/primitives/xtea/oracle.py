"""XTEA built another way than the reference: bytes with carries between them, round keys listed ahead.

No library that the project depends on has XTEA, so this stands in for one. It shares no formula with
`reference.py`: both shifts come from products by 8, of which one lies a byte further down than the other,
sums carry from byte to byte, a round is undone by adding a complement, and the multiples of the golden ratio
come from that number itself.
"""

from functools import lru_cache
from math import isqrt

Word = tuple[int, ...]  # four bytes, the lowest first

_GOLDEN = (isqrt(5 << 64) - (1 << 32)) // 2  # (sqrt 5 - 1) / 2 of 2^32


def _add(a: Word, b: Word, carry: int = 0) -> Word:
    total = []
    for left, right in zip(a, b, strict=True):
        carry, byte = divmod(left + right + carry, 256)
        total.append(byte)
    return tuple(total)


def _round_function(word: Word, key: Word) -> Word:
    """Products by 8: doubled they are the shift to the left, a byte down that to the right."""
    products = [8 * byte for byte in (0, *word)]
    eights = [products[i + 1] % 256 + products[i] // 256 for i in range(4)] + [products[4] // 256]
    doubled = [2 * eights[i] % 256 + (eights[i - 1] // 128 if i else 0) for i in range(4)]
    mixed = _add(tuple(d ^ e for d, e in zip(doubled, eights[1:], strict=True)), word)
    return tuple(m ^ k for m, k in zip(mixed, key, strict=True))


def _multiple(n: int) -> Word:
    return tuple((n * _GOLDEN).to_bytes(6, "little")[:4])


@lru_cache(maxsize=4096)
def _keys(key: bytes) -> tuple[Word, ...]:
    words = [tuple(reversed(key[i : i + 4])) for i in range(0, 16, 4)]
    keys = []
    for n in range(32):
        before, after = _multiple(n), _multiple(n + 1)
        keys.append(_add(before, words[before[0] % 4]))
        keys.append(_add(after, words[after[1] // 8 % 4]))
    return tuple(keys)


def _halves(block: bytes) -> list[Word]:
    return [tuple(reversed(block[:4])), tuple(reversed(block[4:]))]


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    changed, other = _halves(block)
    for k in _keys(key):
        changed, other = other, _add(changed, _round_function(other, k))
    return bytes(changed[::-1] + other[::-1])


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    other, changed = _halves(block)
    for k in reversed(_keys(key)):
        complement = tuple(255 - byte for byte in _round_function(other, k))
        changed, other = other, _add(changed, complement, carry=1)
    return bytes(other[::-1] + changed[::-1])
