"""An exported library: its routines, its name, and its totals."""

from dataclasses import dataclass
from pathlib import Path

from tightfit.exporter.prepared import GNU, Prepared
from tightfit.reports.answer import Answer
from tightfit.reports.together import Together
from tightfit.targets import load_target

FILES = Path(__file__).parent / "files"
"""The templates of its files."""


@dataclass(frozen=True)
class Library:
    """A library to be written: routines for one target and toolchain under one name.

    A library of one routine has the routine's name, a library of several has its own. `command` is the
    command line that the files say they were made by; `answer` or `together`, for the data sheet, is the
    question that they answer. `part` is the part whose options and peripherals they use; the simulated one
    where it is None. `named` says that the user chose the name.
    """

    name: str
    members: tuple[Prepared, ...]
    command: str
    answer: Answer | None = None
    together: Together | None = None
    part: str | None = None
    named: bool = False

    @property
    def target(self) -> str:
        """Id of the target."""
        return self.members[0].measurement.variant.target

    @property
    def gnu(self) -> bool:
        """Whether it is for GNU's tools, with build files and timing."""
        return self.members[0].toolchain == GNU

    @property
    def has_clocks(self) -> bool:
        """Whether the self-test can time the routines on the part; of AVR it knows the classic timers."""
        part = load_target(self.target).part(self.part or self.members[0].measurement.variant.part)
        has_timer = (FILES / "targets" / self.target / "timer.h.j2").is_file()
        return self.gnu and has_timer and not part.core.registers_apart

    @property
    def names(self) -> list[str]:
        """Names of the headers: the library's and its routines'."""
        return [*dict.fromkeys([self.name, *(member.name for member in self.members)])]

    @property
    def tests(self) -> list[str]:
        """Sources of the self-test, without their folder."""
        timed = [f"{member.name}_timed.c" for member in self.members] + [
            f"{self.name}_clocks.c",
            f"{self.name}_nothing.S",
        ]
        return [f"{name}_selftest.c" for name in self.names] + (timed if self.has_clocks else [])

    @property
    def total(self) -> "Total":
        """ROM and RAM of all routines together, counted as the question asks."""
        costs = [member.as_exported.cost for member in self.members]
        parts = [cost.ram_parts for cost in costs]
        apart = self.together is None or self.together.tasks
        working = (sum if apart else max)(ram.block + ram.stack for ram in parts)
        return Total(
            rom=sum(cost.rom for cost in costs),
            ram=sum(ram.static for ram in parts) + working,
            padding=sum(cost.padding.rom for cost in costs),
        )


@dataclass(frozen=True)
class Total:
    """Bytes that several routines take together; `padding` is the most that a linker adds to the ROM."""

    rom: int
    ram: int
    padding: int
