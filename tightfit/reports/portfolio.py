"""The portfolio as tables: our cells in a grid, the published figures beside them, never mixed with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tightfit.budgets import budget, name_of, published_budgets, under
from tightfit.curve import message_cycles
from tightfit.generator import merit
from tightfit.primitives import Primitive, PublishedCell, load_primitive
from tightfit.records import BASELINE, Budget, Contender, Measurement
from tightfit.reports import contenders, words
from tightfit.reports.answer import (
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
from tightfit.targets import load_target

SYMBOLS = {SATIATED: "-", IMPOSSIBLE: "x"}
UNKNOWN = "?"
RULES = (
    "ROM, RAM in bytes (RAM: block+static+stack); cycles a block with a fresh key (encrypt-next, "
    "decrypt-next: a following block, keys ready; hash: a middle block), call and return included; the rules "
    "are in docs/counting.md.",
    "- a budget no larger in both bounds reaches the same cycles; x proved that none fits; ? not known; "
    "* best known, not proved optimal.",
    words.PADDING,
    words.MARKS,
)


@dataclass(frozen=True)
class Comparison:
    """A published figure and our answer within its bounds.

    `beaten` is None where nothing can be compared; for a pair of entries it is true only where one variant is
    lower in every entry.
    """

    published: PublishedCell
    answer: Answer
    beaten: bool | None

    @property
    def of_message(self) -> int | float | None:
        """Our cycles of the message that the figure counts; None without one, or where they are not known."""
        cell, ours = self.published, self.answer.measurement
        if cell.message is None or ours is None:
            return None
        return message_cycles(ours, load_primitive(cell.primitive), cell.message)


@dataclass(frozen=True)
class Portfolio:
    """All cells of one operation on one part, with the published figures.

    `steps` are ROM and cycles of the known variants that no other equals or beats in both, by their ROM.
    """

    primitive: Primitive
    target: str
    part: str
    operation: str
    listed: tuple[Budget, ...]
    answers: tuple[Answer, ...]
    comparisons: tuple[Comparison, ...]
    rivalries: tuple[Rivalry, ...] = ()
    rejects: tuple[Contender, ...] = ()
    steps: tuple[tuple[int, int | float], ...] = ()

    @property
    def winners(self) -> tuple[Measurement, ...]:
        """The variants in its cells, each once."""
        shown = [*self.answers, *(comparison.answer for comparison in self.comparisons)]
        by_id = {answer.measurement.variant.id: answer.measurement for answer in shown if answer.measurement}
        return tuple(by_id.values())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known: no variant of ours and no figure of others."""
        return not self.comparisons and self.is_unsearched

    @property
    def is_unsearched(self) -> bool:
        """Whether no variant of ours is known."""
        return all(answer.status == UNEXPLORED for answer in self.answers)

    @property
    def baselines(self) -> list[Contender]:
        """What compilers make of the primitive's C."""
        return [rivalry.contender for rivalry in self.rivalries if rivalry.contender.origin == BASELINE]

    @property
    def why_apart(self) -> str:
        """Why the target tells a wait apart, where any figure has cycles of it; else nothing."""
        apart = load_target(self.target).waits_apart
        rivals = (rivalry.contender for rivalry in self.rivalries)
        there = any(routine.cost.cycles_apart for routine in (*self.winners, *rivals))
        return apart.why if apart and there else ""


def glance(
    primitive: Primitive,
    target: str,
    part: str,
    operation: str,
    known: Known,
    budgets: Sequence[Budget],
    compared: bool = False,
) -> Portfolio:
    """The answers within the most RAM of the budgets alone, and the published figures only if `compared`.

    Answers have no offers.
    """
    listed = under(budgets, known.only)

    def ask(bounds: Budget) -> Answer:
        return answer(Question(target, part, primitive.id, operation, bounds), known, ())

    cells = [cell for cell in primitive.published(target) if cell.operation == operation and compared]
    return Portfolio(
        *(primitive, target, part, operation, tuple(budgets)),
        answers=tuple(map(ask, within_most_ram(listed))),
        comparisons=tuple(_compare(cell, ask) for cell in cells if cell.status != SATIATED),
    )


