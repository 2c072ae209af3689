"""Keys, initial values and texts of ciphers that chain whole blocks (CBC), in the directions of a routine."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from tightfit.curve import LENGTHS
from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, joined, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import ChainedVector
from tightfit.records import Curve

SETUP, NEXTS = "setup", ("encrypt_next", "decrypt_next")
_EDGES = (1, 2, 3, 5)
"""Blocks of the messages that every gate asks."""
_LONG = 64


@dataclass(frozen=True)
class Messages:
    """Keys, initial values and texts, a row each, and what the texts become in a direction."""

    keys: Bytes
    ivs: Bytes
    texts: Bytes
    answers: Bytes


class ChainedBlocks:
    """Messages of one cipher, the same for every candidate; answers come from the oracle, once."""

    full_inputs = 200
    sums: Mapping[str, Sequence[str]] = {}

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.block = primitive.block_bytes
        self.vectors: list[ChainedVector] = []
        self.add(primitive.vectors())
        self._drawn = lru_cache(maxsize=256)(self._random_messages)

    def add(self, vectors: Iterable[ChainedVector]) -> None:
        """More known answers."""
        self.vectors += vectors

    def check(self, routine: Routine) -> None:
        """The entries `setup` and one or both of the directions; a block with key, initial value and text."""
        nexts = set(routine.entries) - {SETUP}
        if SETUP not in routine.entries or not nexts or nexts - set(NEXTS):
            expected = f"{SETUP} and {' or '.join(NEXTS)}"
            raise Rejected(f"entries {', '.join(routine.entries)}: expected {expected}")
        sizes = {"key": self.primitive.key_bytes, "iv": self.primitive.iv_bytes, "text": self.block}
        for name, size in sizes.items():
            routine.check_field(name, size)

    def quick(self, routine: Routine) -> Dialogue:
        """The first known answer, its first two blocks."""
        return self._published(routine, self.vectors[:1], 2 * self.block)

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Set-up and a block, in each direction."""
        return self._dialogue(routine, 1, count)

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers, messages of some blocks, keys and texts with a structure, and messages on
        parameter blocks that hold something from before.
        """
        for size in sorted({len(vector.plaintext) for vector in self.vectors}):
            same = [vector for vector in self.vectors if len(vector.plaintext) == size]
            yield self._published(routine, same, size)
        for blocks in _EDGES:
            yield self._dialogue(routine, blocks, 1)
        yield self._structured(routine, 8, 8)
        yield self._dialogue(routine, 2, 2, stale=True)

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Messages of three blocks."""
        yield self._dialogue(routine, 3, count)

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Messages of different lengths side by side; two messages, one after the other, beside a third."""
        for first, second in (((2,), (4,)), ((1, 2), (3,))):
            yield (
                joined(self._dialogue(routine, blocks, 1) for blocks in first),
                joined(self._dialogue(routine, blocks, 1) for blocks in second),
            )

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Set-up and two blocks."""
        yield self._dialogue(routine, 2, 4 if full else 1)

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: blocks are not counted."""
        return []

    def long(self, routine: Routine) -> tuple[()]:
        """Nothing."""
        return ()

    def tested_bytes(self, full: bool) -> int:
        """Lengths do not matter."""
        return 0

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """A long message."""
        yield self._dialogue(routine, _LONG, 2)

    def many(self, routine: Routine) -> Iterator[Dialogue]:
        """Keys, initial values and texts with a structure."""
        yield self._structured(routine, 256, 8 * self.primitive.key_bytes)

    def iterated(self, routine: Routine) -> tuple[()]:
        """None."""
        return ()

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Set-up and two blocks."""
        yield self._dialogue(routine, 2, 1)

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """No shapes: all blocks are whole."""
        return {}

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """Set-up and blocks; the last one counts as whole, as the caller fills it up."""
        mean = {name: Fraction(int(counts.sum()), len(counts)) for name, counts in cycles.items()}
        following = next(mean[name] for name in NEXTS if name in mean)
        points = [_number(mean[SETUP] - -length // self.block * following) for length in LENGTHS]
        return Curve(LENGTHS, tuple(points), _number(following / self.block))

    def _published(self, routine: Routine, vectors: Sequence[ChainedVector], size: int) -> Dialogue:
        """Known answers of one length, as far as `size` bytes."""
        plain, cipher = (
            rows_of([getattr(vector, name)[:size] for vector in vectors])
            for name in ("plaintext", "ciphertext")
        )
        keys, ivs = (rows_of([getattr(vector, name) for vector in vectors]) for name in ("key", "iv"))
        both = {
            "encrypt_next": Messages(keys, ivs, plain, cipher),
            "decrypt_next": Messages(keys, ivs, cipher, plain),
        }
        return self._each(routine, both.__getitem__)

    def _structured(self, routine: Routine, equal: int, bits: int) -> Dialogue:
        """Keys with a structure, each with an initial value and a text that have others."""
        keys = structured(self.primitive.key_bytes, equal, bits)
        texts = structured(self.block, equal, min(bits, 8 * self.block))
        ivs = [texts[(7 * n + 3) % len(texts)] for n in range(len(keys))]
        doubled = [texts[n % len(texts)] + texts[(5 * n + 1) % len(texts)] for n in range(len(keys))]
        return self._each(routine, lambda entry: self._answered(entry, keys, ivs, doubled))

    def _dialogue(self, routine: Routine, blocks: int, count: int, stale: bool = False) -> Dialogue:
        return self._each(routine, lambda entry: self._drawn(entry, blocks, count), stale)

    def _random_messages(self, entry: str, blocks: int, count: int) -> Messages:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {blocks}")
        sizes = self.primitive.key_bytes, self.primitive.iv_bytes, blocks * self.block
        first = list(zip(*map(extremes, sizes), strict=True)) if count > 1 else []
        drawn = [tuple(map(source.randbytes, sizes)) for _ in range(count)]
        return self._answered(entry, *zip(*(first + drawn)[:count], strict=True))

    def _answered(
        self, entry: str, keys: Sequence[bytes], ivs: Sequence[bytes], texts: Sequence[bytes]
    ) -> Messages:
        oracle = getattr(self.primitive.oracle, entry.removesuffix("_next"))
        answers = [oracle(*inputs) for inputs in zip(keys, ivs, texts, strict=True)]
        return Messages(*map(rows_of, (keys, ivs, texts, answers)))

    def _each(self, routine: Routine, source, stale: bool = False) -> Dialogue:
        """The calls for messages of one length, in each direction that the routine has."""
        nexts = [entry for entry in NEXTS if entry in routine.entries]
        return joined(self._calls(routine, entry, source(entry), stale) for entry in nexts)

    def _calls(self, routine: Routine, entry: str, messages: Messages, stale: bool) -> Dialogue:
        count, length = messages.texts.shape
        fixed = {"key": messages.keys, "iv": messages.ivs}
        intact = tuple(Answer(name, rows, partial(_changed, name)) for name, rows in fixed.items())
        given = dict(fixed)
        if stale:
            noise = np.random.default_rng([self.primitive.seed, length])
            rows = noise.integers(0, 256, (count, routine.layout.size), np.uint8)
            given |= {name: rows[:, routine.field(name)] for name in routine.kept}
        turns = [Turn(SETUP, SETUP, given, intact)]
        for start in range(0, length, self.block):
            place = slice(start, start + self.block)
            answer = messages.answers[:, place]
            asked = {**fixed, "text": messages.texts[:, place]}
            right = Answer("text", answer, partial(_wrong, entry, messages, start, answer))
            turns.append(Turn(entry, entry, asked, (right, *intact), len(turns) - 1, routine.kept))
        return turns


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _changed(field: str, _n: int, _found: bytes) -> str:
    return f"{field} not intact: it must be as the caller gave it"


def _wrong(entry: str, messages: Messages, start: int, answers: Bytes, n: int, found: bytes) -> str:
    key, iv, answer = (rows[n].tobytes().hex() for rows in (messages.keys, messages.ivs, answers))
    return (
        f"wrong answer: {entry} of text from byte {start} on under key {key} and iv {iv}: expected {answer}, "
        f"found {found.hex()}"
    )
