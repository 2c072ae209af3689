"""Snippets of every core in which registers and memory are secret."""

from collections.abc import Mapping
from pathlib import Path

from tightfit.harness.simulator import Taint, TaintedRun

from . import avr_snippet, msp430
from .assembly import assemble
from .rl78 import rl78
from .snippets import Snippet, lines, machine

DATA = {"rl78": 0xFF000, "avr": 0x800200, "msp430": 0x1200}
"""Where each target's snippets have 32 bytes of data, all 5Ah."""
BYTES = 32
CYCLES = 10_000


def snippet(target: str, source: str, folder: Path) -> Snippet:
    """An assembled snippet; the symbol `data` is in RAM, `table` in the source is in flash."""
    equals = f".equ data, {DATA[target] & 0xFFFF:#x}; "
    if target == "avr":
        s = avr_snippet.snippet(equals + source, folder)
    elif target == "msp430":
        s = msp430.snippet(folder, equals + source)
    else:
        code, labels = assemble(lines(equals + source), folder, start=0x3000)
        s = machine(rl78(), code, labels, 0x3000, (0xFE00, 0xFD00))
    s.sim.write(DATA[target], b"\x5a" * BYTES)
    return s


def follow(
    s: Snippet, secret: Mapping[str, int], target: str, at: Mapping[int, int] | None = None
) -> tuple[Taint, TaintedRun]:
    """Run a snippet with bits of registers secret, and of bytes of the data by offset."""
    taint = Taint(s.sim)
    for name, mask in secret.items():
        taint.secret_register(name, mask)
    for offset, mask in (at or {}).items():
        taint.secret(DATA[target] + offset, 1, mask)
    run = taint.run(s.start, s.labels["end"], cycle_limit=CYCLES)
    assert run.run.ok, run.run.message
    return taint, run
