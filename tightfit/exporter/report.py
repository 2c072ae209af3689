"""The portfolio as a folder of pages of HTML."""

from pathlib import Path

from tightfit.budgets import load_budgets
from tightfit.errors import WorkError
from tightfit.exporter.folder import write_folder
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports.known import Current
from tightfit.reports.portfolio import gather
from tightfit.reports.site import Shelf, site
from tightfit.reports.subject import places


def write_report(
    store: Current, folder: Path, target: str | None = None, constant_path: bool = False
) -> tuple[str, ...]:
    """Write the pages of a target, or of all; the names of the files, relative to the folder.

    Raises
    ------
    UsageError
        An unknown target, or a folder that holds files that are not ours.
    WorkError
        Nothing is known, or the folder cannot be written.
    """
    shelves = [
        _shelf(store, place.id, part.name, primitive, operation, constant_path)
        for place, part in places(target)
        for primitive in primitive_ids()
        for operation in load_primitive(primitive).operations
    ]
    shelves = [shelf for shelf in shelves if not shelf.portfolio.is_empty]
    if not shelves:
        raise WorkError("nothing is known of any primitive; `tightfit fill` searches")
    files = site(shelves)
    write_folder(folder, files, {"command": "tightfit report"})
    return tuple(files)


def _shelf(
    store: Current, target: str, part: str, primitive: str, operation: str, constant_path: bool
) -> Shelf:
    known = store.known(target, part, primitive, operation, constant_path)
    portfolio = gather(load_primitive(primitive), target, part, operation, known, load_budgets())
    return Shelf(portfolio, tuple(known.usable))
