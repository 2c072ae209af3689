"""Simon64/128 built another way than the reference: bytes, and a register with feedback for the constants.

No library that the project depends on has Simon, so this stands in for one. It shares no formula with
`reference.py`: rotations by 1 and 2 are products whose overflow goes to the next byte, a rotation by 8 is
another order of bytes, one by 3 to the right is a product by 32, a round is one of both directions with the
halves exchanged, and the sequence z3 comes from its definition: alternating bits and a sequence of period 31.
"""

from functools import lru_cache

Word = tuple[int, ...]  # four bytes, the lowest first


def _sequence() -> list[int]:
    """The bits that go to the first 40 round keys that the key does not have."""
    bits = [1, 0, 0, 0, 1]
    while len(bits) < 40:
        bits.append(sum(bits[-5:-1]) % 2)
    return [(bit + i) % 2 for i, bit in enumerate(bits)]


_ROUND_CONSTANTS = tuple(252 + bit for bit in _sequence())


def _times(word: Word, factor: int) -> Word:
    """The product, its overflow brought in at the other end."""
    products = [factor * byte for byte in word]
    return tuple(products[i] % 256 + products[i - 1] // 256 for i in range(4))


def _down(word: Word) -> Word:
    """A byte to the right."""
    return (*word[1:], word[0])


def _xor(*words: Word) -> Word:
    first, *others = words
    for other in others:
        first = tuple(a ^ b for a, b in zip(first, other, strict=True))
    return first


@lru_cache(maxsize=4096)
def _keys(key: bytes) -> tuple[Word, ...]:
    window = [tuple(key[i : i + 4]) for i in range(0, 16, 4)]
    keys = list(window)
    for constant in _ROUND_CONSTANTS:
        oldest, second, _, newest = window
        t = _xor(_down(_times(newest, 32)), second)
        window = window[1:] + [_xor(oldest, t, _down(_times(t, 128)), (constant, 255, 255, 255))]
        keys.append(window[-1])
    return tuple(keys)


def _feistel(low: Word, high: Word, keys: tuple[Word, ...]) -> tuple[Word, Word]:
    for k in keys:
        both = tuple(a & b for a, b in zip(_times(high, 2), (high[3], *high[:3]), strict=True))
        low, high = high, _xor(low, both, _times(high, 4), k)
    return low, high


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    low, high = _feistel(tuple(block[:4]), tuple(block[4:]), _keys(key))
    return bytes(low + high)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    low, high = _feistel(tuple(block[4:]), tuple(block[:4]), _keys(key)[::-1])
    return bytes(high + low)
