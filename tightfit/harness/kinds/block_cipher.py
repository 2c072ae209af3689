"""Inputs and answers of block ciphers, and the order in which entries are called."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from tightfit.harness import answered
from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import Vector

DIRECTIONS = ("encrypt", "decrypt")
_CONTEXTS = 2
_WATCHED = {False: 2, True: 16}
_CONTEXT_INPUTS = 64


@dataclass(frozen=True)
class Step:
    """An entry, and the entry that must have run before it on the same block (None: a fresh key)."""

    entry: str
    after: str | None

    @property
    def direction(self) -> str | None:
        """`encrypt` or `decrypt`; None for `setup`, which leaves the text alone."""
        return next((d for d in DIRECTIONS if self.entry.startswith(d)), None)


@dataclass(frozen=True)
class Inputs:
    """Keys and texts, a row of bytes each, and what the texts must become."""

    keys: Bytes
    texts: Bytes
    answers: Bytes

    def __len__(self) -> int:
        return len(self.keys)


Source = Callable[[Step], Inputs]


def plan(entries: Sequence[str]) -> list[Step]:
    """The entries, each after the entry that prepares it: those that take a fresh key first.

    Raises
    ------
    Rejected
        An unknown entry, or a `_next` without the entry that prepares it.
    """
    steps = []
    for entry in entries:
        base = entry.removesuffix("_next")
        if entry != "setup" and base not in DIRECTIONS:
            raise Rejected(f"entry {entry!r}: expected setup, encrypt, decrypt, encrypt_next or decrypt_next")
        if base == entry:
            steps.append(Step(entry, None))
        elif "setup" in entries:
            steps.append(Step(entry, "setup"))
        elif base in entries:
            steps.append(Step(entry, base))
        else:
            raise Rejected(f"entry {entry!r}: expected setup or {base} beside it")
    return sorted(steps, key=lambda step: step.after is not None)


def followers(entries: Sequence[str]) -> list[Step]:
    """Further blocks under one key: what may be called after a `_next`."""
    following = [entry for entry in entries if entry.endswith("_next")]
    if "setup" in entries:
        return [Step(entry, before) for before in following for entry in following]
    return [Step(entry, entry) for entry in following]


class BlockCipher:
    """Inputs of one cipher, the same for every candidate; answers come from the oracle, once."""

    full_inputs = 1000
    sums: Mapping[str, Sequence[str]] = {}

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.plain: list[Vector] = []
        self.chains: list[Vector] = []
        self.add(primitive.vectors())
        self.inputs = lru_cache(maxsize=64)(self._inputs)
        self.structured = lru_cache(maxsize=8)(self._structured)
        self.chain = lru_cache(maxsize=64)(self._chain)

    def add(self, vectors: Iterable[Vector]) -> None:
        """More known answers, iterated ones too."""
        for vector in vectors:
            (self.plain if vector.iterations == 1 else self.chains).append(vector)

    def check(self, routine: Routine) -> None:
        """The entries are those of a cipher, and the block has a text and a key of its sizes."""
        plan(routine.entries)
        for name, size in (("text", self.primitive.block_bytes), ("key", self.primitive.key_bytes)):
            routine.check_field(name, size)

    def quick(self, routine: Routine) -> Dialogue:
        """The first known answer, through every entry."""
        return self._each(routine, lambda step: self._vectors(step, self.plain[:1]))

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Every entry; `_next` entries get another text under the same key."""
        return self._each(
            routine, lambda step: self.inputs(step.direction, count, 0 if step.after is None else 1)
        )

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers, and keys and texts with a structure, through every entry."""
        yield self._each(routine, lambda step: self._vectors(step, self.plain))
        yield self._each(routine, lambda step: self.structured(step.direction, False))

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Random inputs."""
        yield self.random(routine, count)

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Every entry and further blocks under one key, for two keys."""
        steps = [*plan(routine.entries), *followers(routine.entries)]
        for n in range(_CONTEXTS):
            first, second = (
                [(step, self._row(step, number, row)) for number, step in enumerate(steps)]
                for row in (2 * n, 2 * n + 1)
            )
            yield self._dialogue(routine, first), self._dialogue(routine, second)

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """Random inputs."""
        yield self.random(routine, _WATCHED[full])

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: blocks are not counted."""
        return []

    def long(self, routine: Routine) -> tuple[()]:
        """Nothing."""
        return ()

    def tested_bytes(self, full: bool) -> int:
        """Lengths do not matter."""
        return 0

    def thorough(self, routine: Routine) -> tuple[()]:
        """Nothing: all blocks are alike."""
        return ()

    def many(self, routine: Routine) -> Iterator[Dialogue]:
        """Keys and texts with a structure."""
        yield self._each(routine, lambda step: self.structured(step.direction, True))

    def iterated(self, routine: Routine) -> Iterator[Dialogue]:
        """The iterated vectors."""
        for step in plan(routine.entries):
            for vector in self.chains if step.direction else ():
                yield self._iterated(routine, step, vector)

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """One input through every entry."""
        yield self.random(routine, 1)

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """No shapes: all blocks are alike."""
        return {}

    def curve(self, cycles: Mapping[str, Cycles]) -> None:
        """None: the curve follows from the figures of a block."""

    def _each(self, routine: Routine, source: Source) -> Dialogue:
        return self._dialogue(routine, [(step, source(step)) for step in plan(routine.entries)])

    def _dialogue(self, routine: Routine, steps: Sequence[tuple[Step, Inputs]]) -> Dialogue:
        turns: list[Turn] = []
        latest: dict[str, int] = {}
        for step, inputs in steps:
            turns.append(_turn(routine, step, inputs, latest.get(step.after) if step.after else None))
            latest[step.entry] = len(turns) - 1
        return turns

    def _iterated(self, routine: Routine, step: Step, vector: Vector) -> Dialogue:
        """All answers on the way are known, so that its calls are one turn."""
        inputs, before = self.chain(step, vector), []
        if step.after is not None:
            earlier = next(other for other in plan(routine.entries) if other.entry == step.after)
            prepared = self._answered(earlier, inputs.keys[:1], inputs.texts[:1])
            before = [_turn(routine, earlier, prepared, None, counts=False)]
        turn = _turn(routine, step, inputs, 0 if before else None, counts=False)
        last = self._vectors(step, [vector]).answers
        published = Answer(
            "text",
            np.concatenate([inputs.answers[:-1], last]),
            lambda *_: f"wrong answer: {step.entry} iterated {vector.iterations} times",
        )
        return [*before, replace(turn, answers=(*turn.answers, published), chain=bool(before))]

    def _chain(self, step: Step, vector: Vector) -> Inputs:
        """Every answer is the next text."""
        ends, times = self._vectors(step, [vector]), vector.iterations
        answers = answered.iterated(self.primitive, step.direction, vector.key, ends.texts.tobytes(), times)
        keys = np.broadcast_to(ends.keys, (times, ends.keys.shape[1]))
        return Inputs(keys, np.concatenate([ends.texts, answers[:-1]]), answers)

    def _inputs(self, direction: str | None, count: int, block: int = 0) -> Inputs:
        """`count` inputs, extremes first; `block` numbers the texts that one key is used for."""
        keys = self._rows("keys", count, self.primitive.key_bytes, extremes(self.primitive.key_bytes))
        size = self.primitive.block_bytes
        texts = self._rows(f"texts {block}", count, size, extremes(size)[::-1] if block == 0 else [])
        return Inputs(keys, texts, self._answers(direction, keys, texts))

    def _structured(self, direction: str | None, full: bool) -> Inputs:
        """Keys with a structure, each with a text that has another."""
        sizes = self.primitive.key_bytes, self.primitive.block_bytes
        equal = 256 if full else 8
        keys, texts = (structured(size, equal, 8 * size if full else 8) for size in sizes)
        texts = [texts[(7 * n + 3) % len(texts)] for n in range(len(keys))]
        return Inputs(rows_of(keys), rows_of(texts), self._answers(direction, rows_of(keys), rows_of(texts)))

    def _row(self, step: Step, number: int, row: int) -> Inputs:
        inputs = self.inputs(step.direction, _CONTEXT_INPUTS, number)
        rows = slice(_CONTEXT_INPUTS - row - 1, _CONTEXT_INPUTS - row)  # the extremes come first
        return Inputs(inputs.keys[rows], inputs.texts[rows], inputs.answers[rows])

    def _vectors(self, step: Step, vectors: Sequence[Vector]) -> Inputs:
        """The inputs of known answers; their answers are the published ones."""
        plain = rows_of([vector.plaintext for vector in vectors])
        cipher = rows_of([vector.ciphertext for vector in vectors])
        keys = rows_of([vector.key for vector in vectors])
        texts, answers = (cipher, plain) if step.direction == "decrypt" else (plain, cipher)
        return Inputs(keys, texts, answers if step.direction else texts)

    def _answered(self, step: Step, keys: Bytes, texts: Bytes) -> Inputs:
        return Inputs(keys, texts, self._answers(step.direction, keys, texts))

    def _rows(self, what: str, count: int, size: int, first: list[bytes]) -> Bytes:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {what}")
        return rows_of((first + [source.randbytes(size) for _ in range(count)])[:count])

    def _answers(self, direction: str | None, keys: Bytes, texts: Bytes) -> Bytes:
        if direction is None:
            return texts
        return answered.answers(self.primitive, direction, keys, texts)


def _turn(routine: Routine, step: Step, inputs: Inputs, after: int | None, counts: bool = True) -> Turn:
    given, carried = {"text": inputs.texts}, frozenset[str]()
    if after is not None:
        carried = routine.kept | ({"key"} if routine.destroys_key else frozenset())
    if after is None or not routine.destroys_key:
        given["key"] = inputs.keys
    answers = [Answer("text", inputs.answers, partial(_wrong, step.entry, inputs))]
    if not routine.destroys_key:
        answers.append(Answer("key", inputs.keys, partial(_changed, step.entry)))
    return Turn(step.entry, step.entry if counts else None, given, tuple(answers), after, carried)


def _wrong(entry: str, inputs: Inputs, n: int, found: bytes) -> str:
    text, key, answer = (rows[n].tobytes().hex() for rows in (inputs.texts, inputs.keys, inputs.answers))
    return f"wrong answer: {entry} of text {text} under key {key}: expected {answer}, found {found.hex()}"


def _changed(entry: str, _n: int, _found: bytes) -> str:
    return f"key not intact: {entry} changes it without saying so (destroys_key)"
