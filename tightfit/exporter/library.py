"""A variant, or several, as a folder that drops into a firmware project."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightfit import __version__
from tightfit.errors import UsageError
from tightfit.exporter.bundle import Library
from tightfit.exporter.folder import write_folder
from tightfit.exporter.names import offer
from tightfit.exporter.pages import library_files
from tightfit.exporter.prepared import Prepared
from tightfit.exporter.twins import twin
from tightfit.records import Budget, Cost, Measurement
from tightfit.reports.answer import Answer, fits
from tightfit.reports.forms import cost_form, variant_form
from tightfit.reports.together import Need


@dataclass(frozen=True)
class Export:
    """An export that was written: folder, files, variant, and the cost with the toolchain's interface.

    `cost` is None where the routine could not be measured here, and `reason` says why. `answer` is the
    answer that was exported, None where the variant was named. `twin` is an export beside this one that has
    a file of the same name, so that one firmware cannot hold both.
    """

    folder: Path
    files: tuple[str, ...]
    prepared: Prepared
    answer: Answer | None = None
    twin: Path | None = None

    @property
    def toolchain(self) -> str:
        return self.prepared.toolchain

    @property
    def measurement(self) -> Measurement:
        return self.prepared.measurement

    @property
    def cost(self) -> Cost | None:
        return self.prepared.cost

    @property
    def reason(self) -> str | None:
        return self.prepared.reason

    def fits(self, budget: Budget) -> bool:
        """Whether the routine fits a budget, with the toolchain's interface where that was measured."""
        return fits(self.prepared.as_exported, budget)


@dataclass(frozen=True)
class ExportTogether:
    """A library of several routines that was written: its folder, its files, and its twin as of `Export`."""

    library: Library
    folder: Path
    files: tuple[str, ...]
    twin: Path | None = None

    @property
    def routines(self) -> list[tuple[Need, Prepared]]:
        """The needs and their routines."""
        return list(zip(self.library.together.needs, self.library.members, strict=True))


def export(
    prepared: Prepared,
    folder: Path,
    *,
    command: str,
    answer: Answer | None = None,
    part: str | None = None,
    named: bool = False,
) -> Export:
    """Write a prepared variant as a library.

    Parameters
    ----------
    command : the command line that the files say they were made by.
    answer : the answer that the variant comes from, for the data sheet.
    part : the part that the library is for; the simulated part of the core class where it is None.
    named : whether the user chose the name.

    Raises
    ------
    UsageError
        The folder holds files that are not ours, or the name that the user chose is that of an export beside.
    WorkError
        The folder cannot be written.
    """
    library = Library(prepared.name, (prepared,), command, answer, part=part, named=named)
    files, beside = write_library(library, folder)
    return Export(folder, files, prepared, answer, beside)


def write_library(library: Library, folder: Path) -> tuple[tuple[str, ...], Path | None]:
    """Write a library; its files, relative to the folder, and its twin. Raises as `export` does."""
    files = library_files(library)
    beside = twin(folder, files, library.target, library.command)
    if beside and library.named:
        raise UsageError(
            f"name {library.name!r} is that of the library in {beside}, and one firmware cannot hold both; "
            f"take another, such as {offer(library.name)}"
        )
    facts = {
        "tightfit": __version__,
        "command": library.command,
        "target": library.target,
        "toolchain": library.members[0].toolchain,
        "routines": [_facts(member) for member in library.members],
    }
    write_folder(folder, files, facts)
    return tuple(files), beside


def _facts(prepared: Prepared) -> dict[str, Any]:
    return {
        "name": prepared.name,
        "variant": variant_form(prepared.measurement),
        "cost": cost_form(prepared.cost) if prepared.cost else None,
    }
