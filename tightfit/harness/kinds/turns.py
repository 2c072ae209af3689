"""Calls that follow one another on the parameter blocks of some contexts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tightfit.harness.routine import Bytes, Routine


@dataclass(frozen=True)
class Answer:
    """What a field must begin with after a call (a row per context), and the words for a wrong row.

    With `differs` it must begin with anything else.
    """

    field: str
    rows: Bytes
    complaint: Callable[[int, bytes], str]
    differs: bool = False


@dataclass(frozen=True)
class Turn:
    """A call of an entry in each of some contexts.

    `given` are the fields that the caller writes before it (a row per context). `after` is the index, in the
    dialogue, of the turn whose `carried` fields it finds; None starts afresh. Bytes neither given nor carried
    are never-written memory. The rows of a `chain` are calls in one context, each after the one before.
    `figure` names what its cycles count as, such as `last 8` for a shape of the figure `last`; None: they do
    not count.
    """

    entry: str
    figure: str | None
    given: Mapping[str, Bytes]
    answers: tuple[Answer, ...] = ()
    after: int | None = None
    carried: frozenset[str] = frozenset()
    chain: bool = False

    def __len__(self) -> int:
        return len(next(iter(self.given.values())))

    def written(self, routine: Routine) -> Bytes:
        """1 for the bytes of a routine's block that are defined before the call."""
        return _mask(routine, [*self.given, *(() if self.after is None else self.carried)])

    def found(self, routine: Routine) -> Bytes:
        """1 for the bytes that the call finds as the turn `after` left them."""
        mask = _mask(routine, () if self.after is None else self.carried)
        mask[_mask(routine, self.given) == 1] = 0
        return mask

    def left(self, routine: Routine) -> Bytes | None:
        """1 for the bytes that a call of a chain finds as the call before left them."""
        return _mask(routine, self.carried) if self.chain else None

    def blocks(self, routine: Routine, before: Bytes | None, filling: Bytes) -> Bytes:
        """The parameter blocks: what is given, what is carried from `before`, and `filling` elsewhere."""
        blocks = filling.copy()
        if before is not None:
            carried = _mask(routine, self.carried) == 1
            blocks[:, carried] = before[:, carried]
        for name, rows in self.given.items():
            blocks[:, routine.field(name)] = rows
        return blocks


Dialogue = Sequence[Turn]


def joined(dialogues: Iterable[Dialogue]) -> Dialogue:
    """Dialogues of the same contexts, one after the other."""
    turns: list[Turn] = []
    for dialogue in dialogues:
        first = len(turns)
        turns += [t if t.after is None else replace(t, after=t.after + first) for t in dialogue]
    return turns


def _mask(routine: Routine, fields: Iterable[str]) -> Bytes:
    mask = np.zeros(routine.layout.size, np.uint8)
    for name in fields:
        mask[routine.field(name)] = 1
    return mask


def rows_of(items: Sequence[bytes]) -> Bytes:
    """Byte strings of one length as rows."""
    return np.frombuffer(bytearray().join(items), np.uint8).reshape(len(items), len(items[0]))


def extremes(size: int) -> list[bytes]:
    """Byte strings that hardly ever come up at random."""
    zeros, ones = bytes(size), b"\xff" * size
    low, high = zeros[:-1] + b"\1", b"\x80" + zeros[1:]
    counting = bytes(i & 0xFF for i in range(size))
    return [text[:size] for text in (zeros, ones, zeros, low, high, counting, b"\x80" * size, ones)]


_EQUAL = (0x00, 0xFF, 0xAA, 0x55, 0x80, 0x01, 0x7F, 0xFE)


def structured(size: int, equal: int, bits: int) -> list[bytes]:
    """Byte strings with a structure: `equal` of equal bytes, `bits` with one bit set, as many with one clear.

    Counting bytes and equal halves are among them.
    """
    values = [*_EQUAL, *(value for value in range(256) if value not in _EQUAL)][:equal]
    counting = bytes(i & 0xFF for i in range(size))
    halves = (bytes(range(3, 256, 7)) * size)[: (size + 1) // 2] * 2
    single = [1 << n * 8 * size // bits for n in range(bits)]
    clear = (1 << 8 * size) - 1
    return [
        *(bytes([value]) * size for value in values),
        *(counting, counting[::-1], halves[:size]),
        *(n.to_bytes(size, "little") for bit in single for n in (bit, clear ^ bit)),
    ]
