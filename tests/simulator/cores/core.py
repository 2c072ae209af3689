"""What the tests know of a core: `Core` is the table that a new core fills in, `Snippet` a program on it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tightfit.harness.simulator import Form, Profile, Region, Run, Simulator
from tightfit.targets import Part, Target

from .beside import Other
from .forms import Forms
from .tools import Tools

State = Mapping[str | int, int | bytes | str]
"""Registers by name and memory by address; a text is the address of that label."""


@dataclass
class Snippet:
    """A machine with code at `start`; the labels are its symbols, `end` is where a run stops."""

    core: "Core"
    sim: Simulator
    labels: Mapping[str, int]
    start: int

    def run(self, *, cycle_limit: int = 10_000, **registers: int) -> Run:
        self.set(registers)
        return self.sim.run(self.start, self.labels["end"], cycle_limit=cycle_limit)

    def profile(self, *, cycle_limit: int = 10_000, **registers: int) -> Profile:
        self.set(registers)
        return self.sim.run_profiled(self.start, self.labels["end"], cycle_limit=cycle_limit)

    def set(self, state: State) -> None:
        """Write registers and memory."""
        for place, value in state.items():
            if isinstance(place, int):
                self.sim.write(place, value)
            else:
                self.sim.registers[place] = self._value(value)

    def get(self, state: State) -> State:
        """What is in the places that `state` names."""
        return {
            place: self.sim.read(place, len(value)) if isinstance(place, int) else self.sim.registers[place]
            for place, value in state.items()
        }

    def shows(self, state: State) -> None:
        """Registers and memory are as `state` has them."""
        assert self.get(state) == {place: self._value(value) for place, value in state.items()}

    def told(self, run: Run, expected: Mapping[str, Any]) -> None:
        """Attributes and waits of the run are as expected; a text may be a label."""
        if isinstance(expected.get("pc"), str):
            expected = {**expected, "pc": self.labels[expected["pc"]]}
        assert expected == {
            key: run.waits[key] if key in run.waits else getattr(run, key) for key in expected
        }, run.message

    def _value(self, value: int | bytes | str) -> int | bytes:
        return self.core.pointer_to(self.labels[value]) if isinstance(value, str) else value


@dataclass(frozen=True)
class Case:
    """A program, what it finds, what it leaves, and what is told of its run."""

    what: str
    source: str
    given: State = field(default_factory=dict)
    left: State = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of the run or names of its waits; a run is `ok` if no other status is named."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the simulator: `uninit`, `address_waits`, `regions`."""
    flash: Mapping[int, bytes] = field(default_factory=dict)
    also: Callable[[Snippet], object] | None = None
    """What must be true after the run besides."""


