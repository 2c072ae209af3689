"""An assembled snippet in a fresh machine, whatever its core."""

from dataclasses import dataclass

from tightfit.harness.simulator import Profile, Run, Simulator


@dataclass
class Snippet:
    """A machine with code at `start`; the labels are its symbols, `end` is where a run stops."""

    sim: Simulator
    labels: dict[str, int]
    start: int

    def run(self, *, cycle_limit: int = 10_000, **registers: int) -> Run:
        self._set(registers)
        return self.sim.run(self.start, self.labels["end"], cycle_limit=cycle_limit)

    def profile(self, *, cycle_limit: int = 10_000, **registers: int) -> Profile:
        self._set(registers)
        return self.sim.run_profiled(self.start, self.labels["end"], cycle_limit=cycle_limit)

    def _set(self, registers: dict[str, int]) -> None:
        for name, value in registers.items():
            self.sim.registers[name] = value


def lines(source: str) -> str:
    """Instructions with `;` between them as lines; a label `end` follows the last where there is none."""
    stripped = [line.strip() for line in source.replace(";", "\n").splitlines()]
    text = "\n".join(line if ":" in line.split(" ")[0] else f" {line}" for line in stripped)
    return text + ("\n" if "end:" in text else "\nend: nop\n")


def machine(
    sim: Simulator, code: bytes, labels: dict[str, int], start: int, stack: tuple[int, int]
) -> Snippet:
    """The snippet in a machine, its stack from the first address of `stack` down to the second."""
    sim.load(start, code)
    sim.reset()
    sim.set_stack(*stack)
    sim.symbols = {address: name for name, address in labels.items()}
    return Snippet(sim, labels, start)
