"""The portfolio as pages of HTML: an index and a page for each primitive on each target; no server needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import jinja2
from markupsafe import Markup, escape

from tightfit import __version__
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Measurement
from tightfit.reports import bestof, curves, words
from tightfit.reports import front as fronts
from tightfit.reports import portfolio as portfolios
from tightfit.reports.criteria import CRITERIA
from tightfit.reports.document import Table
from tightfit.reports.portfolio import Portfolio
from tightfit.reports.variant import split_table
from tightfit.targets import load_target

_NOT_SHOWN = ("context", "gate")


@dataclass(frozen=True)
class Shelf:
    """One operation of a primitive on a part: its cells, and the variants that may be used."""

    portfolio: Portfolio
    usable: tuple[Measurement, ...]


@dataclass(frozen=True)
class _Place:
    """All operations of a primitive on a part, which share a page."""

    primitive: Primitive
    target: str
    part: str
    shelves: tuple[Shelf, ...]

    @property
    def file(self) -> str:
        return f"{self.target}-{self.primitive.id}.html"

    @property
    def cells(self) -> int:
        return sum(len(one.portfolio.answers) for one in self.shelves)

    @property
    def winners(self) -> set[str]:
        """Ids of the variants in cells."""
        return {m.variant.id for one in self.shelves for m in one.portfolio.winners}

    @property
    def variants(self) -> list[Measurement]:
        """Every variant that the page names, each once: winners and fronts."""
        every = [m for one in self.shelves for m in (*one.portfolio.winners, *fronts.front(one.usable))]
        return list({one.variant.id: one for one in every}.values())


def site(shelves: Sequence[Shelf]) -> dict[str, str]:
    """The files of the report, by name."""
    places = _places(shelves)
    lists = {criterion: _lists(criterion, shelves) for criterion in CRITERIA}
    files = {one.file: _page("place", place=one, sections=_sections(one), page=_Links(one)) for one in places}
    index = _page(
        "index",
        places=places,
        targets=list(dict.fromkeys((one.target, one.part) for one in places)),
        primitives=list(dict.fromkeys(one.primitive for one in places)),
        best={name: bestof.best_document(found) for name, found in lists.items()},
        ranking={name: bestof.ranking_document(found) for name, found in lists.items()},
        page=_Links(*places),
    )
    return {"index.html": index, **files, "style.css": _environment().get_template("style.css").render()}


def _places(shelves: Iterable[Shelf]) -> list[_Place]:
    found: dict[tuple[str, str, str], list[Shelf]] = {}
    for one in shelves:
        key = one.portfolio.target, one.portfolio.part, one.portfolio.primitive.id
        found.setdefault(key, []).append(one)
    return [
        _Place(load_primitive(name), target, part, tuple(those))
        for (target, part, name), those in found.items()
    ]


def _lists(criterion: str, shelves: Sequence[Shelf]) -> list[bestof.Best]:
    """Best-of lists by target; each primitive stands for its first operation."""
    usable: dict[tuple[str, str], list[Measurement]] = {}
    for one in shelves:
        first = next(iter(one.portfolio.primitive.operations))
        own = usable.setdefault((one.portfolio.target, one.portfolio.part), [])
        own += one.usable if one.portfolio.operation == first else ()
    return [bestof.best_of(criterion, *place, found) for place, found in usable.items()]


@dataclass(frozen=True)
class _Section:
    """An operation's part of a page."""

    name: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


def _sections(place: _Place) -> list[_Section]:
    return [_section(one) for one in place.shelves]


def _section(shelf: Shelf) -> _Section:
    page = portfolios.document([shelf.portfolio], "")
    points = fronts.front(shelf.usable)
    front = fronts.document(points, fronts.influences(points, shelf.usable), "")
    lengths = curves.document([shelf.portfolio], "")
    tables = (*page.tables[:-1], *front.tables, *lengths.tables)  # the last one: knobs, which variants show
    notes = dict.fromkeys((*page.notes, *lengths.notes))
    return _Section(shelf.portfolio.operation, tables, tuple(notes))


class _Links:
    """Turns the variants that a page's tables name into links to where they are told of."""

    def __init__(self, *places: _Place):
        self._places = {one.variant.id: place for place in places for one in place.variants}
        self._own = places[0].file if len(places) == 1 else None

    def cell(self, text: str) -> Markup:
        """A cell; the id of a variant becomes a link."""
        place = self._places.get(text)
        if place is None:
            return escape(text)
        file = "" if place.file == self._own else place.file
        return Markup('<a href="{}#{}">{}</a>').format(file, text, text)


def _facts(measurement: Measurement) -> list[tuple[str, str]]:
    """What a figure rests on: hashes, versions, and the command that measures it again."""
    provenance: Mapping[str, str] = measurement.provenance
    named = {"source of the routine": measurement.source_sha256[:16]}
    named |= {name: value for name, value in provenance.items() if name not in _NOT_SHOWN}
    named["tested by"] = f"the {provenance.get('gate', '?')} gate"
    named["again"] = f"tightfit replay {measurement.variant.id}"
    return list(named.items())


def _page(name: str, **context: object) -> str:
    return (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            version=__version__,
            rules=portfolios.RULES,
            words=words,
            facts=_facts,
            split=split_table,
            target_name=lambda target: load_target(target).name,
            **context,
        )
    )


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("tightfit.reports", "pages"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=jinja2.select_autoescape(("html", "html.j2")),
    )