@dataclass(frozen=True)
class Calls:
    """A program, the nodes of its call tree after the root, and the cells of some of them."""

    source: str
    nodes: Sequence[str]
    """A path of names and the entries, in the order of the nodes: `f/g 3`."""
    cells: Mapping[int, str | Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """By node: the labels of all that was executed, or executions and cycles by label."""
    told: Mapping[str, Any] = field(default_factory=dict)
    given: State = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A program, states for it from a random generator, and what arithmetic says that it leaves."""

    source: str
    states: Callable[[Random], Iterable[State]]
    result: Callable[[State], State]


@dataclass(frozen=True, kw_only=True)
class Firmware:
    """An image that ends, with functions whose cost is known."""

    source: str
    """Its last instruction is {end}."""
    ends: Sequence[tuple[str, str]]
    """Instruction, status."""
    again: str
    """An instruction with which it never ends."""
    left: Mapping[str, int]
    """Registers at the end."""
    stack: int
    costs: Mapping[str, tuple[int, int, int]]
    """Calls, cycles, and cycles with what is called, of every function but `_start`."""
    start: int
    """Cycles of `_start`."""
    machine: str
    """What ELF calls it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Core:
    """A core on a part: what has no default must be filled in. Rows are tuples in the order that is said."""

    name: str
    simulated: str
    """What the simulator calls it."""
    target: Target
    part: Part
    tools: Tools
    regions: Sequence[Region]
    stack: tuple[int, int]
    """Where a snippet's stack begins and ends, as `set_stack` takes it."""
    space: int
    """The end of the address space."""
    above: int
    """The first byte above the stack."""
    data: int
    """RAM that snippets use; in their source it is `data`."""
    symbol: int
    """The value of `data` in a source."""
    word: int = 1
    """Bytes by which a label is divided to be a code pointer."""
    verified: bool = True
    """Whether the clocks are."""

    # test_docs.py
    section: tuple[str, str]
    """Where the section of docs/simulator.md about its table begins and ends."""
    counted: Callable[[Sequence[Form]], Sequence[str]]
    """What the section says of the number of forms."""
    no_sources: Iterable[str] = ()
    """Words in the table's column of sources that name none."""
    digits: int = 4
    """Of an address in the section's memory map."""

    # test_forms.py
    forms: Forms
    """Examples, states and clocks of its table: what a target says of them is in a file of its own."""
    no_instruction: Sequence[int] = ()
    """First words without a meaning."""
    check_list: Mapping[str, int] = field(default_factory=dict)
    """Instructions as another list has them, with clocks; `x` is a label in code, `tab` one of data."""

    # test_ends.py
    flags: State = field(default_factory=dict)
    """At the start of the rows of `ends`."""
    ends: Mapping[str, Sequence[str]]
    """Sources by status."""
    ends_above: Sequence[tuple[str, int]] = ()
    """Reads above the stack, though there is something: source, address."""
    deepest: Sequence[tuple[str, int]]
    """Source, bytes of stack."""
    loop: tuple[str, int, int]
    """A loop of no end; cycles and instructions when it is stopped after 1,001 cycles."""
    nop: bytes
    cut: bytes
    """The first half of an instruction."""
    not_code: Sequence[int] = ()
    """Addresses from which no run can start."""
    return_outside: Sequence[tuple[str, int]] = ()
    """A program that returns to an address without code, this address."""
    steps: Sequence[tuple[str, State, int, Mapping[str, Any], State]]
    """Source that halts, state, number of steps, what is told of them, state after them."""
    message: Sequence[tuple[str, str]]
    """Source, how its run ends in words."""

    # test_memory.py
    errors_given: State = field(default_factory=dict)
    errors: Mapping[str, Mapping[str, int]]
    """Addresses by status and source; a run that starts with `errors_given`."""
    load: str
    """An instruction that reads the byte at `data` plus {}, and the register that gets it."""
    loaded: str
    store: str
    """An instruction that writes a byte to `data` plus {}."""
    never_written: str
    """Reads three bytes that nobody wrote, then writes some and reads them."""
    touched: tuple[str, range, Iterable[int]]
    """A program, a range of memory, the addresses in it that the program writes."""
    replaced: tuple[str, str, int, int, bytes, int, bytes, int]
    """Sets a register to a constant: source, register, value; with some bytes of the code changed: offset,
    bytes, value; with other code: bytes, value."""
    memory: Sequence[Case]
    no_registers: Sequence[str]
    """Names that no register has."""
    misuse: Sequence[Callable[[Simulator], Any]] = ()
    """What else is refused."""

    # test_lockstep.py, test_routines.py
    others: Sequence[Other]
    """Independent simulators of it; programs for them are in files of their own."""

    # test_timing.py
    clocks: Sequence[tuple[str, int]] = ()
    """Source, cycles; none of them waits."""
    timing: Sequence[Case] = ()
    path_hashes: Sequence[tuple[str, Sequence[State], str]]
    """Source, states at the start, a letter for each: the same where the paths are the same."""

    # test_arithmetic.py
    rules: Sequence[Rule] = ()
    corners: Sequence[Case] = ()

    # test_firmware.py
    firmware: Firmware

    # test_profile.py
    calls: Sequence[Calls]
    call_g: str
    failing: Sequence[str]
    """Bad ends of a program that calls `g` before."""
    recursion: Sequence[tuple[str, int, int, str]]
    """A routine that calls itself for ever; a stack for it: top, limit; status."""

    # test_batch.py
    pointer: str
    """The register that points to the block."""
    xor: tuple[str, str, int, Sequence[int]]
    """A call of a routine that writes the xor of the block's first two bytes to its third, and branches if it
    is zero: source, the register that has the xor, stack, cycles for the blocks 1 2, 7 7, 255 1."""
    xor_waits: Mapping[str, int] = field(default_factory=dict)
    xor_given: State = field(default_factory=dict)
    """A register that the batch sets and the routine leaves alone."""
    xor_left: State = field(default_factory=dict)
    """What other registers are after it."""
    fails_on_zero: tuple[str, str]
    """A routine that ends badly if the block's first byte is zero: source, status."""
    fresh: tuple[str, State]
    """A routine that changes registers, which start as 0; what they are after each run."""

    # test_watched.py
    enabled: State
    """Registers with interrupts enabled."""
    disabled: State
    uses_stack: str
    """Four instructions that keep to their stack."""
    reads_below: str
    """Reads below the stack pointer what was there before."""
    stores_below: str
    """Stores below the stack pointer and reads it again."""
    blocks: tuple[str, int]
    """Disables interrupts and enables them; the cycles without any."""

    # test_taint.py
    moves: Sequence[tuple[str, State, State]]
    """Source, masks of registers before it (the first byte of `data` has 3C), masks after it."""
    leaks: Sequence[tuple[str, State, str]]
    """Source with the instruction at the label `here`, secret registers, what is seen there."""
    merged: Sequence[tuple[str, State, State]]
    """Source with a balanced branch or skip, secret registers, masks after it."""

    def simulator(self, **options: Any) -> Simulator:
        """A fresh one with the part's memory, if no other is given."""
        return Simulator(self.simulated, **{"regions": self.regions, **options})

    def snippet(self, source: str, **options: Any) -> Snippet:
        """Instructions with `;` between them, in a fresh machine."""
        code, labels = self.tools.assemble(f".equ data, {self.symbol:#x}\n{lines(source)}")
        sim = self.simulator(**options)
        sim.load(self.tools.start, code)
        sim.reset()
        sim.set_stack(*self.stack)
        labels = {"start": self.tools.start, **labels}
        sim.symbols = {address: name for name, address in labels.items() if name not in ("start", "data")}
        return Snippet(self, sim, labels, self.tools.start)

    def check(self, case: Case) -> None:
        """Run a case and compare what it leaves."""
        s = self.snippet(case.source, **case.options)
        for address, content in case.flash.items():
            s.sim.load(address, content)
        s.set(case.given)
        run = s.run()
        s.told(run, {"status": "ok", **case.told})
        assert run.cycles == run.base + sum(run.waits.values())
        s.shows(case.left)
        assert case.also is None or case.also(s)

    def region(self, kind: str) -> Region:
        """The part's first of that kind."""
        return next(region for region in self.regions if region.kind == kind)

    def pointer_to(self, address: int) -> int:
        """What a jump through a register needs."""
        return address // self.word

    @property
    def flash_end(self) -> int:
        """The end of the flash that snippets are in."""
        return next(r.end for r in self.regions if r.kind == "flash" and r.start <= self.tools.start < r.end)

    def __repr__(self) -> str:
        return self.name


ROWS = (
    *(
        "ends",
        "ends_above",
        "deepest",
        "return_outside",
        "steps",
        "message",
        "errors",
        "memory",
        "no_registers",
    ),
    *("clocks", "timing", "path_hashes", "rules", "corners", "calls", "failing", "recursion"),
    *("no_instruction", "others", "moves", "leaks", "merged"),
)
"""Tables of which a lesser machine has rows of its own, or none."""


def lesser(core: Core, **table: Any) -> Core:
    """A further core or part of the same target, whose table has these rows and no others."""
    return replace(core, **{**dict.fromkeys(ROWS, ()), **table})


def drawn(times: int, **choices: Any) -> Callable[[Random], Iterable[State]]:
    """States of registers: each is one of several values, where a range stands for a random one in it."""

    def one(chance: Random, values: Sequence[Any]) -> int:
        value = chance.choice(values)
        return chance.choice(value) if isinstance(value, range) else value

    return lambda chance: ({name: one(chance, each) for name, each in choices.items()} for _ in range(times))


def lines(source: str) -> str:
    """Instructions with `;` between them as lines; a label `end` follows the last where there is none."""
    stripped = [line.strip() for line in source.replace(";", "\n").splitlines()]
    text = "\n".join(line if ":" in line.split(" ")[0] else f" {line}" for line in stripped)
    return text + ("\n" if "end:" in text else "\nend: nop\n")
