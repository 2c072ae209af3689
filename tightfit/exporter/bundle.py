"""What an exported library is made of."""

from dataclasses import dataclass
from pathlib import Path

from tightfit.exporter.prepared import GNU, Prepared
from tightfit.reports.answer import Answer
from tightfit.reports.together import Together

FILES = Path(__file__).parent / "files"
"""The templates of its files."""


@dataclass(frozen=True)
class Library:
    """What is to be written: routines of one target and toolchain under one name.

    A library of one routine has that routine's name, one of several a name of its own. `command` is what the
    files say they were made by; `answer` or `together` is the question that they answer, for the data sheet.
    `part` is whose options and peripherals they use; the simulated part where it is None.
    """

    name: str
    members: tuple[Prepared, ...]
    command: str
    answer: Answer | None = None
    together: Together | None = None
    part: str | None = None

    @property
    def target(self) -> str:
        """Id of the target."""
        return self.members[0].measurement.variant.target

    @property
    def gnu(self) -> bool:
        """Whether it is for GNU's tools, with what builds and times it."""
        return self.members[0].toolchain == GNU

    @property
    def has_clocks(self) -> bool:
        """Whether the self-test can time the routines on the target."""
        return self.gnu and (FILES / "targets" / self.target / "timer.h.j2").is_file()

    @property
    def names(self) -> list[str]:
        """What has a header: the library and its routines."""
        return [*dict.fromkeys([self.name, *(one.name for one in self.members)])]

    @property
    def tests(self) -> list[str]:
        """Sources of the self-test, without their folder."""
        timed = [f"{one.name}_timed.c" for one in self.members] + [
            f"{self.name}_clocks.c",
            f"{self.name}_nothing.S",
        ]
        return [f"{name}_selftest.c" for name in self.names] + (timed if self.has_clocks else [])

    @property
    def total(self) -> "Total":
        """ROM and RAM of all routines, by the rule of the question."""
        costs = [one.as_exported.cost for one in self.members]
        parts = [cost.ram_parts for cost in costs]
        apart = self.together is None or self.together.tasks
        working = (sum if apart else max)(one.block + one.stack for one in parts)
        return Total(sum(cost.rom for cost in costs), sum(one.static for one in parts) + working)


@dataclass(frozen=True)
class Total:
    """Bytes that several routines take together."""

    rom: int
    ram: int
