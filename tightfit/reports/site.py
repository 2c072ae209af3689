"""The portfolio as pages of HTML: an index and a page for each primitive on each target; no server needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType

import jinja2
from markupsafe import Markup, escape

from tightfit import __version__
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import BASELINE, Contender, Cost, Measurement
from tightfit.reports import bestof, curves, estream, finalists, pagetable, pictures, study, words
from tightfit.reports import front as fronts
from tightfit.reports import portfolio as portfolios
from tightfit.reports.cautions import sentences
from tightfit.reports.criteria import CRITERIA, cycles_a_byte
from tightfit.reports.document import Table
from tightfit.reports.portfolio import Portfolio
from tightfit.targets import Part, Target, load_target

_NOT_SHOWN = ("context", "gate")
_C_ALONE, _EXTERNAL = "C alone", "external routines"


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
        return [rivalry.ours for rivalry in self.portfolio.rivalries if rivalry.ours]

    @property
    def picture(self) -> Markup:
        """ROM against cycles of everything that is known."""
        costs = sorted((measured.cost for measured in self.usable), key=lambda cost: (cost.rom, cost.cycles))
        ours = [(cost.rom, cost.cycles, _point(cost)) for cost in costs]
        routines = {
            name: [
                (rivalry.contender.cost.rom, rivalry.contender.cost.cycles, rivalry.contender.name)
                for rivalry in self.portfolio.rivalries
                if (rivalry.contender.origin == BASELINE) == (name == _C_ALONE)
            ]
            for name in (_C_ALONE, _EXTERNAL)
        }
        published = [
            (cell.rom, sum(cell.to_beat.values()), cell.source_id)
            for cell in (comparison.published for comparison in self.portfolio.comparisons)
            if cell.rom and cell.to_beat
        ]
        kinds = (
            ("variants", "circle", ours),
            (_C_ALONE, "diamond", routines[_C_ALONE]),
            (_EXTERNAL, "triangle", routines[_EXTERNAL]),
            ("published, by their own rules", "cross", published),
        )
        dots = [pictures.Dots(name, mark, tuple(points)) for name, mark, points in kinds]
        title = "ROM and cycles of all variants"
        return pictures.scatter(title, "ROM, bytes", "cycles", dots, self.portfolio.steps)


def _point(cost: Cost) -> str:
    return f"{cost.rom:,} B of ROM, {cost.ram:,} B of RAM: {words.cycles(cost.cycles)} cycles"


@dataclass(frozen=True)
class Unfilled:
    """A core class without cells: the part that would be simulated, and the others of the class."""

    target: str
    part: str
    others: tuple[str, ...]
    command: str

    @classmethod
    def of(cls, target: Target, part: Part) -> "Unfilled":
        """The class that a simulated part stands for."""
        names = tuple(other.name for other in _others(target, part))
        return cls(target.id, part.name, names, f"tightfit fill --target {target.id} --part {part.name}")

    def __str__(self) -> str:
        others = f", which stands for {', '.join(self.others)} too" if self.others else ""
        return f"No cells of {self.target} ({self.part}){others}: `{self.command}` searches and measures."


@dataclass(frozen=True)
class _Place:
    """All operations of a primitive on a part, which share a page."""

    primitive: Primitive
    target: str
    part: str
    shelves: tuple[Shelf, ...]

    @property
    def file(self) -> str:
        """Its name; parts of other classes than the target's default one are named in it."""
        is_default = self.part == load_target(self.target).part().simulated
        part = "" if is_default else f"{self.part.lower()}-"
        return f"{self.target}-{part}{self.primitive.id}.html"

    @property
    def cells(self) -> int:
        return sum(len(shelf.portfolio.answers) for shelf in self.shelves)

    @cached_property
    def variants(self) -> list[Measurement]:
        """The variants that the page tells of, each once: winners, and the best beside a contender."""
        every = [
            measurement for shelf in self.shelves for measurement in (*shelf.portfolio.winners, *shelf.rivals)
        ]
        return list({measurement.variant.id: measurement for measurement in every}.values())

    @cached_property
    def only_on_fronts(self) -> set[str]:
        """Ids of the other variants that it names: those in the table of a front."""
        named = {measurement.variant.id for measurement in self.variants}
        return {point.variant.id for shelf in self.shelves for point in shelf.front} - named

    @cached_property
    def contenders(self) -> list[Contender]:
        """Every routine that is not ours."""
        return [rivalry.contender for shelf in self.shelves for rivalry in shelf.portfolio.rivalries]

    @property
    def ids(self) -> list[str]:
        """Ids that the page tells of."""
        variants = (measurement.variant.id for measurement in self.variants)
        return [*variants, *self.only_on_fronts, *(contender.id for contender in self.contenders)]


