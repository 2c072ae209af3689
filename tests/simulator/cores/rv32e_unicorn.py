"""Unicorn, which is QEMU's translator as a library, and our RISC-V cores beside it.

It counts no clocks: ours are compared with the rules, by where it goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_PC, UC_RISCV_REG_X0

from tightfit.harness.simulator import Form, Simulator

from .beside import Other, Seen, excluded
from .rv32e_forms import BRANCHES, CLOCKS, JUMPS
from .rv32e_forms import MEMORY as ACCESSES
from .rv32e_programs import CODE, MEMORY, RAM, ROOM, every_form, random_program

REGISTERS = {"ibex": 16, "ibex-imc": 32}
OFTEN = 64
"""Instructions after which all RAM is compared."""


@cache
def forms(core: str) -> Sequence[Form]:
    """What is compared."""
    left_out = excluded("rv32e-unicorn-excluded")
    return [
        form
        for form in Simulator(core, regions=MEMORY).forms()
        if form.text not in left_out and (form.core != "M" or core == "ibex-imc")
    ]


@dataclass
class LockStep:
    """Both on one program, which ends where its code does."""

    core: str
    code: bytes
    data: bytes
    seen: Seen = field(default_factory=Seen)

    def run(self) -> Seen:
        ours, theirs = self._ours(), self._theirs()
        table = list(ours.forms())
        end, pc = CODE + len(self.code), CODE
        while pc != end:
            form = table[ours.form_at(pc)[0]]
            where = f"{form.text} at {pc:05X}, step {self.seen.steps}"
            divisor = theirs.reg_read(UC_RISCV_REG_X0 + (load(ours, pc) >> 20 & 31))
            run = ours.step()
            assert run.status == "steps", f"{where}: {run.message}"
            theirs.emu_start(pc, 0, count=1)
            self._compare(ours, theirs, where)
            assert run.cycles == self._clocks(form, pc, theirs, divisor), where
            self.seen.step(form.text)
            pc = ours.registers["pc"]
            if self.seen.steps % OFTEN == 0 or pc == end:
                assert ours.read(RAM.start, len(RAM)) == bytes(theirs.mem_read(RAM.start, len(RAM))), where
        return self.seen

    def _clocks(self, form: Form, pc: int, theirs: Uc, divisor: int) -> int:
        """What the instruction takes by the rules, where Unicorn goes on as it does."""
        costs, name, to = CLOCKS[self.core], form.text.split()[0], theirs.reg_read(UC_RISCV_REG_PC)
        jumps = name in JUMPS or (name in BRANCHES and to != pc + form.length)
        late = jumps and to % 4 == 2 and theirs.mem_read(to, 1)[0] & 3 == 3
        if name in BRANCHES:
            return (costs["taken"] if jumps else 1) + late
        if name.startswith(("DIV", "REM")):
            return costs["DIV" if divisor else "by zero"]
        kind = (
            "memory" if name in ACCESSES else "jump" if jumps else "MULH" if name.startswith("MULH") else ""
        )
        return costs.get(kind, 1) + late

    def _ours(self) -> Simulator:
        sim = Simulator(self.core, regions=MEMORY)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(RAM.start, self.data)
        sim.registers["pc"] = CODE
        return sim

    def _theirs(self) -> Uc:
        machine = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        machine.mem_map(CODE, ROOM)
        machine.mem_map(RAM.start, len(RAM))
        machine.mem_write(CODE, self.code + b"\xff" * 4)  # erased flash behind it
        machine.mem_write(RAM.start, self.data)
        return machine

    def _compare(self, ours: Simulator, theirs: Uc, where: str) -> None:
        for number in range(1, REGISTERS[self.core]):
            mine, other = ours.registers[f"x{number}"], theirs.reg_read(UC_RISCV_REG_X0 + number)
            assert mine == other, f"{where}: x{number} is {mine:X}, theirs {other:X}"
        assert ours.registers["pc"] == theirs.reg_read(UC_RISCV_REG_PC), where


def load(sim: Simulator, address: int) -> int:
    """The word at an even address."""
    return int.from_bytes(sim.read(address, 4), "little")


def _beside(core: str, code: bytes, seed: int) -> Seen:
    return LockStep(core, code, Random(seed).randbytes(len(RAM))).run()


def unicorn(core: str) -> Other:
    def every(seed: int, folder: Path) -> Seen:
        return _beside(core, every_form(forms(core), seed, REGISTERS[core], times=12), seed)

    def long_program(seed: int, folder: Path) -> Seen:
        return _beside(core, random_program(forms(core), seed, REGISTERS[core], size=0x8000), seed)

    return Other(
        name=f"{core} and Unicorn",
        every_form=every,
        seeds=range(4),
        wanted=lambda: {form.text for form in forms(core)},
        long_program=long_program,
        long_seeds=range(100, 103),
    )
