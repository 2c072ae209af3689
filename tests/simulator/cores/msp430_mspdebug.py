"""The simulator of mspdebug, driven by commands on its standard input, and our CPU beside it."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from tightfit.harness.build import Image
from tightfit.harness.simulator import Form, Region, Run, Simulator, regions_of
from tightfit.targets import toolchain

from .beside import Other, Seen, known
from .msp430_part import PARTS, TOOLS
from .msp430_programs import CODE, END, MEMORY, NOT_RUN, STACK, every_form, random_program
from .msp430_programs import RAM as DATA

NO_STOP = 0xFFFFFFFF
FLAGS = {"V": 0x100, "N": 0x04, "Z": 0x02, "C": 0x01}
ORDER = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
"""Registers as `step` prints them."""

_REGISTER = re.compile(r"\( *\w+: ([0-9a-f]{5})\)")
_CLOCKS = re.compile(r"^MCLK: +(\d+)$", re.M)
_DUMP = re.compile(r"^ +[0-9a-f]{5}: ((?:[0-9a-f]{2} ){1,16}) *\|", re.M)


@dataclass(frozen=True)
class Program:
    """What is in memory, as (address, bytes), and the registers at the start, `pc` among them."""

    pieces: Sequence[tuple[int, bytes]]
    registers: Mapping[str, int]
    regions: Sequence[Region]

    @property
    def ram(self) -> range:
        return next(range(r.start, r.end) for r in self.regions if r.kind == "ram")

    def load(self) -> Simulator:
        """Ours at the start."""
        sim = Simulator("msp430", regions=self.regions, uninit="off")
        sim.reset()
        for address, data in self.pieces:
            (sim.write if address in self.ram else sim.load)(address, data)
        for name, value in self.registers.items():
            sim.registers[name] = value
        return sim


@dataclass(frozen=True)
class Step:
    """Registers and clocks after an instruction."""

    registers: tuple[int, ...]
    clocks: int


def steps(program: Program, count: int, folder: Path) -> tuple[list[Step], bytes]:
    """Run `count` instructions in mspdebug, fewer if it fails; each step, and RAM at the end."""
    image = folder / "program.txt"
    image.write_text("".join(f"@{address:04X}\n{_rows(data)}" for address, data in program.pieces) + "q\n")
    commands = [f"prog {image}", "simio add tracer t"]
    commands += [f"set {name} {value:#x}" for name, value in program.registers.items()]
    commands += ["simio info t", *["step 1", "simio info t"] * count]
    commands += ["echo memory", f"md {program.ram.start:#x} {len(program.ram):#x}", "exit"]
    done = subprocess.run(
        [str(toolchain.tool("msp430", "mspdebug")), "-q", "-n", "sim"],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    shown, _, dump = done.stdout.partition("(mspdebug) echo memory")
    executed = list(_steps(shown))
    assert done.returncode == 0 and executed, done.stdout[-500:] + done.stderr
    return executed, bytes.fromhex("".join(_DUMP.findall(dump)))


def _rows(data: bytes) -> str:
    """TI's text format, 16 bytes a line."""
    return "".join(f"{data[n : n + 16].hex(' ').upper()}\n" for n in range(0, len(data), 16))


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


@cache
def forms() -> tuple[Form, ...]:
    return tuple(form for form in Simulator("msp430", regions=MEMORY).forms() if not form.core)


@cache
def clocks() -> dict[str, int]:
    return {form.text: form.clocks for form in forms()}


@dataclass
class Beside:
    """A program on both simulators."""

    program: Program
    folder: Path
    seen: Seen = field(default_factory=Seen)

    def run(self, stop: int = NO_STOP) -> Seen:
        """Step both up to `stop`, or to a jump to itself."""
        start = self.program.registers["pc"]
        count = self.program.load().run(start, stop, cycle_limit=10**7).instructions
        theirs, memory = steps(self.program, count, self.folder)
        sim = self.program.load()
        for step in theirs:
            pc = sim.registers["pc"]
            index, _ = sim.form_at(pc)
            form, word = forms()[index], int.from_bytes(sim.read(pc, 2), "little")
            run = sim.step()
            if run.status == "branch to itself":
                break
            where = f"{form.text} at {pc:05X}, step {self.seen.steps}"
            assert run.status == "steps", f"{where}: {run.message}"
            self._compare(sim, form, word, step, where)
            self._compare_clocks(run, form, word, step, where)
            self.seen.step(form.text)
        assert run.status == "branch to itself" or sim.registers["pc"] == stop
        assert sim.read(self.program.ram.start, len(self.program.ram)) == memory
        return self.seen

    def _compare(self, sim: Simulator, form: Form, word: int, step: Step, where: str) -> None:
        undefined = sum(bit for bit, rule in zip(FLAGS.values(), form.flags, strict=True) if rule == "?")
        for number, theirs in enumerate(step.registers):
            ours = sim.registers[f"r{number}"]
            if number == 2 and not (ours ^ theirs) & ~undefined:
                sim.registers["sr"] = ours = theirs
            assert ours == theirs, f"{where}: r{number} is {ours:X}, theirs {theirs:X}"
        if form.text.startswith("PUSH") and word & 0x40:
            sim.write(sim.registers["sp"] + 1, b"\0")
            self.seen.met.add("push-byte")

    def _compare_clocks(self, run: Run, form: Form, word: int, step: Step, where: str) -> None:
        expected = form.clocks
        assert run.cycles == expected, where
        if form.field == "#CG":
            mode = word >> 4 & 3
            expected = clocks()[form.text.replace("#CG", ("Rn", "x(Rn)", "@Rn", "@Rn+")[mode])]
            self.seen.met |= {"constant-generator"} if expected != form.clocks else set()
        assert step.clocks == expected, f"{where}: {step.clocks} clocks, expected {expected}"


