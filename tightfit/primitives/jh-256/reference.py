"""JH-256 (JH42) as the final round of the submission describes it, on elements of 4 bits; made to be read."""

from math import isqrt

BLOCK_BYTES = 64
ROUNDS = 42
SBOXES = (
    (9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14),
    (3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8),
)

Elements = list[int]


def _times_2(a: int) -> int:
    """The product by x in GF(2^4), modulo x^4 + x + 1."""
    return a << 1 & 15 ^ a >> 3 ^ a >> 3 << 1


def _mix(a: int, b: int) -> tuple[int, int]:
    """The linear transformation L, an MDS code."""
    d = b ^ _times_2(a)
    return a ^ _times_2(d), d


def _permute(v: Elements) -> Elements:
    """P_d: pi swaps the last two of every four, P' brings the even ones forward, phi swaps pairs behind."""
    pi = [v[i ^ (i >> 1 & 1)] for i in range(len(v))]
    sorted_out = pi[::2] + pi[1::2]
    half = len(v) // 2
    return sorted_out[:half] + [sorted_out[half + (i ^ 1)] for i in range(half)]


def one_round(elements: Elements, constant: list[int]) -> Elements:
    """R_d: an S-box chosen by a bit of the constant for every element, L on pairs, P_d."""
    v = [SBOXES[bit][a] for a, bit in zip(elements, constant, strict=True)]
    for i in range(0, len(v), 2):
        v[i : i + 2] = _mix(v[i], v[i + 1])
    return _permute(v)


def _bits(value: int, count: int) -> list[int]:
    return [value >> count - 1 - i & 1 for i in range(count)]


def round_constants() -> list[list[int]]:
    """Bits of the 42 constants: the fraction of the root of 2, then each R_6 of the one before, on zeros."""
    fraction = isqrt(2 << 512) & (1 << 256) - 1
    elements = [fraction >> 252 - 4 * i & 15 for i in range(64)]
    constants = []
    for _ in range(ROUNDS):
        constants.append([bit for a in elements for bit in _bits(a, 4)])
        elements = one_round(elements, [0] * 64)
    return constants


CONSTANTS = round_constants()


def permutation(state: int) -> int:
    """E_8 on 1,024 bits: bits 256 apart are an element, those of both halves of 256 take turns."""
    bits = _bits(state, 1024)
    v = []
    for i in range(128):
        for first in (i, i + 128):
            v.append(sum(bits[first + 256 * row] << 3 - row for row in range(4)))
    for constant in CONSTANTS:
        v = one_round(v, constant)
    for i in range(256):
        for row in range(4):
            bits[i // 2 + 128 * (i % 2) + 256 * row] = v[i] >> 3 - row & 1
    return int("".join(map(str, bits)), 2)


def compress(state: int, block: bytes) -> int:
    """F_8: the block before to the first half of the state, after to the second."""
    m = int.from_bytes(block)
    return permutation(state ^ m << 512) ^ m


def digest(message: bytes) -> bytes:
    """The 32-byte digest of a message of whole bytes."""
    return counted(message, len(message))


def counted(message: bytes, length: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes; it takes 512 bits at least."""
    zeros = 47 + -len(message) % BLOCK_BYTES
    padded = message + b"\x80" + bytes(zeros) + (8 * length).to_bytes(16)
    state = compress(256 << 1008, bytes(BLOCK_BYTES))
    for i in range(0, len(padded), BLOCK_BYTES):
        state = compress(state, padded[i : i + BLOCK_BYTES])
    return (state & (1 << 256) - 1).to_bytes(32)
