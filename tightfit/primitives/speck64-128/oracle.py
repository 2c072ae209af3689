"""Speck64/128 built another way than the reference: bytes with carries between them, no word anywhere.

No library that the project depends on has Speck, so this stands in for one. It shares no formula with
`reference.py`: a rotation by 8 is another order of bytes, a rotation by 3 is a product by 8 whose overflow
goes to the next byte, subtraction adds a complement, and the key schedule is the round itself.
"""

from functools import lru_cache

Word = tuple[int, ...]  # four bytes, the lowest first


def _add(a: Word, b: Word, carry: int = 0) -> Word:
    total = []
    for left, right in zip(a, b, strict=True):
        carry, byte = divmod(left + right + carry, 256)
        total.append(byte)
    return tuple(total)


def _xor(a: Word, b: Word) -> Word:
    return tuple(left ^ right for left, right in zip(a, b, strict=True))


def _times_8(word: Word) -> Word:
    """The product, its overflow brought in at the other end."""
    products = [8 * byte for byte in word]
    return tuple(products[i] % 256 + products[i - 1] // 256 for i in range(4))


def _eighth(word: Word) -> Word:
    """What `_times_8` came from: remainders go down to the byte before."""
    return tuple(word[i] // 8 + word[(i + 1) % 4] % 8 * 32 for i in range(4))


def _round(x: Word, y: Word, key: Word) -> tuple[Word, Word]:
    x = _xor(_add(x[1:] + x[:1], y), key)
    return x, _xor(_times_8(y), x)


@lru_cache(maxsize=4096)
def _keys(key: bytes) -> tuple[Word, ...]:
    k, *queue = (tuple(key[i : i + 4]) for i in range(0, 16, 4))
    keys = []
    for i in range(27):
        keys.append(k)
        word, k = _round(queue.pop(0), k, (i, 0, 0, 0))
        queue.append(word)
    return tuple(keys)


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    y, x = tuple(block[:4]), tuple(block[4:])
    for k in _keys(key):
        x, y = _round(x, y, k)
    return bytes(y + x)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    y, x = tuple(block[:4]), tuple(block[4:])
    for k in reversed(_keys(key)):
        y = _eighth(_xor(x, y))
        x = _add(_xor(x, k), tuple(255 - byte for byte in y), carry=1)
        x = x[3:] + x[:3]
    return bytes(y + x)