def within_most_ram(budgets: Sequence[Budget]) -> list[Budget]:
    """Of the listed budgets those with the most RAM, one for each ROM bound."""
    most = max((budget.ram or 0 for budget in budgets), default=0)
    return [budget for budget in budgets if (budget.ram or 0) == most]


def gather(
    primitive: Primitive, target: str, part: str, operation: str, known: Known, budgets: Sequence[Budget]
) -> Portfolio:
    """The answer for every budget listed, published or filled, and every published figure compared."""
    listed = under(budgets, known.only)

    def ask(bounds: Budget) -> Answer:
        return answer(Question(target, part, primitive.id, operation, bounds), known, listed)

    cells = [cell for cell in primitive.published(target) if cell.operation == operation]
    published = [bounds for cell in cells for bounds in published_budgets(cell)]
    plain = (cell.budget for cell in known.cells if not cell.budget.only)
    asked = {bounds.name: bounds for bounds in [*budgets, *published, *plain]}
    compared = [_compare(cell, ask) for cell in cells if cell.status != SATIATED]
    answers = tuple(map(ask, asked.values()))
    return Portfolio(
        *(primitive, target, part, operation, tuple(budgets)),
        answers=answers,
        comparisons=tuple(compared),
        rivalries=contenders.rivalries(known),
        rejects=tuple(known.rejects),
        steps=tuple(merit.unbeaten(((one.cost.rom, one.cost.cycles) for one in known.usable), tuple)),
    )


def document(portfolios: Sequence[Portfolio], title: str) -> Document:
    """The page of some portfolios."""
    tables = [table for portfolio in portfolios for table in _tables(portfolio)]
    sources = {
        comparison.published.source_id: comparison.published
        for portfolio in portfolios
        for comparison in portfolio.comparisons
    }
    cited = [f"{key}: {cell.source}. Counted: {cell.counted}." for key, cell in sources.items()]
    apart = filter(None, dict.fromkeys(portfolio.why_apart for portfolio in portfolios))
    c_alone = (contenders.RULE,) if any(portfolio.rivalries for portfolio in portfolios) else ()
    bad = (
        f"{_where(portfolio)}: {contenders.rejection(contender)}"
        for portfolio in portfolios
        for contender in portfolio.rejects
    )
    return Document(title, tuple(tables), (*RULES, *c_alone, *bad, *apart, *cited))


def flat(portfolios: Sequence[Portfolio]) -> Document:
    """A row for each cell, for spreadsheets: the fields of `ask --json`; others' figures get rows too."""
    columns = (
        "whose target part primitive operation budget rom_bound ram_bound status satiated_by variant rom ram "
        "block static stack banks alignment rom_padding ram_padding cycles waits_apart by_entry "
        "constant_path reentrant registers_as_memory proved kind bound margin space "
        "measured source c_cycles c_id name compiler version flags"
    ).split()
    rows = [_flat_answer(answer, columns) for portfolio in portfolios for answer in portfolio.answers]
    published = [cell for portfolio in portfolios for cell in portfolio.primitive.published(portfolio.target)]
    rows += [_flat_rival(rivalry, columns) for portfolio in portfolios for rivalry in portfolio.rivalries]
    mine = {portfolio.operation for portfolio in portfolios}
    rows += [_flat_published(cell, columns) for cell in published if cell.operation in mine]
    return Document("portfolio", (Table("portfolio", tuple(columns), tuple(dict.fromkeys(rows))),))


