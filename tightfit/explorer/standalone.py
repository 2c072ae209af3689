"""The explorer as one HTML file that needs neither server nor network."""

import gzip
import json
from base64 import b64encode
from contextlib import nullcontext
from pathlib import Path

from bokeh.document import Document
from bokeh.embed import file_html
from bokeh.resources import INLINE

from tightfit.errors import WorkError
from tightfit.explorer import data
from tightfit.explorer.app import TITLE, build
from tightfit.explorer.listings import listing_pages
from tightfit.explorer.pages import NOTHING, Page, Pages, subject_keys
from tightfit.textfile import replace_text

Shelf = dict[str, dict[str, Page]]
"""Pages by question and key."""


def write(file: Path) -> Path:
    """Write the file; WorkError where nothing is known or it cannot be written."""
    with data.current() as store:  # opened once: a file asks for all of it
        shelf = gather(Pages(lambda: nullcontext(store)))
    document = Document()
    packed = gzip.compress(json.dumps(shelf).encode(), mtime=0)
    build(document, {"shelf": b64encode(packed).decode()})
    replace_text(file, file_html(document, INLINE, TITLE))
    return file


def gather(pages: Pages) -> Shelf:
    """Every page that the browser may ask for."""
    catalogue = pages.catalogue()
    if not catalogue["places"]:
        raise WorkError(NOTHING)
    keys = subject_keys(catalogue)
    shelf: Shelf = {"catalogue": {"": catalogue}, "areas": {"": pages.areas()}}
    for what in ("subject", "lengths", "cells"):
        shelf[what] = {key: pages.answer(what, key) for key in keys}
    winners = dict.fromkeys(_winners(shelf))
    shelf["variant"] = {name: pages.variant(name) for name in dict.fromkeys([*_fronts(shelf), *winners])}
    shelf["listing"] = listing_pages(pages.measurement(name).variant for name in winners)
    return shelf


def _fronts(shelf: Shelf) -> list[str]:
    """The variants that are on a front."""
    found = []
    for page in shelf["subject"].values():
        columns = page["columns"]
        rows = zip(columns["id"], columns["front"], columns["front_constant"], strict=True)
        found += [name for name, *on in rows if any(on)]
    return found


def _winners(shelf: Shelf) -> list[str]:
    """The variants that answer a budget."""
    pages = [page[group] for page in shelf["cells"].values() for group in ("all", "constant")]
    won = [cell["variant"] for page in pages for cell in page["portfolio"]["cells"].values()]
    return list(filter(None, won))
