"""Groestl as its specification describes it, on the rows of a matrix; shared by the references of its family.

Every byte of a permutation is in a matrix of 8 rows, column by column. SubBytes and the products of MixBytes
replace each byte by another, so a whole row is translated at once.
"""

from functools import reduce

ROWS = 8
FACTORS = (2, 2, 3, 4, 5, 3, 5, 7)
SHIFTS = {
    8: {"P": (0, 1, 2, 3, 4, 5, 6, 7), "Q": (1, 3, 5, 7, 0, 2, 4, 6)},
    16: {"P": (0, 1, 2, 3, 4, 5, 6, 11), "Q": (1, 3, 5, 11, 0, 2, 4, 6)},
}
ROUNDS = {8: 10, 16: 14}

Matrix = list[bytes]


def times(a: int, b: int) -> int:
    """The product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    for bit in range(8):
        product ^= (b >> bit & 1) * a
        a = a << 1 ^ (a >> 7) * 0x11B
    return product


def _substitute(byte: int) -> int:
    """The S-box of AES: the inverse in GF(2^8), then the affine map."""
    inverse = next((other for other in range(256) if times(byte, other) == 1), 0)
    doubled = inverse << 8 | inverse
    return reduce(lambda sum_, turn: sum_ ^ doubled >> turn & 0xFF, (4, 5, 6, 7), inverse ^ 0x63)


SBOX = bytes(map(_substitute, range(256)))
PRODUCTS = {factor: bytes(times(factor, byte) for byte in range(256)) for factor in set(FACTORS)}


def _xor(*rows: bytes) -> bytes:
    """Sum of rows, or of any strings of as many bytes."""
    total = reduce(lambda sum_, row: sum_ ^ int.from_bytes(row), rows, 0)
    return total.to_bytes(len(rows[0]))


def add_round_constant(matrix: Matrix, name: str, number: int) -> Matrix:
    """The number of the round, and of each column in the upper half of a byte (3.4.2)."""
    columns = len(matrix[0])
    constant = bytes(column << 4 ^ number for column in range(columns))
    if name == "P":
        return [_xor(matrix[0], constant), *matrix[1:]]
    matrix = [_xor(row, b"\xff" * columns) for row in matrix]
    return [*matrix[:-1], _xor(matrix[-1], constant)]


def sub_bytes(matrix: Matrix) -> Matrix:
    """Every byte through the S-box (3.4.3)."""
    return [row.translate(SBOX) for row in matrix]


def shift_bytes(matrix: Matrix, name: str) -> Matrix:
    """Rows turned to the left (3.4.4)."""
    shifts = SHIFTS[len(matrix[0])][name]
    return [row[shift:] + row[:shift] for row, shift in zip(matrix, shifts, strict=True)]


def mix_bytes(matrix: Matrix) -> Matrix:
    """Columns times a circulant matrix (3.4.5)."""
    return [
        _xor(*(matrix[(i + n) % ROWS].translate(PRODUCTS[factor]) for n, factor in enumerate(FACTORS)))
        for i in range(ROWS)
    ]


def permute(name: str, state: bytes) -> bytes:
    """The permutation P or Q (3.4)."""
    matrix = [state[row::ROWS] for row in range(ROWS)]
    for number in range(ROUNDS[len(matrix[0])]):
        matrix = add_round_constant(matrix, name, number)
        matrix = mix_bytes(shift_bytes(sub_bytes(matrix), name))
    return bytes(byte for column in zip(*matrix, strict=True) for byte in column)


def counted(message: bytes, length: int, digest_bytes: int) -> bytes:
    """The digest of a message whose padding says that it has `length` bytes (3.1 to 3.3, 3.5, 3.6)."""
    size = 2 * digest_bytes
    zeros = -(len(message) + 9) % size
    blocks = -(-(length + 9) // size)
    padded = message + b"\x80" + bytes(zeros) + blocks.to_bytes(8)
    state = (8 * digest_bytes).to_bytes(size)
    for i in range(0, len(padded), size):
        block = padded[i : i + size]
        state = _xor(permute("P", _xor(state, block)), permute("Q", block), state)
    return _xor(permute("P", state), state)[-digest_bytes:]