def portfolio_form(portfolios: Sequence[Portfolio]) -> dict:
    """The object that `table --json` prints."""
    return {
        "cells": [answer_form(answer) for portfolio in portfolios for answer in portfolio.answers],
        "published": [
            comparison_form(comparison) for portfolio in portfolios for comparison in portfolio.comparisons
        ],
        "contenders": [
            contenders.rivalry_form(rivalry) for portfolio in portfolios for rivalry in portfolio.rivalries
        ],
        "rejected": [
            contenders.rejected_form(contender) for portfolio in portfolios for contender in portfolio.rejects
        ],
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
        "message": cell.message,
        "ours": answer_form(ours),
        "ours_of_message": comparison.of_message,
        "beaten": comparison.beaten,
    }


def symbol(answer: Answer, with_rom: bool = False) -> str:
    """The text of an answer in the grid."""
    if answer.status in SYMBOLS:
        return SYMBOLS[answer.status]
    return _figures(answer, with_rom)


def _figures(answer: Answer, with_rom: bool = False) -> str:
    if answer.measurement is None:
        return SYMBOLS.get(answer.status, UNKNOWN)
    cost = answer.measurement.cost
    size = f" ({words.rom(cost)} B)" if with_rom else ""
    star = "" if answer.certificate and answer.certificate.proved else "*"
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
    if cell.message is not None:
        (theirs,), compared = cell.to_beat.values(), Comparison(cell, ours, None)
        lower = compared.of_message is not None and compared.of_message < theirs
        return replace(compared, beaten=_settled(ours, lower))
    lower = ask(budget(cell.rom, cell.ram, cell.to_beat))
    if lower.measurement is not None:
        return Comparison(cell, lower, True)
    return Comparison(cell, ours, _settled(ours, False))


def _settled(ours: Answer, beaten: bool) -> bool | None:
    """Whether the published figure is beaten; None as long as no variant of ours is known."""
    return None if ours.status == UNEXPLORED else beaten


def _tables(portfolio: Portfolio) -> list[Table]:
    where = _where(portfolio)
    tables = [grid(portfolio)]
    if portfolio.comparisons:
        tables.append(beside_published(portfolio))
    tables.append(_cells(portfolio, where))
    if portfolio.rivalries:
        tables.append(contenders.table(portfolio.rivalries, where))
    return [*tables, _variants(portfolio, where)]


def _where(portfolio: Portfolio) -> str:
    return (
        f"{portfolio.primitive.id} {portfolio.operation} on {words.place(portfolio.target, portfolio.part)}"
    )


def grid(portfolio: Portfolio, symbol: Callable[[Answer, bool], str] = symbol) -> Table:
    """Rows: RAM bounds, ours above theirs; columns: ROM bounds."""
    where = _where(portfolio)
    plain = [answer for answer in portfolio.answers if not answer.question.budget.below]
    by_bounds = {tuple(answer.question.budget.name.split("/")): answer for answer in plain}
    listed = [tuple(bounds.name.split("/")) for bounds in portfolio.listed]
    columns = list(dict.fromkeys(rom for rom, _ in listed))
    published = [
        cell
        for cell in portfolio.primitive.published(portfolio.target)
        if cell.operation == portfolio.operation
    ]
    rows = []
    for ram in dict.fromkeys(ram for rom, ram in listed):
        ours = (
            symbol(by_bounds[rom, ram], rom in _OPEN) if (rom, ram) in by_bounds else "" for rom in columns
        )
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


def beside_published(portfolio: Portfolio) -> Table:
    """Each published figure beside our answer within its bounds."""
    where, apart = _where(portfolio), words.apart_column(portfolio.target)
    columns = (
        "published",
        "within",
        "theirs",
        "ours",
        "ROM",
        "RAM",
        apart,
        "ours/theirs",
        "beaten",
        "variant",
    )
    rows = tuple(_beside_row(comparison) for comparison in portfolio.comparisons)
    spare = ("variant", "RAM", apart, "ROM")
    table = Table(f"{where}: beside the published figures", columns, rows, frozenset(range(2, 8)), spare)
    return table.dropping(apart)


