"""SHA-256 as FIPS 180-4 describes it, on 32-bit integers; written to be read, not to be fast."""

from collections.abc import Iterator
from itertools import count, islice

BLOCK_BYTES = 64
WORD = (1 << 32) - 1

Words = tuple[int, ...]


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, n)))


def _root_fraction(n: int, degree: int) -> int:
    """The first 32 bits of the fraction of a root of n."""
    scaled, low, high = n << 32 * degree, 0, n << 32
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= scaled else (low, middle)
    return low & WORD


INITIAL = tuple(_root_fraction(prime, 2) for prime in islice(_primes(), 8))
CONSTANTS = tuple(_root_fraction(prime, 3) for prime in islice(_primes(), 64))


def _rotate(word: int, bits: int) -> int:
    """A word turned right by `bits` bits (3.2)."""
    return (word >> bits | word << 32 - bits) & WORD


def _turned(word: int, *counts: int) -> int:
    """Sum modulo 2 of a word turned by several counts."""
    result = 0
    for bits in counts:
        result ^= _rotate(word, bits)
    return result


def schedule(block: bytes) -> list[int]:
    """The 64 words of a block's message schedule (6.2.2, step 1)."""
    words = [int.from_bytes(block[i : i + 4]) for i in range(0, BLOCK_BYTES, 4)]
    for t in range(16, 64):
        old, late = words[t - 15], words[t - 2]
        small = _turned(old, 7, 18) ^ old >> 3
        large = _turned(late, 17, 19) ^ late >> 10
        words.append((large + words[t - 7] + small + words[t - 16]) & WORD)
    return words


def compress(state: Words, block: bytes) -> Words:
    """The chaining value after one 64-byte block (6.2.2)."""
    a, b, c, d, e, f, g, h = state
    for constant, word in zip(CONSTANTS, schedule(block), strict=True):
        choice, majority = e & f ^ ~e & g, a & b ^ a & c ^ b & c
        first = h + _turned(e, 6, 11, 25) + choice + constant + word
        second = _turned(a, 2, 13, 22) + majority
        a, b, c, d, e, f, g, h = (first + second) & WORD, a, b, c, (d + first) & WORD, e, f, g
    return tuple(old + new & WORD for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True))


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes."""
    zeros = -(len(message) + 9) % BLOCK_BYTES
    padded = message + b"\x80" + bytes(zeros) + (8 * length).to_bytes(8)
    state = INITIAL
    for i in range(0, len(padded), BLOCK_BYTES):
        state = compress(state, padded[i : i + BLOCK_BYTES])
    return b"".join(word.to_bytes(4) for word in state)
