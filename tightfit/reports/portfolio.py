"""The portfolio as tables: our cells in a grid, the published figures beside them, never mixed with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tightfit.budgets import budget, name_of, published_budgets
from tightfit.primitives import Primitive, PublishedCell, load_primitive
from tightfit.records import Budget, Contender, Measurement
from tightfit.reports import contenders, words
from tightfit.reports.answer import (
    C_BASELINE,
    FITS,
    IMPOSSIBLE,
    SATIATED,
    UNEXPLORED,
    Answer,
    Known,
    Question,
    answer,
)
from tightfit.reports.contenders import C_ALONE, Rivalry
from tightfit.reports.document import Document, Table
from tightfit.reports.forms import answer_form, contender_form

SYMBOLS = {SATIATED: "-", IMPOSSIBLE: "x"}
UNKNOWN = "?"
RULES = (
    "ROM, RAM in bytes (RAM: block+static+stack); cycles a block with a fresh key (encrypt-next: a following "
    "block, keys ready; hash: a middle block), call and return inside; the rules are in docs/counting.md.",
    "- a budget no larger in both bounds reaches the same cycles; x proved that none fits; ? not known; "
    "* best known, not proved optimal.",
    "Marks: C constant path (tested), R re-entrant, K destroys the key.",
)
HAZARD_RULE = (
    "Of which hazard: cycles that rest on the address-register hazard, which has no source but memory of the "
    "manual."
)


@dataclass(frozen=True)
class Comparison:
    """A published figure and our answer within its bounds.

    `beaten` is None where nothing can be compared; for a pair of entries it is true only where one variant is
    lower in every one.
    """

    published: PublishedCell
    answer: Answer
    beaten: bool | None


@dataclass(frozen=True)
class Portfolio:
    """All cells of one operation on one part, with the published figures."""

    primitive: Primitive
    target: str
    part: str
    operation: str
    listed: tuple[Budget, ...]
    answers: tuple[Answer, ...]
    comparisons: tuple[Comparison, ...]
    rivalries: tuple[Rivalry, ...] = ()
    rejects: tuple[Contender, ...] = ()

    @property
    def winners(self) -> tuple[Measurement, ...]:
        """The variants in its cells, each once."""
        shown = [*self.answers, *(one.answer for one in self.comparisons)]
        found = {one.measurement.variant.id: one.measurement for one in shown if one.measurement}
        return tuple(found.values())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known, of ours or of others."""
        return not self.comparisons and all(one.status == UNEXPLORED for one in self.answers)

    @property
    def baselines(self) -> list[Contender]:
        """What compilers make of the primitive's C."""
        return [one.contender for one in self.rivalries if one.contender.origin == C_BASELINE]

    @property
    def has_hazards(self) -> bool:
        """Whether any figure holds cycles of an address hazard."""
        return any(one.cost.hazard for one in (*self.winners, *(one.contender for one in self.rivalries)))


def gather(
    primitive: Primitive, target: str, part: str, operation: str, known: Known, budgets: Sequence[Budget]
) -> Portfolio:
    """The answer for every budget listed, published or filled, and every published figure compared."""

    def ask(one: Budget) -> Answer:
        return answer(Question(target, part, primitive.id, operation, one), known, budgets)

    cells = [cell for cell in primitive.published(target) if cell.operation == operation]
    beside = [one for cell in cells for one in published_budgets(cell)]
    asked = {one.name: one for one in [*budgets, *beside, *(cell.budget for cell in known.cells)]}
    compared = [_compare(cell, ask) for cell in cells if cell.status != SATIATED]
    answers = tuple(map(ask, asked.values()))
    return Portfolio(
        *(primitive, target, part, operation, tuple(budgets)),
        answers=answers,
        comparisons=tuple(compared),
        rivalries=contenders.rivalries(known),
        rejects=tuple(known.rejects),
    )


def document(portfolios: Sequence[Portfolio], title: str) -> Document:
    """The page of some portfolios."""
    tables = [table for one in portfolios for table in _tables(one)]
    sources = {
        comparison.published.source_id: comparison.published
        for one in portfolios
        for comparison in one.comparisons
    }
    cited = [f"{key}: {cell.source}. Counted: {cell.counted}." for key, cell in sources.items()]
    hazard = (HAZARD_RULE,) if any(one.has_hazards for one in portfolios) else ()
    c_alone = (contenders.RULE,) if any(one.rivalries for one in portfolios) else ()
    bad = (f"{_where(one)}: {contenders.rejection(each)}" for one in portfolios for each in one.rejects)
    return Document(title, tuple(tables), (*RULES, *c_alone, *bad, *hazard, *cited))


