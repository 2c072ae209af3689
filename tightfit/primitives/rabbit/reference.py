"""Rabbit as RFC 4503 words it (section 2): eight state words X, eight counters C of 32 bits and a carry b."""

MASK = (1 << 32) - 1
A = (0x4D34D34D, 0xD34D34D3, 0x34D34D34, 0x4D34D34D, 0xD34D34D3, 0x34D34D34, 0x4D34D34D, 0xD34D34D3)


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def _halves(data: bytes) -> list[int]:
    """Subkeys of 16 bits, that of the lowest bits first."""
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]


class Rabbit:
    """The state after key setup (2.3) and iv setup (2.4)."""

    def __init__(self, key: bytes, iv: bytes):
        k = _halves(key)
        self.x, self.c, self.b = [0] * 8, [0] * 8, 0
        for j in range(8):
            near = k[(j + 1) % 8] << 16 | k[j]
            far = k[(j + 5) % 8] << 16 | k[(j + 4) % 8]
            self.x[j] = far if j % 2 else near
            near, far = _rotated(near, 16), _rotated(far, 16)
            self.c[j] = near if j % 2 else far
        self._iterate(4)
        self.c = [c ^ self.x[(j + 4) % 8] for j, c in enumerate(self.c)]
        i = _halves(iv)
        turn = (i[1] << 16 | i[0], i[3] << 16 | i[1], i[3] << 16 | i[2], i[2] << 16 | i[0])
        self.c = [c ^ turn[j % 4] for j, c in enumerate(self.c)]
        self._iterate(4)

    def _iterate(self, count: int) -> None:
        for _ in range(count):
            self._count()
            self._next_state()

    def _count(self) -> None:
        """The counter system (2.5)."""
        for j in range(8):
            total = self.c[j] + A[j] + self.b
            self.b = total >> 32
            self.c[j] = total & MASK

    def _next_state(self) -> None:
        """The next-state function (2.6)."""
        squares = [(x + c & MASK) ** 2 for x, c in zip(self.x, self.c, strict=True)]
        g = [square & MASK ^ square >> 32 for square in squares]
        for j in range(8):
            if j % 2:
                self.x[j] = g[j] + _rotated(g[j - 1], 8) + g[j - 2] & MASK
            else:
                self.x[j] = g[j] + _rotated(g[j - 1], 16) + _rotated(g[j - 2], 16) & MASK

    def block(self) -> bytes:
        """The next 16 bytes of keystream (2.7)."""
        self._iterate(1)
        x = self.x
        words = (
            x[0] ^ x[5] >> 16 ^ x[3] << 16,
            x[2] ^ x[7] >> 16 ^ x[5] << 16,
            x[4] ^ x[1] >> 16 ^ x[7] << 16,
            x[6] ^ x[3] >> 16 ^ x[1] << 16,
        )
        return b"".join((word & MASK).to_bytes(4, "little") for word in words)


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    cipher = Rabbit(key, iv)
    blocks = -(-(start + length) // 16)
    return b"".join(cipher.block() for _ in range(blocks))[start : start + length]
