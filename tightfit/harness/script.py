"""Dialogues laid out as arrays, so that their calls are made in one call into C and compared at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightfit.harness.kinds import Answer, Dialogue, Kind, Turn
from tightfit.harness.routine import Bytes, Cycles, Routine
from tightfit.harness.simulator import Run

_LAYOUTS = 4
"""Layouts of parameter blocks whose scripts are kept."""


@dataclass(frozen=True)
class Taken:
    """What some runs took, an element each; `waits_apart` are those of the cycles that are the wait which
    the target tells apart.
    """

    cycles: Cycles
    waits_apart: Cycles
    paths: NDArray[np.uint64]


@dataclass(frozen=True)
class Outcome(Taken):
    """What a call did for each input (one row each), and its deepest stack in bytes.

    `registers` has a column for each preserved register, in the order of the target, and one for the status.
    """

    blocks: Bytes
    registers: NDArray[np.uint32]
    stack: int


@dataclass(frozen=True)
class Done:
    """A turn: the blocks that it was called with, which of their bytes were written, and what it did."""

    turn: Turn
    blocks: Bytes
    written: Bytes
    outcome: Outcome


@dataclass(frozen=True)
class Script:
    """A dialogue for one layout of the parameter block; arrays are by turn, then by context, then by byte.

    `ways` are the entries with a 1 for each byte that is defined before a call, a row of `found` has a 1 for
    each byte that a call finds as the turn `after` left it (-1: none); `way` and `mask` say which of them a
    turn has. `blocks` are what the caller gives, `answers` what must be there afterwards, where `asked`,
    one row for all contexts, has ones.
    """

    turns: Dialogue
    ways: tuple[tuple[str, Bytes], ...]
    found: Bytes
    way: NDArray[np.int64]
    mask: NDArray[np.int64]
    after: NDArray[np.int32]
    blocks: Bytes
    answers: Bytes
    asked: Bytes

    @property
    def contexts(self) -> int:
        """How many there are side by side."""
        return self.blocks.shape[1]

    def some(self, contexts: int) -> "Script":
        """The script of so many of the contexts, spread evenly from the first to the last."""
        if contexts >= self.contexts:
            return self
        rows = np.arange(contexts) * (self.contexts - 1) // (contexts - 1)
        turns = [_with_rows(turn, rows) for turn in self.turns]
        return replace(self, turns=turns, blocks=self.blocks[:, rows], answers=self.answers[:, rows])

    @cached_property
    def figures(self) -> Mapping[str, NDArray[np.int64]]:
        """The turns whose cycles count, by what they count as."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, turn in enumerate(self.turns):
            if turn.figure is not None:
                found[turn.figure].append(number)
        return {figure: np.array(numbers) for figure, numbers in found.items()}

    @cached_property
    def apart(self) -> tuple[int, ...]:
        """The turns whose answers are not compared at once: bytes must differ, or a field has two answers."""
        return tuple(number for number, turn in enumerate(self.turns) if _is_apart(turn))


@dataclass(frozen=True)
class Spoken:
    """What the turns of a script did, as far as they were made; arrays are by turn, then by context.

    `given` are the blocks that the calls found, `reached` has a 1 for each turn by whose end registers were
    used through their addresses, `failure` is the first run that did not return, in the last turn.
    """

    script: Script
    given: Bytes
    cycles: Cycles
    waits_apart: Cycles
    paths: NDArray[np.uint64]
    blocks: Bytes
    registers: NDArray[np.uint32]
    stack: NDArray[np.uint32]
    instructions: int
    reached: NDArray[Any]
    failure: Run | None

    def done(self) -> list[Done]:
        """The turns one by one."""
        return [self._done(number) for number in range(len(self.cycles))]

    def _done(self, number: int) -> Done:
        script = self.script
        written = script.ways[script.way[number]][1]
        return Done(script.turns[number], self.given[number], written, self.outcome(number))

    def outcome(self, number: int) -> Outcome:
        """What one turn did."""
        return Outcome(
            cycles=self.cycles[number],
            waits_apart=self.waits_apart[number],
            paths=self.paths[number],
            blocks=self.blocks[number],
            registers=self.registers[number],
            stack=int(self.stack[number].max()),
        )

    def taken(self) -> Iterator[tuple[str, Taken]]:
        """What all turns of each figure took."""
        for figure, numbers in self.script.figures.items():
            arrays = (self.cycles, self.waits_apart, self.paths)
            yield figure, Taken(*(array[numbers].reshape(-1) for array in arrays))


@dataclass(frozen=True)
class Chain:
    """A dialogue one of whose turns is a chain: its calls are made turn by turn."""

    turns: Dialogue

    def some(self, calls: int) -> "Chain":
        """The same with so many calls of each chain."""
        return Chain(
            [_with_rows(turn, np.arange(calls)) if len(turn) > calls else turn for turn in self.turns]
        )


