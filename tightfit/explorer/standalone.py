"""The explorer as one HTML file that needs neither server nor network."""

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from bokeh.document import Document
from bokeh.embed import file_html
from bokeh.resources import INLINE

from tightfit.errors import WorkError
from tightfit.explorer import data
from tightfit.explorer.app import TITLE, build
from tightfit.explorer.data import Subject, current
from tightfit.explorer.listings import listing_pages
from tightfit.explorer.pages import NOTHING, Page, Pages, subjects_of
from tightfit.targets import load_target
from tightfit.targets.progress import Progress, silent
from tightfit.textfile import replace_text

Shelf = dict[str, dict[str, Page]]
"""Pages by question and key."""


def write(file: Path, listings: bool = False, progress: Progress = silent) -> Path:
    """Write the file; WorkError where nothing is known or it cannot be written.

    Parameters
    ----------
    listings : whether the sources of winners come with bytes and cycles a line, which takes a toolchain.
    progress : is told what is being done.
    """
    with current() as store:  # opened once: a file asks for all of it
        shelf = gather(Pages(lambda: nullcontext(store)), listings, progress)
    document = Document()
    packed = gzip.compress(json.dumps(shelf).encode(), mtime=0)
    build(document, {"shelf": b64encode(packed).decode()})
    replace_text(file, file_html(document, INLINE, TITLE))
    return file


def gather(pages: Pages, listings: bool = False, progress: Progress = silent) -> Shelf:
    """Every page that the browser may ask for.

    Pages are those of the simulated parts. For the other parts of a core class the browser leaves out what
    does not fit (`js/parts.js`); of their cells the shelf holds what differs.
    """
    catalogue = pages.catalogue(present=True)
    if not catalogue["places"]:
        raise WorkError(NOTHING)
    subjects = subjects_of(catalogue)
    shelf: Shelf = {"catalogue": {"": catalogue}, "areas": {"": pages.areas()}}
    for what in ("subject", "lengths"):
        shelf[what] = {subject.key: pages.answer(what, subject.key) for subject in subjects}
    shelf["cells"], shelf["differences"] = {}, {}
    for done, subject in enumerate(subjects, 1):
        _add_cells(shelf, pages, subject, _others(catalogue, subject))
        progress("cells", done, len(subjects))
    winners = dict.fromkeys(_winners(shelf))
    fronts = (sketch.id for subject in subjects for sketch in data.fronts(pages.sketches(subject)))
    measured = {one.variant.id: one for subject in subjects for one in pages.measurements(subject)}
    shown = dict.fromkeys([*fronts, *winners])
    shelf["variant"] = {name: pages.page_of(measured[name]) for name in shown}
    variants = (measured[name].variant for name in winners)
    shelf["listing"] = listing_pages(variants, listings, progress)
    return shelf


def _add_cells(shelf: Shelf, pages: Pages, subject: Subject, others: Sequence[Subject]) -> None:
    """The cells of a subject under no condition and under each single one, and what other parts differ in."""
    for only in ((), *((name,) for name in data.offered(load_target(subject.target)))):
        whole = pages.cells(subject, only)
        shelf["cells"][whole["key"]] = whole
        for other in others:
            if pages.is_all_within(other):
                continue
            own = pages.cells(other, only)
            shelf["differences"][own["key"]] = _changes(own, whole)


def _others(catalogue: Page, subject: Subject) -> list[Subject]:
    """A subject on the parts of its core class that were not simulated."""
    parts = {(place["target"], place["simulated"]): place["parts"] for place in catalogue["places"]}
    others = (other["part"] for other in parts[subject.target, subject.part])
    return [replace(subject, part=other) for other in others if other != subject.part]


def _changes(own: Page, whole: Page) -> Page:
    """Every field with another value; of fields that are pages themselves, again those alone."""
    changes: Page = {}
    for name, value in own.items():
        if value == whole.get(name):
            continue
        nested = isinstance(value, dict) and isinstance(whole.get(name), dict)
        changes[name] = _changes(value, whole[name]) if nested else value
    return changes


def _winners(shelf: Shelf) -> list[str]:
    """The variants that answer a budget, on any part."""
    pages = [*shelf["cells"].values(), *shelf["differences"].values()]
    portfolios = [page.get("portfolio", {}) for page in pages]
    cells = [cell for portfolio in portfolios for cell in portfolio.get("cells", {}).values()]
    return [cell["variant"] for cell in cells if cell.get("variant")]
