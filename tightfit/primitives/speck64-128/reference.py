"""Speck64/128 as its report (ePrint 2013/404) describes it: two words of 32 bits, 27 rounds."""

ROUNDS = 27
MASK = (1 << 32) - 1


def left(word: int, bits: int) -> int:
    """Rotation of a word of 32 bits."""
    return (word << bits | word >> 32 - bits) & MASK


def words(data: bytes) -> list[int]:
    """Little-endian words, the low word first."""
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def round_keys(key: bytes) -> list[int]:
    """The 27 round keys: the round function on the key, with the round as its key."""
    k, *l = words(key)  # noqa: E741, the letters of the report
    keys = [k]
    for i in range(ROUNDS - 1):
        l.append((left(l[i], 24) + k & MASK) ^ i)
        k = left(k, 3) ^ l[i + 3]
        keys.append(k)
    return keys


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 8-byte block under a 16-byte key."""
    y, x = words(block)
    for k in round_keys(key):
        x = (left(x, 24) + y & MASK) ^ k
        y = left(y, 3) ^ x
    return (x << 32 | y).to_bytes(8, "little")


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 8-byte block under a 16-byte key."""
    y, x = words(block)
    for k in reversed(round_keys(key)):
        y = left(y ^ x, 29)
        x = left((x ^ k) - y & MASK, 8)
    return (x << 32 | y).to_bytes(8, "little")
