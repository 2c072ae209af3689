"""The listing of a variant with the cycles that each line takes, measured on the simulator."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from elftools.elf.elffile import ELFFile

from tightfit.errors import WorkError
from tightfit.generator import render
from tightfit.harness.batch import Profiled
from tightfit.harness.bench import CYCLE_LIMIT, Bench, routine_of
from tightfit.harness.caller import places
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.records import Variant
from tightfit.targets import Part, Target
from tightfit.targets.toolchain import tool


@dataclass(frozen=True)
class Line:
    """A line of source: bytes of code, and by entry (executions, cycles) of one call."""

    text: str
    bytes: int
    spent: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Listing:
    """Source lines of a variant, and the entries that were called, each once with the first random input."""

    entries: tuple[str, ...]
    lines: tuple[Line, ...]


def listing(variant: Variant) -> Listing:
    """Render, assemble, link and run a variant, and spread its cycles over its source lines.

    Raises
    ------
    WorkError
        A tool is missing, or the variant does not run.
    """
    rendered = render(variant, markers=False)
    routine = routine_of(variant, rendered)
    with Bench(variant.target, variant.part, variant.primitive) as bench:
        try:
            profiles = _profiles(bench, routine, bench.build(rendered))
        except Rejected as reason:
            raise WorkError(f"variant {variant.id} does not run: {reason}") from None
        places_of_code = _code_lines(bench.target, bench.part, rendered.source)
    return Listing(tuple(profiles), tuple(_lines(rendered.source, places_of_code, profiles)))


def text(found: Listing) -> str:
    """The listing: bytes, then cycles an entry, then the line."""
    columns = ("bytes", *found.entries)
    widths = [max(len(column), 6) for column in columns]
    head = "  ".join(column.rjust(width) for column, width in zip(columns, widths, strict=True))
    return "\n".join([head, *(_row(line, found.entries, widths) for line in found.lines)])


def listing_form(found: Listing) -> list[dict]:
    """The lines as plain JSON."""
    return [
        {
            "text": line.text,
            "bytes": line.bytes,
            "cycles": {entry: cycles for entry, (_, cycles) in line.spent.items()},
            "executions": {entry: executions for entry, (executions, _) in line.spent.items()},
        }
        for line in found.lines
    ]


def _row(line: Line, entries: Sequence[str], widths: Sequence[int]) -> str:
    cycles = [line.spent.get(entry, (0, 0))[1] for entry in entries]
    cells = [str(figure) if figure else "" for figure in (line.bytes, *cycles)]
    figures = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{figures}  {line.text}".rstrip()


def _profiles(bench: Bench, routine: Routine, image) -> dict[str, Profiled]:
    """A profiled call for every figure, each on the block that the one before it left."""
    machine = Machine(bench.target, bench.part, CYCLE_LIMIT)
    machine.load(image)
    machine.start(places(image.free, image.end, routine.layout.size)[0], machine.callers.callers[0])
    left: list[np.ndarray] = []
    found = {}
    for turn in kind_of(bench.primitive).random(routine, 1):
        before = None if turn.after is None else left[turn.after]
        block = turn.blocks(routine, before, np.zeros((1, routine.layout.size), np.uint8))
        written = turn.written(routine)
        left.append(machine.call(turn.entry, block, written).blocks)
        found[turn.figure] = machine.profile(turn.entry, block[0], written)
    return found


def _code_lines(target: Target, part: Part, source: str) -> dict[int, int]:
    """Source line of each code address, from the assembler's line table."""
    with tempfile.TemporaryDirectory(prefix="tightfit-") as folder:
        file, output, linked = (Path(folder) / name for name in ("listing.s", "listing.o", "listing.elf"))
        file.write_text(source)
        options = [*part.assemble, "-g", "-o", str(output), str(file)]
        _run([str(tool(target.id, "as")), *options])
        _run([str(tool(target.id, "ld")), *target.link_options(part), "-o", str(linked), str(output)])
        with linked.open("rb") as stream:
            return _line_table(ELFFile(stream))


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WorkError(f"{Path(command[0]).name}: {(done.stderr.strip() or 'failed').splitlines()[0]}")


def _line_table(elf: ELFFile) -> dict[int, int]:
    found: dict[int, int] = {}
    for unit in elf.get_dwarf_info().iter_CUs():
        program = elf.get_dwarf_info().line_program_for_CU(unit)
        begin, line = None, 0
        for entry in program.get_entries() if program else ():
            if entry.state is None:
                continue
            if begin is not None:
                found |= dict.fromkeys(range(begin, entry.state.address), line)
            begin, line = (None, 0) if entry.state.end_sequence else (entry.state.address, entry.state.line)
    return found


def _lines(source: str, lines: Mapping[int, int], profiles: Mapping[str, Profiled]):
    sizes: dict[int, int] = {}
    for line in lines.values():
        sizes[line] = sizes.get(line, 0) + 1
    spent: dict[int, dict[str, tuple[int, int]]] = {}
    for entry, profile in profiles.items():
        for address, (executions, cycles) in _by_address(profile).items():
            mine = spent.setdefault(lines.get(address, 0), {})
            before = mine.get(entry, (0, 0))
            mine[entry] = max(before[0], executions), before[1] + cycles
    for number, line in enumerate(source.splitlines(), start=1):
        yield Line(line, sizes.get(number, 0), spent.get(number, {}))


def _by_address(profile: Profiled) -> dict[int, tuple[int, int]]:
    """(executions, cycles) of each address over all call paths."""
    total: dict[int, tuple[int, int]] = {}
    for address, executions, cycles in profile.cells[["address", "executions", "cycles"]].tolist():
        before = total.get(address, (0, 0))
        total[address] = before[0] + executions, before[1] + cycles
    return total