def script_of(routine: Routine, dialogue: Dialogue, filling: Bytes) -> Script:
    """A dialogue laid out for a routine's block, whose other bytes are `filling`, a row for each context."""
    size, shape = routine.layout.size, (len(dialogue), *filling.shape)
    ways: dict[tuple[str, bytes], int] = {}
    masks: dict[bytes, int] = {}
    known: dict[tuple, tuple[int, int]] = {}
    blocks, answers = np.empty(shape, np.uint8), np.zeros(shape, np.uint8)
    blocks[:] = filling
    asked = np.zeros((len(dialogue), 1, size), np.uint8)
    way, mask = np.empty(len(dialogue), np.int64), np.empty(len(dialogue), np.int64)
    for n, turn in enumerate(dialogue):
        alike = (turn.entry, tuple(turn.given), turn.after is None, turn.carried)
        if alike not in known:
            written, found = turn.written(routine).tobytes(), turn.found(routine).tobytes()
            known[alike] = (
                ways.setdefault((turn.entry, written), len(ways)),
                masks.setdefault(found, len(masks)),
            )
        way[n], mask[n] = known[alike]
        for name, rows in turn.given.items():
            blocks[n, :, routine.field(name)] = rows
        for answer in turn.answers:
            start = routine.field(answer.field).start
            place = slice(start, start + answer.rows.shape[1])
            if not answer.differs:
                answers[n, :, place], asked[n, :, place] = answer.rows, 0xFF
    return Script(
        turns=dialogue,
        ways=tuple((entry, np.frombuffer(written, np.uint8)) for entry, written in ways),
        found=np.frombuffer(b"".join(masks), np.uint8).reshape(-1, size),
        way=way,
        mask=mask,
        after=np.array([-1 if turn.after is None else turn.after for turn in dialogue], np.int32),
        blocks=blocks,
        answers=answers,
        asked=asked,
    )


_Kept = Mapping[str | int, Script | Chain]


class Scripts:
    """What a kind asks, laid out once for all routines with the same parameter block."""

    def __init__(self, kind: Kind):
        self._kind = kind
        self._kept: Callable[[tuple], dict[tuple, _Kept]] = lru_cache(_LAYOUTS)(lambda key: {})

    def of(self, routine: Routine, poison: int, question: str, *arguments: int) -> _Kept:
        """What a question of the kind asks, with bytes that nobody writes drawn by `poison`.

        By the names that the kind gives, or by number.
        """
        mine = self._of_layout(routine)
        key = (poison, question, *arguments)
        if key not in mine:
            asked = getattr(self._kind, question)(routine, *arguments)
            mine[key] = {name: _laid_out(routine, poison, each) for name, each in _dialogues(asked)}
        return mine[key]

    def _of_layout(self, routine: Routine) -> dict[tuple, _Kept]:
        """What is laid out for a routine's block; the layout not asked for the longest is dropped."""
        layout = routine.layout
        key = (routine.entries, routine.kept, routine.destroys_key, routine.static, layout.size)
        key += tuple(map(tuple, layout.fields))
        return self._kept(key)


def _laid_out(routine: Routine, poison: int, dialogue: Dialogue) -> Script | Chain:
    if any(turn.chain for turn in dialogue):
        return Chain(dialogue)
    return script_of(routine, dialogue, noise(poison, len(dialogue[0]), routine.layout.size))


@lru_cache(maxsize=64)
def noise(seed: int, rows: int, columns: int) -> Bytes:
    """What is in bytes that nobody writes."""
    drawn = np.random.default_rng(seed).integers(0, 256, (rows, columns), np.uint8)
    drawn.flags.writeable = False
    return drawn


def _is_apart(turn: Turn) -> bool:
    fields = [answer.field for answer in turn.answers]
    return len(set(fields)) < len(fields) or any(answer.differs for answer in turn.answers)


def _dialogues(
    asked: Dialogue | Iterable[Dialogue] | Mapping[str, Dialogue],
) -> Iterable[tuple[str | int, Dialogue]]:
    """Dialogues by name or by number, of one or of several."""
    if isinstance(asked, Mapping):
        return asked.items()
    asked = list(asked)
    return enumerate([asked] if asked and isinstance(asked[0], Turn) else asked)


def _with_rows(turn: Turn, rows: NDArray[np.int64]) -> Turn:
    given = {name: values[rows] for name, values in turn.given.items()}
    answers = (
        replace(answer, rows=answer.rows[rows], complaint=partial(_complaint, answer, rows))
        for answer in turn.answers
    )
    return replace(turn, given=given, answers=tuple(answers))


def _complaint(answer: Answer, rows: NDArray[np.int64], n: int, found: bytes) -> str:
    return answer.complaint(int(rows[n]), found)
