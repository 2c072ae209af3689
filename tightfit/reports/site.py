"""The portfolio as pages of HTML: an index and a page for each primitive on each target; no server needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import jinja2
from markupsafe import Markup, escape

from tightfit import __version__
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Contender, Measurement
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

    @cached_property
    def front(self) -> list[Measurement]:
        """Its Pareto front."""
        return fronts.front(self.usable)

    @property
    def rivals(self) -> list[Measurement]:
        """The best of ours within the ROM and RAM of each routine that is not ours."""
        return [one.ours for one in self.portfolio.rivalries if one.ours]


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

    @cached_property
    def winners(self) -> set[str]:
        """Ids of the variants in cells."""
        return {m.variant.id for one in self.shelves for m in one.portfolio.winners}

    @cached_property
    def variants(self) -> list[Measurement]:
        """Every variant that the page names, each once: winners, fronts, the best beside a contender."""
        every = [m for one in self.shelves for m in (*one.portfolio.winners, *one.front, *one.rivals)]
        return list({one.variant.id: one for one in every}.values())

    @cached_property
    def contenders(self) -> list[Contender]:
        """Every routine that is not ours."""
        return [each.contender for one in self.shelves for each in one.portfolio.rivalries]

    @property
    def ids(self) -> list[str]:
        """Ids that the page tells of."""
        return [*(one.variant.id for one in self.variants), *(one.id for one in self.contenders)]


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
        best={CRITERIA[name].title: bestof.best_document(found) for name, found in lists.items()},
        ranking={CRITERIA[name].title: bestof.ranking_document(found) for name, found in lists.items()},
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
    groups: dict[tuple[str, str], list[Shelf]] = {}
    for one in shelves:
        own = groups.setdefault((one.portfolio.target, one.portfolio.part), [])
        own += [one] if one.portfolio.operation == one.portfolio.primitive.first_operation else []
    return [_list(criterion, *place, own) for place, own in groups.items()]


def _list(criterion: str, target: str, part: str, shelves: Sequence[Shelf]) -> bestof.Best:
    usable = [each for one in shelves for each in one.usable]
    baselines = [each for one in shelves for each in one.portfolio.baselines]
    return bestof.best_of(criterion, target, part, usable, baselines)


@dataclass(frozen=True)
class _Section:
    """An operation's part of a page: its grid first, then what else there is.

    `behind` names the variant behind a cell of the grid, by row and column. `sources` are the published
    sources by their id, a part of the notes.
    """

    name: str
    grid: Table
    behind: Mapping[tuple[int, int], str]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    sources: Mapping[str, str]


def _sections(place: _Place) -> list[_Section]:
    return [_section(one) for one in place.shelves]


def _section(shelf: Shelf) -> _Section:
    page = portfolios.document([shelf.portfolio], "")
    front = fronts.document(shelf.front, fronts.influences(shelf.front, shelf.usable), "")
    lengths = curves.document([shelf.portfolio], "")
    grid, *others, _ = page.tables  # the last one: knobs, which variants show
    cited = {one.published.source_id for one in shelf.portfolio.comparisons}
    named = {note.partition(":")[0]: note for note in page.notes}
    return _Section(
        shelf.portfolio.operation,
        grid,
        _behind(grid, shelf.portfolio),
        (*others, *front.tables, *lengths.tables),
        tuple(dict.fromkeys((*page.notes, *lengths.notes))),
        {source: named[source] for source in sorted(cited)},
    )


def _behind(grid: Table, portfolio: Portfolio) -> dict[tuple[int, int], str]:
    answers = {one.question.budget.name: one.measurement for one in portfolio.answers}
    found = {}
    for row, (ram, whose, *_) in enumerate(grid.rows):
        for column, rom in enumerate(grid.columns):
            measurement = answers.get(f"{rom}/{ram}") if whose == "ours" else None
            if measurement is not None:
                found[row, column] = measurement.variant.id
    return found


class _Links:
    """Turns what a page's tables name into links to where it is told of."""

    def __init__(self, *places: _Place):
        self._files = {name: place.file for place in places for name in place.ids}
        self._own = places[0].file if len(places) == 1 else None

    def cell(self, text: str, section: _Section | None = None) -> Markup:
        """A cell; the id of a variant or a routine becomes a link, and that of a source in a section."""
        if text in self._files:
            return self.to(text, text)
        name, _, rest = text.partition(" ")
        if section is not None and name in section.sources:
            return Markup('<a href="#{}-{}">{}</a> {}').format(section.name, name, name, rest)
        return escape(text)

    def to(self, name: str, text: str) -> Markup:
        """A link to where a variant or a routine is told of."""
        file = "" if self._files[name] == self._own else self._files[name]
        return Markup('<a href="{}#{}">{}</a>').format(file, name, text)


def _facts(measurement: Measurement) -> list[tuple[str, str]]:
    """What a figure rests on: hashes, versions, and the command that measures it again."""
    provenance: Mapping[str, str] = measurement.provenance
    named = {"source of the routine": measurement.source_sha256[:16]}
    named |= {name: value for name, value in provenance.items() if name not in _NOT_SHOWN}
    named["tested by"] = f"the {provenance.get('gate', '?')} gate"
    named["again"] = f"tightfit replay {measurement.variant.id}"
    return list(named.items())


def _contender_facts(contender: Contender) -> list[tuple[str, str]]:
    """What made a routine that is not ours, and what its figures rest on."""
    made = {
        "compiler": f"{contender.compiler} {contender.version}",
        "flags": contender.flags,
        "interface": contender.interface,
        "source": contender.source_sha256[:16],
    }
    return list({**made, **contender.provenance}.items())


def _page(name: str, **context: object) -> str:
    return (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            version=__version__,
            rules=portfolios.RULES,
            words=words,
            facts=_facts,
            contender_facts=_contender_facts,
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
