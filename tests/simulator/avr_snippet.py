"""An assembled AVR snippet in a fresh machine."""

from dataclasses import dataclass
from pathlib import Path

from tightfit.harness.simulator import Profile, Run, Simulator

from .avr_parts import LARGE, AvrPart
from .avr_tools import assemble

STACK_TOP, STACK_LIMIT = 0x03FF, 0x02FF


@dataclass
class Snippet:
    """A machine with code at 0, a stack of 256 bytes up to 03FF or the end of RAM; labels are its symbols."""

    sim: Simulator
    labels: dict[str, int]

    def run(self, *, cycle_limit: int = 10_000, **registers: int) -> Run:
        self._set(registers)
        return self.sim.run(0, self.labels["end"], cycle_limit=cycle_limit)

    def profile(self, *, cycle_limit: int = 10_000, **registers: int) -> Profile:
        self._set(registers)
        return self.sim.run_profiled(0, self.labels["end"], cycle_limit=cycle_limit)

    def _set(self, registers: dict[str, int]) -> None:
        for name, value in registers.items():
            self.sim.registers[name] = value


def snippet(source: str, folder: Path, *, part: AvrPart = LARGE, **options) -> Snippet:
    """Assemble instructions, `;` between them; a label `end` follows the last where there is none."""
    text = "\n".join(line.strip() for line in source.split(";"))
    if "end:" not in text:
        text += "\nend: nop"
    code, labels = assemble(text + "\n", folder, mcu=part.mcu, machine=part.emulation)
    sim = part.simulator(**options)
    sim.load(0, code)
    sim.reset()
    top = min(STACK_TOP, part.ram.stop - 1)
    sim.set_stack(top, top - STACK_TOP + STACK_LIMIT)
    sim.symbols = {address: name for name, address in labels.items() if address < part.flash}
    return Snippet(sim, labels)
