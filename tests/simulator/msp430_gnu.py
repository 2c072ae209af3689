"""The GNU simulator of the MSP430, driven by its own trace: state after every instruction."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tightfit.targets import toolchain

TRACES = ("alu", "branch", "memory", "register")
NAMES = {"PC": 0, "SP": 1, "SR": 2, "CG": 3, **{f"R{n}": n for n in range(4, 16)}}
FLAGS = {"V": 0x100, "N": 0x04, "Z": 0x02, "C": 0x01}
THEIR_V = 0x80

_LINE = re.compile(r"^\w+: +0x([0-9a-f]+) +-(.*)$")
_REGISTER = re.compile(r"^PUT: (\w+) -> (\w+)$")
_MEMORY = re.compile(r"^PUT: \[(\w+)\]\.(\d+) <- (\w+)$")
_FLAGS = re.compile(r"^FLAGS: (?:\S+ -> )?(\S+)$")
_RETI = re.compile(r"^RETI: pc \w+ sr (\w+)$")


@dataclass(frozen=True)
class Step:
    """One executed instruction, and the state after it; R3 is not kept."""

    pc: int
    registers: tuple[int, ...]
    writes: tuple[tuple[int, bytes], ...]


def trace(elf: Path) -> Iterator[Step]:
    """Run until a jump to itself, which is not among the steps."""
    command = [toolchain.tool("msp430", "run"), *(f"--trace-{name}" for name in TRACES), elf]
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    matches = [match for match in map(_LINE.match, done.stdout.splitlines()) if match]
    groups = [(int(pc, 16), [m[2] for m in lines]) for pc, lines in groupby(matches, lambda m: m[1])]
    assert done.returncode == 0 and groups[-1][1][-1].startswith("JMP: "), done.stdout[-500:]
    state = [0] * 16
    for pc, lines in groups[:-1]:
        writes = tuple(write for line in lines for write in _apply(state, line))
        yield Step(pc, tuple(state), writes)


def _apply(state: list[int], line: str) -> Iterator[tuple[int, bytes]]:
    """Change the registers as the line says; the write to memory, if it is one."""
    if match := _REGISTER.match(line):
        value, register = int(match[1], 0), NAMES[match[2]]
        state[register] = _status(value) if register == 2 else value
    elif match := _FLAGS.match(line):
        flags = sum(FLAGS[flag] for flag in match[1] if flag != "-")
        state[2] = state[2] & ~sum(FLAGS.values()) | flags
    elif match := _RETI.match(line):
        state[1] += 4
        state[2] = _status(int(match[1], 0))
    elif match := _MEMORY.match(line):
        size = {"8": 1, "16": 2, "20": 4, "32": 4}[match[2]]
        yield int(match[1], 0), (int(match[3], 0) % (1 << 8 * size)).to_bytes(size, "little")


def _status(value: int) -> int:
    """SR with V where it belongs."""
    return value & ~THEIR_V | (FLAGS["V"] if value & THEIR_V else 0)
