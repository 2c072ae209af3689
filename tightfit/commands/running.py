"""A firmware image on the simulator."""

from collections.abc import Iterator
from pathlib import Path

from tightfit.harness.simulator import ImageRun, run_elf
from tightfit.reports.document import Document, Table, write
from tightfit.targets import Target

_IN_A_LINE = 12


def run(image: Path, target: Target, part: str | None, profile: bool, uninit: str, limit: int) -> ImageRun:
    """Run an ELF executable on a part of a target; UsageError where it is none for that target."""
    return run_elf(image, target, target.part(part), cycle_limit=limit, profile=profile, uninit=uninit)


def _registers(found: ImageRun) -> Iterator[str]:
    """The registers as lines of text."""
    digits = found.digits
    shown = [f"{name}={value:0{digits[name]}x}" for name, value in found.registers.items()]
    return (" ".join(shown[at : at + _IN_A_LINE]) for at in range(0, len(shown), _IN_A_LINE))


def form(image: Path, found: ImageRun) -> dict:
    """The object that `run --json` prints."""
    one = found.run
    return {
        "image": str(image),
        "ended": found.ended,
        "status": one.status,
        "message": one.message,
        "pc": one.pc,
        "cycles": one.cycles,
        "cycles_parts": {
            "base": one.base,
            "flash_waits": one.flash_waits,
            "es_waits": one.es_waits,
            "hazard_waits": one.hazard_waits,
            "skip_waits": one.skip_waits,
        },
        "instructions": one.instructions,
        "stack": one.stack,
        "uninit_reads": one.uninit_reads,
        "timing_tested": found.timing_tested,
        "registers": dict(found.registers),
        "functions": [
            {
                "name": each.name,
                "address": each.address,
                "calls": each.calls,
                "instructions": each.executions,
                "cycles": each.cycles,
                "total_cycles": each.total_cycles,
            }
            for each in found.symbols
        ],
    }


def text(image: Path, found: ImageRun) -> str:
    """The run as `run` prints it."""
    one = found.run
    parts = ", ".join(f"{name} {clocks:,}" for name, clocks in found.parts.items())
    rows = [
        ("ended", f"{one.status} at {one.pc:05x}h"),
        ("cycles", f"{one.cycles:,}: {parts}" if len(found.parts) > 1 else f"{one.cycles:,}"),
        ("instructions", f"{one.instructions:,}"),
        ("deepest stack", f"{one.stack} B"),
        *(("" if n else "registers", line) for n, line in enumerate(_registers(found))),
    ]
    if one.uninit_reads:
        rows.append(("never-written RAM", f"{one.uninit_reads:,} reads"))
    tables = [Table("run", ("", ""), tuple(rows))]
    if found.symbols:
        functions = tuple(
            (
                each.name,
                f"{each.calls:,}",
                f"{each.executions:,}",
                f"{each.cycles:,}",
                f"{each.total_cycles:,}",
            )
            for each in found.symbols
        )
        columns = ("function", "calls", "instructions", "cycles", "with what it calls")
        tables.append(Table("functions", columns, functions, frozenset({1, 2, 3, 4})))
    notes = () if found.timing_tested else ("the timing of this core is not verified",)
    return write(Document(str(image), tuple(tables), notes), "text")
