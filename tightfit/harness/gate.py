"""The gate: what a routine must do right before its figures count, and the figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest

import numpy as np

from tightfit.harness import attribution, checks
from tightfit.harness.build import Image
from tightfit.harness.caller import Caller, Place, places
from tightfit.harness.kinds import Dialogue, Kind, Turn
from tightfit.harness.machine import BANK_BYTES, Machine
from tightfit.harness.profiling import Done, profile
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.harness.taint import Secrets, secrets_of
from tightfit.harness.timing import Timings
from tightfit.records import Attribution, Curve, RamParts, Secrecy, Timing

TIMING_INPUTS = 64
_ELSEWHERE_INPUTS = 4
_SHAPE_INPUTS = 16


@dataclass(frozen=True)
class Findings:
    """What the gate learned about a routine that passed it; static, its register banks and stack in bytes.

    `timings` are the cycles behind `by_entry`, input by input. `tested_bytes` is the length of the longest
    message tested, 0 where every carry of a block count was tested, or where lengths do not matter.
    """

    by_entry: Mapping[str, Timing]
    static: int
    banks: int
    stack: int
    reentrant: bool
    registers_as_memory: bool
    attribution: Attribution
    secrecy: Secrecy
    timings: Timings = field(compare=False)
    tested_bytes: int = 0
    curve: Curve | None = None

    def ram_parts(self, block: int, more_stack: int = 0) -> RamParts:
        """RAM with a parameter block of so many bytes, and what else the caller has on the stack."""
        return RamParts(block, self.static, self.stack + more_stack, self.banks)


class Gate:
    """Checks and measures routines of one primitive on one part."""

    def __init__(self, machine: Machine, kind: Kind):
        self.machine, self.kind = machine, kind

    def check(self, routine: Routine, image: Image, ranked: Sequence[str], full: bool = False) -> Findings:
        """Send a routine through the search gate, or the full one.

        `ranked` names the entries whose timings are wanted; `setup` and `<entry>_next` stand in for an entry
        that the routine does not have.

        Raises
        ------
        Rejected
            With the first reason found.
        """
        return _Trial(self.machine, self.kind, routine, image).run(ranked, full)

    def secrets(self, routine: Routine, image: Image) -> Secrets:
        """What a routine that passed shows of its secrets; raises `Rejected` where a call does not return."""
        fragments = attribution.map_fragments(image, routine.emissions)
        return secrets_of(self.machine, image, routine, self.kind, fragments)


class _Trial:
    """One routine on its way through the gate."""

    def __init__(self, machine: Machine, kind: Kind, routine: Routine, image: Image):
        self.machine, self.kind, self.routine, self.image = machine, kind, routine, image
        kind.check(routine)
        checks.check_memory(machine, image, routine)
        self.places = places(image, routine.layout.size)
        self.timings = Timings(kind.sums)
        self.stack = 0
        self.banks: frozenset[int] = frozenset()
        self.static_written = self.registers_as_memory = False
        self.called: dict[str, None] = {}
        machine.load(image)

    def run(self, ranked: Sequence[str], full: bool) -> Findings:
        usual, caller = self.places[0], self.machine.callers.callers[0]
        fragments = attribution.map_fragments(self.image, self.routine.emissions)
        with self._at(usual, caller):
            self._speak(self.kind.quick(self.routine))  # most wrong candidates end here
            timed = self._speak(self.kind.random(self.routine, TIMING_INPUTS))
            self.timings.take(timed)
            self._compare(self.kind.known(self.routine))
            self.counted = self.kind.counts(self.routine, self._call)
            self.timings.count(self.counted)
            curve = self._curve()
        self._elsewhere(_ELSEWHERE_INPUTS)
        self._interleaved()
        self._watched(self.places[0], full)
        if full:
            self._full()
        static = self._static()
        by_entry = self.timings.by_entry(ranked)
        secrets = secrets_of(self.machine, self.image, self.routine, self.kind, fragments)
        self.machine.start(usual, caller)
        by_figure = {figure: done for done in reversed(timed) if " " not in (figure := done.turn.figure)}
        profiled = profile(self.machine, by_figure, fragments, self.timings.parts(ranked))
        return Findings(
            by_entry=by_entry,
            static=static,
            banks=BANK_BYTES * len(self.banks),
            stack=self.stack,
            reentrant=not (self.banks or self.static_written),
            registers_as_memory=self.registers_as_memory,
            attribution=secrets.placed_in(profiled),
            secrecy=secrets.secrecy,
            timings=self.timings,
            tested_bytes=0 if self.counted else self.kind.tested_bytes(full),
            curve=curve,
        )

    @contextmanager
    def _at(self, place: Place, caller: Caller, *more_blocks: int) -> Iterator[None]:
        """Calls inside start from fresh RAM and may write nothing but what belongs to the routine."""
        self.machine.start(place, caller)
        self.called.clear()
        yield
        size = self.routine.layout.size
        try:
            touched = checks.check_touched(self.machine, [place.block, *more_blocks], size, self.stack)
            checks.check_peripherals(self.machine)
        except Rejected as reason:
            raise Rejected(f"{reason}, by {' or '.join(self.called)}") from None
        self.static_written |= touched
        self.banks |= self.machine.banks()
        self.registers_as_memory |= self.machine.reached_registers()

    def _compare(self, dialogues: Iterable[Dialogue]) -> None:
        for dialogue in dialogues:
            self.timings.compare(self._speak(dialogue))

    def _speak(self, dialogue: Dialogue) -> list[Done]:
        """The calls of a dialogue, each on the blocks that the turn before it left."""
        done: list[Done] = []
        for turn in dialogue:
            before = None if turn.after is None else done[turn.after].outcome.blocks
            done.append(self._call(turn, before))
        return done

    def _call(
        self, turn: Turn, before: Bytes | None, address: int | None = None, watch: bool = False
    ) -> Done:
        filling = _noise(self.machine.caller.poison, len(turn), self.routine.layout.size)
        blocks, written = turn.blocks(self.routine, before, filling), turn.written(self.routine)
        self.called[turn.entry] = None
        outcome = self.machine.call(turn.entry, blocks, written, address, watch, turn.left(self.routine))
        checks.check_answers(self.routine, turn, outcome)
        checks.check_registers(self.machine, turn.entry, outcome)
        self.stack = max(self.stack, outcome.stack)
        return Done(turn, blocks, written, outcome)

    def _curve(self) -> Curve | None:
        """The message-length curve, from the figures and the further calls that it needs."""
        shapes = self.kind.shapes(self.routine, 1 if self.timings.constant else _SHAPE_INPUTS)
        measured = {name: self._speak(dialogue) for name, dialogue in shapes.items()}
        for calls in measured.values():
            self.timings.compare(calls)
        last = {name: calls[-1].outcome.cycles for name, calls in measured.items()}
        return self.kind.curve({**self.timings.cycles(), **last})

    def _elsewhere(self, count: int) -> None:
        """Blocks at other even addresses, other registers, other contents of unwritten memory."""
        caller = self.machine.callers.callers[1]
        for place in self.places[1:]:
            if place.room < self.stack:
                continue  # a part so small that block and stack fit only elsewhere
            with self._at(place, caller):
                self._compare(self.kind.elsewhere(self.routine, count))

    def _interleaved(self) -> None:
        """Calls on two parameter blocks in turn give what each block gives alone."""
        usual, other = self.places[0], self.places[0].beside
        if usual.limit <= other and usual.stack - other - self.routine.layout.size < self.stack:
            return  # the part has no room for a second block
        with self._at(usual, self.machine.callers.callers[0], other):
            for dialogues in self.kind.contexts(self.routine):
                done: dict[int, list[Done]] = {usual.block: [], other: []}
                for turns in zip_longest(*dialogues):
                    for turn, mine, others in zip(turns, done, reversed(done), strict=True):
                        if turn is not None:
                            done[mine].append(self._interrupted(turn, done[mine], mine, others))

    def _interrupted(self, turn: Turn, done: Sequence[Done], mine: int, others: int) -> Done:
        """A call on the block at `mine` that leaves the block at `others` unchanged."""
        before = None if turn.after is None else done[turn.after].outcome.blocks
        neighbour = self._memory(others)
        result = self._call(turn, before, mine)
        checks.check_other_block(self.machine, others, neighbour, turn.entry)
        return result

    def _watched(self, place: Place, full: bool) -> None:
        """Interrupts that come between any two instructions change neither answers nor cycles."""
        with self._at(place, self.machine.callers.interrupted):
            for dialogue in self.kind.watched(self.routine, full):
                done: list[Done] = []
                for turn in dialogue:
                    before = None if turn.after is None else done[turn.after].outcome.blocks
                    fast, watched = (self._call(turn, before, watch=watch) for watch in (False, True))
                    if not self.static_written:
                        checks.check_same_cycles(turn.entry, fast.outcome, watched.outcome)
                    done.append(watched)

    def _memory(self, address: int) -> Bytes:
        return np.frombuffer(self.machine.read(address, self.routine.layout.size), np.uint8)

    def _full(self) -> None:
        """The slow checks, and many more random inputs at every place."""
        with self._at(self.places[0], self.machine.callers.callers[1]):
            self._compare(self.kind.thorough(self.routine))
            if not self.counted:
                self._compare(self.kind.long(self.routine))
            self._compare([self.kind.random(self.routine, self.kind.full_inputs)])
        self._elsewhere(TIMING_INPUTS)

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
        if self.routine.banks not in (None, BANK_BYTES * len(self.banks)):
            raise Rejected(
                f"register banks: {self.routine.banks} bytes declared, {BANK_BYTES * len(self.banks)} found"
            )
        return static


@lru_cache(maxsize=256)
@lru_cache(maxsize=64)
def _noise(seed: int, rows: int, columns: int) -> Bytes:
    noise = np.random.default_rng(seed).integers(0, 256, (rows, columns), np.uint8)
    noise.flags.writeable = False
    return noise
