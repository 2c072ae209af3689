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
from tightfit.explorer.app import TITLE, build
from tightfit.explorer.data import Subject, current
from tightfit.explorer.listings import listing_pages
from tightfit.explorer.pages import NOTHING, Page, Pages, subjects_of
from tightfit.textfile import replace_text

Shelf = dict[str, dict[str, Page]]
"""Pages by question and key."""
GROUPS = ("all", "constant")
"""Whose cells a page holds: those of all variants, and of constant paths."""


def write(file: Path) -> Path:
    """Write the file; WorkError where nothing is known or it cannot be written."""
    with current() as store:  # opened once: a file asks for all of it
        shelf = gather(Pages(lambda: nullcontext(store)))
    document = Document()
    packed = gzip.compress(json.dumps(shelf).encode(), mtime=0)
    build(document, {"shelf": b64encode(packed).decode()})
    replace_text(file, file_html(document, INLINE, TITLE))
    return file


def gather(pages: Pages) -> Shelf:
    """Every page that the browser may ask for.

    Pages are those of the simulated parts. For the other parts of a core class the browser leaves out what
    does not fit (`js/parts.js`); of their cells the shelf holds what differs.
    """
    catalogue = pages.catalogue(present=True)
    if not catalogue["places"]:
        raise WorkError(NOTHING)
    subjects = subjects_of(catalogue)
    shelf: Shelf = {"catalogue": {"": catalogue}, "areas": {"": pages.areas()}}
    for what in ("subject", "lengths", "cells"):
        shelf[what] = {subject.key: pages.answer(what, subject.key) for subject in subjects}
    shelf["differences"] = {
        other.key: _differences(pages.cells(other), shelf["cells"][other.simulated.key])
        for other in _others(catalogue, subjects)
    }
    winners = dict.fromkeys(_winners(shelf))
    shelf["variant"] = {name: pages.variant(name) for name in dict.fromkeys([*_fronts(shelf), *winners])}
    shelf["listing"] = listing_pages(pages.measurement(name).variant for name in winners)
    return shelf


def _others(catalogue: Page, subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects on the parts of each core class that were not simulated."""
    parts = {(place["target"], place["simulated"]): place["parts"] for place in catalogue["places"]}
    return [
        replace(subject, part=other["part"])
        for subject in subjects
        for other in parts[subject.target, subject.part]
        if other["part"] != subject.part
    ]


def _differences(own: Page, whole: Page) -> Page:
    """What the cells of a part have that those of the simulated part have not."""
    return {group: _changes(own[group], whole[group]) for group in GROUPS}


def _changes(own: Page, whole: Page) -> Page:
    """Every field with another value; of fields that are pages themselves, again those alone."""
    changes: Page = {}
    for name, value in own.items():
        if value == whole.get(name):
            continue
        nested = isinstance(value, dict) and isinstance(whole.get(name), dict)
        changes[name] = _changes(value, whole[name]) if nested else value
    return changes


def _fronts(shelf: Shelf) -> list[str]:
    """The variants that are on a front."""
    names = []
    for page in shelf["subject"].values():
        columns = page["columns"]
        rows = zip(columns["id"], columns["front"], columns["front_constant"], strict=True)
        names += [name for name, *on_fronts in rows if any(on_fronts)]
    return names


def _winners(shelf: Shelf) -> list[str]:
    """The variants that answer a budget, on any part."""
    pages = [*shelf["cells"].values(), *shelf["differences"].values()]
    portfolios = [page[group].get("portfolio", {}) for page in pages for group in GROUPS]
    cells = [cell for portfolio in portfolios for cell in portfolio.get("cells", {}).values()]
    return [cell["variant"] for cell in cells if cell.get("variant")]
