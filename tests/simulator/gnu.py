"""The GNU simulator, driven by its own trace: state after every instruction."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tightfit.targets import toolchain

BANKS = 0xFFEE0
REGISTERS = "XACBEDLH"
PAIRS = ("AX", "BC", "DE", "HL")
FLAGS = {
    "ie": 0x80,
    "z": 0x40,
    "r1": 0x20,
    "ac": 0x10,
    "r0": 0x08,
    "i1": 0x04,
    "i0": 0x02,
    "cy": 0x01,
    "-": 0,
}

_HEAD = re.compile(r"^ ([0-9a-f]{8}) ([0-9a-f]{6}): ")
_CHANGE = re.compile(r"(AX|BC|DE|HL|[XACBEDLH]|r\d+|SP): [0-9a-f]{2,4} ([0-9a-f]{2,4}) ")
_PSW = re.compile(r"PSW: \S+ (\S+) ")
_WRITE = re.compile(r"\(\[([0-9A-F]{5})\]<-([0-9A-F]+)\)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Step:
    """One executed instruction, and the state after it."""

    pc: int
    clocks: int
    banks: bytes
    psw: int
    sp: int
    writes: tuple[tuple[int, bytes], ...]


def trace(elf: Path, *, core: str = "g14") -> Iterator[Step]:
    """Run until HALT; the HALT itself is not among the steps."""
    command = [str(toolchain.tool("rl78", "run")), "-M", core, "-t", "-d", str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=300)
    banks, psw, sp = bytearray(b"\x11" * 32), 0x06, 0x3333
    for pc, clocks, text in _instructions(_COLOUR.sub("", done.stdout)):
        for name, value in _CHANGE.findall(text):
            if name == "SP":
                sp = int(value, 16)
            else:
                at, size = _place(name, len(value) // 2)
                banks[at : at + size] = int(value, 16).to_bytes(size, "little")
        for after in _PSW.findall(text):
            psw = sum(FLAGS[flag] for flag in after.split(","))
        writes = tuple((int(a, 16), _bytes(v)) for a, v in _WRITE.findall(text))
        yield Step(pc, clocks, bytes(banks), psw, sp, writes)


def _instructions(text: str) -> Iterator[tuple[int, int, str]]:
    """(pc, clocks, what was printed) of each instruction but the last."""
    current: tuple[int, int] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        head = _HEAD.match(line)
        if not head:
            lines.append(line)
            continue
        clock, pc = int(head[1], 16), int(head[2], 16)
        if current is not None:
            yield current[1], clock - current[0], "\n".join(lines)
        current, lines = (clock, pc), []


def _place(name: str, size: int) -> tuple[int, int]:
    """Offset of a register within the four banks, bank 3 first."""
    if name.startswith("r"):
        number = int(name[1:])
    else:
        number = 2 * PAIRS.index(name) if name in PAIRS else REGISTERS.index(name)
    return number ^ 0x18, size


def _bytes(digits: str) -> bytes:
    return bytes.fromhex(digits)[::-1]