def site(shelves: Sequence[Shelf], unfilled: Sequence[Unfilled] = ()) -> dict[str, str]:
    """The files of the report, by name; the index says how to fill the classes of which no cell is known."""
    places = _places(shelves)
    lists = {CRITERIA[criterion].title: _lists(criterion, shelves) for criterion in CRITERIA}
    files = {
        place.file: _page("place", place=place, sections=_sections(place), page=_Links(place))
        for place in places
    }
    ranked = {by: _a_target_each(lists[CRITERIA[by].title]) for by in finalists.BY}
    files["study.html"] = _study(places, ranked)
    index = _page(
        "index",
        places=places,
        targets=list(dict.fromkeys((place.target, place.part) for place in places)),
        unfilled=unfilled,
        primitives=list(dict.fromkeys(place.primitive for place in places)),
        best={title: bestof.best_document(bests) for title, bests in lists.items()},
        pictures=[picture for best in next(iter(lists.values())) for picture in _speeds(best)],
        ranking={title: bestof.ranking_document(_a_target_each(bests)) for title, bests in lists.items()},
        page=_Links(*places),
    )
    return {"index.html": index, **files, "style.css": _environment().get_template("style.css").render()}


def _study(places: Sequence[_Place], ranked: Mapping[str, Sequence[bestof.Best]]) -> str:
    """The page of the studies, with the best by criterion; a target is shown on the first of its parts."""
    parts = {place.target: place.part for place in reversed(places)}
    own = [place for place in places if parts[place.target] == place.part]
    portfolios = [shelf.portfolio for place in own for shelf in place.shelves]
    by_target = groupby(portfolios, attrgetter("target"))
    return _page(
        "study",
        categories=study.categories(portfolios),
        lengths={target: study.lengths(list(group)) for target, group in by_target},
        finalists=finalists.document(ranked),
        study_rules=study.RULES,
        streams=estream.document(portfolios, estream.NAME),
        page=_Links(*places),
    )


def _places(shelves: Iterable[Shelf]) -> list[_Place]:
    groups: dict[tuple[str, str, str], list[Shelf]] = {}
    for shelf in shelves:
        key = shelf.portfolio.target, shelf.portfolio.part, shelf.portfolio.primitive.id
        groups.setdefault(key, []).append(shelf)
    return [
        _Place(load_primitive(name), target, part, tuple(own)) for (target, part, name), own in groups.items()
    ]


def _lists(criterion: str, shelves: Sequence[Shelf]) -> list[bestof.Best]:
    """Best-of lists by simulated part; each primitive stands for its first operation."""
    groups: dict[tuple[str, str], list[Shelf]] = {}
    for shelf in shelves:
        own = groups.setdefault((shelf.portfolio.target, shelf.portfolio.part), [])
        own += [shelf] if shelf.portfolio.operation == shelf.portfolio.primitive.first_operation else []
    return [_list(criterion, *place, own) for place, own in groups.items()]


def _speeds(best: bestof.Best) -> list[Markup]:
    """The fastest variant of each primitive on a part as bars, a picture for each kind of primitive."""
    where = words.place(best.target, best.part)
    return [
        pictures.bars(
            f"{kind.replace('-', ' ')} on {where}: cycles a byte of the fastest", list(map(_speed, own))
        )
        for kind, own in ((kind, listed.measurements) for kind, listed in best.by_kind().items())
    ]


def _speed(measurement: Measurement) -> tuple[str, float, str]:
    figure = cycles_a_byte(measurement)
    return measurement.variant.primitive, figure, f"{figure:,.1f}"


def _a_target_each(bests: Sequence[bestof.Best]) -> list[bestof.Best]:
    """The first list of each target: the ranking gives points by target, not by class."""
    firsts: dict[str, bestof.Best] = {}
    for best in bests:
        firsts.setdefault(best.target, best)
    return list(firsts.values())


