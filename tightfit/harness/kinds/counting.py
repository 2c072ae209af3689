"""Messages too long to be hashed here: the count that a routine keeps is set to just below each carry.

Nothing says where a routine keeps its count, in which unit and order of bytes. Three blocks of two messages
show the byte in which every block counts alike, and each carry shows the next byte. Digests are those of the
reference, which can pad a message as if it were longer.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from tightfit.harness.kinds.turns import Turn
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.primitives import Primitive

FIRST, LAST = 1, 2
"""Bits of the field `flags`."""
_BLOCKS, _MESSAGES, _REST = 4, 2, 3
_STEPS = [1 << n for n in range(8)]
"""What a block adds to a byte of a count of blocks, bytes or bits."""


class Called(Protocol):
    """A turn that was called, with the blocks that it left in `outcome`."""

    turn: Turn


Ask = Callable[[Turn, Bytes | None], Called]
"""Calls a turn, after blocks that another left."""


@dataclass
class Counts:
    """The calls that forge the count of a routine; `calls` has those whose cycles count."""

    primitive: Primitive
    entry: str
    routine: Routine
    ask: Ask
    calls: list[Called] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = self.primitive.block_bytes
        noise = np.random.default_rng([self.primitive.seed, size])
        self._texts = noise.integers(0, 256, (_BLOCKS + 1, _MESSAGES, size), np.uint8)
        self._kept = np.zeros(self.routine.layout.size, bool)
        for name in self.routine.kept:
            self._kept[self.routine.field(name)] = True

    def check(self) -> list[Called]:
        """The calls with forged counts; none where the routine's count is not found.

        Raises
        ------
        Rejected
            A digest is wrong from some length on.
        """
        before, states = None, []
        for n in range(_BLOCKS - 1):
            before = self._feed(n, FIRST * (n == 0), before)
            states.append(before)
        for place, step in self._candidates(states):
            forged, one = before.copy(), 1 if before[0, place] + np.int64(step) < 256 else -1
            forged[:, place] += np.uint8(one * step % 256)
            if self._digest(_BLOCKS - 1, forged) == self._expected(_BLOCKS - 1, _BLOCKS - 1 + one):
                self._carry(before, [place], step)
                return self.calls
            self.calls.pop()
        return []

    def _candidates(self, states: list[Bytes]) -> Iterator[tuple[int, int]]:
        """Kept bytes that grow alike with each block, whatever is hashed: (offset, by how much)."""
        alike = self._kept & np.all([state == state[0] for state in states], axis=(0, 1))
        first, second, third = (state[0].astype(int) for state in states)
        steps = (second - first) % 256
        grows = alike & np.isin(steps, _STEPS) & (steps == (third - second) % 256)
        yield from ((int(place), int(steps[place])) for place in np.flatnonzero(grows))

    def _carry(self, before: Bytes, order: list[int], step: int) -> None:
        """One carry after the other, through the bytes of the count, the lowest first."""
        counted = _BLOCKS - 1
        while True:
            forged = before.copy()
            forged[:, order] = 0xFF
            forged[:, order[0]] = 256 - step + before[0, order[0]] % step
            value, now = (_value(blocks[0, order]) for blocks in (forged, before))
            blocks = counted + (value - now) // step
            if 8 * self.primitive.block_bytes * (blocks + 2) >= 1 << self.primitive.message_bits:
                return
            self._check(counted, forged, blocks)
            after = self._feed(counted, 0, forged)
            self._check(counted + 1, after, blocks + 1)
            grown = (after == forged + np.uint8(1)).all(axis=0) & self._kept
            grown[order] = False
            places = np.flatnonzero(grown & (after == after[0]).all(axis=0))
            if len(places) != 1:
                return
            order = [*order, int(places[0])]

    def _check(self, fed: int, before: Bytes, blocks: int) -> None:
        """The digest after `fed` blocks, as if there had been more of them."""
        expected, found = self._expected(fed, blocks), self._digest(fed, before)
        if found != expected:
            length = blocks * self.primitive.block_bytes + _REST
            raise Rejected(
                f"wrong answer: {self.entry} of {length} bytes, most of them by a forged count: "
                f"expected {expected[0].hex()}, found {found[0].hex()}"
            )

    def _digest(self, fed: int, before: Bytes) -> list[bytes]:
        start = self.routine.field("state").start
        digests = self._feed(fed, LAST, before)[:, start : start + self.primitive.digest_bytes]
        return [row.tobytes() for row in digests]

    def _expected(self, fed: int, blocks: int) -> list[bytes]:
        length = blocks * self.primitive.block_bytes + _REST
        messages = (
            b"".join(
                [*(text[n].tobytes() for text in self._texts[:fed]), self._texts[fed][n, :_REST].tobytes()]
            )
            for n in range(_MESSAGES)
        )
        return [said(self.primitive.reference.counted, message, length) for message in messages]

    def _feed(self, n: int, flags: int, before: Bytes | None) -> Bytes:
        """Block n of the messages; what it leaves."""
        given = {
            "message": self._texts[n],
            "flags": np.full((_MESSAGES, 1), flags, np.uint8),
            "length": np.full((_MESSAGES, 1), _REST, np.uint8),
        }
        figure = {FIRST: "first", LAST: f"last {_REST}"}.get(flags, "middle")
        turn = Turn(self.entry, figure, given, after=None if before is None else 0, carried=self.routine.kept)
        self.calls.append(self.ask(turn, before))
        return self.calls[-1].outcome.blocks


@lru_cache(maxsize=1024)
def said(reference: Callable[..., bytes], *question: bytes | int) -> bytes:
    """What a function of a reference, which is slow, says; every candidate is asked the same."""
    return reference(*question)


def _value(digits: Bytes) -> int:
    return int.from_bytes(digits.tobytes(), "little")
