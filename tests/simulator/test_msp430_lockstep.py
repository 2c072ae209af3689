"""Every MSP430 instruction form and long random programs, step by step beside the GNU simulator."""

import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tightfit.harness.simulator import Form
from tightfit.paths import simulator_source
from tightfit.yamlfile import load_yaml

from . import msp430_gnu as gnu
from .msp430 import CORES, link, msp430
from .msp430_programs import CODE, MEMORY, NOT_RUN, RAM, every_form, random_program


@cache
def forms(core: str) -> tuple[Form, ...]:
    return tuple(f for f in msp430(core).forms() if core == "msp430x" or not f.core)


@cache
def known(group: str) -> list[dict]:
    listed = load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})
    return listed[f"msp430-gnu-{group}"]


@cache
def compared(core: str) -> tuple[Form, ...]:
    """What runs in programs: all forms but the excluded ones."""
    excluded = {text for entry in known("excluded") for text in entry["forms"]}
    return tuple(form for form in forms(core) if form.text not in excluded)


@dataclass
class LockStep:
    """Both simulators on one image; `met` collects the known differences that showed."""

    core: str
    code: bytes
    data: bytes
    folder: Path
    met: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    steps: int = 0

    def run(self) -> None:
        sim = msp430(self.core, regions=MEMORY)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(RAM.start, self.data)
        sim.registers["pc"] = CODE
        written: set[int] = set()
        for step in gnu.trace(self._elf()):
            assert sim.registers["pc"] == step.pc, f"step {self.steps}"
            index, _ = sim.form_at(step.pc)
            form = forms(self.core)[index]
            run = sim.step()
            where = f"{form.text} at {step.pc:05X}, step {self.steps}"
            assert run.status == "steps", f"{where}: {run.message}"
            for address, data in step.writes:
                assert sim.read(address, len(data)) == data, where
                written |= set(range(address, address + len(data)))
            self._compare_registers(sim, form, step, where)
            self.seen.add(form.text)
            self.steps += 1
        assert written == {RAM.start + n for n, t in enumerate(sim.touched(RAM.start, len(RAM))) if t}

    def _elf(self) -> Path:
        (self.folder / "code.bin").write_bytes(self.code)
        (self.folder / "data.bin").write_bytes(self.data)
        source = f'.text\n.incbin "{self.folder}/code.bin"\n.data\n.incbin "{self.folder}/data.bin"\n'
        return link(source, self.folder, core=self.core, start=CODE, data=RAM.start)

    def _compare_registers(self, sim, form: Form, step: gnu.Step, where: str) -> None:
        for number, theirs in enumerate(step.registers):
            ours = sim.registers[f"r{number}"]
            if number in (0, 3) or ours == theirs:
                continue
            if form.text == "SXT Rn" and theirs == ours & 0xFFFF:
                self.met.add("extend-register")
                sim.registers[f"r{number}"] = theirs
                continue
            assert number == 2, f"{where}: r{number} is {ours:X}, theirs {theirs:X}"
            for (name, bit), rule in zip(gnu.FLAGS.items(), form.flags, strict=True):
                if (ours ^ theirs) & bit and rule != "?":
                    self._allow(form, name, where)
            assert not (ours ^ theirs) & ~sum(gnu.FLAGS.values()), (
                f"{where}: sr is {ours:X}, theirs {theirs:X}"
            )
            sim.registers["sr"] = theirs

    def _allow(self, form: Form, flag: str, where: str) -> None:
        mnemonic = form.text.split()[0]
        for entry in known("function"):
            if mnemonic in entry["forms"] and flag in entry.get("flags", ()):
                self.met.add(entry["id"])
                return
        raise AssertionError(f"{where}: {flag} differs")


@pytest.mark.parametrize("core", CORES)
def test_every_form(core, tmp_path):
    met: set[str] = set()
    seen: set[str] = set()
    for seed in range(4):
        data = random.Random(seed).randbytes(len(RAM))
        both = LockStep(core, every_form(compared(core), seed, times=4), data, tmp_path)
        both.run()
        met |= both.met
        seen |= both.seen
    wanted = {form.text for form in compared(core)} - set(NOT_RUN)
    assert seen >= wanted, sorted(wanted - seen)
    assert met == {entry["id"] for entry in known("function") if core in entry.get("cores", CORES)}


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("seed", range(5))
def test_long_random_programs(core, seed, tmp_path):
    code = random_program(compared(core), 100 + seed, size=0x7800)
    both = LockStep(core, code, random.Random(seed).randbytes(len(RAM)), tmp_path)
    both.run()
    assert both.steps > 5000
