"""PRESENT-80 as its paper (CHES 2007) describes it, on the integers that it speaks of."""

ROUNDS = 31
SBOX = (0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2)
INVERSE_SBOX = tuple(SBOX.index(value) for value in range(16))


def substitute(state: int, table: tuple[int, ...] = SBOX) -> int:
    """sBoxLayer: the table on each of the sixteen nibbles; the inverse one undoes it."""
    return sum(table[state >> shift & 15] << shift for shift in range(0, 64, 4))


def permute(state: int) -> int:
    """pLayer: bit i moves to position 16 i mod 63, bit 63 stays."""
    return sum((state >> i & 1) << (63 if i == 63 else 16 * i % 63) for i in range(64))


def inverse_permute(state: int) -> int:
    """The inverse of pLayer: bit i moves to position 4 i mod 63."""
    return sum((state >> i & 1) << (63 if i == 63 else 4 * i % 63) for i in range(64))


def round_keys(key: bytes) -> list[int]:
    """The 32 round keys: the upper 64 bits of the key register after each update."""
    register, keys = int.from_bytes(key), []
    for counter in range(1, ROUNDS + 2):
        keys.append(register >> 16)
        register = (register << 61 | register >> 19) & (1 << 80) - 1
        register = SBOX[register >> 76] << 76 | register & (1 << 76) - 1
        register ^= counter << 15
    return keys


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 10-byte key."""
    *keys, last = round_keys(key)
    state = int.from_bytes(block)
    for round_key in keys:
        state = permute(substitute(state ^ round_key))
    return (state ^ last).to_bytes(8)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 10-byte key."""
    *keys, last = round_keys(key)
    state = int.from_bytes(block) ^ last
    for round_key in reversed(keys):
        state = substitute(inverse_permute(state), INVERSE_SBOX) ^ round_key
    return state.to_bytes(8)
