"""The GNU simulator of the RL78, driven by its own trace, and our S3 core beside it."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from tightfit.harness.simulator import Form, Run, Simulator
from tightfit.targets import toolchain

from .beside import Other, Seen, excluded, known
from .rl78_part import TOOLS, simulator
from .rl78_programs import every_form, random_program

CODE, TABLES = 0x8000, 0x3000
FLAG_BITS = {"Z": 0x40, "AC": 0x10, "CY": 0x01}

BANKS = 0xFFEE0
REGISTERS = "XACBEDLH"
PAIRS = ("AX", "BC", "DE", "HL")
FLAGS = {
    "ie": 0x80, "z": 0x40, "r1": 0x20, "ac": 0x10, "r0": 0x08, "i1": 0x04, "i0": 0x02, "cy": 0x01, "-": 0,
}  # fmt: skip

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


@cache
def forms() -> tuple[Form, ...]:
    return tuple(simulator().forms())


@dataclass
class LockStep:
    """Both simulators on one image."""

    code: bytes
    tables: bytes
    folder: Path
    seen: Seen = field(default_factory=Seen)

    def run(self) -> Seen:
        sim = self._ours()
        written: set[int] = set()
        for step in trace(self._elf()):
            assert sim.registers["pc"] == step.pc
            index, length = sim.form_at(step.pc)
            form = forms()[index]
            es = length - form.length
            es_value = sim.registers["es"]
            run = sim.step()
            where = f"{form.text} es={es} at {step.pc:05X}, step {self.seen.steps}"
            assert run.status == "steps", f"{where}: {run.message}"
            self._compare_memory(sim, form, step, where)
            self._compare_flags(sim, form, step, where)
            assert sim.read(BANKS, 32) == step.banks, where
            assert sim.registers["sp"] == step.sp, where
            expected = gnu_clocks(form, es, es_value, run, step.pc + length)
            assert step.clocks == expected, f"{where}: {step.clocks} clocks, expected {expected}"
            written |= {a + n for a, data in step.writes for n in range(len(data))}
            self.seen.step((form.text, es))
        ours = {0xFEF00 + n for n, touched in enumerate(sim.touched(0xFEF00, 0xFE0)) if touched}
        spare = {a for a in ours - written if a + 1 in ours or a - 1 in ours}  # of a return address
        assert written - ours <= set(range(0xFFEE0, 0x100000)) and ours - written <= spare
        return self.seen

    def _ours(self) -> Simulator:
        sim = simulator(uninit="off")
        sim.load(TABLES, self.tables)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(0xFEF00, b"\x33" * 0xFE0 + b"\x11" * 32 + b"\x33" * 0xF0)
        sim.registers["pc"] = CODE
        return sim

    def _elf(self) -> Path:
        (self.folder / "code.bin").write_bytes(self.code)
        (self.folder / "tables.bin").write_bytes(self.tables)
        gap = CODE - TABLES - len(self.tables)
        source = (
            f'.incbin "{self.folder}/tables.bin"\n.skip {gap}\n'
            f'.global _start\n_start: .incbin "{self.folder}/code.bin"\n'
        )
        elf = TOOLS.link(source, self.folder, start=TABLES)
        return _with_entry(elf, CODE)

    def _compare_memory(self, sim: Simulator, form: Form, step: Step, where: str) -> None:
        for address, data in step.writes:
            ours = sim.read(address, len(data))
            if ours != data:
                self.seen.allow("function", form, "memory", where)
                assert ours == data[::-1], where
                sim.write(address, data)

    def _compare_flags(self, sim: Simulator, form: Form, step: Step, where: str) -> None:
        psw = sim.registers["psw"]
        for name, bit in FLAG_BITS.items():
            if (psw ^ step.psw) & bit:
                self.seen.allow("function", form, name, where)
        assert not (psw ^ step.psw) & ~sum(FLAG_BITS.values()), where
        sim.registers["psw"] = step.psw


def _with_entry(elf: Path, entry: int) -> Path:
    data = bytearray(elf.read_bytes())
    data[24:28] = entry.to_bytes(4, "little")
    elf.write_bytes(data)
    return elf


def gnu_clocks(form: Form, es: int, es_value: int, run: Run, fall_through: int) -> int:
    """What the GNU simulator is expected to charge for what we have just executed."""
    listed = form.sources.split("; flash")[0]
    mark = re.search(r"sim!(\d+)", listed)
    clocks = int(mark[1]) if mark else form.clocks
    if form.taken and run.pc != fall_through:
        clocks = form.taken
    if run.waits["flash_waits"] and not (es and es_value == 0):
        clocks += 3
    return clocks


def _every_form(seed: int, folder: Path) -> Seen:
    tables = Random(seed).randbytes(0x4000)
    return LockStep(every_form(forms(), seed, start=CODE, times=6), tables, folder).run()


def _long_program(seed: int, folder: Path) -> Seen:
    code = random_program(forms(), 100 + seed, start=CODE, size=0x6800)
    return LockStep(code, Random(seed).randbytes(0x4000), folder).run()


def _wanted() -> set[tuple[str, int]]:
    """Every form, plain and with ES:; EI and DI are other forms' names."""
    left_out = excluded("excluded") | {"EI", "DI"}
    return {(form.text, es) for form in forms() for es in range(form.es + 1) if form.text not in left_out}


GNU = Other(
    name="rl78 and GNU",
    every_form=_every_form,
    seeds=range(8),
    wanted=_wanted,
    differences=lambda: [entry["id"] for entry in known("function")],
    long_program=_long_program,
    long_seeds=range(6),
)