def flat(portfolios: Sequence[Portfolio]) -> Document:
    """One row a cell, for spreadsheets: the fields of `ask --json`; what is not ours has rows of its own."""
    columns = (
        "whose target part primitive operation budget rom_bound ram_bound status satiated_by variant rom ram "
        "block static stack cycles hazard by_entry constant_path reentrant proved kind bound margin space "
        "measured source c_cycles c_id name compiler version flags"
    ).split()
    rows = [_flat_answer(one, columns) for portfolio in portfolios for one in portfolio.answers]
    published = [cell for one in portfolios for cell in one.primitive.published(one.target)]
    rows += [_flat_rival(each, columns) for one in portfolios for each in one.rivalries]
    mine = {one.operation for one in portfolios}
    rows += [_flat_published(cell, columns) for cell in published if cell.operation in mine]
    return Document("portfolio", (Table("portfolio", tuple(columns), tuple(dict.fromkeys(rows))),))


def portfolio_form(portfolios: Sequence[Portfolio]) -> dict:
    """The object that `table --json` prints."""
    return {
        "cells": [answer_form(one) for portfolio in portfolios for one in portfolio.answers],
        "published": [comparison_form(one) for portfolio in portfolios for one in portfolio.comparisons],
        "contenders": [
            contenders.rivalry_form(one) for portfolio in portfolios for one in portfolio.rivalries
        ],
        "rejected": [contenders.rejected_form(one) for portfolio in portfolios for one in portfolio.rejects],
    }


def comparison_form(comparison: Comparison) -> dict:
    """A published figure beside the answer within its bounds."""
    cell, ours = comparison.published, comparison.answer
    return {
        "primitive": cell.primitive,
        "operation": cell.operation,
        "target": cell.target,
        "column": cell.budget,
        "rom": cell.rom,
        "ram": cell.ram,
        "status": cell.status,
        "by_entry": dict(cell.by_entry),
        "following": dict(cell.following),
        "source": cell.source,
        "counted": cell.counted,
        "ours": answer_form(ours),
        "beaten": comparison.beaten,
    }


def symbol(one: Answer, with_rom: bool = False) -> str:
    """What stands in the grid for an answer."""
    if one.status in SYMBOLS:
        return SYMBOLS[one.status]
    return _figures(one, with_rom)


def _figures(one: Answer, with_rom: bool = False) -> str:
    if one.measurement is None:
        return SYMBOLS.get(one.status, UNKNOWN)
    cost = one.measurement.cost
    size = f" ({cost.rom} B)" if with_rom else ""
    star = "" if one.certificate and one.certificate.proved else "*"
    return words.by_entry(cost) + size + star


def _compare(cell: PublishedCell, ask) -> Comparison:
    if cell.status == IMPOSSIBLE:
        bounds = budget("ROM-min" if cell.rom is None else cell.rom, cell.ram)
        ours = ask(bounds)
        return Comparison(cell, ours, _settled(ours, ours.measurement is not None))
    if not cell.by_entry:
        ours = ask(budget("ROM-min", cell.ram))
        smaller = ours.measurement is not None and ours.measurement.cost.rom <= cell.rom
        return Comparison(cell, ours, _settled(ours, smaller))
    ours = ask(budget(cell.rom, cell.ram))
    if not cell.to_beat:
        return Comparison(cell, ours, None)
    lower = ask(budget(cell.rom, cell.ram, cell.to_beat))
    if lower.measurement is not None:
        return Comparison(cell, lower, True)
    return Comparison(cell, ours, _settled(ours, False))


def _settled(ours: Answer, beaten: bool) -> bool | None:
    """Whether theirs is beaten; None as long as nothing is known of ours."""
    return None if ours.status == UNEXPLORED else beaten


def _tables(one: Portfolio) -> list[Table]:
    where = _where(one)
    tables = [_grid(one, where)]
    if one.comparisons:
        tables.append(_beside(one, where))
    tables.append(_cells(one, where))
    if one.rivalries:
        tables.append(contenders.table(one.rivalries, where))
    return [*tables, _variants(one, where)]


