"""The GNU simulator of the MSP430, driven by its own trace, and our cores beside it."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random

from tightfit.harness.simulator import Form, Simulator
from tightfit.targets import toolchain

from .beside import Other, Seen, excluded, known
from .msp430_part import TOOLS
from .msp430_programs import CODE, MEMORY, NOT_RUN, RAM, every_form, random_program

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


@cache
def forms(core: str) -> tuple[Form, ...]:
    return tuple(
        form for form in Simulator(core, regions=MEMORY).forms() if core != "msp430" or not form.core
    )


@cache
def compared(core: str) -> tuple[Form, ...]:
    """What runs in programs: all forms but the excluded ones."""
    return tuple(form for form in forms(core) if form.text not in excluded("msp430-gnu-excluded"))


@dataclass
class LockStep:
    """Both simulators on one image."""

    core: str
    code: bytes
    data: bytes
    folder: Path
    seen: Seen = field(default_factory=Seen)

    def run(self) -> Seen:
        sim = Simulator(self.core, regions=MEMORY)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(RAM.start, self.data)
        sim.registers["pc"] = CODE
        written: set[int] = set()
        for step in trace(self._elf()):
            assert sim.registers["pc"] == step.pc, f"step {self.seen.steps}"
            index, _ = sim.form_at(step.pc)
            form = forms(self.core)[index]
            run = sim.step()
            where = f"{form.text} at {step.pc:05X}, step {self.seen.steps}"
            assert run.status == "steps", f"{where}: {run.message}"
            for address, data in step.writes:
                assert sim.read(address, len(data)) == data, where
                written |= set(range(address, address + len(data)))
            self._compare_registers(sim, form, step, where)
            self.seen.step(form.text)
        assert written == {RAM.start + n for n, t in enumerate(sim.touched(RAM.start, len(RAM))) if t}
        return self.seen

    def _elf(self) -> Path:
        (self.folder / "code.bin").write_bytes(self.code)
        (self.folder / "data.bin").write_bytes(self.data)
        source = f'.text\n.incbin "{self.folder}/code.bin"\n.data\n.incbin "{self.folder}/data.bin"\n'
        return TOOLS[self.core].link(source, self.folder, start=CODE, data=RAM.start)

    def _compare_registers(self, sim, form: Form, step: Step, where: str) -> None:
        for number, theirs in enumerate(step.registers):
            ours = sim.registers[f"r{number}"]
            if number in (0, 3) or ours == theirs:
                continue
            if form.text in ("SXT Rn", "SXTX Rn") and theirs == ours & 0xFFFF:
                self.seen.met.add("extend-register")
                sim.registers[f"r{number}"] = theirs
                continue
            assert number == 2, f"{where}: r{number} is {ours:X}, theirs {theirs:X}"
            for (name, bit), rule in zip(FLAGS.items(), form.flags, strict=True):
                if (ours ^ theirs) & bit and rule != "?":
                    self.seen.allow("msp430-gnu-function", form, name, where)
            assert not (ours ^ theirs) & ~sum(FLAGS.values()), f"{where}: sr is {ours:X}, theirs {theirs:X}"
            sim.registers["sr"] = theirs


def _other(core: str, times: int) -> Other:
    """`times` of every form are as many as there is room for."""

    def beside(code: bytes, seed: int, folder: Path) -> Seen:
        return LockStep(core, code, Random(seed).randbytes(len(RAM)), folder).run()

    def differences() -> list[str]:
        return [entry["id"] for entry in known("msp430-gnu-function") if core in entry.get("cores", TOOLS)]

    return Other(
        name=f"{core} and GNU",
        every_form=lambda seed, folder: beside(every_form(compared(core), seed, times=times), seed, folder),
        seeds=range(4),
        wanted=lambda: {form.text for form in compared(core)} - set(NOT_RUN),
        differences=differences,
        long_program=lambda seed, folder: beside(
            random_program(compared(core), 100 + seed, size=0x7800), seed, folder
        ),
        long_seeds=range(5),
    )


CPU, CPUX = _other("msp430", 4), _other("msp430x", 3)
