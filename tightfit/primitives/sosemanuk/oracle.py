"""SOSEMANUK with S-boxes as sums of products of words, and powers of beta from a table of logarithms."""

from functools import cache, reduce
from operator import xor

FULL = 0xFFFFFFFF
SUMS = (
    (0x61FB, 0x64E3, 0x45AC, 0x0316),
    (0x7247, 0x6D3B, 0x011D, 0x6B25),
    (0x0134, 0x3AD6, 0x3D46, 0x0497),
    (0x7346, 0x3A26, 0x0D9A, 0x31BE),
    (0x071D, 0x7562, 0x5CDA, 0x0E56),
    (0x071D, 0x1D1B, 0x7925, 0x2397),
    (0x49F7, 0x0215, 0x5CDB, 0x51BC),
    (0x7619, 0x2B7C, 0x4F96, 0x02B6),
)
"""Of an S-box, for each output: the products it is the sum of; bit n of a product's number is input n."""


class Word(int):
    """32 bits that turn."""

    def turned(self, places: int) -> "Word":
        """This word with its bits moved up, round the end."""
        wide = self << places
        return Word((wide | wide >> 32) & FULL)


def through(number: int, words: list[Word]) -> list[Word]:
    """Four words through an S-box, all 32 inputs at once."""
    products = [FULL]
    for factor in words:
        products += [product & factor for product in products]
    outputs = []
    for terms in SUMS[number]:
        outputs.append(Word(reduce(xor, (products[n] for n in range(16) if terms & 1 << n), 0)))
    return outputs


def spread(words: list[Word]) -> list[Word]:
    """The linear transformation between two S-boxes."""
    one, two = words[0].turned(13), words[2].turned(3)
    three = Word(words[1] ^ one ^ two).turned(1)
    four = Word(words[3] ^ two ^ (one << 3) % (1 << 32)).turned(7)
    one = Word(one ^ three ^ four).turned(5)
    two = Word(two ^ four ^ (three << 7) % (1 << 32)).turned(22)
    return [one, three, two, four]


def read(data: bytes) -> list[Word]:
    """Words of bytes, the lowest first."""
    return [Word(int.from_bytes(data[n : n + 4], "little")) for n in range(0, len(data), 4)]


def schedule(key: bytes) -> list[list[Word]]:
    """25 round keys; the key is filled up with a one and zeros."""
    line = read(key + b"\x01" + bytes(15))
    while len(line) < 108:
        taps = line[-8] ^ line[-5] ^ line[-3] ^ line[-1]
        line.append(Word(taps ^ 0x9E3779B9 ^ len(line) - 8).turned(11))
    return [through((35 - n) % 8, line[8 + 4 * n :][:4]) for n in range(25)]


@cache
def powers() -> tuple[list[int], dict[int, int]]:
    """The powers of beta, and which power each element is."""
    line = [1]
    while len(line) < 255:
        line.append(line[-1] << 1 ^ (0x1A9 if line[-1] > 127 else 0))
    return line, {element: power for power, element in enumerate(line)}


def column(element: int, *factors: int) -> int:
    """An element times powers of beta, the first in the highest byte."""
    if not element:
        return 0
    line, log = powers()
    return reduce(lambda word, factor: word << 8 | line[(log[element] + factor) % 255], factors, 0)


class Generator:
    """Registers and their steps."""

    def __init__(self, key: bytes, iv: bytes) -> None:
        keys, text, seen = schedule(key), read(iv), []
        for n, round_key in enumerate(keys[:24]):
            mixed = [Word(word ^ part) for word, part in zip(text, round_key, strict=True)]
            text = spread(through(n % 8, mixed))
            seen.append(text)
        last = [word ^ part for word, part in zip(text, keys[24], strict=True)]
        self.first, fifth, self.second, sixth = seen[17]
        self.line = [*last[::-1], fifth, sixth, *seen[11][::-1]]

    def word(self) -> tuple[Word, int]:
        """What goes through the S-box, and what is added to it afterwards; one step."""
        line, chosen = self.line, self.line[1]
        if self.first % 2:
            chosen ^= line[8]
        product = Word(self.first * 0x54655307 & FULL)
        self.first, self.second = Word(self.second + chosen & FULL), product.turned(7)
        above = line[0] << 8 & FULL ^ column(line[0] >> 24, 23, 245, 48, 239)
        below = line[3] >> 8 ^ column(line[3] & 255, 16, 39, 6, 64)
        line.append(line[9] ^ above ^ below)
        return Word(self.first + line[9] & FULL ^ self.second), line.pop(0)


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    generator, made = Generator(key, iv), bytearray()
    while len(made) < start + length:
        inputs, masks = zip(*(generator.word() for _ in range(4)), strict=True)
        for word, mask in zip(through(2, list(inputs)), masks, strict=True):
            made += (word ^ mask).to_bytes(4, "little")
    return bytes(made[start : start + length])
