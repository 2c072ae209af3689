"""A variant, or several, as a folder that drops into a firmware project."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightfit import __version__
from tightfit.exporter.bundle import Library
from tightfit.exporter.folder import write_folder
from tightfit.exporter.pages import library_files
from tightfit.exporter.prepared import Prepared
from tightfit.records import Budget, Cost, Measurement
from tightfit.reports.answer import Answer, fits
from tightfit.reports.forms import cost_form, variant_form
from tightfit.reports.together import Need


@dataclass(frozen=True)
class Export:
    """An export that was written: folder, files, variant, and the cost with the toolchain's interface.

    `cost` is None where the routine could not be measured here, and `reason` says why. `answer` is the
    answer that was exported, None where the variant was named.
    """

    folder: Path
    files: tuple[str, ...]
    prepared: Prepared
    answer: Answer | None = None

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
    """A library of several routines that was written: its folder and its files."""

    library: Library
    folder: Path
    files: tuple[str, ...]

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
) -> Export:
    """Write a prepared variant as a library.

    Parameters
    ----------
    command : the command line that the files say they were made by.
    answer : the answer that the variant comes from, for the data sheet.
    part : the part that the library is for; the simulated part of the core class where it is None.

    Raises
    ------
    UsageError
        The folder holds files that are not ours.
    WorkError
        The folder cannot be written.
    """
    library = Library(prepared.name, (prepared,), command, answer, part=part)
    return Export(folder, write_library(library, folder), prepared, answer)


def write_library(library: Library, folder: Path) -> tuple[str, ...]:
    """Write a library; the names of its files, relative to the folder. Raises as `export` does."""
    files = library_files(library)
    facts = {
        "tightfit": __version__,
        "command": library.command,
        "toolchain": library.members[0].toolchain,
        "routines": [_facts(member) for member in library.members],
    }
    write_folder(folder, files, facts)
    return tuple(files)


def default_name(primitive: str) -> str:
    """The primitive's id without characters that C names may not have."""
    return re.sub(r"\W", "", primitive)


def _facts(prepared: Prepared) -> dict[str, Any]:
    return {
        "name": prepared.name,
        "variant": variant_form(prepared.measurement),
        "cost": cost_form(prepared.cost) if prepared.cost else None,
    }
