"""Message-length curves as tables and as JSON: what whole messages take with the winners of the budgets."""

from collections.abc import Sequence
from typing import Any

from tightfit.curve import LENGTHS, curve
from tightfit.records import Contender, Curve, Measurement
from tightfit.reports import contenders, words
from tightfit.reports.document import Document, Table
from tightfit.reports.forms import contender_form
from tightfit.reports.portfolio import Portfolio

SLOPE = "a byte"
_SPARE = ("budgets", *(f"{length} B" for length in (8, 40, 1536, 576, 0, 512, 1, 2048, 16)))
RULES = (
    "Cycles for whole messages of that many bytes, fed block by block, calls and returns included; last "
    "column: the slope for long messages.",
    "Block ciphers: encryption in ECB, the first block with a fresh key, the others as following blocks "
    "where the variant keeps round keys; decryption of what only decrypts.",
)


def table(
    caption: str, rows: Sequence[tuple[tuple[str, ...], Curve]], heads: tuple[str, ...], words_first: int
) -> Table:
    """A row for each curve: the cells that come with it, `words_first` of them words, then its cycles."""
    columns = (*heads, *(f"{length} B" for length in LENGTHS), SLOPE)
    lines = tuple(
        (*cells, *map(words.cycles, (*its_curve.cycles, its_curve.slope))) for cells, its_curve in rows
    )
    return Table(caption, columns, lines, frozenset(range(words_first, len(columns))), _SPARE)


def document(portfolios: Sequence[Portfolio], title: str) -> Document:
    """The page of some portfolios: a row for each winner of the listed budgets, and for each contender."""
    heads = ("budgets", "variant", "ROM", "RAM")
    tables = []
    for portfolio in portfolios:
        place = words.place(portfolio.target, portfolio.part)
        where = f"{portfolio.primitive.id} {portfolio.operation} on {place}"
        rows = [
            (
                (", ".join(budgets), winner.variant.id, f"{winner.cost.rom:,}", str(winner.cost.ram)),
                message_curve,
            )
            for winner, budgets, message_curve in _curves(portfolio)
        ]
        rows += [
            ((contenders.title(rival), rival.id, f"{rival.cost.rom:,}", str(rival.cost.ram)), rival.curve)
            for rival in _rivals(portfolio)
        ]
        if rows:
            tables.append(table(f"{where}: cycles by message length", rows, heads, 2))
    return Document(title, tuple(tables), RULES)


def form(portfolios: Sequence[Portfolio]) -> dict[str, Any]:
    """The object that `table --curve --json` prints."""
    return {
        "curves": [
            {
                "primitive": portfolio.primitive.id,
                "operation": portfolio.operation,
                "target": portfolio.target,
                "part": portfolio.part,
                "variant": winner.variant.id,
                "rom": winner.cost.rom,
                "ram": winner.cost.ram,
                "budgets": budgets,
                "curve": curve_form(message_curve),
            }
            for portfolio in portfolios
            for winner, budgets, message_curve in _curves(portfolio)
        ],
        "contenders": [
            {**contender_form(rival), "curve": curve_form(rival.curve)}
            for portfolio in portfolios
            for rival in _rivals(portfolio)
        ],
    }


def curve_form(message_curve: Curve) -> dict[str, Any]:
    """Lengths in bytes, cycles at each, and cycles a byte for long messages."""
    return {
        "lengths": list(message_curve.lengths),
        "cycles": list(message_curve.cycles),
        "slope": message_curve.slope,
    }


def _rivals(portfolio: Portfolio) -> list[Contender]:
    """The contenders that have a curve, fastest first."""
    rivals = [rivalry.contender for rivalry in portfolio.rivalries if rivalry.contender.curve]
    return sorted(rivals, key=lambda rival: (rival.curve.slope, rival.cost.rom))


def _curves(portfolio: Portfolio) -> list[tuple[Measurement, list[str], Curve]]:
    """The winners of the listed budgets, fastest first, with their budgets and curves."""
    listed = {budget.name for budget in portfolio.listed}
    budgets: dict[str, list[str]] = {}
    winners: dict[str, Measurement] = {}
    for answer in portfolio.answers:
        if answer.measurement is not None and answer.question.budget.name in listed:
            winners[answer.measurement.variant.id] = answer.measurement
            budgets.setdefault(answer.measurement.variant.id, []).append(answer.question.budget.name)
    rows = [(winner, budgets[name], curve(winner)) for name, winner in winners.items()]
    return sorted((row for row in rows if row[2]), key=lambda row: (row[2].slope, row[0].cost.rom))
