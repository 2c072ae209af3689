"""Every instruction form and long random programs, step by step beside the GNU simulator."""

import random
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tightfit.harness.simulator import Form, Run, Simulator
from tightfit.paths import simulator_source
from tightfit.yamlfile import load_yaml

from . import gnu
from .assembly import link
from .programs import every_form, random_program
from .rl78 import rl78

CODE, TABLES = 0x8000, 0x3000
FLAG_BITS = {"Z": 0x40, "AC": 0x10, "CY": 0x01}


@cache
def forms() -> tuple[Form, ...]:
    return tuple(rl78("rl78-s3").forms())


@cache
def known() -> dict:
    return load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})


@dataclass
class LockStep:
    """Both simulators on one image; `met` collects the known differences that showed."""

    code: bytes
    tables: bytes
    folder: Path
    met: set[str] = field(default_factory=set)
    seen: set[tuple[str, int]] = field(default_factory=set)
    steps: int = 0

    def run(self) -> None:
        sim = self._ours()
        written: set[int] = set()
        for step in gnu.trace(self._elf()):
            assert sim.registers["pc"] == step.pc
            index, length = sim.form_at(step.pc)
            form = forms()[index]
            es = length - form.length
            es_value = sim.registers["es"]
            run = sim.step()
            where = f"{form.text} es={es} at {step.pc:05X}, step {self.steps}"
            assert run.status == "steps", f"{where}: {run.message}"
            self._compare_memory(sim, form, step, where)
            self._compare_flags(sim, form, step, where)
            assert sim.read(gnu.BANKS, 32) == step.banks, where
            assert sim.registers["sp"] == step.sp, where
            expected = gnu_clocks(form, es, es_value, run, step.pc + length)
            assert step.clocks == expected, f"{where}: {step.clocks} clocks, expected {expected}"
            written |= {a + n for a, data in step.writes for n in range(len(data))}
            self.seen.add((form.text, es))
            self.steps += 1
        ours = {0xFEF00 + n for n, touched in enumerate(sim.touched(0xFEF00, 0xFE0)) if touched}
        spare = {a for a in ours - written if a + 1 in ours or a - 1 in ours}  # of a return address
        assert written - ours <= set(range(0xFFEE0, 0x100000)) and ours - written <= spare

    def _ours(self) -> Simulator:
        sim = rl78("rl78-s3", uninit="off")
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
        elf = link(source, self.folder, start=TABLES)
        return _with_entry(elf, CODE)

    def _compare_memory(self, sim: Simulator, form: Form, step: gnu.Step, where: str) -> None:
        for address, data in step.writes:
            ours = sim.read(address, len(data))
            if ours != data:
                self._allow(form, "memory", where)
                assert ours == data[::-1], where
                sim.write(address, data)

    def _compare_flags(self, sim: Simulator, form: Form, step: gnu.Step, where: str) -> None:
        psw = sim.registers["psw"]
        for name, bit in FLAG_BITS.items():
            if (psw ^ step.psw) & bit:
                self._allow(form, name, where)
        assert not (psw ^ step.psw) & ~sum(FLAG_BITS.values()), where
        sim.registers["psw"] = step.psw

    def _allow(self, form: Form, what: str, where: str) -> None:
        mnemonic = form.text.split()[0]
        for entry in known()["function"]:
            if (form.text in entry["forms"] or mnemonic in entry["forms"]) and (
                what in entry.get("flags", ()) or (what == "memory" and entry.get("memory"))
            ):
                self.met.add(entry["id"])
                return
        raise AssertionError(f"{where}: {what} differs")


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


def test_every_form(tmp_path):
    chance = random.Random(1)
    met: set[str] = set()
    seen: set[tuple[str, int]] = set()
    for seed in range(8):
        code = every_form(forms(), seed, start=CODE, times=6)
        both = LockStep(code, chance.randbytes(0x4000), tmp_path)
        both.run()
        met |= both.met
        seen |= both.seen
    excluded = {text for entry in known()["excluded"] if "when" not in entry for text in entry["forms"]}
    aliases = {"EI", "DI"}
    wanted = {(f.text, es) for f in forms() for es in range(f.es + 1) if f.text not in excluded | aliases}
    assert seen >= wanted, sorted(wanted - seen)
    assert met == {entry["id"] for entry in known()["function"]}


@pytest.mark.parametrize("seed", range(6))
def test_long_random_programs(seed, tmp_path):
    code = random_program(forms(), 100 + seed, start=CODE, size=0x6800)
    both = LockStep(code, random.Random(seed).randbytes(0x4000), tmp_path)
    both.run()
    assert both.steps > 5000
