"""The portfolio at a glance: a line for each operation, one figure for each ROM bound."""

from collections.abc import Sequence
from itertools import groupby

from tightfit.budgets import format_size
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import SATIATED, Answer
from tightfit.reports.document import Document, Table
from tightfit.reports.portfolio import SYMBOLS, UNKNOWN, Portfolio, beside_published, grid, within_most_ram

MORE = "--all: every operation, and of a single primitive the grids of ROM and RAM; --wide: all there is."
NARROWER = "--primitive: all operations of one, beside the published figures."
SYMBOL_RULE = (
    "-: a smaller budget reaches the same; x: proved that none fits; ?: not known; *: the best known, not "
    "proved; ~: the mean of cycles that vary."
)
CYCLES_RULE = (
    "Cycles a block with a fresh key (encrypt-next, decrypt-next: a following block, keys ready; "
    "encrypt+decrypt: the sum; hash: a middle block)."
)


def document(portfolios: Sequence[Portfolio], title: str, everything: bool = False) -> Document:
    """The figures at a glance; of a single primitive the published ones too, with `everything` its grids."""
    ordered = sorted(portfolios, key=_group)
    tables = [_table(group, list(own)) for group, own in groupby(ordered, _group)]
    single = len({portfolio.primitive.id for portfolio in portfolios}) == 1
    for portfolio in portfolios if single else ():
        if everything:
            tables.append(grid(portfolio, _brief))
        if portfolio.comparisons:
            tables.append(beside_published(portfolio))
    padding = (words.PADDING,) if single else ()
    more = [*([] if single else [NARROWER]), *([] if everything else [MORE])]
    return Document(title, tuple(tables), (CYCLES_RULE, SYMBOL_RULE, *padding, *more))


def _group(portfolio: Portfolio) -> tuple[str, int, str]:
    return (
        portfolio.primitive.kind,
        list(portfolio.primitive.operations).index(portfolio.operation),
        portfolio.operation,
    )


def _table(group: tuple[str, int, str], portfolios: Sequence[Portfolio]) -> Table:
    kind, _, operation = group
    budgets = within_most_ram(portfolios[0].listed)
    heads = [_head(budget) for budget in budgets]
    targets = [portfolio.target for portfolio in portfolios]
    rows = []
    for portfolio, before in zip(portfolios, [None, *targets], strict=False):
        answers = {answer.question.budget.name: answer for answer in portfolio.answers}
        figures = [_figure(answers.get(budget.name)) for budget in budgets]
        rows.append(
            ("" if portfolio.target == before else portfolio.target, portfolio.primitive.id, *figures)
        )
    caption = kind if kind == operation else f"{kind}, {operation}"
    ram = budgets[0].ram if budgets else None
    within = f" within {format_size(ram)} of RAM" if ram else ""
    columns = ("target", "primitive", *heads)
    return Table(f"{caption}{within}", columns, tuple(rows), frozenset(range(2, len(columns))))


def _head(budget: Budget) -> str:
    if budget.objective == "rom":
        return "least ROM"
    return "any ROM" if budget.rom is None else f"{format_size(budget.rom)} ROM"


def _brief(answer: Answer, with_rom: bool) -> str:
    """A cell of the grid: `-` where a smaller budget reaches the same."""
    if answer.status == SATIATED:
        return SYMBOLS[SATIATED]
    rom = f" ({answer.measurement.cost.rom:,} B)" if with_rom and answer.measurement else ""
    return f"{_cycles(answer)}{rom}"


def _figure(answer: Answer | None) -> str:
    if answer is None or answer.measurement is None:
        return UNKNOWN if answer is None else _cycles(answer)
    if answer.question.budget.objective == "rom":
        return f"{answer.measurement.cost.rom:,} B{'' if words.is_proved(answer) else '*'}"
    return _cycles(answer)


def _cycles(answer: Answer) -> str:
    return words.figure(answer) if answer.measurement else SYMBOLS.get(answer.status, UNKNOWN)
