"""CLEFIA with a key of 128 bits built another way than the reference.

No library that the project depends on has CLEFIA, so this stands in for one. It shares no table and no
formula with `reference.py`: S-boxes come from four boxes of 4 bits and from inversion in GF(2^8), products
from logarithms, constants from the table of the standard; the block is one integer, which a round turns.
"""

from functools import lru_cache
from itertools import accumulate, repeat

BLOCK = 2**128

# The table of CON_128.
CON = bytes.fromhex(
    "f56b7aeb994a8a4296a4bd75fa854521735b768a1f7abac4d5bc3b45b99d5d62"
    "52d735923ef636e5c57a1ac9a95b9b725ab42554369555ed1553ba9a7972b2a2"
    "e6b85d4d8a9959514b5506962774b4fcc9bb034ba59a5a7e88cc81a5e4ed2d3f"
    "7c6f68e2104e8ecbd2263471be07c765511a32083d3bfbe61084b1347ca565a7"
    "304bf0aa5c6aaa87f43478559815d5434213141a2e32f2f5cd180a0da139f97a"
    "5e852d3632a464e9c353169baf72b2748db88b4de199593a7ed56d9612f434c9"
    "d37b36cbbf5a9a6485ac9b65e98d4d327adf658216fe3ecdd17e32c1bd5f9f66"
    "50b631503c9757e71052b0987c73b3a7"
)

POWERS = [1, *accumulate(repeat(2, 254), lambda power, _: power * 2 % 256 ^ power // 128 * 29, initial=2)]
LOGS = {power: exponent for exponent, power in enumerate(POWERS[:255])}


def _raised(byte: int, exponent: int) -> int:
    """A byte times 2^exponent in GF(2^8)."""
    return POWERS[(LOGS[byte] + exponent) % 255] if byte else 0


def _linear(columns: str, added: int) -> list[int]:
    """All values of an affine map, whose columns are those of the bits from the lowest."""
    values = [added]
    for column in bytes.fromhex(columns):
        values += [value ^ column for value in values]
    return values


def _second_box() -> list[int]:
    """S1: an affine map, the inverse, another affine map."""
    before, after = _linear("69101c84c40a4e01", 0x1E), _linear("408401a02a186102", 0x69)
    return [after[POWERS[-LOGS[byte] % 255]] if byte else after[0] for byte in before]


def _first_box() -> list[int]:
    """S0: two boxes, a product with a matrix over GF(2^4), two boxes."""
    high, low, upper, lower = ([int(digit, 16) for digit in box] for box in NIBBLES)
    twice = [2 * digit % 16 ^ digit // 8 * 3 for digit in range(16)]
    return [upper[a ^ twice[b]] * 16 + lower[twice[a] ^ b] for a in high for b in low]


NIBBLES = ("e6ca872fb14059d3", "640d2ba39cef8751", "b85ea64cf72310d9", "a26d345e0789bfc1")
BOXES = (_first_box(), _second_box())


def _spread(byte: int, column: int, exponents: tuple[int, int]) -> int:
    """A column of a matrix times a byte, as a word: the byte, two products and their sum."""
    near, far = (_raised(byte, exponent) for exponent in exponents)
    order = (byte, near, far, near ^ far)
    return int.from_bytes(bytes(order[column ^ row] for row in range(4)))


# F0 and F1: for each byte of a word what it adds to the result.
F = tuple(
    tuple([_spread(byte, column, exponents) for byte in BOXES[(column + which) % 2]] for column in range(4))
    for which, exponents in enumerate(((1, 2), (3, 1)))
)


def _of(tables: tuple[list[int], ...], word: int) -> int:
    result = 0
    for table, byte in zip(tables, word.to_bytes(4), strict=True):
        result ^= table[byte]
    return result


def _forward(block: int, keys: list[int]) -> int:
    """Rounds of GFN_4; each turns the block by a word, and the last turn is taken back."""
    for key in keys:
        mixed = block ^ key
        block ^= _of(F[0], mixed >> 96) << 64 ^ _of(F[1], mixed >> 32 & 0xFFFFFFFF)
        block = block * 2**32 % BLOCK + (block >> 96)
    return block // 2**32 + block % 2**32 * 2**96


def _backward(block: int, keys: list[int]) -> int:
    """The rounds of `_forward` undone from the last one on."""
    block = block * 2**32 % BLOCK + (block >> 96)
    for key in keys[::-1]:
        block = block // 2**32 + block % 2**32 * 2**96
        mixed = block ^ key
        block ^= _of(F[0], mixed >> 96) << 64 ^ _of(F[1], mixed >> 32 & 0xFFFFFFFF)
    return block


def _placed(pair: bytes) -> int:
    """The two keys of a round where F0 and F1 read: words 0 and 2 of the block."""
    return int.from_bytes(pair[:4]) * 2**96 + int.from_bytes(pair[4:]) * 2**32


@lru_cache(maxsize=4096)
def _keys(key: int) -> list[int]:
    pairs = [_placed(CON[i : i + 8]) for i in range(0, 240, 8)]
    inner, keys = _forward(key, pairs[:12]), []
    for i in range(9):
        four = (inner ^ key * (i % 2)).to_bytes(16)
        keys += [_placed(four[:8]) ^ pairs[12 + 2 * i], _placed(four[8:]) ^ pairs[13 + 2 * i]]
        left, right = divmod(inner, 2**64)
        inner = (left % 2**57 * 2**7 + right % 2**7) * 2**64 + left // 2**57 * 2**57 + right // 2**7
    return keys


def _whitened(block: int, pair: int) -> int:
    """Words 1 and 3 with two words of the key added."""
    return block ^ (pair >> 32) * 2**64 ^ pair % 2**32


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 16-byte block under a 16-byte key."""
    k = int.from_bytes(key)
    inner = _forward(_whitened(int.from_bytes(block), k >> 64), _keys(k))
    return _whitened(inner, k % 2**64).to_bytes(16)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 16-byte block under a 16-byte key."""
    k = int.from_bytes(key)
    inner = _backward(_whitened(int.from_bytes(block), k % 2**64), _keys(k))
    return _whitened(inner, k >> 64).to_bytes(16)
