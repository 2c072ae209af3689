"""Whole messages to a hash function that takes them in one call: inputs, answers, figures and the curve."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from tightfit.curve import LENGTHS
from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, rows_of, structured
from tightfit.harness.routine import Cycles, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector
from tightfit.records import Curve

ENTRY = "hash"
EMPTY, ONE, TWO = "empty", "one", "two"
"""Figures: messages of no block, of one and of two."""
_BRIEF = 1024


class Messages:
    """Messages of one hash up to `longest` bytes; `overhead` are the cycles of the adapter.

    `function` is what hashes them; with `status` it must return 0.
    """

    full_inputs = 200
    sums: Mapping[str, Sequence[str]] = {}

    def __init__(self, primitive: Primitive, longest: int, overhead: int, function: str, status: bool):
        self.primitive, self.block = primitive, primitive.block_bytes
        self.longest, self.overhead = longest, overhead
        self.function, self.status = function, status
        self.vectors: list[HashVector] = []
        self.add(primitive.vectors())

    def add(self, vectors: Iterable[HashVector]) -> None:
        """More known answers."""
        self.vectors += [vector for vector in vectors if len(vector.message) <= self.longest]

    def check(self, routine: Routine) -> None:
        """The block is the adapter's own."""

    def quick(self, routine: Routine) -> Dialogue:
        """A short known answer, and one message of each figure, so that what hangs does so once."""
        shortest = min(self.vectors, key=lambda vector: (not vector.message, len(vector.message)))
        blocks = (self._asked(self._drawn(count * self.block, 1)) for count in range(3))
        return [self._turn([shortest.message], [shortest.digest]), *blocks]

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Messages of no block, of one and of two, each the beginning of the next."""
        messages = self._drawn(2 * self.block, count)
        lengths = (0, self.block, 2 * self.block)
        return [self._asked([message[:length] for message in messages]) for length in lengths]

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers of up to 1 KB; messages near the edges of a block, or with a structure."""
        yield from self._vectors(range(_BRIEF + 1))
        near = (0, 1, 2, *(self.block - left for left in (10, 9, 8, 7, 2, 1)))
        yield from self._lengths(length + full for length in near for full in (0, self.block))
        yield [self._asked(structured(self.block + 8, 8, 8))]

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Whole blocks, and messages that end inside one."""
        yield self.random(routine, count)
        yield from self._lengths((1, self.block // 2, self.block - 1))

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Messages of different lengths side by side."""
        for lengths in ((self.block + 5, 3), (0, 2 * self.block - 1)):
            yield tuple([self._asked(self._drawn(length, 1))] for length in lengths)

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Messages of no block, of one and of two, and some that end inside a block."""
        yield self.random(routine, 4 if full else 1)
        yield from self._lengths((1, self.block - 1, self.block + 1))

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: the count is out of reach in one call."""
        return []

    def long(self, routine: Routine) -> tuple[()]:
        """Nothing: the longest message is as long as the part has room for."""
        return ()

    def tested_bytes(self, full: bool) -> int:
        """As many as the part has room for, if the length is part of the padding."""
        return self.longest if self.primitive.message_bits else 0

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """The long known answers, and every length up to two blocks and of the curve."""
        yield from self._vectors(range(_BRIEF + 1, self.longest + 1))
        yield from self._lengths((*range(2 * self.block), *LENGTHS))

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Messages of some lengths."""
        yield self.random(routine, 1)
        yield from self.shapes(routine, 1).values()

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Messages of the lengths that the curve has."""
        lengths = (length for length in LENGTHS if length <= self.longest)
        return {f"{ONE} {length}": [self._asked(self._drawn(length, count))] for length in lengths}

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """The cycles of whole messages; the slope is that of a block between two others."""
        mean = {name: Fraction(int(each.sum()), len(each)) for name, each in cycles.items()}
        lengths = tuple(length for length in LENGTHS if length <= self.longest)
        points = tuple(_number(mean[f"{ONE} {length}"] - self.overhead) for length in lengths)
        return Curve(lengths, points, _number((mean[TWO] - mean[ONE]) / self.block))

    def _vectors(self, lengths: range) -> Iterator[Dialogue]:
        for vector in self.vectors:
            if len(vector.message) in lengths:
                yield [self._turn([vector.message], [vector.digest])]

    def _lengths(self, lengths: Iterable[int]) -> Iterator[Dialogue]:
        """Zeros and a random message of each length."""
        for length in lengths:
            if length <= self.longest:
                yield [self._asked([bytes(length), *self._drawn(length, 1)])]

    def _drawn(self, length: int, count: int) -> list[bytes]:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {length}")
        first = extremes(length) if count > 1 else []
        return (first + [source.randbytes(length) for _ in range(count)])[:count]

    def _figure(self, length: int) -> str:
        """What a message of that length counts as: a figure, or else a shape of the curve."""
        timed = {0: EMPTY, self.block: ONE, 2 * self.block: TWO}
        return timed.get(length, f"{ONE} {length}")

    def _asked(self, messages: Sequence[bytes]) -> Turn:
        return self._turn(messages, [self.primitive.oracle.digest(message) for message in messages])

    def _turn(self, messages: Sequence[bytes], digests: Sequence[bytes]) -> Turn:
        """A call for messages of one length, with noise behind them."""
        count, length = len(messages), len(messages[0])
        texts = np.random.default_rng([self.primitive.seed, length]).integers(
            0, 256, (count, self.longest), np.uint8
        )
        texts[:, :length] = rows_of(messages)
        said = length.to_bytes(2, "little") + (8 * length).to_bytes(2, "little")
        lengths = np.tile(np.frombuffer(said, np.uint8), (count, 1))
        answers = [
            Answer("out", rows_of(digests), partial(self._wrong, messages, digests)),
            Answer("message", texts, lambda *_: f"message not intact: {self.function} changes it"),
            Answer("length", lengths, lambda *_: f"stray write: {self.function} writes behind the digest"),
        ]
        if self.status:
            zeros = np.zeros((count, 2), np.uint8)
            answers.append(Answer("status", zeros, partial(self._failed, messages)))
        given = {"message": texts, "length": lengths}
        return Turn(ENTRY, self._figure(length), given, tuple(answers))

    def _failed(self, messages: Sequence[bytes], n: int, found: bytes) -> str:
        status = int.from_bytes(found, "little", signed=True)
        return f"{self.function} returns {status} for {len(messages[n])} bytes"

    def _wrong(self, messages: Sequence[bytes], digests: Sequence[bytes], n: int, found: bytes) -> str:
        shown = messages[n][:24].hex() + ("..." if len(messages[n]) > 24 else "")
        what = f"{len(messages[n])} bytes {shown}".rstrip()
        return f"wrong answer: {self.function} of {what}: expected {digests[n].hex()}, found {found.hex()}"


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
