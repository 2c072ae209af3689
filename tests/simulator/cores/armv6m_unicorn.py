"""Unicorn's Cortex-M0, which knows no clocks, and our cores beside it."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from unicorn import Uc, UcError
from unicorn import arm_const as arm
from unicorn import unicorn_const as uc

from tightfit.harness.simulator import Form, Simulator

from .armv6m_programs import CODE, FLASH_BYTES, MEMORY, NOT_RUN, RAM, STACK, every_form, random_program
from .beside import Other, Seen, excluded

NAMES = (*(f"r{n}" for n in range(13)), "sp", "lr")
THEIRS = (*(arm.UC_ARM_REG_R0 + n for n in range(13)), arm.UC_ARM_REG_SP, arm.UC_ARM_REG_LR)
FLAGS = 0xF << 28
ENDS = b"\xfe\xe7"
"""A jump to itself."""


@cache
def forms(core: str) -> tuple[Form, ...]:
    return tuple(Simulator(core, regions=MEMORY).forms())


@cache
def compared(core: str) -> tuple[Form, ...]:
    """What runs in programs."""
    return tuple(
        form for form in forms(core) if form.text not in {*NOT_RUN, *excluded("armv6m-unicorn-excluded")}
    )


@dataclass
class LockStep:
    """Both on one program, compared after every so many instructions."""

    core: str
    code: bytes
    data: bytes
    stretch: int
    seen: Seen = field(default_factory=Seen)

    def run(self) -> Seen:
        ours, theirs = self._ours(), self._theirs()
        while True:
            pc = ours.registers["pc"]
            if self.code[pc - CODE : pc - CODE + 2] == ENDS:
                break
            done = self._step(ours)
            try:
                theirs.emu_start(pc | 1, 0xFFFFFFFF, count=done)
            except UcError as error:
                raise AssertionError(f"at {pc:08X}, step {self.seen.steps}: {error}") from None
            self._compare(ours, theirs, f"behind {pc:08X}, step {self.seen.steps}")
        assert ours.read(RAM.start, len(RAM)) == bytes(theirs.mem_read(RAM.start, len(RAM)))
        return self.seen

    def _ours(self) -> Simulator:
        sim = Simulator(self.core, regions=MEMORY)
        sim.load(CODE, self.code)
        sim.reset()
        sim.write(RAM.start, self.data)
        sim.registers["sp"], sim.registers["pc"] = STACK, CODE
        return sim

    def _theirs(self) -> Uc:
        machine = Uc(uc.UC_ARCH_ARM, uc.UC_MODE_THUMB | uc.UC_MODE_MCLASS)
        machine.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M0)
        machine.mem_map(CODE, FLASH_BYTES)
        machine.mem_map(RAM.start, len(RAM))
        machine.mem_write(CODE, self.code.ljust(FLASH_BYTES, b"\xff"))
        machine.mem_write(RAM.start, self.data)
        machine.reg_write(arm.UC_ARM_REG_SP, STACK)
        for name, number in zip(NAMES, THEIRS, strict=True):
            if name != "sp":
                machine.reg_write(number, 0)
        machine.reg_write(arm.UC_ARM_REG_APSR, 0)
        return machine

    def _step(self, ours: Simulator) -> int:
        """Some instructions of ours, not beyond the end; their forms are noted."""
        done = 0
        while done < self.stretch:
            pc = ours.registers["pc"]
            if self.code[pc - CODE : pc - CODE + 2] == ENDS:
                break
            form = forms(self.core)[ours.form_at(pc)[0]]
            run = ours.step()
            assert run.status == "steps", f"{form.text} at {pc:08X}: {run.message}"
            self.seen.step(form.text)
            done += 1
        return done

    def _compare(self, ours: Simulator, theirs: Uc, where: str) -> None:
        for name, number in zip(NAMES, THEIRS, strict=True):
            value, other = ours.registers[name], theirs.reg_read(number)
            assert value == other, f"{where}: {name} is {value:08X}, theirs {other:08X}"
        flags, other = ours.registers["apsr"], theirs.reg_read(arm.UC_ARM_REG_APSR) & FLAGS
        assert flags == other, f"{where}: flags are {flags:08X}, theirs {other:08X}"
        pc = theirs.reg_read(arm.UC_ARM_REG_PC) & ~1
        assert ours.registers["pc"] == pc, f"{where}: pc is {ours.registers['pc']:08X}, theirs {pc:08X}"


def _beside(core: str, code: bytes, seed: int, stretch: int) -> Seen:
    return LockStep(core, code, Random(seed).randbytes(len(RAM)), stretch).run()


def _every_form(seed: int, _: Path) -> Seen:
    return _beside("cortex-m0+", every_form(compared("cortex-m0+"), seed, times=12), seed, 1)


def _long_program(seed: int, _: Path) -> Seen:
    code = random_program(compared("cortex-m0+"), 100 + seed, instructions=20_000)
    return _beside("cortex-m0+", code, seed, 16)


UNICORN = Other(
    name="cortex-m0+ and Unicorn",
    every_form=_every_form,
    seeds=range(3),
    wanted=lambda: {form.text for form in compared("cortex-m0+")},
    long_program=_long_program,
    long_seeds=range(2),
    least=30_000,
)
