"""AES-256 as FIPS 197 describes it, byte by byte; written to be read, not to be fast."""

BLOCK_BYTES = 16
KEY_WORDS = 8
ROUNDS = 14


def multiply(a: int, b: int) -> int:
    """Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _inverse(a: int) -> int:
    """a^254, the inverse in GF(2^8); 0 for 0."""
    result, square, exponent = 1, a, 254
    while exponent:
        if exponent & 1:
            result = multiply(result, square)
        square = multiply(square, square)
        exponent >>= 1
    return result


def _affine(a: int) -> int:
    """The affine map over GF(2) of section 5.1.1."""
    total = a
    for shift in range(1, 5):
        total ^= (a << shift | a >> (8 - shift)) & 0xFF
    return total ^ 0x63


SBOX = bytes(_affine(_inverse(a)) for a in range(256))
INVERSE_SBOX = bytes(SBOX.index(a) for a in range(256))


def sub_bytes(state: bytes, table: bytes = SBOX) -> bytes:
    """SubBytes (5.1.1), or InvSubBytes (5.3.2) with the inverse table."""
    return bytes(table[a] for a in state)


def shift_rows(state: bytes, step: int = 1) -> bytes:
    """ShiftRows (5.1.2): row r moves left by r columns; `step` -1 gives InvShiftRows (5.3.1)."""
    return bytes(state[(i + 4 * step * (i % 4)) % BLOCK_BYTES] for i in range(BLOCK_BYTES))


def mix_columns(state: bytes, row: tuple[int, int, int, int] = (2, 3, 1, 1)) -> bytes:
    """MixColumns (5.1.3): each column times the circulant matrix that begins with `row`."""
    mixed = bytearray()
    for column in (state[i : i + 4] for i in range(0, BLOCK_BYTES, 4)):
        for r in range(4):
            byte = 0
            for c in range(4):
                byte ^= multiply(column[c], row[(c - r) % 4])
            mixed.append(byte)
    return bytes(mixed)


def inverse_mix_columns(state: bytes) -> bytes:
    """InvMixColumns (5.3.3)."""
    return mix_columns(state, (14, 11, 13, 9))


def add_round_key(state: bytes, round_key: bytes) -> bytes:
    """AddRoundKey (5.1.4)."""
    return bytes(a ^ b for a, b in zip(state, round_key, strict=True))


def expand_key(key: bytes) -> list[bytes]:
    """The fifteen round keys of section 5.2, 16 bytes each."""
    words = [key[i : i + 4] for i in range(0, 4 * KEY_WORDS, 4)]
    constant = 1
    for i in range(KEY_WORDS, 4 * (ROUNDS + 1)):
        word = words[i - 1]
        if i % KEY_WORDS == 0:
            word = sub_bytes(word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = multiply(constant, 2)
        elif i % KEY_WORDS == 4:
            word = sub_bytes(word)
        words.append(add_round_key(word, words[i - KEY_WORDS]))
    return [b"".join(words[i : i + 4]) for i in range(0, len(words), 4)]


def encrypt(key: bytes, block: bytes) -> bytes:
    """Cipher (section 5.1) of one 16-byte block under a 32-byte key."""
    round_keys = expand_key(key)
    state = add_round_key(block, round_keys[0])
    for round_key in round_keys[1:-1]:
        state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_key)
    return add_round_key(shift_rows(sub_bytes(state)), round_keys[-1])


def decrypt(key: bytes, block: bytes) -> bytes:
    """Inverse cipher (section 5.3) of one 16-byte block under a 32-byte key."""
    round_keys = expand_key(key)[::-1]
    state = add_round_key(block, round_keys[0])
    for round_key in round_keys[1:-1]:
        state = add_round_key(sub_bytes(shift_rows(state, -1), INVERSE_SBOX), round_key)
        state = inverse_mix_columns(state)
    return add_round_key(sub_bytes(shift_rows(state, -1), INVERSE_SBOX), round_keys[-1])