def _where(one: Portfolio) -> str:
    return f"{one.primitive.id} {one.operation} on {words.place(one.target, one.part)}"


def _grid(one: Portfolio, where: str) -> Table:
    """Rows: RAM bounds, ours above theirs; columns: ROM bounds."""
    plain = [each for each in one.answers if not each.question.budget.below]
    grid = {tuple(each.question.budget.name.split("/")): each for each in plain}
    listed = [tuple(each.name.split("/")) for each in one.listed]
    columns = list(dict.fromkeys(rom for rom, _ in listed))
    published = [cell for cell in one.primitive.published(one.target) if cell.operation == one.operation]
    rows = []
    for ram in dict.fromkeys(ram for rom, ram in listed):
        ours = (symbol(grid[rom, ram], rom in _OPEN) if (rom, ram) in grid else "" for rom in columns)
        rows.append((ram, "ours", *ours))
        for source in dict.fromkeys(cell.source_id for cell in published):
            theirs = [_theirs(published, source, rom, ram) for rom in columns]
            if any(theirs):
                rows.append(("", source, *theirs))
    return Table(
        f"{where}: cycles a block",
        ("RAM", "ROM", *columns),
        tuple(rows),
        frozenset(range(2, 2 + len(columns))),
    )


_OPEN = ("ROM-min", "Fast")


def _theirs(published: Iterable[PublishedCell], source: str, rom: str, ram: str) -> str:
    for cell in published:
        bound = None if cell.ram is None else f"{cell.ram}B"
        if (cell.source_id, cell.budget, bound) == (source, rom, ram):
            return _published_figure(cell, with_rom=rom in _OPEN)
    return ""


def _published_figure(cell: PublishedCell, with_rom: bool = False, following: bool = False) -> str:
    if cell.status in SYMBOLS:
        return SYMBOLS[cell.status]
    text = " / ".join(_entry_figure(cell, entry) for entry in cell.by_entry) or UNKNOWN
    if following and cell.following:
        text += " (next " + " / ".join(words.cycles(figure) for figure in cell.following.values()) + ")"
    return text + (f" ({cell.rom} B)" if with_rom and cell.rom else "")


def _entry_figure(cell: PublishedCell, entry: str) -> str:
    """Cycles of an entry, with its name where the operation does not rank it."""
    figure = words.cycles(cell.by_entry[entry])
    return figure if entry in cell.ranked else f"{entry} {figure}"


def _beside(one: Portfolio, where: str) -> Table:
    columns = (
        "published",
        "within",
        "theirs",
        "ours",
        "ROM",
        "RAM",
        words.HAZARD,
        "ours/theirs",
        "beaten",
        "variant",
    )
    rows = tuple(_beside_row(comparison) for comparison in one.comparisons)
    table = Table(f"{where}: beside the published figures", columns, rows, frozenset(range(2, 8)))
    return table.dropping(words.HAZARD)


def _beside_row(comparison: Comparison) -> tuple[str, ...]:
    cell, ours = comparison.published, comparison.answer
    measurement = ours.measurement
    theirs = _published_figure(cell, following=True)
    if not cell.by_entry and cell.rom and cell.status == FITS:
        theirs = f"{cell.rom} B"
    bounded = cell.by_entry or cell.rom and cell.status == IMPOSSIBLE
    within = name_of(budget(cell.rom if bounded else "ROM-min", cell.ram))
    name = f"{cell.source_id} {cell.budget or ''}".strip()
    beaten = {True: "yes", False: "no", None: ""}[comparison.beaten]
    if measurement is None:
        return (name, within, theirs, SYMBOLS.get(ours.status, UNKNOWN), "", "", "", "", beaten, "")
    cost = measurement.cost
    return (
        name,
        within,
        theirs,
        _figures(ours),
        str(cost.rom),
        words.ram(cost),
        words.cycles(cost.hazard),
        _ratio(comparison),
        beaten,
        measurement.variant.id,
    )


