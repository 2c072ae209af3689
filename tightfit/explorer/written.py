"""The explorer as a folder, or for one primitive as a file, that needs neither server nor network."""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import jinja2
from bokeh.document import Document
from bokeh.embed import json_item
from bokeh.resources import Resources

from tightfit.errors import WorkError
from tightfit.explorer.app import TITLE, build
from tightfit.explorer.boxes import jobs
from tightfit.explorer.data import Subject, current
from tightfit.explorer.pack import script, shelve
from tightfit.explorer.pages import NOTHING, Page, Pages, catalogue_of, subjects_of
from tightfit.explorer.work import made
from tightfit.exporter.folder import write_folder
from tightfit.targets.progress import Progress, silent
from tightfit.textfile import replace_text

MADE_BY = "tightfit explore"
BOKEH, FIRST, AREAS, VARIANTS = "bokeh", "first", "areas", "variants"
"""Shelves that are of no single primitive."""


def write(folder: Path, listings: bool = False, progress: Progress = silent) -> list[str]:
    """Write the folder: `index.html` and, in `data`, what it asks for; names of files.

    Parameters
    ----------
    listings : whether the sources of winners come with bytes and cycles a line, which takes a toolchain.
    progress : is told how many primitives on a target are done.

    Raises
    ------
    UsageError
        The folder holds files that are not ours.
    WorkError
        Nothing is known, or the folder cannot be written.
    """
    shelves = _shelves(None, listings, progress)
    data = {f"data/{name}.js": text for name, text in shelves.items()}
    files = {"index.html": index(), **data}
    write_folder(folder, files, {"command": MADE_BY})
    return list(files)


def write_one(file: Path, primitive: str, listings: bool = False, progress: Progress = silent) -> None:
    """Write one primitive on all targets as one file; WorkError where nothing is known of it."""
    shelves = _shelves(primitive, listings, progress)
    replace_text(file, index(primitive, shelves))


def _shelves(primitive: str | None, listings: bool, progress: Progress) -> dict[str, str]:
    """The scripts of all shelves by their names; of one primitive alone where one is given."""
    asked = known_subjects(primitive)
    wanted, known, short, long = jobs(asked), set(), {}, {}
    index: dict[str, list[str]] = {}
    shelves: dict[str, str] = {}
    for done, (each, scripts) in enumerate(made(wanted, listings), 1):
        shelves |= scripts
        known |= set(each.subjects)
        short |= {_of(series): series for series in each.short}
        long |= {_of(series): series for series in each.long}
        index |= each.variants
        progress("primitives", done, len(wanted))
    if not known:
        raise WorkError(NOTHING)
    catalogue = catalogue_of([subject for subject in asked if subject in known])
    order = list(dict.fromkeys(map(_named, subjects_of(catalogue))))
    first = {"catalogue": catalogue, "headline": {"series": [short[name] for name in order]}}
    return {
        BOKEH: bokeh(),
        FIRST: script(FIRST, first),
        AREAS: script(AREAS, {"series": [long[name] for name in order]}),
        VARIANTS: script(VARIANTS, index),
        **shelves,
    }


def known_subjects(primitive: str | None) -> list[Subject]:
    """What is known of a primitive, or of all; WorkError where that is nothing."""
    with current() as store:
        places = Pages(lambda: nullcontext(store)).catalogue()
    every = [subject for subject in subjects_of(places) if primitive in (None, subject.primitive)]
    if not every:
        raise WorkError(NOTHING if primitive is None else _nothing_of(primitive))
    return every


def _nothing_of(primitive: str) -> str:
    return f"nothing is known of {primitive} yet; `tightfit fill {primitive}` searches and measures"


def _named(subject: Subject) -> tuple[str, str, str]:
    return subject.target, subject.part, subject.primitive


def _of(series: Page) -> tuple[str, str, str]:
    return series["target"], series["simulated"], series["primitive"]


@cache
def bokeh() -> str:
    """What of Bokeh the views use."""
    scripts: Sequence[str] = Resources(mode="inline", components=["bokeh", "bokeh-widgets"]).js_raw
    return shelve(BOKEH, "\n".join(scripts))


def index(primitive: str | None = None, within: Mapping[str, str] | None = None) -> str:
    """The page, with the scripts of shelves in itself where there are any."""
    document = Document()
    build(document, {"written": True})
    (root,) = document.roots
    folder = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, autoescape=True
    )
    return environment.get_template("index.html.j2").render(
        title=TITLE if primitive is None else f"{primitive}: {TITLE}",
        shelves=(folder / "js" / "shelves.js").read_text(encoding="utf-8"),
        page=json.dumps(json_item(root)).replace("<", "\\u003c"),
        within=within,
        primitive=primitive,
    )
