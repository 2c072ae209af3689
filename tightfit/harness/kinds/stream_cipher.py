"""Keys, initial values and texts of stream ciphers, fed block by block as a caller would."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from tightfit.curve import LENGTHS
from tightfit.harness.kinds.counting import Ask, Called, Counts, said
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, joined, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import StreamVector
from tightfit.records import Curve

SETUP, NEXT = "setup", "next"
_BRIEF = 1024
"""Where the keystream of known answers that every gate asks ends, in bytes."""
_CARRIES = 300
"""Blocks of a stream whose count of blocks carries into a second byte, where no count can be forged."""


@dataclass(frozen=True)
class Streams:
    """Keys and initial values, a row each, and what texts of zeros become: the keystream."""

    keys: Bytes
    ivs: Bytes
    keystream: Bytes

    def __len__(self) -> int:
        return len(self.keys)


class StreamCipher:
    """Streams of one cipher, the same for every candidate; keystream comes from the oracle, once."""

    full_inputs = 200
    sums: Mapping[str, Sequence[str]] = {}

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.block = primitive.block_bytes
        self.vectors: list[StreamVector] = []
        self.add(primitive.vectors())
        self._drawn = lru_cache(maxsize=4096)(self._random_streams)

    def add(self, vectors: Iterable[StreamVector]) -> None:
        """More known answers."""
        self.vectors += vectors

    def check(self, routine: Routine) -> None:
        """The entries `setup` and `next`; a block with key, initial value, text and length."""
        if set(routine.entries) != {SETUP, NEXT}:
            raise Rejected(f"entries {', '.join(routine.entries)}: expected {SETUP} and {NEXT}")
        sizes = {
            "key": self.primitive.key_bytes,
            "iv": self.primitive.iv_bytes,
            "text": self.block,
            "length": 1,
        }
        for name, size in sizes.items():
            routine.check_field(name, size)

    def quick(self, routine: Routine) -> Dialogue:
        """A known answer that begins soonest, its first block."""
        soonest = min(self.vectors, key=lambda vector: vector.keystream_offset)
        return self._published(routine, [soonest], self.block)

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Set-up and a full block."""
        return self._dialogue(routine, self._drawn(self.block, count))

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers near the beginning, texts of every length round an edge, keys and initial values
        with a structure, and streams on blocks that hold something from before.
        """
        yield from self._vectors(routine, lambda end: end <= _BRIEF)
        for length in self._edges():
            yield self._dialogue(routine, self._drawn(length, 1))
        yield self._dialogue(routine, self._structured(8, 8))
        yield self._dialogue(routine, self._drawn(self.block + 1, 2), stale=True)

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Whole blocks, and a text that ends inside one."""
        yield self._dialogue(routine, self._drawn(3 * self.block, count))
        yield self._dialogue(routine, self._drawn(self.block + 1, 1))

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Streams of different lengths side by side; two streams, one after the other, beside a third."""
        block = self.block
        for first, second in (((2 * block + 1,), (4 * block,)), ((block, 2 * block), (3 * block,))):
            yield (
                joined(self._dialogue(routine, self._drawn(n, 1)) for n in first),
                joined(self._dialogue(routine, self._drawn(n, 1)) for n in second),
            )

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Set-up, whole blocks and a last one that is not full."""
        yield self._dialogue(routine, self._drawn(2 * self.block, 4 if full else 1))
        yield self._dialogue(routine, self._drawn(self.block + 1, 1))

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """Blocks after every carry of the count, if the cipher has one."""
        return StreamCounts(self.primitive, NEXT, routine, ask).check() if self.primitive.message_bits else []

    def long(self, routine: Routine) -> Iterator[Dialogue]:
        """A stream whose count carries into a second byte, if the cipher has one."""
        if self.primitive.message_bits:
            yield self._dialogue(routine, self._drawn(_CARRIES * self.block, 1))

    def tested_bytes(self, full: bool) -> int:
        """Of the longest stream, if the cipher has a count."""
        longest = _CARRIES * self.block if full else _BRIEF
        return longest if self.primitive.message_bits else 0

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """The later known answers, every length of a last block, the curve's texts."""
        yield from self._vectors(routine, lambda end: end > _BRIEF)
        for length in (*range(1, 2 * self.block), *LENGTHS[1:]):
            yield self._dialogue(routine, self._drawn(length, 1))

    def many(self, routine: Routine) -> Iterator[Dialogue]:
        """Keys and initial values with a structure."""
        yield self._dialogue(routine, self._structured(256, 8 * self.primitive.key_bytes))

    def iterated(self, routine: Routine) -> tuple[()]:
        """None."""
        return ()

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Set-up, two full blocks, and a last one of some lengths."""
        yield self._dialogue(routine, self._drawn(2 * self.block, 1))
        for rest in sorted({1, self.block // 2, self.block - 1} - {0}):
            yield self._dialogue(routine, self._drawn(self.block + rest, 1))

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Last blocks of the lengths that the curve needs."""
        rests = sorted({length % self.block for length in LENGTHS} - {0})
        return {_shape(rest): self._dialogue(routine, self._drawn(rest, count)) for rest in rests}

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """Set-up, full blocks, and the last of the right length."""
        mean = {name: Fraction(int(counts.sum()), len(counts)) for name, counts in cycles.items()}
        points = [
            _number(sum((mean[name] for name in self._calls(length)), mean[SETUP])) for length in LENGTHS
        ]
        return Curve(LENGTHS, tuple(points), _number(mean[NEXT] / self.block))

    def _calls(self, length: int) -> list[str]:
        full, rest = divmod(length, self.block)
        return [NEXT] * full + ([_shape(rest)] if rest else [])

    def _edges(self) -> list[int]:
        block = self.block
        return sorted({1, block - 1, block, block + 1, 2 * block, 2 * block + block // 2, 5 * block} - {0})

    def _vectors(self, routine: Routine, wanted) -> Iterator[Dialogue]:
        places = {(v.keystream_offset, len(v.keystream)) for v in self.vectors}
        for start, length in sorted(places):
            if wanted(start + length):
                same = [v for v in self.vectors if (v.keystream_offset, len(v.keystream)) == (start, length)]
                yield self._published(routine, same, start + length)

    def _published(self, routine: Routine, vectors: Sequence[StreamVector], length: int) -> Dialogue:
        """The stream up to `length`; where the answer is published, that is what is expected."""
        rows = []
        for vector in vectors:
            row = bytearray(self.primitive.oracle.keystream(vector.key, vector.iv, 0, length))
            known = vector.keystream[: max(0, length - vector.keystream_offset)]
            row[vector.keystream_offset : vector.keystream_offset + len(known)] = known
            rows.append(bytes(row))
        keys, ivs = (rows_of([getattr(v, name) for v in vectors]) for name in ("key", "iv"))
        return self._dialogue(routine, Streams(keys, ivs, rows_of(rows)))

    def _random_streams(self, length: int, count: int) -> Streams:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {length}")
        sizes = self.primitive.key_bytes, self.primitive.iv_bytes
        first = list(zip(*map(extremes, sizes), strict=True)) if count > 1 else []
        drawn = [tuple(map(source.randbytes, sizes)) for _ in range(count)]
        return self._streams((first + drawn)[:count], length)

    def _structured(self, equal: int, bits: int) -> Streams:
        keys = structured(self.primitive.key_bytes, equal, bits)
        ivs = structured(self.primitive.iv_bytes, equal, 8 * self.primitive.iv_bytes if bits > 8 else bits)
        pairs = [(key, ivs[(7 * n + 3) % len(ivs)]) for n, key in enumerate(keys)]
        return self._streams(pairs, self.block + 1)

    def _streams(self, pairs: Sequence[tuple[bytes, bytes]], length: int) -> Streams:
        answers = [self.primitive.oracle.keystream(key, iv, 0, length) for key, iv in pairs]
        return Streams(rows_of([key for key, _ in pairs]), rows_of([iv for _, iv in pairs]), rows_of(answers))

    def _dialogue(self, routine: Routine, streams: Streams, stale: bool = False) -> Dialogue:
        """The calls for streams of one length, with noise where the routine must not care."""
        count, length = streams.keystream.shape
        noise = np.random.default_rng([self.primitive.seed, length])
        texts = noise.integers(0, 256, (count, -(-length // self.block) * self.block), np.uint8)
        expected = texts[:, :length] ^ streams.keystream
        fixed = {"key": streams.keys, "iv": streams.ivs}
        intact = tuple(Answer(name, rows, partial(_changed, name)) for name, rows in fixed.items())
        given = dict(fixed)
        if stale:
            rows = noise.integers(0, 256, (count, routine.layout.size), np.uint8)
            given |= {name: rows[:, routine.field(name)] for name in routine.kept}
        turns = [Turn(SETUP, SETUP, given, intact)]
        for start in range(0, length, self.block):
            answer = expected[:, start : start + self.block]
            size = answer.shape[1]
            asked = {
                **fixed,
                "text": texts[:, start : start + self.block],
                "length": np.full((count, 1), size, np.uint8),
            }
            figure = NEXT if size == self.block else _shape(size)
            right = Answer("text", answer, partial(_wrong, streams, start, answer))
            before = len(turns) - 1
            turns.append(Turn(NEXT, figure, asked, (right, *intact), before, routine.kept))
        return turns


class StreamCounts(Counts):
    """Counts of blocks of a stream: two keys under one initial value, so that only the count is alike."""

    def _feed(self, n: int, flags: int, before: Bytes | None) -> Bytes:
        if before is None:
            before = self._call(SETUP, {}, None)
        return self._call(NEXT, {"text": self._texts[n], "length": self._full}, before)

    def _digest(self, fed: int, before: Bytes) -> list[bytes]:
        place = self.routine.field("text")
        rows = self._feed(fed, 0, before)[:, place] ^ self._texts[fed]
        return [row.tobytes() for row in rows]

    def _expected(self, fed: int, blocks: int) -> list[bytes]:
        size = self.primitive.block_bytes
        keystream, iv = self.primitive.reference.keystream, self._ivs[0].tobytes()
        return [said(keystream, key.tobytes(), iv, blocks * size, size) for key in self._keys]

    def __post_init__(self) -> None:
        super().__post_init__()
        source = np.random.default_rng([self.primitive.seed, self.primitive.key_bytes])
        self._keys = source.integers(0, 256, (len(self._texts[0]), self.primitive.key_bytes), np.uint8)
        iv = source.integers(0, 256, (1, self.primitive.iv_bytes), np.uint8)
        self._ivs = np.repeat(iv, len(self._keys), axis=0)
        self._full = np.full((len(self._keys), 1), self.primitive.block_bytes, np.uint8)

    def _call(self, entry: str, given: Mapping[str, Bytes], before: Bytes | None) -> Bytes:
        fixed = {"key": self._keys, "iv": self._ivs}
        after = None if before is None else 0
        turn = Turn(entry, entry, {**fixed, **given}, after=after, carried=self.routine.kept)
        self.calls.append(self.ask(turn, before))
        return self.calls[-1].outcome.blocks


def _shape(rest: int) -> str:
    return f"{NEXT} {rest}"


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _changed(field: str, _n: int, _found: bytes) -> str:
    return f"{field} not intact: it must be as the caller gave it"


def _wrong(streams: Streams, start: int, answers: Bytes, n: int, found: bytes) -> str:
    key, iv, answer = (rows[n].tobytes().hex() for rows in (streams.keys, streams.ivs, answers))
    return (
        f"wrong answer: text from byte {start} on under key {key} and iv {iv}: expected {answer}, "
        f"found {found.hex()}"
    )
