"""Skein 1.3 as its submission describes it, on words of 64 bits; shared by the references of its family.

The sizes are those where block, state and digest are as long as each other.
"""

WORD = (1 << 64) - 1
ROUNDS = 72
KEY_PARITY = 0x1BD11BDAA9FC1A22
CONFIG, MESSAGE, OUTPUT = 4, 48, 63
TRUE_BLOCKS = 3

# By the number of words: rotations of MIX, a row for each of eight rounds (table 4); new places (table 3).
ROTATIONS = {
    4: ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)),
    8: (
        (46, 36, 19, 37),
        (33, 27, 14, 42),
        (17, 49, 36, 39),
        (44, 9, 54, 56),
        (39, 30, 34, 24),
        (13, 50, 10, 17),
        (25, 29, 39, 43),
        (8, 35, 56, 22),
    ),
}
PLACES = {4: (0, 3, 2, 1), 8: (2, 1, 4, 7, 6, 5, 0, 3)}


def _words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def _bytes(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for word in words)


def mix(x0: int, x1: int, count: int) -> tuple[int, int]:
    """MIX (3.3.1)."""
    total = (x0 + x1) & WORD
    return total, (x1 << count | x1 >> 64 - count) & WORD ^ total


def subkey(key: list[int], tweak: list[int], number: int) -> list[int]:
    """Subkey `number` (3.3.2) of the key with its parity and the tweak with its sum."""
    size = len(key) - 1
    words = [key[(number + i) % (size + 1)] for i in range(size)]
    words[size - 3] += tweak[number % 3]
    words[size - 2] += tweak[(number + 1) % 3]
    words[size - 1] += number
    return words


def threefish(key: bytes, tweak: bytes, block: bytes) -> bytes:
    """The block cipher (3.3) with a tweak of 16 bytes."""
    k, t, v = _words(key), _words(tweak), _words(block)
    size, parity = len(v), KEY_PARITY
    for word in k:
        parity ^= word
    k.append(parity)
    t.append(t[0] ^ t[1])
    for d in range(ROUNDS + 1):
        if d % 4 == 0:
            v = [(a + b) & WORD for a, b in zip(v, subkey(k, t, d // 4), strict=True)]
        if d < ROUNDS:
            mixed = []
            for j, count in enumerate(ROTATIONS[size][d % 8]):
                mixed += mix(v[2 * j], v[2 * j + 1], count)
            v = [mixed[place] for place in PLACES[size]]
    return _bytes(v)


def chain(state: bytes, block: bytes, position: int, kind: int, first: bool, last: bool) -> bytes:
    """The chaining value after a block of UBI (3.4): `position` is that of the block's end."""
    tweak = (position | kind << 120 | first << 126 | last << 127).to_bytes(16, "little")
    return bytes(a ^ b for a, b in zip(threefish(state, tweak, block), block, strict=True))


def initial(size: int) -> bytes:
    """The chaining value before the message, after the configuration (3.5.2)."""
    config = b"SHA3" + (1).to_bytes(4, "little") + (8 * size).to_bytes(8, "little") + bytes(16)
    return chain(bytes(size), config.ljust(size, b"\0"), len(config), CONFIG, True, True)


def counted(message: bytes, length: int, size: int) -> bytes:
    """The digest of a message of `length` bytes of which those behind the third block may be left out.

    Blocks depend on their positions, so those after the gap are where they would be without it.
    """
    state, lacking = initial(size), length - len(message)
    starts = range(0, max(len(message), 1), size)
    for start in starts:
        block = message[start : start + size]
        position = start + len(block) + (lacking if start >= TRUE_BLOCKS * size else 0)
        last = start == starts[-1]
        state = chain(state, block.ljust(size, b"\0"), position, MESSAGE, start == 0, last)
    return chain(state, bytes(size), 8, OUTPUT, True, True)
