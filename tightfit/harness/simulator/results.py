"""What goes into the simulator and what comes out of it, as records."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Region:
    """A stretch of the address space; `end` is exclusive.

    `kind` is flash, mirror, ram, sfr, data-flash or guard. A mirror shows the code flash from `source` on.
    """

    kind: str
    start: int
    end: int
    source: int = 0


@dataclass(frozen=True)
class Run:
    """How a run ended and what it cost, in clocks; `stack` in bytes below the pointer at the start.

    `status` is "ok" or the kind of error; `cycles` are `base` and all `waits`, whose names are the core's.
    """

    status: str
    message: str
    pc: int
    address: int
    cycles: int
    base: int
    waits: Mapping[str, int]
    instructions: int
    stack: int
    path_hash: int
    uninit_reads: int
    timing_not_verified: bool

    @property
    def ok(self) -> bool:
        """Whether the stop address was reached."""
        return self.status == "ok"


@dataclass(frozen=True)
class Handler:
    """An interrupt handler beside the stack that every handler uses: the RAM that it writes.

    `ranges` are (address, length, value), the value None for noise. It runs before the instruction `before`,
    counted from 1, or before each (0).
    """

    ranges: tuple[tuple[int, int, int | None], ...]
    before: int = 0


@dataclass(frozen=True)
class Watched:
    """A watched run, and what it did while the caller had interrupts enabled.

    `blocked` is the longest stretch of cycles in which no interrupt was possible, `blocked_at` the address of
    its first instruction; `below` counts reads of RAM below the stack pointer; `interrupts` counts the
    instructions before which an interrupt was possible.
    """

    run: Run
    blocked: int
    blocked_at: int
    below: int
    interrupts: int


@dataclass(frozen=True)
class Node:
    """A call path: `callee` as called from `call_site` inside the path `parent` (-1: the root)."""

    node: int
    parent: int
    call_site: int
    callee: int
    entries: int


@dataclass(frozen=True)
class Profile:
    """A run with its call paths; `cells[node][address]` is (executions, cycles) of the instruction there."""

    run: Run
    nodes: tuple[Node, ...]
    cells: Mapping[int, Mapping[int, tuple[int, int]]]

    def by_address(self) -> dict[int, tuple[int, int]]:
        """Executions and cycles of each address over all call paths."""
        total: dict[int, tuple[int, int]] = {}
        for cells in self.cells.values():
            for address, (executions, cycles) in cells.items():
                before = total.get(address, (0, 0))
                total[address] = (before[0] + executions, before[1] + cycles)
        return total


@dataclass(frozen=True)
class Batch:
    """Results of `call_many`: each tuple has one item for each block; `runs` holds every run in full."""

    runs: tuple[Run, ...]
    blocks: bytes
    registers: tuple[Mapping[str, int], ...]

    @property
    def status(self) -> tuple[str, ...]:
        return tuple(run.status for run in self.runs)

    @property
    def cycles(self) -> tuple[int, ...]:
        return tuple(run.cycles for run in self.runs)

    @property
    def stack(self) -> tuple[int, ...]:
        return tuple(run.stack for run in self.runs)

    @property
    def path_hash(self) -> tuple[int, ...]:
        return tuple(run.path_hash for run in self.runs)


@dataclass(frozen=True)
class Form:
    """One row of the core's instruction table; clocks as in its `simulator/*_forms.def`."""

    index: int
    text: str
    flags: str
    marks: str
    sources: str
    layout: str
    field: str
    core: str
    map: int
    opcode: int
    fixed: int
    clocks: int
    taken: int
    flash: int
    es: int
    length: int
