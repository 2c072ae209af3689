"""The gate: what a routine must do right before its figures count, and the figures."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from tightfit.harness import attribution, checks
from tightfit.harness.build import Image
from tightfit.harness.caller import Caller, Place, places
from tightfit.harness.kinds import Dialogue, Kind, Turn
from tightfit.harness.machine import BANK_BYTES, Machine
from tightfit.harness.profiling import profile
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.harness.script import Chain, Done, Script, Scripts, Spoken, noise
from tightfit.harness.taint import Secrets, secrets_of
from tightfit.harness.timing import Timings
from tightfit.records import Attribution, Curve, RamParts, Secrecy, Timing

TIMING_INPUTS = 64
_ELSEWHERE_INPUTS = 4
_SHAPE_INPUTS = 16
BUDGET = 20_000_000
"""Simulated instructions for each sort of further inputs in the full gate."""
_RANDOM_FLOOR, _MANY_FLOOR, _ITERATED_FLOOR, _ELSEWHERE_FLOOR = 32, 64, 32, 8
"""Inputs of each sort that the full gate asks however long they take."""


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
        self._scripts = Scripts(kind)

    def check(self, routine: Routine, image: Image, ranked: Sequence[str], full: bool = False) -> Findings:
        """Send a routine through the search gate, or the full one.

        `ranked` names the entries whose timings are wanted; `setup` and `<entry>_next` stand in for an entry
        that the routine does not have.

        Raises
        ------
        Rejected
            With the first reason found.
        """
        return _Trial(self.machine, self.kind, self._scripts, routine, image).run(ranked, full)

    def secrets(self, routine: Routine, image: Image) -> Secrets:
        """What a routine that passed shows of its secrets; raises `Rejected` where a call does not return."""
        fragments = attribution.map_fragments(image, routine.emissions)
        return secrets_of(self.machine, image, routine, self.kind, fragments)


class _Trial:
    """One routine on its way through the gate."""

    def __init__(self, machine: Machine, kind: Kind, scripts: Scripts, routine: Routine, image: Image):
        self.machine, self.kind, self.routine, self.image = machine, kind, routine, image
        self._scripts = scripts
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
            self._ask("quick")  # most wrong candidates end here
            (spoken,) = self._ask("random", TIMING_INPUTS)
            timed, self.instructions = spoken.done(), spoken.instructions // TIMING_INPUTS
            self.timings.take(timed)
            self._compare("known")
            self.counted = self.kind.counts(self.routine, self._call)
            self.timings.count(self.counted)
        secrets = secrets_of(self.machine, self.image, self.routine, self.kind, fragments)
        proved = not (secrets.leaks or secrets.flash_lookups)
        with self._at(usual, caller):
            curve = self._curve(proved)
        self._elsewhere(_ELSEWHERE_INPUTS)
        self._interleaved()
        self._watched(self.places[0], full)
        if full:
            self._full(proved)
        static = self._static()
        by_entry = self.timings.by_entry(ranked)
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

    def _scripts_of(self, question: str, *arguments: int) -> Mapping[str | int, Script | Chain]:
        return self._scripts.of(self.routine, self.machine.caller.poison, question, *arguments)

    def _ask(self, question: str, *arguments: int) -> list[Spoken]:
        """What the kind asks, in one call into C for each dialogue."""
        return [self._converse(script) for script in self._scripts_of(question, *arguments).values()]

    def _compare(self, question: str, *arguments: int, floor: int | None = None) -> None:
        """Ask, and compare what it takes with what was taken before.

        With a floor, in no more contexts than the budget has, but in as many as the floor says.
        """
        scripts = self._scripts_of(question, *arguments).values()
        for script in scripts:
            if floor is not None:
                script = script.some(max(floor, BUDGET // (self.instructions * len(scripts))))
            if isinstance(script, Chain):
                self._speak(script.turns)
            else:
                self.timings.compare(self._converse(script).taken())

    def _converse(self, script: Script) -> Spoken:
        """The turns of a script, which must all be right."""
        self.called |= dict.fromkeys(entry for entry, _ in script.ways)
        spoken = self.machine.converse(script)
        checks.check_spoken(self.machine, self.routine, spoken)
        self.stack = max(self.stack, int(spoken.stack.max()))
        return spoken

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
        filling = noise(self.machine.caller.poison, len(turn), self.routine.layout.size)
        blocks, written = turn.blocks(self.routine, before, filling), turn.written(self.routine)
        self.called[turn.entry] = None
        outcome = self.machine.call(turn.entry, blocks, written, address, watch, turn.left(self.routine))
        checks.check_answers(self.routine, turn, outcome)
        checks.check_registers(self.machine, turn.entry, outcome)
        self.stack = max(self.stack, outcome.stack)
        return Done(turn, blocks, written, outcome)

    def _curve(self, proved: bool) -> Curve | None:
        """The message-length curve, from the figures and the further calls that it needs.

        One input of each shape is enough where time is proved not to depend on it, or did not so far.
        """
        count = 1 if proved or self.timings.constant else _SHAPE_INPUTS
        last = {}
        for name, script in self._scripts_of("shapes", count).items():
            spoken = self._converse(script)
            self.timings.compare(spoken.taken())
            last[name] = spoken.cycles[-1]
        return self.kind.curve({**self.timings.cycles(), **last})

    def _elsewhere(self, count: int, floor: int | None = None) -> None:
        """Blocks at other even addresses, other registers, other contents of unwritten memory."""
        caller = self.machine.callers.callers[1]
        for place in self.places[1:]:
            if place.room < self.stack:
                continue  # a part so small that block and stack fit only elsewhere
            with self._at(place, caller):
                self._compare("elsewhere", count, floor=floor)

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

    def _full(self, proved: bool) -> None:
        """The slow checks, and many more inputs at every place.

        Where time is proved not to depend on the input these test values alone, and have a budget; elsewhere
        they look for the least and the greatest time as well. Iterated vectors do not.
        """
        random, many, elsewhere = (_RANDOM_FLOOR, _MANY_FLOOR, _ELSEWHERE_FLOOR) if proved else (None,) * 3
        with self._at(self.places[0], self.machine.callers.callers[1]):
            self._compare("thorough")
            self._compare("iterated", floor=_ITERATED_FLOOR)
            self._compare("many", floor=many)
            if not self.counted:
                self._compare("long")
            self._compare("random", self.kind.full_inputs, floor=random)
        self._elsewhere(TIMING_INPUTS, floor=elsewhere)

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