def _beside(code: bytes, data: bytes, folder: Path) -> Seen:
    return Beside(Program(((CODE, code), (DATA.start, data)), {"pc": CODE}, MEMORY), folder).run()


def _every_form(seed: int, folder: Path) -> Seen:
    return _beside(every_form(forms(), seed, times=1), Random(seed).randbytes(len(DATA)), folder)


def _long_program(seed: int, folder: Path) -> Seen:
    return _beside(random_program(forms(), seed, size=0x6000), Random(seed).randbytes(len(DATA)), folder)


def _compare(source: str, folder: Path) -> Seen:
    code, _ = TOOLS["msp430"].assemble(source, start=CODE)
    return _beside(code, b"\x02\x00" * (len(DATA) // 2), folder)


# What SR becomes from zero has CPUOFF clear; DADD, ADDC and SUBC start with a clear carry.
TO_SR = {"mov": 0x10F, "add": 0xE8, "addc": 0xE7, "subc": 0xFFFB, "sub": 0x20, "dadd": 0x101, "cmp": 0x20}
TO_SR |= {"bit": 0x0F, "bic": 0x0F, "bis": 0x10B, "xor": 0x109, "and": 0x0F}


def _to_status_and_stack_pointer(operation: str, before: int) -> str:
    value = TO_SR[operation]
    even = 0x35 if operation == "subc" else 0x34  # the stack pointer stays even
    source = f"""
        .text
        mov #{STACK}, sp
        mov #{DATA.start}, r6
        mov #{value}, r5
        mov #{before}, sr
        {operation} r5, sr
        mov #{before}, sr
        {operation}.b #{value & 0x7F}, sr
        mov #0, sr
        {operation} #{even}, sp
        mov #{STACK}, sp
        {"sub" if operation in ("subc", "dadd") else operation} @r6, sp
        mov sr, r7
        mov #{STACK}, sp
        push sr
        mov @sp+, sr
        .short {END}
"""
    if operation in ("add", "addc", "subc", "sub", "dadd"):
        source = source.replace(f"mov #{before}, sr", "mov #0, sr")
    return source


LONGEST = 12_000
"""Instructions of a routine."""


def _routine(image: Image, entries: Sequence[str], chance: Random, folder: Path) -> int:
    part, stepped = PARTS["msp430"], 0
    ram = next(range(region.start, region.end) for region in part.regions("ram"))
    for start, stop in image.calls.values():
        registers = {f"r{n}": chance.randrange(65536) for n in range(4, 16)}
        registers |= {"r12": image.free + 1 & ~1, "sp": 0x3000, "sr": 0, "pc": start}
        pieces = (*image.flash, (ram.start, chance.randbytes(len(ram))), *image.static)
        program = Program(pieces, registers, regions_of(part))
        run = program.load().run(start, stop, cycle_limit=10**7)
        assert run.ok, run.message
        if run.instructions <= LONGEST:
            stepped += Beside(program, folder).run(stop).steps
    return stepped


MSPDEBUG = Other(
    name="msp430 and mspdebug",
    every_form=_every_form,
    seeds=range(4),
    wanted=lambda: {form.text for form in forms()} - set(NOT_RUN),
    differences=lambda: [
        entry["id"] for group in ("function", "clocks") for entry in known(f"msp430-mspdebug-{group}")
    ],
    long_program=_long_program,
    long_seeds=(77,),
    least=4000,
    compare=_compare,
    sources=[
        (f"{name} to SR and SP, {before:#x}", _to_status_and_stack_pointer(name, before), 15)
        for name in TO_SR
        for before in (0x0000, 0x0108)
    ],
    routine=_routine,
    knobs_may_clash=True,
)