def _list(criterion: str, target: str, part: str, shelves: Sequence[Shelf]) -> bestof.Best:
    usable = [measurement for shelf in shelves for measurement in shelf.usable]
    baselines = [baseline for shelf in shelves for baseline in shelf.portfolio.baselines]
    return bestof.best_of(criterion, target, part, usable, baselines)


@dataclass(frozen=True)
class _Section:
    """An operation's part of a page: its grid first, then what else there is.

    `behind` names the variant behind a cell of the grid, by row and column. `sources` are the published
    sources by their id, a part of the notes.
    """

    name: str
    picture: Markup
    grid: Table
    behind: Mapping[tuple[int, int], str]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    sources: Mapping[str, str]


def _sections(place: _Place) -> list[_Section]:
    return [_section(shelf) for shelf in place.shelves]


def _section(shelf: Shelf) -> _Section:
    page = portfolios.document([shelf.portfolio], "")
    front = fronts.document(shelf.front, fronts.influences(shelf.front, shelf.usable), "")
    lengths = curves.document([shelf.portfolio], "")
    grid, *others, _ = page.tables  # the last one: knobs, which variants show
    cited = {comparison.published.source_id for comparison in shelf.portfolio.comparisons}
    named = {note.partition(":")[0]: note for note in page.notes}
    return _Section(
        shelf.portfolio.operation,
        shelf.picture,
        grid,
        _behind(grid, shelf.portfolio),
        (*others, *front.tables, *lengths.tables),
        tuple(dict.fromkeys((*page.notes, *lengths.notes))),
        {source: named[source] for source in sorted(cited)},
    )


def _behind(grid: Table, portfolio: Portfolio) -> dict[tuple[int, int], str]:
    answers = {answer.question.budget.name: answer.measurement for answer in portfolio.answers}
    behind = {}
    for row, (ram, whose, *_) in enumerate(grid.rows):
        for column, rom in enumerate(grid.columns):
            measurement = answers.get(f"{rom}/{ram}") if whose == "ours" else None
            if measurement is not None:
                behind[row, column] = measurement.variant.id
    return behind


class _Links:
    """Turns what a page's tables name into links to where it is told of."""

    def __init__(self, *places: _Place):
        self._files = {name: place.file for place in places for name in place.ids}
        self._own = places[0].file if len(places) == 1 else None
        self._anchors = places[0].only_on_fronts if len(places) == 1 else set()
        self._made: dict[tuple[str | None, str], Markup] = {}

    def table(
        self,
        content: Table,
        section: _Section | None = None,
        behind: Mapping[tuple[int, int], str] = MappingProxyType({}),
    ) -> Markup:
        """A table with links; `behind` names the variants behind cells, by row and column."""
        name = section.name if section else None

        def cell(row: int, column: int, text: str) -> Markup:
            if (row, column) in behind:
                return self.to(behind[row, column], text)
            if (name, text) not in self._made:
                self._made[name, text] = self.cell(text, section)
            return self._made[name, text]

        return pagetable.table(content, cell)

    def cell(self, text: str, section: _Section | None = None) -> Markup:
        """A cell; the id of a variant or a routine becomes a link, and that of a source in a section.

        A variant that is only on a front is told of there.
        """
        if text in self._anchors:
            return Markup('<span id="{}">{}</span>').format(text, text)
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


def _others(target: Target, part: Part) -> list[Part]:
    """The other parts of a part's core class."""
    return [other for other in target.class_of(part) if other != part]


def _stands_for(target_id: str, part_name: str) -> str:
    """Which part was simulated, and for which others of its class the figures hold, within what memory."""
    target = load_target(target_id)
    part = target.part(part_name)
    simulated = f"{target.name}, {part.core.about}: simulated on {part.name}"
    others = [
        f"{other.name} ({other.rom:,} B of ROM, {other.ram:,} B of RAM)" for other in _others(target, part)
    ]
    return f"{simulated}, which stands for {', '.join(others)}." if others else f"{simulated}."


def _page(name: str, **context: object) -> str:
    return (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            version=__version__,
            rules=portfolios.RULES,
            words=words,
            cautions=sentences,
            facts=_facts,
            contender_facts=_contender_facts,
            target_name=lambda target: load_target(target).name,
            stands_for=_stands_for,
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
