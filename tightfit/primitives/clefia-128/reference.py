"""CLEFIA with a key of 128 bits as RFC 6114 describes it: words of 32 bits, to be read and not to be fast."""

ROUNDS = 18

# Section 4.1, tables 1 and 2.
S0 = bytes.fromhex(
    "5749d1c62f3374fb956d82ea0eb0a81c28d04b925cee85b1c40a763d63f917af"
    "bfa11965f77a322006cee4839d5b4cd8425d2ee8d49b0f133c8967c071aab6f5"
    "a4befd8c120097da78e1cf6b394355263098ccddeb54b38f4e16fa22a5770961"
    "d62a533745c16caeef7008998b1df2b4e9c79f4a3125fe7cd3a2bd561488600b"
    "cde234509edc11052bb7a948ff668a73037586f16aa740c2b92cdb1f58943eed"
    "fc1ba004b88de6596293357eca21df4715f3ba7fa669c84d873b9c01e0de2452"
    "7b0c681e80b25ae7add523f4463f91c96e8472bb0d18d996f05f41ac27c5e33a"
    "816f07a379f62d381a445eb5d2eccb909a36e529c34fab6451f810d7bc027d8e"
)
S1 = bytes.fromhex(
    "6cdac3e94e9d0a3db836b43813340cd9bf74948fb79ce5dc9e07494f982cb093"
    "12ebcdb392e74160e321273be619d20e9111c73f2a8ea1bc2bc8c50f5bf3878b"
    "fbf5de20c6a784ced86551c9a4ef4353255d9b31e83e0dd780ff698aba0b735c"
    "6e541562f6353052a316d32832faaa5ecfeaed783358097b63c0c1461edfa999"
    "5504c486397782ec4018909759dd831f9a370624647ca556480885d06126ca6f"
    "7e6ab671a07005d1458c231cf0ee89ad7a4bc22fdb5a4d7667172df4cbb14aa8"
    "b522473ad5104c72cc00f9e0fde2feaef85fabf11b4281d6be4429a657b9aff2"
    "d47566bb689f5002013c7f8d1a88bdacf7e47996a2fc6db26b03e12e7d14951d"
)

# Section 4.2, the first rows; entry j of row i is entry i ^ j of the first.
M0 = (1, 2, 4, 6)
M1 = (1, 8, 2, 10)


def multiply(a: int, b: int) -> int:
    """Product in GF(2^8) modulo z^8 + z^4 + z^3 + z^2 + 1 (section 4.2)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def _function(word: int, boxes: tuple[bytes, ...], row: tuple[int, ...]) -> int:
    t = [box[byte] for box, byte in zip(boxes, word.to_bytes(4, "big"), strict=True)]
    mixed = bytearray(4)
    for i in range(4):
        for j in range(4):
            mixed[i] ^= multiply(row[i ^ j], t[j])
    return int.from_bytes(mixed, "big")


def f0(key: int, word: int) -> int:
    """Function F0 (section 4.1)."""
    return _function(key ^ word, (S0, S1, S0, S1), M0)


def f1(key: int, word: int) -> int:
    """Function F1 (section 4.1)."""
    return _function(key ^ word, (S1, S0, S1, S0), M1)


def network(keys: list[int], state: list[int]) -> list[int]:
    """GFN_4 with two keys a round (section 3.2)."""
    t0, t1, t2, t3 = state
    for i in range(0, len(keys), 2):
        t1 ^= f0(keys[i], t0)
        t3 ^= f1(keys[i + 1], t2)
        t0, t1, t2, t3 = t1, t2, t3, t0
    return [t3, t0, t1, t2]


def inverse_network(keys: list[int], state: list[int]) -> list[int]:
    """The inverse of GFN_4 (section 3.2)."""
    t0, t1, t2, t3 = state
    for i in range(len(keys) - 2, -1, -2):
        t1 ^= f0(keys[i], t0)
        t3 ^= f1(keys[i + 1], t2)
        t0, t1, t2, t3 = t3, t0, t1, t2
    return [t1, t2, t3, t0]


def constants() -> list[int]:
    """CON_128, 60 words (section 6.1)."""
    t, words = 0x428A, []
    for _ in range(30):
        n = t ^ 0xFFFF
        words.append((t ^ 0xB7E1) << 16 | (n << 1 | n >> 15) & 0xFFFF)
        words.append((n ^ 0x243F) << 16 | (t << 8 | t >> 8) & 0xFFFF)
        t = t >> 1 ^ (0xD418 if t & 1 else 0)
    return words


def double_swap(state: list[int]) -> list[int]:
    """Sigma: bits 7 to 63, 121 to 127, 0 to 6 and 64 to 120 (section 2)."""
    bits = "".join(f"{word:032b}" for word in state)
    bits = bits[7:64] + bits[121:] + bits[:7] + bits[64:121]
    return [int(bits[i : i + 32], 2) for i in range(0, 128, 32)]


def words(data: bytes) -> list[int]:
    """Four words, each with its highest byte first."""
    return [int.from_bytes(data[i : i + 4], "big") for i in range(0, 16, 4)]


def round_keys(key: list[int]) -> list[int]:
    """The 36 round keys (section 6.2)."""
    con = constants()
    state, keys = network(con[:24], key), []
    for i in range(0, 36, 4):
        added = key if i % 8 else [0] * 4
        keys += [state[j] ^ con[24 + i + j] ^ added[j] for j in range(4)]
        state = double_swap(state)
    return keys


def _bytes(state: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "big") for word in state)


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 16-byte block under a 16-byte key (section 5)."""
    k, p = words(key), words(block)
    c = network(round_keys(k), [p[0], p[1] ^ k[0], p[2], p[3] ^ k[1]])
    return _bytes([c[0], c[1] ^ k[2], c[2], c[3] ^ k[3]])


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 16-byte block under a 16-byte key (section 5)."""
    k, c = words(key), words(block)
    p = inverse_network(round_keys(k), [c[0], c[1] ^ k[2], c[2], c[3] ^ k[3]])
    return _bytes([p[0], p[1] ^ k[0], p[2], p[3] ^ k[1]])
