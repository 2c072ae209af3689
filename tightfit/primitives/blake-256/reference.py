"""BLAKE-256 as its final submission (version 1.3) describes it, with a salt of zero; written to be read."""

from tightfit.primitives.blake import INITIAL, WORD, joined, mixed

BLOCK_BYTES = 64
ROUNDS = 14
BEFORE_JUMP = 3 * BLOCK_BYTES

CONSTANTS = (
    0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0, 0x082EFA98, 0xEC4E6C89,
    0x452821E6, 0x38D01377, 0xBE5466CF, 0x34E90C6C, 0xC0AC29B7, 0xC97C50DD, 0x3F84D5B5, 0xB5470917,
)  # fmt: skip
"""Digits of pi (2.1.1)."""


def compress(state: list[int], block: bytes, bits: int) -> list[int]:
    """The chaining value after one 64-byte block, with the counter `bits` (2.1.2)."""
    words = [int.from_bytes(block[i : i + 4]) for i in range(0, BLOCK_BYTES, 4)]
    low, high = bits & WORD, bits >> 32
    counter = [low, low, high, high]
    v = [*state, *CONSTANTS[:4], *(c ^ t for c, t in zip(CONSTANTS[4:8], counter, strict=True))]
    return joined(state, mixed(v, words, ROUNDS, CONSTANTS))


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose count is that of `length` bytes in the end.

    The counter, which every block has, is as it should be in the first three blocks; then it jumps.
    """
    filling = bytearray((BLOCK_BYTES - 9 - len(message)) % BLOCK_BYTES + 1)
    filling[0] |= 0x80
    filling[-1] |= 1
    padded = message + filling + (8 * length).to_bytes(8)
    state = list(INITIAL)
    for start in range(0, len(padded), BLOCK_BYTES):
        end = min(start + BLOCK_BYTES, len(message))
        jump = length - len(message) if start >= BEFORE_JUMP else 0
        bits = 8 * (end + jump) if start < len(message) or not message else 0
        state = compress(state, padded[start : start + BLOCK_BYTES], bits)
    return b"".join(word.to_bytes(4) for word in state)