def _beside_row(comparison: Comparison) -> tuple[str, ...]:
    cell, ours, of_message = comparison.published, comparison.answer, comparison.of_message
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
        _figures(ours) if of_message is None else f"{words.cycles(of_message)} ({cell.message} B)",
        words.rom(cost),
        words.ram(cost),
        words.cycles(cost.cycles_apart),
        _ratio(comparison),
        beaten,
        measurement.variant.id,
    )


def _ratio(comparison: Comparison) -> str:
    """Ours over theirs, entry by entry; of the bytes where no cycles are published."""
    cost, theirs = comparison.answer.measurement.cost, comparison.published.to_beat
    if comparison.published.message is not None:
        of_message = comparison.of_message
        return " / ".join(f"{of_message / cycles:.2f}" for cycles in theirs.values() if of_message)
    if theirs:
        return " / ".join(f"{cost.by_entry[entry].cycles / theirs[entry]:.2f}" for entry in cost.ranked)
    if comparison.published.by_entry or comparison.published.status == IMPOSSIBLE:
        return ""
    return f"{cost.rom / comparison.published.rom:.2f}"


def _cells(portfolio: Portfolio, where: str) -> Table:
    apart = words.apart_column(portfolio.target)
    columns = ("budget", "", "cycles", apart, "ROM", "RAM", "marks", "variant", C_ALONE, "proof")
    rows = tuple(_cell_row(answer) for answer in portfolio.answers)
    table = Table(f"{where}: cells", columns, rows, frozenset({2, 3, 4, 8}))
    return table.dropping(apart).dropping(C_ALONE)


def _cell_row(answer: Answer) -> tuple[str, ...]:
    status = {SATIATED: f"- {answer.satiated_by}", FITS: ""}.get(answer.status, symbol(answer))
    c_alone, proof = contenders.beside(answer), words.proof(answer.certificate)
    if answer.measurement is None:
        return (answer.question.budget.name, status, "", "", "", "", "", "", c_alone, proof)
    cost = answer.measurement.cost
    return (
        answer.question.budget.name,
        status,
        words.by_entry(cost),
        words.cycles(cost.cycles_apart),
        words.rom(cost),
        words.ram(cost),
        words.short_marks(answer.measurement),
        answer.measurement.variant.id,
        c_alone,
        proof,
    )


def _variants(portfolio: Portfolio, where: str) -> Table:
    rows = tuple((winner.variant.id, words.recipe(winner.variant)) for winner in portfolio.winners)
    return Table(f"{where}: variants", ("variant", "template and knobs"), rows)


def _flat_answer(answer: Answer, columns: Sequence[str]) -> tuple[str, ...]:
    form = answer_form(answer)
    cost, variant, proof = form["cost"] or {}, form["variant"] or {}, form["certificate"] or {}
    values = {
        **{key: form[key] for key in ("target", "part", "primitive", "operation", "status", "satiated_by")},
        "whose": "ours",
        "budget": form["budget"]["name"],
        "rom_bound": form["budget"]["rom"],
        "ram_bound": form["budget"]["ram"],
        "variant": variant.get("id"),
        **{key: variant.get(key) for key in ("constant_path", "reentrant", "registers_as_memory")},
        **_flat_cost(cost),
        **{key: proof.get(key) for key in ("proved", "kind", "bound", "margin", "space", "measured")},
        "c_cycles": answer.c_alone and answer.c_alone.cost.cycles,
        "c_id": answer.c_alone and answer.c_alone.id,
    }
    return tuple(_plain(values.get(column)) for column in columns)


def _flat_rival(rivalry: Rivalry, columns: Sequence[str]) -> tuple[str, ...]:
    form = contender_form(rivalry.contender)
    values = {**form, **_flat_cost(form["cost"]), "whose": form["origin"], "variant": form["id"]}
    return tuple(_plain(values.get(column)) for column in columns)


def _flat_cost(cost: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a cost's JSON by column; none of an empty one."""
    most = cost.get("padding", {})
    return {
        **cost,
        **cost.get("ram_parts", {}),
        "by_entry": _pairs(cost.get("by_entry", {})),
        **{f"{memory}_padding": most[memory] for memory in most},
    }


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
