"""Camellia-128 as RFC 3713 describes it, on numbers of 128, 64 and 32 bits."""

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1

SIGMA = (0xA09E667F3BCC908B, 0xB67AE8584CAA73B2, 0xC6EF372FE94F82BE, 0x54FF53A5F1D36F1C)


def left(number: int, bits: int, width: int) -> int:
    """Rotation of a number of `width` bits."""
    return (number << bits | number >> width - bits) & ((1 << width) - 1)


# Section 2.4.1; the other S-boxes are rotations of it.
SBOX1 = bytes.fromhex(
    """
    70 82 2c ec b3 27 c0 e5 e4 85 57 35 ea 0c ae 41
    23 ef 6b 93 45 19 a5 21 ed 0e 4f 4e 1d 65 92 bd
    86 b8 af 8f 7c eb 1f ce 3e 30 dc 5f 5e c5 0b 1a
    a6 e1 39 ca d5 47 5d 3d d9 01 5a d6 51 56 6c 4d
    8b 0d 9a 66 fb cc b0 2d 74 12 2b 20 f0 b1 84 99
    df 4c cb c2 34 7e 76 05 6d b7 a9 31 d1 17 04 d7
    14 58 3a 61 de 1b 11 1c 32 0f 9c 16 53 18 f2 22
    fe 44 cf b2 c3 b5 7a 91 24 08 e8 a8 60 fc 69 50
    aa d0 a0 7d a1 89 62 97 54 5b 1e 95 e0 ff 64 d2
    10 c4 00 48 a3 f7 75 db 8a 03 e6 da 09 3f dd 94
    87 5c 83 02 cd 4a 90 33 73 67 f6 f3 9d 7f bf e2
    52 9b d8 26 c8 37 c6 3b 81 96 6f 4b 13 be 63 2e
    e9 79 a7 8c 9f 6e bc 8e 29 f5 f9 b6 2f fd b4 59
    78 98 06 6a e7 46 71 ba d4 25 ab 42 88 a2 8d fa
    72 07 b9 55 f8 ee ac 0a 36 49 2a 68 3c 38 f1 a4
    40 28 d3 7b bb c9 43 c1 15 e3 ad f4 77 c7 80 9e
    """
)
SBOX2 = bytes(left(byte, 1, 8) for byte in SBOX1)
SBOX3 = bytes(left(byte, 7, 8) for byte in SBOX1)
SBOX4 = bytes(SBOX1[left(byte, 1, 8)] for byte in range(256))


def f(number: int, subkey: int) -> int:
    """The F-function (2.4.1): subkey, S-boxes, and the byte sums of P."""
    tables = (SBOX1, SBOX2, SBOX3, SBOX4, SBOX2, SBOX3, SBOX4, SBOX1)
    t1, t2, t3, t4, t5, t6, t7, t8 = (
        table[byte] for table, byte in zip(tables, (number ^ subkey).to_bytes(8), strict=True)
    )
    y1 = t1 ^ t3 ^ t4 ^ t6 ^ t7 ^ t8
    y2 = t1 ^ t2 ^ t4 ^ t5 ^ t7 ^ t8
    y3 = t1 ^ t2 ^ t3 ^ t5 ^ t6 ^ t8
    y4 = t2 ^ t3 ^ t4 ^ t5 ^ t6 ^ t7
    y5 = t1 ^ t2 ^ t6 ^ t7 ^ t8
    y6 = t2 ^ t3 ^ t5 ^ t7 ^ t8
    y7 = t3 ^ t4 ^ t5 ^ t6 ^ t8
    y8 = t1 ^ t4 ^ t5 ^ t6 ^ t7
    return int.from_bytes((y1, y2, y3, y4, y5, y6, y7, y8))


def fl(number: int, subkey: int) -> int:
    """The FL-function (2.4.2)."""
    x1, x2 = number >> 32, number & MASK32
    k1, k2 = subkey >> 32, subkey & MASK32
    x2 ^= left(x1 & k1, 1, 32)
    x1 ^= x2 | k2
    return x1 << 32 | x2


def inverse_fl(number: int, subkey: int) -> int:
    """The inverse of FL (2.4.3)."""
    y1, y2 = number >> 32, number & MASK32
    k1, k2 = subkey >> 32, subkey & MASK32
    y1 ^= y2 | k2
    y2 ^= left(y1 & k1, 1, 32)
    return y1 << 32 | y2


def halves(number: int) -> tuple[int, int]:
    """The high and the low 64 bits of 128."""
    return number >> 64, number & MASK64


def subkeys(key: bytes) -> tuple[list[int], list[int], list[int]]:
    """kw1 to kw4, k1 to k18 and ke1 to ke4 (2.2)."""
    kl = int.from_bytes(key)
    d1, d2 = halves(kl)
    d2 ^= f(d1, SIGMA[0])
    d1 ^= f(d2, SIGMA[1])
    d1 ^= kl >> 64
    d2 ^= kl & MASK64
    d2 ^= f(d1, SIGMA[2])
    d1 ^= f(d2, SIGMA[3])
    ka = d1 << 64 | d2

    def turns(*steps: tuple[int, int]) -> list[int]:
        return [half for number, bits in steps for half in halves(left(number, bits, 128))]

    whitening = turns((kl, 0), (ka, 111))
    rounds = turns((ka, 0), (kl, 15), (ka, 15), (kl, 45))
    rounds += [left(ka, 45, 128) >> 64, left(kl, 60, 128) & MASK64]
    rounds += turns((ka, 60), (kl, 94), (ka, 94), (kl, 111))
    return whitening, rounds, turns((ka, 30), (kl, 77))


def crypt(block: bytes, whitening: list[int], rounds: list[int], layers: list[int]) -> bytes:
    """Encryption (2.3.1); with the subkeys in the other order decryption (2.3.2)."""
    d1, d2 = halves(int.from_bytes(block))
    d1 ^= whitening[0]
    d2 ^= whitening[1]
    for i in range(0, 18, 2):
        if i in (6, 12):
            d1 = fl(d1, layers[i // 3 - 2])
            d2 = inverse_fl(d2, layers[i // 3 - 1])
        d2 ^= f(d1, rounds[i])
        d1 ^= f(d2, rounds[i + 1])
    return ((d2 ^ whitening[2]) << 64 | d1 ^ whitening[3]).to_bytes(16)


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 16-byte block under a 16-byte key."""
    return crypt(block, *subkeys(key))


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 16-byte block under a 16-byte key."""
    whitening, rounds, layers = subkeys(key)
    return crypt(block, whitening[2:] + whitening[:2], rounds[::-1], layers[::-1])
