"""A run of a firmware image, as text and as JSON."""

from collections.abc import Iterator
from pathlib import Path

from tightfit.harness.simulator import ImageRun
from tightfit.reports.document import Document, Table, write

_IN_A_LINE = 12


def _registers(done: ImageRun) -> Iterator[str]:
    """The registers as lines of text."""
    digits = done.digits
    shown = [f"{name}={value:0{digits[name]}x}" for name, value in done.registers.items()]
    return (" ".join(shown[at : at + _IN_A_LINE]) for at in range(0, len(shown), _IN_A_LINE))


def form(image: Path, done: ImageRun) -> dict:
    """The object that `run --json` prints."""
    run = done.run
    return {
        "image": str(image),
        "ended": done.ended,
        "status": run.status,
        "message": run.message,
        "pc": run.pc,
        "cycles": run.cycles,
        "cycles_parts": {"base": run.base, **run.waits},
        "instructions": run.instructions,
        "stack": run.stack,
        "uninit_reads": run.uninit_reads,
        "timing_tested": done.timing_tested,
        "registers": dict(done.registers),
        "functions": [
            {
                "name": function.name,
                "address": function.address,
                "calls": function.calls,
                "instructions": function.executions,
                "cycles": function.cycles,
                "total_cycles": function.total_cycles,
            }
            for function in done.symbols
        ],
    }


def text(image: Path, done: ImageRun) -> str:
    """The run as `run` prints it."""
    run = done.run
    parts = ", ".join(f"{name} {clocks:,}" for name, clocks in done.parts.items())
    rows = [
        ("ended", f"{run.status} at {run.pc:05x}h"),
        ("cycles", f"{run.cycles:,}: {parts}" if len(done.parts) > 1 else f"{run.cycles:,}"),
        ("instructions", f"{run.instructions:,}"),
        ("deepest stack", f"{run.stack} B"),
        *(("" if n else "registers", line) for n, line in enumerate(_registers(done))),
    ]
    if run.uninit_reads:
        rows.append(("never-written RAM", f"{run.uninit_reads:,} reads"))
    tables = [Table("run", ("", ""), tuple(rows))]
    if done.symbols:
        functions = tuple(
            (
                function.name,
                f"{function.calls:,}",
                f"{function.executions:,}",
                f"{function.cycles:,}",
                f"{function.total_cycles:,}",
            )
            for function in done.symbols
        )
        columns = ("function", "calls", "instructions", "cycles", "with what it calls")
        tables.append(Table("functions", columns, functions, frozenset({1, 2, 3, 4})))
    notes = () if done.timing_tested else ("the timing of this core is not verified",)
    return write(Document(str(image), tuple(tables), notes), "text")
