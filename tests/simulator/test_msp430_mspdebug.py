"""Every form of the MSP430's CPU beside mspdebug's simulator: registers, flags, memory and clocks."""

import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tightfit.harness.simulator import Form, Run, Simulator
from tightfit.paths import simulator_source
from tightfit.yamlfile import load_yaml

from . import msp430_mspdebug as mspdebug
from .msp430 import link, msp430
from .msp430_programs import CODE, END, MEMORY, NOT_RUN, RAM, STACK, every_form, random_program

FLAGS = {"V": 0x100, "N": 0x04, "Z": 0x02, "C": 0x01}


@cache
def forms() -> tuple[Form, ...]:
    return tuple(form for form in msp430().forms() if not form.core)


@cache
def clocks() -> dict[str, int]:
    return {form.text: form.clocks for form in forms()}


def known() -> list[dict]:
    listed = load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})
    return [entry for group in ("function", "clocks") for entry in listed[f"msp430-mspdebug-{group}"]]


@dataclass
class Beside:
    """Both simulators on one image; `met` collects the known differences that showed."""

    code: bytes
    data: bytes
    folder: Path
    met: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    steps: int = 0

    def run(self) -> None:
        sim = self._ours()
        count = sim.run(CODE, 0, cycle_limit=10**7).instructions
        theirs, memory = mspdebug.steps(self._elf(), CODE, count, RAM)
        sim = self._ours()
        for number, step in enumerate(theirs):
            pc = sim.registers["pc"]
            index, length = sim.form_at(pc)
            form, word = forms()[index], int.from_bytes(sim.read(pc, 2), "little")
            run = sim.step()
            if run.status == "branch to itself":
                break
            where = f"{form.text} at {pc:05X}, step {number}"
            assert run.status == "steps", f"{where}: {run.message}"
            self._compare(sim, form, word, step, where)
            self._compare_clocks(run, form, word, step, where)
            self.seen.add(form.text)
            self.steps += 1
        assert run.status == "branch to itself"
        assert sim.read(RAM.start, len(RAM)) == memory

    def _ours(self) -> Simulator:
        sim = msp430(regions=MEMORY)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(RAM.start, self.data)
        sim.registers["pc"] = CODE
        return sim

    def _elf(self) -> Path:
        (self.folder / "code.bin").write_bytes(self.code)
        (self.folder / "data.bin").write_bytes(self.data)
        source = f'.text\n.incbin "{self.folder}/code.bin"\n.data\n.incbin "{self.folder}/data.bin"\n'
        return link(source, self.folder, start=CODE, data=RAM.start)

    def _compare(self, sim: Simulator, form: Form, word: int, step: mspdebug.Step, where: str) -> None:
        undefined = sum(bit for bit, rule in zip(FLAGS.values(), form.flags, strict=True) if rule == "?")
        for number, theirs in enumerate(step.registers):
            ours = sim.registers[f"r{number}"]
            if number == 2 and not (ours ^ theirs) & ~undefined:
                sim.registers["sr"] = ours = theirs
            assert ours == theirs, f"{where}: r{number} is {ours:X}, theirs {theirs:X}"
        if form.text.startswith("PUSH") and word & 0x40:
            sim.write(sim.registers["sp"] + 1, b"\0")
            self.met.add("push-byte")

    def _compare_clocks(self, run: Run, form: Form, word: int, step: mspdebug.Step, where: str) -> None:
        expected = form.clocks
        assert run.cycles == expected, where
        if form.field == "#CG":
            mode = word >> 4 & 3
            expected = clocks()[form.text.replace("#CG", ("Rn", "x(Rn)", "@Rn", "@Rn+")[mode])]
            self.met |= {"constant-generator"} if expected != form.clocks else set()
        assert step.clocks == expected, f"{where}: {step.clocks} clocks, expected {expected}"


def test_every_form(tmp_path):
    met: set[str] = set()
    seen: set[str] = set()
    for seed in range(4):
        data = random.Random(seed).randbytes(len(RAM))
        both = Beside(every_form(forms(), seed, times=1), data, tmp_path)
        both.run()
        met |= both.met
        seen |= both.seen
    wanted = {form.text for form in forms()} - set(NOT_RUN)
    assert seen >= wanted, sorted(wanted - seen)
    assert met == {entry["id"] for entry in known()}


def test_long_random_program(tmp_path):
    both = Beside(random_program(forms(), 77, size=0x6000), random.Random(77).randbytes(len(RAM)), tmp_path)
    both.run()
    assert both.steps > 4000


# What SR becomes from zero has CPUOFF clear; DADD, ADDC and SUBC start with a clear carry.
TO_SR = {"mov": 0x10F, "add": 0xE8, "addc": 0xE7, "subc": 0xFFFB, "sub": 0x20, "dadd": 0x101, "cmp": 0x20}
TO_SR |= {"bit": 0x0F, "bic": 0x0F, "bis": 0x10B, "xor": 0x109, "and": 0x0F}


@pytest.mark.parametrize("operation", TO_SR)
@pytest.mark.parametrize("before", [0x0000, 0x0108])
def test_status_and_stack_pointer_as_destinations(tmp_path, operation, before):
    value = TO_SR[operation]
    even = 0x35 if operation == "subc" else 0x34  # the stack pointer stays even
    source = f"""
        .text
        mov #{STACK}, sp
        mov #{RAM.start}, r6
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
    with link(source, tmp_path, start=CODE).open("rb") as file:
        code = ELFFile(file).get_section_by_name(".text").data()
    both = Beside(code, b"\x02\x00" * (len(RAM) // 2), tmp_path)
    both.run()
    assert both.steps == 15
