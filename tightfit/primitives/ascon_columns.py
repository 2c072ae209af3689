"""Ascon-p from the table of its S-box, on columns as characters; for the oracles of its family.

It shares no formula with `ascon`: there the S-box is computed, as a step of Keccak.
"""

SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
"""Of five bits, the highest that of word 0."""

DIGITS = [bytes(48 + (value >> 4 - word & 1) for value in SBOX) + bytes(224) for word in range(5)]
"""From a column to the digit of a word after the S-box."""

DOUBLED = 1 << 64 | 1
"""A word times this is that word twice, so that a shift is a rotation."""

SHIFTS = ((19, 28), (39, 61), (1, 6), (10, 17), (7, 41))
ZEROS = 31 * int.from_bytes(b"0" * 64, "big")


def permuted(words: list[int], rounds: int = 12) -> list[int]:
    """Five words after so many of the last rounds."""
    for constant in range(0xF0, 0x3C, -0x0F)[-rounds:]:
        words[2] ^= constant
        columns = _columns(words)
        words = []
        for digits, (one, other) in zip(DIGITS, SHIFTS, strict=True):
            twice = int(columns.translate(digits), 2) * DOUBLED
            words.append((twice ^ twice >> one ^ twice >> other) % 2**64)
    return words


def _columns(words: list[int]) -> bytes:
    """The 64 columns of bits of five words, a byte each."""
    columns = 0
    for word in words:
        columns = 2 * columns + int.from_bytes(f"{word:064b}".encode(), "big")
    return (columns - ZEROS).to_bytes(64, "big")
