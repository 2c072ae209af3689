"""An assembled snippet in a fresh machine."""

from dataclasses import dataclass

import pytest

from tightfit.harness.simulator import Profile, Run, Simulator

from .assembly import assemble
from .rl78 import rl78

START = 0x1000


@dataclass
class Snippet:
    """A machine with code at 01000 and a stack from FE00 down; labels are its symbols."""

    sim: Simulator
    labels: dict[str, int]

    def run(self, *, cycle_limit: int = 10_000, **registers: int) -> Run:
        self._set(registers)
        return self.sim.run(START, self.labels["end"], cycle_limit=cycle_limit)

    def profile(self, *, cycle_limit: int = 10_000, **registers: int) -> Profile:
        self._set(registers)
        return self.sim.run_profiled(START, self.labels["end"], cycle_limit=cycle_limit)

    def _set(self, registers: dict[str, int]) -> None:
        for name, value in registers.items():
            self.sim.registers[name] = value


@pytest.fixture
def snippet(tmp_path):
    """Assemble instructions, `;` between them; a label `end` follows the last where there is none."""

    def make(source: str, core: str = "rl78-s3", **options) -> Snippet:
        source = source.replace(";", "\n")
        text = "\n".join(
            line if ":" in line.split(" ")[0] else f" {line}" for line in map(str.strip, source.splitlines())
        )
        if "end:" not in text:
            text += "\nend: nop"
        code, labels = assemble(text + "\n", tmp_path, start=START)
        sim = rl78(core, **options)
        sim.load(START, code)
        sim.reset()
        sim.set_stack(0xFE00, 0xFD00)
        sim.symbols = {address: name for name, address in labels.items()}
        return Snippet(sim, labels)

    return make
