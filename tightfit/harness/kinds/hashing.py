"""Messages of hashes, fed block by block as a caller would, and their digests."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from tightfit.curve import LENGTHS
from tightfit.harness.kinds.counting import FIRST, LAST, Ask, Called, Counts
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, joined, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector
from tightfit.records import Curve

_BRIEF = 1024
"""Longest message, in bytes, of the known answers that every gate asks."""
_LONG = 8_300
"""Bytes of a message whose count of bits and of blocks carries into a third and a second byte."""
_ORDERS = (1, 0, 0, 2, 1, 1, 0, 1, 3, 3, 1, 0, 3, 1, 2, 3)
"""Flags of calls on one block: every flags after any other, also where a message is left unfinished."""
_STRUCTURED = {False: (8, 2), True: (32, 64)}
_LONGER = 66_000
"""Bytes of a message whose count of bytes carries into a third byte, where no count can be forged."""
_SHOWN = 24


@dataclass(frozen=True)
class Asked:
    """Messages of one length; `given` are the fields, a row per message, that every call finds too."""

    messages: Sequence[bytes]
    answers: Sequence[bytes]
    given: Mapping[str, Bytes] = field(default_factory=dict)


class Hash:
    """Messages of one hash, the same for every candidate; digests come from the oracle, once.

    A MAC is fed in the same way; it has a key, and an answer of another name.
    """

    full_inputs = 200
    sums: Mapping[str, Sequence[str]] = {}
    entry, answer = "hash", "state"

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.block = primitive.block_bytes
        self.vectors: list[HashVector] = []
        self.add(primitive.vectors())
        self._random = lru_cache(maxsize=4096)(self._drawn)
        self._structured = lru_cache(maxsize=16)(self._with_structure)

    def add(self, vectors: Iterable[HashVector]) -> None:
        """More known answers."""
        self.vectors += vectors

    def ask(self, messages: Sequence[bytes], label: str) -> Asked:
        """Messages with their answers; `label` sets apart what is drawn for them."""
        return Asked(messages, [self.primitive.oracle.digest(message) for message in messages])

    def published(self, vectors: Sequence[HashVector]) -> Asked:
        """Messages with published answers."""
        return Asked([vector.message for vector in vectors], [vector.digest for vector in vectors])

    def check(self, routine: Routine) -> None:
        """One entry; a block with flags, length, a message block, and a kept state that holds a digest."""
        self.check_message(routine)
        state = routine.field("state")
        if state.stop - state.start < self.primitive.digest_bytes or "state" not in routine.kept:
            digest = self.primitive.digest_bytes
            raise Rejected(f"parameter block: expected a kept field 'state' of at least {digest} bytes")

    def check_message(self, routine: Routine) -> None:
        """One entry; a block with flags, length and a message block."""
        for entry in routine.entries:
            if entry != self.entry:
                raise Rejected(f"entry {entry!r}: expected {self.entry}")
        for name, size in (("message", self.block), ("flags", 1), ("length", 1)):
            routine.check_field(name, size)

    def quick(self, routine: Routine) -> Dialogue:
        """A known answer of a single block."""
        shortest = min(self.vectors, key=lambda vector: (not vector.message, len(vector.message)))
        return self._known(routine, [shortest])

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Messages of full blocks: a first call, a middle one, and a last one, with message bytes if it may
        be full.
        """
        return self._random(routine.kept, (2 + self.primitive.full_last) * self.block, count)

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers of up to 1 KB, messages that end near the edges of a block, messages with a
        structure, and one message after another on blocks that hold something from before.
        """
        yield from self._vectors(routine, lambda length: length <= _BRIEF)
        for length in self._edges():
            yield self._random(routine.kept, length, 1)
            yield self._random(routine.kept, self.block + length, 1)
        yield self._structured(routine.kept, False)
        yield self._in_every_order(routine)

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Whole blocks, and messages that end inside one."""
        yield self.random(routine, count)
        for length in (1, self.block // 2, self.block - 1):
            yield self._random(routine.kept, length, 1)

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Messages of different lengths side by side; two messages, one after the other, beside a third."""
        block, kept = self.block, routine.kept
        for first, second in (((2 * block + 5,), (block + 3,)), ((0, block), (3 * block - 1,))):
            yield (
                joined(self._random(kept, n, 1) for n in first),
                joined(self._random(kept, n, 1) for n in second),
            )

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Whole blocks, and messages that end in one block or two; if `full`, last blocks of many lengths."""
        yield self.random(routine, 4 if full else 1)
        for length in (self.block - 1, self.block + 1, *(range(0, self.block, 5) if full else ())):
            yield self._random(routine.kept, length, 1)

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """Middle and last blocks after every carry of the count, if the length is part of the padding."""
        return Counts(self.primitive, self.entry, routine, ask).check() if self.primitive.message_bits else []

    def long(self, routine: Routine) -> Iterator[Dialogue]:
        """A message of more than 64 KB, if the routine keeps anything that could count."""
        if routine.kept - {"state"} or routine.static != 0:
            yield self._random(routine.kept, _LONGER, 1)

    def tested_bytes(self, full: bool) -> int:
        """Of the longest message, if the length is part of the padding."""
        longest = _LONGER if full else _BRIEF
        return longest if self.primitive.message_bits else 0

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """The long known answers, every length of a last block, the curve's messages and a longer message."""
        yield from self._vectors(routine, lambda length: length > _BRIEF)
        for length in (*range(2 * self.block), *LENGTHS, _LONG):
            yield self._random(routine.kept, length, 1)

    def many(self, routine: Routine) -> Iterator[Dialogue]:
        """Messages with a structure."""
        yield self._structured(routine.kept, True)

    def iterated(self, routine: Routine) -> tuple[()]:
        """None."""
        return ()

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """One message of every figure, and last blocks of lengths about which paddings turn, after the same
        first block and alone.
        """
        block, kept = self.block, routine.kept
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} secret")
        whole = source.randbytes((2 + self.primitive.full_last) * block)
        ends = (len(whole), block + 1, *(2 * block - n for n in (17, 16, 9, 8, 2, 1) if n < block))
        first, *others = (self._dialogue(kept, self.ask([whole[:end]], "secret")) for end in ends)
        yield [*first, *(replace(turns[-1], after=0) for turns in others)]
        for length in (0, 1, block - 1):
            yield self._random(kept, length, 1)

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Last blocks of the lengths that the curve needs, alone and after another block."""
        shapes = {}
        for length in LENGTHS:
            full, rest = self.primitive.split(length)
            if not full or rest % self.block:
                shapes[_shape(not full, rest)] = self._random(
                    routine.kept, self.block + rest if full else rest, count
                )
        return shapes

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """Sums of calls: the first block, middle ones, and the last of the right length."""
        mean = {name: Fraction(int(counts.sum()), len(counts)) for name, counts in cycles.items()}
        points = [_number(sum(mean[name] * n for name, n in self._calls(length))) for length in LENGTHS]
        return Curve(LENGTHS, tuple(points), _number(mean["middle"] / self.block))

    def _calls(self, length: int) -> list[tuple[str, int]]:
        """The calls that a message of `length` bytes takes, by figure or shape."""
        full, rest = self.primitive.split(length)
        if not full:
            return [(_shape(True, rest), 1)]
        return [("first", 1), ("middle", full - 1), (_shape(False, rest) if rest % self.block else "last", 1)]

    def _edges(self) -> list[int]:
        """Lengths of a last block: a few bytes, round the place of a 64-bit count, and nearly full."""
        return [0, 1, 2, *(self.block - left for left in (10, 9, 8, 7, 2, 1) if left <= self.block)]

    def _vectors(self, routine: Routine, wanted) -> Iterator[Dialogue]:
        by_length: dict[int, list[HashVector]] = defaultdict(list)
        for vector in self.vectors:
            by_length[len(vector.message)].append(vector)
        for length, vectors in sorted(by_length.items()):
            if wanted(length):
                yield self._known(routine, vectors)

    def _known(self, routine: Routine, vectors: Sequence[HashVector]) -> Dialogue:
        return self._dialogue(routine.kept, self.published(vectors))

    def _drawn(self, kept: frozenset[str], length: int, count: int) -> Dialogue:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {length}")
        first = extremes(length) if count > 1 else []
        messages = (first + [source.randbytes(length) for _ in range(count)])[:count]
        return self._dialogue(kept, self.ask(messages, str(length)))

    def _with_structure(self, kept: frozenset[str], full: bool) -> Dialogue:
        """Messages of a block and some bytes."""
        messages = structured(self.block + 8, *_STRUCTURED[full])
        return self._dialogue(kept, self.ask(messages, "structure"))

    def _in_every_order(self, routine: Routine) -> Dialogue:
        """Calls on three blocks whose kept fields hold zeros, ones and noise at first."""
        noise = np.random.default_rng([self.primitive.seed, *_ORDERS])
        stale = noise.integers(0, 256, (3, routine.layout.size), np.uint8)
        stale[0], stale[1] = 0x00, 0xFF
        messages, turns = [b""] * 3, []
        for n, flags in enumerate(_ORDERS):
            rest = (5 * n + 3) % self.block if flags & LAST else self.block
            text = noise.integers(0, 256, (3, self.block), np.uint8)
            parts = [row[:rest].tobytes() for row in text]
            messages = parts if flags & FIRST else [a + b for a, b in zip(messages, parts, strict=True)]
            asked = self.ask(messages, "orders")
            given = {
                **asked.given,
                "message": text,
                "flags": np.full((3, 1), flags, np.uint8),
                "length": np.full((3, 1), rest & 0xFF, np.uint8),
            }
            given |= {} if turns else {name: stale[:, routine.field(name)] for name in routine.kept}
            answers = self._answers(asked, bool(flags & LAST))
            figure = self._figure(bool(flags & FIRST), bool(flags & LAST), rest)
            turn = Turn(self.entry, figure, given, answers)
            turns.append(replace(turn, after=n - 1, carried=routine.kept) if turns else turn)
        return turns

    def _answers(self, asked: Asked, last: bool) -> tuple[Answer, ...]:
        """What the block must hold after a call: the answer after the last, and what must not change."""
        intact = tuple(Answer(name, rows, partial(_changed, name)) for name, rows in asked.given.items())
        if not last:
            return intact
        complaint = partial(_wrong, self.entry, asked)
        return (Answer(self.answer, rows_of(asked.answers), complaint), *intact)

    def _dialogue(self, kept: frozenset[str], asked: Asked) -> Dialogue:
        """The calls for messages of one length, with noise where the routine must not care."""
        messages = asked.messages
        count, (full, rest) = len(messages), self.primitive.split(len(messages[0]))
        noise = np.random.default_rng([self.primitive.seed, len(messages[0])])
        texts = noise.integers(0, 256, (count, (full + 1) * self.block), np.uint8)
        texts[:, : len(messages[0])] = rows_of(messages)
        turns = []
        for n in range(full + 1):
            first, last = n == 0, n == full
            lengths = noise.integers(0, 256, (count, 1), np.uint8)
            given = {
                **asked.given,
                "message": texts[:, n * self.block : (n + 1) * self.block],
                "flags": np.full((count, 1), FIRST * first + LAST * last, np.uint8),
                "length": np.full((count, 1), rest, np.uint8) if last else lengths,
            }
            turn = Turn(self.entry, self._figure(first, last, rest), given, self._answers(asked, last))
            turns.append(turn if first else replace(turn, after=n - 1, carried=kept))
        return turns

    def _figure(self, first: bool, last: bool, rest: int) -> str:
        """The figure a call counts for; a last block unlike the timed one is a shape of it."""
        if last:
            return _shape(first, rest) if first or rest % self.block else "last"
        return "first" if first else "middle"


def _shape(alone: bool, rest: int) -> str:
    return f"last {rest}{' alone' if alone else ''}"


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _changed(name: str, _n: int, _found: bytes) -> str:
    return f"{name} not intact: it must be as the caller gave it"


def _wrong(entry: str, asked: Asked, n: int, found: bytes) -> str:
    message = asked.messages[n]
    shown = message[:_SHOWN].hex() + ("..." if len(message) > _SHOWN else "")
    under = "".join(f" under {name} {rows[n].tobytes().hex()}" for name, rows in asked.given.items())
    what = f"{len(message)} bytes {shown}".rstrip() + under
    return f"wrong answer: {entry} of {what}: expected {asked.answers[n].hex()}, found {found.hex()}"
