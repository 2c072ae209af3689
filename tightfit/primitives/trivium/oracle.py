"""Trivium in steps of 64 clocks: each register an integer, its lowest bit the oldest, shifted as a whole."""

STEP = 64
MASK = (1 << STEP) - 1
LENGTHS = (93, 84, 111)
AHEAD = ((66, 69), (69, 78), (66, 87))
"""How far back lie the bits that go to the next register and to the same one."""


def _step(registers: list[int]) -> int:
    """64 bits of keystream, the first lowest; all bits that a step makes depend on older ones."""
    sums, fresh = [], [0, 0, 0]
    for n, (value, length, (near, own)) in enumerate(zip(registers, LENGTHS, AHEAD, strict=True)):
        total = value ^ value >> length - near
        sums.append(total & MASK)
        fresh[(n + 1) % 3] ^= total ^ (value >> 1 & value >> 2)
        fresh[n] ^= value >> length - own
    for n, length in enumerate(LENGTHS):
        registers[n] = (registers[n] | (fresh[n] & MASK) << length) >> STEP
    return sums[0] ^ sums[1] ^ sums[2]


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    registers = [int.from_bytes(key, "little") << 13, int.from_bytes(iv, "little") << 4, 7]
    for _ in range(1152 // STEP):
        _step(registers)
    words = -(-(start + length) * 8 // STEP)
    stream = b"".join(_step(registers).to_bytes(8, "little") for _ in range(words))
    return stream[start : start + length]
