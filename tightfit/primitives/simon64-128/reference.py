"""Simon64/128 as its report (ePrint 2013/404) describes it: two words of 32 bits, 44 rounds."""

ROUNDS = 44
MASK = (1 << 32) - 1
Z3 = "11011011101011000110010111100000010010001010011100110100001111"


def left(word: int, bits: int) -> int:
    """Rotation of a word of 32 bits."""
    return (word << bits | word >> 32 - bits) & MASK


def words(data: bytes) -> list[int]:
    """Little-endian words, the low word first."""
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def round_keys(key: bytes) -> list[int]:
    """The 44 round keys: those of the key, and each of the others from the four before it."""
    k = words(key)
    for i in range(ROUNDS - 4):
        t = left(k[i + 3], 29) ^ k[i + 1]
        k.append(k[i] ^ t ^ left(t, 31) ^ MASK - 3 ^ int(Z3[i]))
    return k


def f(word: int) -> int:
    """The round function."""
    return left(word, 1) & left(word, 8) ^ left(word, 2)


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    y, x = words(block)
    for k in round_keys(key):
        x, y = y ^ f(x) ^ k, x
    return (x << 32 | y).to_bytes(8, "little")


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    y, x = words(block)
    for k in reversed(round_keys(key)):
        x, y = y, x ^ f(y) ^ k
    return (x << 32 | y).to_bytes(8, "little")
