"""A whole firmware image on the simulator, as `tightfit run` shows it."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.enums import ENUM_E_MACHINE, ENUM_E_TYPE

from tightfit.errors import UsageError
from tightfit.harness.elf import Elf, read_elf
from tightfit.harness.simulator.machine import Simulator
from tightfit.harness.simulator.part import simulator_of
from tightfit.harness.simulator.results import Profile, Run
from tightfit.targets import Part, Target

ENDS = ("ok", "BRK reached", "HALT reached", "STOP reached", "branch to itself")
NO_STOP = 0xFFFFFFFF
_EXECUTABLE = "ET_EXEC"


@dataclass(frozen=True)
class SymbolCost:
    """A function's cost: calls, instructions, its own cycles, and cycles with all functions it called."""

    name: str
    address: int
    calls: int
    executions: int
    cycles: int
    total_cycles: int


@dataclass(frozen=True)
class ImageRun:
    """How an image ended: the run, final registers, and with a profile the functions, dearest first.

    `parts` splits the run's cycles by the names that the target gives them; `digits` is the number of
    hexadecimal digits of each register; `timing_tested` says whether all clocks of the core have a source.
    """

    run: Run
    parts: Mapping[str, int]
    registers: Mapping[str, int]
    symbols: tuple[SymbolCost, ...]
    digits: Mapping[str, int]
    timing_tested: bool

    @property
    def ended(self) -> bool:
        """Whether the program ended by itself: it halted, or branched to itself."""
        return self.run.status in ENDS


def run_elf(
    path: Path,
    target: Target,
    part: Part,
    *,
    cycle_limit: int = 1_000_000_000,
    profile: bool = False,
    uninit: str = "error",
) -> ImageRun:
    """Load an executable's segments where they lie in flash, start at its entry, run until it ends by itself.

    It ends where it halts or branches to itself. Special function registers read as they were written.

    Parameters
    ----------
    path : ELF executable for the target
    cycle_limit : clocks after which the run is given up
    uninit : "error", "warn" or "off" for reads of RAM that was never written

    Raises
    ------
    UsageError
        Not an executable for the target, or it does not fit the part's memory.
    """
    simulator = simulator_of(part, uninit=uninit)
    simulator.reset()
    entry, functions = load_image(simulator, Path(path), target.elf_machine)
    simulator.symbols = functions
    if profile:
        profiled = simulator.run_profiled(entry, NO_STOP, cycle_limit=cycle_limit)
        run, symbols = profiled.run, symbol_costs(profiled, functions)
    else:
        run, symbols = simulator.run(entry, NO_STOP, cycle_limit=cycle_limit), ()
    parts = {"base": run.base} | {
        name: run.waits[wait] for wait, name in target.waits.items() if wait in run.waits
    }
    registers = {name: simulator.registers[name] for name in target.registers}
    return ImageRun(run, parts, registers, symbols, target.registers, part.core.timing_tested)


def load_image(simulator: Simulator, path: Path, machine: str) -> tuple[int, dict[int, str]]:
    """Put an executable's segments into flash; its entry address, and its functions' names by address.

    Parameters
    ----------
    machine : the value of `e_machine`, such as EM_AVR

    Raises
    ------
    UsageError
        Not an executable for that machine, or it does not fit the memory map.
    """
    try:
        elf = read_elf(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not an ELF file that can be read: {error}") from error
    kind, found = _name(ENUM_E_TYPE, elf.kind), _name(ENUM_E_MACHINE, elf.machine)
    if (kind, found) != (_EXECUTABLE, machine):
        raise UsageError(f"{path} is {kind} for {found}: expected an {_EXECUTABLE} for {machine}")
    for address, data in _contents(elf):
        simulator.load(address, data)
    return elf.entry, _functions(elf)


def _name(names: Mapping[str, int], value: int) -> str:
    return next((name for name, number in names.items() if number == value), f"{value:#x}")


def _contents(elf: Elf) -> Iterator[tuple[int, bytes]]:
    """(address in flash, bytes) of the sections of each segment; of the whole segment where it has none.

    A linker may put the file's own headers into the first segment; they are in no section.
    """
    stored = [section for section in elf.sections if section.data]
    for segment in elf.segments:
        start, end = segment.offset, segment.offset + len(segment.data)
        inside = [section for section in stored if start <= section.offset < end]
        for section in inside:
            yield segment.load + section.offset - start, section.data
        if not inside and segment.data:
            yield segment.load, segment.data


def _functions(elf: Elf) -> dict[int, str]:
    """Functions by address, and labels in code that no function covers; no local or mapping symbols."""
    code = {section.index for section in elf.sections if section.executable}
    local = (".", "$")
    named = [symbol for symbol in elf.symbols if symbol.section in code and not symbol.name.startswith(local)]
    functions = {symbol.address: symbol for symbol in named if symbol.kind == "function"}
    spans = [range(start, start + symbol.size) for start, symbol in functions.items()]
    names = {start: symbol.name for start, symbol in functions.items()}
    for symbol in named:
        if symbol.kind == "notype" and not any(symbol.address in span for span in spans):
            names.setdefault(symbol.address, symbol.name)
    return dict(sorted(names.items()))


def symbol_costs(profile: Profile, functions: Mapping[int, str]) -> tuple[SymbolCost, ...]:
    """The profile by function; an address belongs to the last function that starts at or before it.

    A callee's cycles count once in `total_cycles` of every function on its call path.
    """
    starts = sorted(functions)
    own: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    total: dict[int, int] = defaultdict(int)
    calls: dict[int, int] = defaultdict(int)

    def function(address: int) -> int:
        at = bisect_right(starts, address) - 1
        return starts[at] if at >= 0 else -1

    callers: dict[int, frozenset[int]] = {-1: frozenset()}
    for node in profile.nodes:
        calls[function(node.callee)] += node.entries
        callers[node.node] = callers[node.parent] | (
            {function(node.call_site)} if node.parent >= 0 else set()
        )
        for address, (executions, cycles) in profile.cells.get(node.node, {}).items():
            here = function(address)
            own[here][0] += executions
            own[here][1] += cycles
            for start in callers[node.node] | {here}:
                total[start] += cycles
    costs = (
        SymbolCost(functions.get(at, "?"), max(at, 0), calls[at], own[at][0], own[at][1], total[at])
        for at in own.keys() | total.keys()
    )
    return tuple(sorted(costs, key=lambda cost: (-cost.cycles, cost.address)))
