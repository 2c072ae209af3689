"""The simulator of mspdebug, driven by commands on its standard input."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tightfit.targets import toolchain

ORDER = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
"""Registers as `step` prints them."""

_REGISTER = re.compile(r"\( *\w+: ([0-9a-f]{5})\)")
_CLOCKS = re.compile(r"^MCLK: +(\d+)$", re.M)
_DUMP = re.compile(r"^ +[0-9a-f]{5}: ((?:[0-9a-f]{2} ){1,16}) *\|", re.M)


@dataclass(frozen=True)
class Step:
    """Registers and clocks after an instruction."""

    registers: tuple[int, ...]
    clocks: int


def steps(elf: Path, start: int, count: int, memory: range) -> tuple[list[Step], bytes]:
    """Run `count` instructions from `start` on, fewer if it fails; each step, and memory at the end."""
    commands = [f"prog {elf}", "simio add tracer t", f"set pc {start:#x}", "simio info t"]
    commands += ["step 1", "simio info t"] * count
    commands += ["echo memory", f"md {memory.start:#x} {len(memory):#x}", "exit"]
    done = subprocess.run(
        [str(toolchain.tool("msp430", "mspdebug")), "-q", "-n", "sim"],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    shown, _, dump = done.stdout.partition("(mspdebug) echo memory")
    found = list(_steps(shown))
    assert done.returncode == 0 and found, done.stdout[-500:] + done.stderr
    return found, bytes.fromhex("".join(_DUMP.findall(dump)))


def _steps(shown: str) -> Iterator[Step]:
    before, *rest = shown.split("(mspdebug) step 1\n")
    clocks = int(_CLOCKS.search(before)[1])
    for text in rest:
        values = [int(value, 16) for value in _REGISTER.findall(text)]
        if len(values) != 16:
            return
        total = int(_CLOCKS.search(text)[1])
        yield Step(tuple(values[ORDER.index(n)] for n in range(16)), total - clocks)
        clocks = total
