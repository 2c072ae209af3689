"""The hashes of FIPS 180-4 on words of any size; shared by the references of SHA-224, SHA-384 and SHA-512."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice

Words = tuple[int, ...]
Turns = tuple[int, int, int]


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, n)))


@dataclass(frozen=True)
class Hash:
    """What differs between hashes on words of 32 and of 64 bits.

    The third count of a large sigma is a rotation, that of a small sigma a shift (4.1.2, 4.1.3).
    """

    bits: int
    steps: int
    large_0: Turns
    large_1: Turns
    small_0: Turns
    small_1: Turns

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1

    @property
    def block_bytes(self) -> int:
        return 2 * self.bits

    @cache  # noqa: B019, there are two instances
    def roots(self, degree: int, start: int, stop: int) -> Words:
        """The first bits of the fractions of roots of primes (4.2.2, 4.2.3, 5.3)."""
        return tuple(self._fraction(prime, degree) for prime in islice(_primes(), start, stop))

    def _fraction(self, n: int, degree: int) -> int:
        scaled, low, high = n << self.bits * degree, 0, n << self.bits
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**degree <= scaled else (low, middle)
        return low & self.mask

    def rotate(self, word: int, turns: int) -> int:
        """A word turned right (3.2)."""
        return (word >> turns | word << self.bits - turns) & self.mask

    def large(self, word: int, turns: Turns) -> int:
        return self.rotate(word, turns[0]) ^ self.rotate(word, turns[1]) ^ self.rotate(word, turns[2])

    def small(self, word: int, turns: Turns) -> int:
        return self.rotate(word, turns[0]) ^ self.rotate(word, turns[1]) ^ word >> turns[2]

    def schedule(self, block: bytes) -> list[int]:
        """The words of a block's message schedule, one a step (6.2.2 and 6.4.2, step 1)."""
        size = self.bits // 8
        words = [int.from_bytes(block[i : i + size]) for i in range(0, self.block_bytes, size)]
        for t in range(16, self.steps):
            large, small = self.small(words[t - 2], self.small_1), self.small(words[t - 15], self.small_0)
            words.append((large + words[t - 7] + small + words[t - 16]) & self.mask)
        return words

    def compress(self, state: Words, block: bytes) -> Words:
        """The chaining value after one more block (6.2.2, 6.4.2)."""
        a, b, c, d, e, f, g, h = state
        for constant, word in zip(self.roots(3, 0, self.steps), self.schedule(block), strict=True):
            choice, majority = e & f ^ ~e & g, a & b ^ a & c ^ b & c
            first = h + self.large(e, self.large_1) + choice + constant + word
            second = self.large(a, self.large_0) + majority
            a, b, c, d, e, f, g, h = first + second & self.mask, a, b, c, d + first & self.mask, e, f, g
        return tuple(old + new & self.mask for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True))

    def digest(self, initial: Words, message: bytes, length: int, digest_bytes: int) -> bytes:
        """The digest of a message whose padding says that it has `length` bytes (5.1)."""
        field = self.bits // 4
        zeros = -(len(message) + 1 + field) % self.block_bytes
        padded = message + b"\x80" + bytes(zeros) + (8 * length).to_bytes(field)
        state = initial
        for i in range(0, len(padded), self.block_bytes):
            state = self.compress(state, padded[i : i + self.block_bytes])
        return b"".join(word.to_bytes(self.bits // 8) for word in state)[:digest_bytes]


WORDS_32 = Hash(32, 64, (2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))
WORDS_64 = Hash(64, 80, (28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6))
