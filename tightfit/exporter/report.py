"""The portfolio as a folder of pages of HTML."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tightfit.budgets import load_budgets
from tightfit.errors import WorkError
from tightfit.exporter.folder import write_folder
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports.collector import no_collector
from tightfit.reports.known import Current
from tightfit.reports.portfolio import gather
from tightfit.reports.site import Shelf, Unfilled, site
from tightfit.reports.subject import classes, unfilled_classes
from tightfit.targets.progress import Progress, silent

MADE_BY = "tightfit report"


@dataclass(frozen=True)
class Report:
    """What was written: names of files, relative to the folder, and the core classes without cells."""

    files: tuple[str, ...]
    unfilled: tuple[Unfilled, ...]


def write_report(
    store: Current,
    folder: Path,
    target: str | None = None,
    only: Iterable[str] = (),
    progress: Progress = silent,
) -> Report:
    """Write the pages of a target, or of all: of every core class of which something is known.

    `progress` is told how many operations of primitives are read.

    Raises
    ------
    UsageError
        An unknown target, or a folder that holds files that are not ours.
    WorkError
        Nothing is known, or the folder cannot be written.
    """
    with no_collector():
        files, unfilled = _files(store, target, only, progress)
    write_folder(folder, files, {"command": MADE_BY})
    return Report(tuple(files), tuple(unfilled))


def _files(
    store: Current, target: str | None, only: Iterable[str], progress: Progress
) -> tuple[dict[str, str], list[Unfilled]]:
    filled = {(place, part) for place, part, _, _ in store.subjects()}
    asked = [
        (place.id, part.name, primitive, operation)
        for place, part in classes(target)
        if (place.id, part.name) in filled or part == place.part()
        for primitive in primitive_ids()
        for operation in load_primitive(primitive).operations
    ]
    shelves = []
    for done, subject in enumerate(asked, 1):
        shelf = _shelf(store, *subject, only)
        shelves += [] if shelf.portfolio.is_empty else [shelf]
        progress("report", done, len(asked))
    if not shelves:
        raise WorkError("nothing is known of any primitive; `tightfit fill` searches")
    unfilled = [
        Unfilled.of(place, part)
        for place, part in unfilled_classes(filled, target)
        if part.core.timing_tested
    ]
    return site(shelves, unfilled), unfilled


def _shelf(
    store: Current, target: str, part: str, primitive: str, operation: str, only: Iterable[str]
) -> Shelf:
    known = store.known(target, part, primitive, operation, only)
    portfolio = gather(load_primitive(primitive), target, part, operation, known, load_budgets())
    return Shelf(portfolio, tuple(known.usable))
