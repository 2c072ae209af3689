"""HC-128 in one array that holds the expansion, P and Q, with words doubled to 64 bits in place of turns."""

LOW = (1 << 32) - 1
TWICE = (1 << 32) + 1
P, Q, END = 256, 768, 1280


def _turned(word: int, *places: int) -> int:
    """The sum without carries of a word turned right by each of these."""
    double, total = word * TWICE, 0
    for place in places:
        total ^= double >> place
    return total & LOW


def _expanded(key: bytes, iv: bytes) -> list[int]:
    cells = []
    for part in (key, key, iv, iv):
        cells += [int.from_bytes(part[n : n + 4], "little") for n in (0, 4, 8, 12)]
    while len(cells) < END:
        near = _turned(cells[-2], 17, 19) ^ cells[-2] >> 10
        far = _turned(cells[-15], 7, 18) ^ cells[-15] >> 3
        cells.append((near + far + cells[-7] + cells[-16] + len(cells)) % (1 << 32))
    return cells


class _Machine:
    """The state: the two tables, and where the next word of each is made."""

    def __init__(self, cells: list[int]) -> None:
        self.cells = cells
        self.count = 0

    def word(self) -> int:
        """The next word of keystream."""
        at = self.count % 1024
        own, other = (P, Q) if at < 512 else (Q, P)
        cells, column = self.cells, at % 512
        third, tenth, first, twelfth = (cells[own + (column - back) % 512] for back in (3, 10, 511, 12))
        if own == P:
            fresh = (_turned(third, 10) ^ _turned(first, 23)) + _turned(tenth, 8)
        else:
            fresh = (_turned(third, 22) ^ _turned(first, 9)) + _turned(tenth, 24)
        cells[own + column] = fresh = (cells[own + column] + fresh) & LOW
        self.count += 1
        low, _, high, _ = twelfth.to_bytes(4, "little")
        return (cells[other + low] + cells[other + 256 + high]) % (1 << 32) ^ fresh


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    machine = _Machine(_expanded(key, iv))
    for place in range(P, END):
        machine.cells[place] = machine.word()
    made = bytearray()
    while len(made) < start + length:
        made += machine.word().to_bytes(4, "little")
    return bytes(made[start : start + length])