def _ratio(comparison: Comparison) -> str:
    """Ours over theirs, entry by entry; of the bytes where no cycles are published."""
    cost, theirs = comparison.answer.measurement.cost, comparison.published.to_beat
    if theirs:
        return " / ".join(f"{cost.by_entry[entry].cycles / theirs[entry]:.2f}" for entry in cost.ranked)
    if comparison.published.by_entry or comparison.published.status == IMPOSSIBLE:
        return ""
    return f"{cost.rom / comparison.published.rom:.2f}"


def _cells(one: Portfolio, where: str) -> Table:
    columns = ("budget", "", "cycles", words.HAZARD, "ROM", "RAM", "marks", "variant", C_ALONE, "proof")
    rows = tuple(_cell_row(each) for each in one.answers)
    table = Table(f"{where}: cells", columns, rows, frozenset({2, 3, 4, 8}))
    return table.dropping(words.HAZARD).dropping(C_ALONE)


def _cell_row(one: Answer) -> tuple[str, ...]:
    status = f"- {one.satiated_by}" if one.status == SATIATED else {FITS: ""}.get(one.status, symbol(one))
    c_alone, proof = contenders.beside(one), words.proof(one.certificate)
    if one.measurement is None:
        return (one.question.budget.name, status, "", "", "", "", "", "", c_alone, proof)
    cost = one.measurement.cost
    return (
        one.question.budget.name,
        status,
        words.by_entry(cost),
        words.cycles(cost.hazard),
        str(cost.rom),
        words.ram(cost),
        words.short_marks(one.measurement),
        one.measurement.variant.id,
        c_alone,
        proof,
    )


def _variants(one: Portfolio, where: str) -> Table:
    rows = tuple((each.variant.id, words.recipe(each.variant)) for each in one.winners)
    return Table(f"{where}: variants", ("variant", "template and knobs"), rows)


def _flat_answer(one: Answer, columns: Sequence[str]) -> tuple[str, ...]:
    form = answer_form(one)
    cost, variant, proof = form["cost"] or {}, form["variant"] or {}, form["certificate"] or {}
    values = {
        **{key: form[key] for key in ("target", "part", "primitive", "operation", "status", "satiated_by")},
        "whose": "ours",
        "budget": form["budget"]["name"],
        "rom_bound": form["budget"]["rom"],
        "ram_bound": form["budget"]["ram"],
        "variant": variant.get("id"),
        "constant_path": variant.get("constant_path"),
        "reentrant": variant.get("reentrant"),
        **{key: cost.get(key) for key in ("rom", "ram", "cycles", "hazard")},
        **cost.get("ram_parts", {}),
        "by_entry": _pairs(cost.get("by_entry", {})),
        **{key: proof.get(key) for key in ("proved", "kind", "bound", "margin", "space", "measured")},
        "c_cycles": one.c_alone and one.c_alone.cost.cycles,
        "c_id": one.c_alone and one.c_alone.id,
    }
    return tuple(_plain(values.get(column)) for column in columns)


def _flat_rival(one: Rivalry, columns: Sequence[str]) -> tuple[str, ...]:
    form = contender_form(one.contender)
    cost = form["cost"]
    values = {
        **form,
        **cost,
        **cost["ram_parts"],
        "whose": form["origin"],
        "variant": form["id"],
        "by_entry": _pairs(cost["by_entry"]),
    }
    return tuple(_plain(values.get(column)) for column in columns)


def _flat_published(cell: PublishedCell, columns: Sequence[str]) -> tuple[str, ...]:
    values = {
        "whose": "published",
        "target": cell.target,
        "primitive": cell.primitive,
        "operation": cell.operation,
        "budget": cell.budget,
        "rom_bound": cell.rom,
        "ram_bound": cell.ram,
        "status": cell.status,
        "cycles": sum(cell.by_entry.values()) if cell.by_entry else None,
        "by_entry": _pairs(cell.by_entry),
        "source": f"{cell.source}. Counted: {cell.counted}",
    }
    return tuple(_plain(values.get(column)) for column in columns)


def _pairs(values) -> str:
    return " ".join(f"{key}={value}" for key, value in values.items())


def _plain(value) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def published_within(question: Question) -> list[PublishedCell]:
    """The published figures of a question's operation whose bounds are those of its budget."""
    bounds = question.budget.rom, question.budget.ram
    return [
        cell
        for cell in load_primitive(question.primitive).published(question.target)
        if (cell.operation, cell.rom, cell.ram) == (question.operation, *bounds) and cell.status != SATIATED
    ]
