"""The rounds of BLAKE and BLAKE2 on 32-bit words; shared by the references of the family."""

WORD = (1 << 32) - 1

INITIAL = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
"""The initial hash value, that of SHA-256."""

SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
"""The permutations of the message words; from the eleventh round on they come again."""

COLUMNS_AND_DIAGONALS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip

Words = list[int]


def _rotate(word: int, bits: int) -> int:
    """A word turned right by `bits` bits."""
    return (word >> bits | word << 32 - bits) & WORD


def _mix(v: Words, places: tuple[int, ...], x: int, y: int) -> None:
    """The function G on four words of v, with two words that it adds."""
    a, b, c, d = places
    for added, far, near in ((x, 16, 12), (y, 8, 7)):
        v[a] = v[a] + v[b] + added & WORD
        v[d] = _rotate(v[d] ^ v[a], far)
        v[c] = v[c] + v[d] & WORD
        v[b] = _rotate(v[b] ^ v[c], near)


def mixed(v: Words, message: Words, rounds: int, constants: tuple[int, ...]) -> Words:
    """The sixteen words v after all rounds.

    A word of the message is added with the constant of its partner in the permutation, by XOR; constants are
    zero where there are none.
    """
    for number in range(rounds):
        order = SIGMA[number % 10]
        for i, places in enumerate(COLUMNS_AND_DIAGONALS):
            one, other = order[2 * i], order[2 * i + 1]
            _mix(v, places, message[one] ^ constants[other], message[other] ^ constants[one])
    return v


def joined(state: Words, v: Words) -> Words:
    """The next chaining value."""
    return [old ^ low ^ high for old, low, high in zip(state, v[:8], v[8:], strict=True)]
