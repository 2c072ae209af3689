"""Whole messages to functions that take them in one call: what all kinds of primitives have alike."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tightfit.curve import LENGTHS
from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, joined, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Routine
from tightfit.primitives import Primitive
from tightfit.records import Curve

EMPTY, ONE, TWO = "empty", "one", "two"
"""Figures: messages of no block, of one and of two."""
MADE_BYTES = 8
"""Bytes of the number through which a function tells how many bytes it made."""
_BRIEF = 1024


@dataclass(frozen=True)
class Interface:
    """Functions behind an adapter: by entry their names and the cycles that the adapter adds.

    `fields` are those of its block and their bytes. With `status` the functions must return 0.
    """

    functions: Mapping[str, str]
    overhead: Mapping[str, int]
    fields: Mapping[str, int]
    longest: int
    status: bool


@dataclass(frozen=True)
class Asked:
    """A call for messages of one length.

    `given` are further fields, a value for each message. The field `out` must begin with `answers` and be
    untouched behind them, unless that is `spare`; None: what is there does not matter. The function must tell
    that it `made` so many bytes, if that is not None, and return anything but 0 where the message is
    `refused`.
    """

    entry: str
    figure: str | None
    texts: Sequence[bytes]
    given: Mapping[str, Sequence[bytes]] = field(default_factory=dict)
    answers: Sequence[bytes] | None = None
    made: int | None = None
    spare: bool = False
    refused: bool = False


class Whole:
    """Messages of one primitive, the same for every candidate; the oracle answers them."""

    full_inputs = 200
    sums: Mapping[str, Sequence[str]] = {}
    output = "text"

    def __init__(self, primitive: Primitive, interface: Interface):
        self.primitive, self.block = primitive, primitive.block_bytes
        self.interface, self.longest = interface, interface.longest
        self.entry = next(iter(interface.functions))
        self.vectors: list[Any] = []
        self.add(primitive.vectors())

    def length_of(self, vector: Any) -> int:
        """Bytes of the message of a known answer."""
        raise NotImplementedError

    def published(self, vector: Any) -> Dialogue:
        """The calls for a known answer."""
        raise NotImplementedError

    def asked(self, texts: Sequence[bytes], label: str) -> Dialogue:
        """The calls for messages of one length; `label` sets apart what is drawn for them."""
        raise NotImplementedError

    def forged(self) -> Iterator[Dialogue]:
        """Messages that must be refused."""
        return iter(())

    def numbers(self, texts: Sequence[bytes], given: Mapping[str, Sequence[bytes]]) -> tuple[int, int]:
        """The two words of the field `length`: bytes and bits of the message."""
        return len(texts[0]), 8 * len(texts[0])

    def add(self, vectors: Iterable[Any]) -> None:
        """More known answers."""
        self.vectors += [vector for vector in vectors if self.length_of(vector) <= self.longest]

    def check(self, routine: Routine) -> None:
        """The block is the adapter's own."""

    def quick(self, routine: Routine) -> Dialogue:
        """A short known answer, and one message of each figure, so that what hangs does so once."""
        shortest = min(self.vectors, key=lambda each: (not self.length_of(each), self.length_of(each)))
        blocks = (self.drawn(count * self.block, 1) for count in range(3))
        return joined([self.published(shortest), *blocks])

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Messages of no block, of one and of two, each the beginning of the next."""
        messages = self.messages(2 * self.block, count)
        lengths = (0, self.block, 2 * self.block)
        return joined(self.asked([text[:length] for text in messages], "blocks") for length in lengths)

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers of up to 1 KB; messages near the edges of a block, with a structure, forged."""
        yield from self._vectors(range(_BRIEF + 1))
        near = (0, 1, 2, *(self.block - left for left in (10, 9, 8, 7, 2, 1)))
        yield from self.lengths(length + full for length in near for full in (0, self.block))
        yield self.asked(structured(self.block + 8, 8, 8), "structure")
        yield from self.forged()

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Whole blocks, and messages that end inside one."""
        yield self.random(routine, count)
        yield from self.lengths((1, self.block // 2, self.block - 1))

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Messages of different lengths side by side."""
        for lengths in ((self.block + 5, 3), (0, 2 * self.block - 1)):
            yield tuple(self.drawn(length, 1) for length in lengths)

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Messages of no block, of one and of two, and some that end inside a block."""
        yield self.random(routine, 4 if full else 1)
        yield from self.lengths((1, self.block - 1, self.block + 1))

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: the count is out of reach in one call."""
        return []

    def long(self, routine: Routine) -> tuple[()]:
        """Nothing: the longest message is as long as the part has room for."""
        return ()

    def tested_bytes(self, full: bool) -> int:
        """As many as the part has room for, if the length matters."""
        return self.longest if self.primitive.message_bits else 0

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """The long known answers, and every length up to two blocks and of the curve."""
        yield from self._vectors(range(_BRIEF + 1, self.longest + 1))
        yield from self.lengths((*range(2 * self.block), *LENGTHS))

    def many(self, routine: Routine) -> tuple[()]:
        """None: structures are among the known answers."""
        return ()

    def iterated(self, routine: Routine) -> tuple[()]:
        """None."""
        return ()

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Messages of some lengths."""
        yield self.random(routine, 1)
        yield from self.shapes(routine, 1).values()

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Messages of the lengths that the curve has."""
        return {f"{ONE} {length}": self.drawn(length, count) for length in self.curved}

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """The cycles of whole messages; the slope is that of a block between two others."""
        added, lengths = self.interface.overhead[self.entry], self.curved
        points = tuple(number(mean(cycles[f"{ONE} {length}"]) - added) for length in lengths)
        return Curve(lengths, points, self.slope(cycles))

    @property
    def curved(self) -> tuple[int, ...]:
        """The lengths of the curve."""
        return tuple(length for length in LENGTHS if length <= self.longest)

    def slope(self, cycles: Mapping[str, Cycles]) -> int | float:
        """Cycles a byte of a block behind another."""
        return number((mean(cycles[TWO]) - mean(cycles[ONE])) / self.block)

    def drawn(self, length: int, count: int) -> Dialogue:
        """The calls for random messages of a length."""
        return self.asked(self.messages(length, count), str(length))

    def lengths(self, lengths: Iterable[int]) -> Iterator[Dialogue]:
        """Zeros and a random message of each length."""
        for length in lengths:
            if length <= self.longest:
                yield self.asked([bytes(length), *self.messages(length, 1)], str(length))

    def messages(self, length: int, count: int) -> list[bytes]:
        """Random messages; extremes first among several."""
        return self.bytes_of("", length, count, str(length), extremes(length) if count > 1 else [])

    def bytes_of(
        self, what: str, size: int, count: int, label: str, first: Sequence[bytes] | None = None
    ) -> list[bytes]:
        """Random values of a field: after those that hardly ever come up at random, if there are many."""
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {f'{what} {label}'.strip()}")
        if first is None:
            first = extremes(size)[::-1] if count > 3 else []
        return [*first, *(source.randbytes(size) for _ in range(count))][:count]

    def figure(self, length: int) -> str:
        """What a message of that length counts as: a figure, or else a shape of the curve."""
        timed = {0: EMPTY, self.block: ONE, 2 * self.block: TWO}
        return timed.get(length, f"{ONE} {length}")

    def turn(self, asked: Asked) -> Turn:
        """A call, with noise behind the messages and where the answer goes."""
        given, out = self.given(asked.texts, asked.given), asked.answers
        answers = [Answer(name, rows, partial(self._changed, asked, name)) for name, rows in given.items()]
        if out is not None:
            expected = rows_of(out)
            if self.interface.fields["out"] > expected.shape[1]:
                given["out"] = self._noise("out", expected)
                expected = (
                    expected if asked.spare else np.hstack([expected, given["out"][:, expected.shape[1] :]])
                )
            answers.insert(0, Answer("out", expected, partial(self._wrong, asked)))
        if asked.made is not None:
            rows = rows_of([asked.made.to_bytes(MADE_BYTES, "little")] * len(asked.texts))
            answers.append(Answer("made", rows, partial(self._miscounted, asked)))
        if self.interface.status:
            zeros = np.zeros((len(asked.texts), 2), np.uint8)
            answers.append(Answer("status", zeros, partial(self._failed, asked), asked.refused))
        return Turn(asked.entry, asked.figure, given, tuple(answers))

    def given(self, texts: Sequence[bytes], given: Mapping[str, Sequence[bytes]]) -> dict[str, Bytes]:
        """The fields that the caller writes."""
        said = b"".join((n & 0xFFFF).to_bytes(2, "little") for n in self.numbers(texts, given))
        fields = {"message": texts, **given}
        rows = {name: self._noise(name, rows_of(values), values) for name, values in fields.items()}
        return {**rows, "length": rows_of([said] * len(texts))}

    def _noise(self, name: str, rows: Bytes, values: Sequence[bytes] = ()) -> Bytes:
        """A field full of noise, with values at its beginning."""
        shape = (len(rows), self.interface.fields[name])
        noise = np.random.default_rng([self.primitive.seed, rows.shape[1]]).integers(0, 256, shape, np.uint8)
        if values:
            noise[:, : rows.shape[1]] = rows
        return noise

    def _vectors(self, lengths: range) -> Iterator[Dialogue]:
        for vector in self.vectors:
            if self.length_of(vector) in lengths:
                yield self.published(vector)

    def _function(self, asked: Asked) -> str:
        return self.interface.functions[asked.entry]

    def _changed(self, asked: Asked, name: str, *_) -> str:
        if name == "length":
            return f"stray write: {self._function(asked)} writes behind the {self.output}"
        return f"{'tag' if name == 'out' else name} not intact: {self._function(asked)} changes it"

    def _failed(self, asked: Asked, n: int, found: bytes) -> str:
        status, size = int.from_bytes(found, "little", signed=True), len(asked.texts[n])
        what = f"a forged message of {size} bytes" if asked.refused else f"{size} bytes"
        return f"{self._function(asked)} returns {status} for {what}"

    def _miscounted(self, asked: Asked, n: int, found: bytes) -> str:
        said = int.from_bytes(found, "little")
        return f"{self._function(asked)} tells {said} bytes: expected {asked.made}"

    def _wrong(self, asked: Asked, n: int, found: bytes) -> str:
        text, answer = asked.texts[n], asked.answers[n]
        if found[: len(answer)] == answer:
            return f"stray write: {self._function(asked)} writes behind the {self.output}"
        shown = text[:24].hex() + ("..." if len(text) > 24 else "")
        under = "".join(f" under {name} {rows[n].hex()}" for name, rows in asked.given.items() if rows[n])
        what = f"{len(text)} bytes {shown}".rstrip() + under
        found = found[: len(answer)]
        return (
            f"wrong answer: {self._function(asked)} of {what}: expected {answer.hex()}, found {found.hex()}"
        )


def mean(cycles: Cycles) -> Fraction:
    """The mean over the inputs."""
    return Fraction(int(cycles.sum()), len(cycles))


def number(value: Fraction) -> int | float:
    """An integer where it is one."""
    return value.numerator if value.denominator == 1 else float(value)
