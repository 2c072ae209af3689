"""The gate: what a routine must do right before its figures count, and the figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tightfit.harness import attribution, checks
from tightfit.harness.build import Image
from tightfit.harness.caller import Caller, Place, places
from tightfit.harness.cases import Bytes, Cases, Inputs, Step, followers, plan
from tightfit.harness.machine import BANK_BYTES, Machine, Outcome
from tightfit.harness.profiling import Done, profile
from tightfit.harness.routine import Rejected, Routine
from tightfit.harness.timing import Timings
from tightfit.records import Attribution, Timing

TIMING_INPUTS = 64
_ELSEWHERE_INPUTS = 4
_INTERLEAVED_INPUTS = 2
_FULL_INPUTS = 1000

Source = Callable[[Step], Inputs]


@dataclass(frozen=True)
class Findings:
    """What the gate learned of a routine that passed it; static and stack in bytes."""

    by_entry: Mapping[str, Timing]
    static: int
    stack: int
    reentrant: bool
    attribution: Attribution


class Gate:
    """Checks and measures routines of one primitive on one part."""

    def __init__(self, machine: Machine, cases: Cases):
        self.machine, self.cases = machine, cases

    def check(self, routine: Routine, image: Image, ranked: Sequence[str], full: bool = False) -> Findings:
        """Send a routine through the search gate, or the full one.

        `ranked` names the entries whose timings are wanted, with `setup` and `<entry>_next` for one that the
        routine does not have.

        Raises
        ------
        Rejected
            With the first reason found.
        """
        return _Trial(self.machine, self.cases, routine, image).run(ranked, full)


class _Trial:
    """One routine on its way through the gate."""

    def __init__(self, machine: Machine, cases: Cases, routine: Routine, image: Image):
        self.machine, self.cases, self.routine, self.image = machine, cases, routine, image
        self.steps = plan(routine.entries)
        checks.check_memory(machine, image, routine)
        self.places = places(image.free, image.end, routine.layout.size)
        self.timings = Timings()
        self.stack = 0
        self.banks: frozenset[int] = frozenset()
        self.static_written = False
        primitive = cases.primitive
        checks.check_layout(routine, primitive.block_bytes, primitive.key_bytes)
        machine.load(image)

    def run(self, ranked: Sequence[str], full: bool) -> Findings:
        usual, caller = self.places[0], self.machine.callers.callers[0]
        fragments = attribution.map_fragments(self.image, self.routine.emissions)
        with self._at(usual, caller):
            self._pass(self._known(1))  # most wrong candidates end here
            timed = self._pass(self._random(TIMING_INPUTS))
            self.timings.take(_outcomes(timed))
            self.timings.compare(_outcomes(self._pass(self._known())))
        self._elsewhere(_ELSEWHERE_INPUTS)
        self._interleaved()
        if full:
            self._full()
        static = self._static()
        by_entry = self.timings.by_entry(ranked)
        self.machine.start(usual, caller)
        profiled = profile(self.machine, timed, fragments, self.timings.parts(ranked))
        return Findings(
            by_entry=by_entry,
            static=static,
            stack=self.stack,
            reentrant=not (self.banks or self.static_written),
            attribution=profiled,
        )

    def _known(self, count: int | None = None) -> Source:
        return lambda step: self.cases.vectors(step.direction, self.cases.known[:count])

    def _random(self, count: int) -> Source:
        return lambda step: self.cases.random(step.direction, count, 0 if step.after is None else 1)

    @contextmanager
    def _at(self, place: Place, caller: Caller, *more_blocks: int) -> Iterator[None]:
        """Calls inside start from fresh RAM; afterwards nothing may be written that is not the routine's."""
        self.machine.start(place, caller)
        yield
        size = self.routine.layout.size
        touched = checks.check_touched(self.machine, [place.block, *more_blocks], size, self.stack)
        self.static_written |= touched
        checks.check_peripherals(self.machine)
        self.banks |= self.machine.banks()

    def _pass(self, source: Source) -> dict[str, Done]:
        """Call every entry once for each input, those after others on the blocks that these leave."""
        done: dict[str, Done] = {}
        for step in self.steps:
            before = done[step.after].outcome.blocks if step.after else None
            done[step.entry] = self._call(step, source(step), before)
        return done

    def _call(self, step: Step, inputs: Inputs, before: Bytes | None, address: int | None = None) -> Done:
        written = self._written(step)
        blocks = self._blocks(inputs, before, written)
        outcome = self.machine.call(step.entry, blocks, written, address)
        checks.check_answers(self.routine, step.entry, inputs, outcome)
        checks.check_registers(self.machine, step.entry, outcome)
        self.stack = max(self.stack, outcome.stack)
        return Done(blocks, written, outcome)

    def _written(self, step: Step) -> Bytes:
        """1 for the bytes of the block that are defined before a step."""
        written = np.zeros(self.routine.layout.size, np.uint8)
        kept = self.routine.kept if step.after else ()
        for name in ("text", "key", *kept):
            written[self.routine.field(name)] = 1
        return written

    def _blocks(self, inputs: Inputs, before: Bytes | None, written: Bytes) -> Bytes:
        """Blocks with text and key in place, what is kept from `before`, and noise elsewhere."""
        blocks = _noise(self.machine.caller.poison, len(inputs), self.routine.layout.size).copy()
        if before is not None:
            blocks[:, written == 1] = before[:, written == 1]
        if before is None or not self.routine.destroys_key:
            blocks[:, self.routine.field("key")] = inputs.keys
        blocks[:, self.routine.field("text")] = inputs.texts
        return blocks

    def _elsewhere(self, count: int) -> None:
        """Blocks at other even addresses, other registers, other contents of unwritten memory."""
        caller = self.machine.callers.callers[1]
        for place in self.places[1:]:
            if place.room < self.stack:
                continue  # a part so small that block and stack fit only elsewhere
            with self._at(place, caller):
                done = self._pass(self._random(count))
            self.timings.compare(_outcomes(done))

    def _interleaved(self) -> None:
        """Two parameter blocks in turn give what each gives alone."""
        usual, other = self.places[0], self.places[0].beside
        if usual.limit <= other and usual.stack - other - self.routine.layout.size < self.stack:
            return  # the part has no room for a second one
        steps = [*self.steps, *followers(self.routine.entries)]
        with self._at(usual, self.machine.callers.callers[0], other):
            for n in range(_INTERLEAVED_INPUTS):
                latest: dict[tuple[int, str], Bytes] = {}
                for number, step in enumerate(steps):
                    for row, mine, others in ((2 * n, usual.block, other), (2 * n + 1, other, usual.block)):
                        inputs = self._one(step, number, row)
                        before = latest.get((mine, step.after)) if step.after else None
                        neighbour = self._memory(others)
                        outcome = self._call(step, inputs, before, mine).outcome
                        checks.check_other_block(self.machine, others, neighbour, step.entry)
                        latest[mine, step.entry] = outcome.blocks

    def _one(self, step: Step, number: int, row: int) -> Inputs:
        inputs = self.cases.random(step.direction, TIMING_INPUTS, number)
        rows = slice(TIMING_INPUTS - row - 1, TIMING_INPUTS - row)  # the extremes come first
        return Inputs(inputs.keys[rows], inputs.texts[rows], inputs.answers[rows])

    def _memory(self, address: int) -> Bytes:
        return np.frombuffer(self.machine.read(address, self.routine.layout.size), np.uint8)

    def _full(self) -> None:
        """Iterated known answers and many more random inputs, at every place."""
        with self._at(self.places[0], self.machine.callers.callers[1]):
            for step in self.steps:
                if step.direction:
                    self._iterate(step)
            done = self._pass(self._random(_FULL_INPUTS))
        self.timings.compare(_outcomes(done))
        self._elsewhere(TIMING_INPUTS)

    def _iterate(self, step: Step) -> None:
        """The iterated vectors: the cipher applied to its own output, all of one length side by side."""
        for iterations in sorted({vector.iterations for vector in self.cases.iterated}):
            vectors = [vector for vector in self.cases.iterated if vector.iterations == iterations]
            inputs = self.cases.vectors(step.direction, vectors)
            before = self._prepare(step, inputs)
            texts = inputs.texts
            for _ in range(iterations):
                now = self.cases.answer(step.direction, inputs.keys, texts)
                outcome = self._call(step, now, before).outcome
                before = outcome.blocks if step.after else None
                texts = outcome.blocks[:, self.routine.field("text")]
            if (texts != inputs.answers).any():
                raise Rejected(f"wrong answer: {step.entry} iterated {iterations} times")

    def _prepare(self, step: Step, inputs: Inputs) -> Bytes | None:
        """The blocks that a step finds after the entry that must run before it."""
        if step.after is None:
            return None
        earlier = next(one for one in self.steps if one.entry == step.after)
        prepared = self.cases.answer(earlier.direction, inputs.keys, inputs.texts)
        return self._call(earlier, prepared, None).outcome.blocks

    def _static(self) -> int:
        """Static RAM in bytes: sections and register banks; it must be what the variant declares."""
        static = self.image.static_bytes + BANK_BYTES * len(self.banks)
        declared = self.routine.static
        if declared is not None and declared != static:
            banks = f", register banks {', '.join(map(str, sorted(self.banks)))}" if self.banks else ""
            raise Rejected(
                f"static RAM: {declared} bytes declared, {static} found "
                f"({self.image.static_bytes} in .data and .bss{banks})"
            )
        return static


def _outcomes(done: Mapping[str, Done]) -> dict[str, Outcome]:
    return {entry: one.outcome for entry, one in done.items()}


@lru_cache(maxsize=256)
def _noise(seed: int, rows: int, columns: int) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, (rows, columns), np.uint8)
