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
RULES = (
    "Cycles of whole messages of so many bytes, fed block by block, calls and returns inside; last column: "
    "the slope for long messages.",
    "Block ciphers: encryption in ECB, the first block with a fresh key, each other as a following block "
    "where the variant keeps round keys.",
)


def table(
    caption: str, rows: Sequence[tuple[tuple[str, ...], Curve]], heads: tuple[str, ...], words_first: int
) -> Table:
    """Rows of figures under the lengths, each with what stands before them: some words, then figures."""
    columns = (*heads, *(f"{length} B" for length in LENGTHS), SLOPE)
    lines = tuple((*before, *map(words.cycles, (*one.cycles, one.slope))) for before, one in rows)
    return Table(caption, columns, lines, frozenset(range(words_first, len(columns))))


def document(portfolios: Sequence[Portfolio], title: str) -> Document:
    """The page of some portfolios: a row for each winner of the listed budgets, and for each contender."""
    heads = ("budgets", "variant", "ROM", "RAM")
    tables = []
    for one in portfolios:
        where = f"{one.primitive.id} {one.operation} on {words.place(one.target, one.part)}"
        rows = [
            ((", ".join(budgets), m.variant.id, f"{m.cost.rom:,}", str(m.cost.ram)), found)
            for m, budgets, found in _curves(one)
        ]
        rows += [
            ((contenders.title(rival), rival.id, f"{rival.cost.rom:,}", str(rival.cost.ram)), rival.curve)
            for rival in _rivals(one)
        ]
        if rows:
            tables.append(table(f"{where}: cycles by message length", rows, heads, 2))
    return Document(title, tuple(tables), RULES)


def form(portfolios: Sequence[Portfolio]) -> dict[str, Any]:
    """The object that `table --curve --json` prints."""
    return {
        "curves": [
            {
                "primitive": one.primitive.id,
                "operation": one.operation,
                "target": one.target,
                "part": one.part,
                "variant": m.variant.id,
                "rom": m.cost.rom,
                "ram": m.cost.ram,
                "budgets": budgets,
                "curve": curve_form(found),
            }
            for one in portfolios
            for m, budgets, found in _curves(one)
        ],
        "contenders": [
            {**contender_form(rival), "curve": curve_form(rival.curve)}
            for one in portfolios
            for rival in _rivals(one)
        ],
    }


def curve_form(found: Curve) -> dict[str, Any]:
    """Lengths in bytes, cycles at each, and cycles a byte for long messages."""
    return {"lengths": list(found.lengths), "cycles": list(found.cycles), "slope": found.slope}


def _rivals(one: Portfolio) -> list[Contender]:
    """The contenders that have a curve, fastest first."""
    found = [each.contender for each in one.rivalries if each.contender.curve]
    return sorted(found, key=lambda rival: (rival.curve.slope, rival.cost.rom))


def _curves(one: Portfolio) -> list[tuple[Measurement, list[str], Curve]]:
    """The winners of the listed budgets, fastest first, with their budgets and curves."""
    listed = {budget.name for budget in one.listed}
    budgets: dict[str, list[str]] = {}
    winners: dict[str, Measurement] = {}
    for answer in one.answers:
        if answer.measurement is not None and answer.question.budget.name in listed:
            winners[answer.measurement.variant.id] = answer.measurement
            budgets.setdefault(answer.measurement.variant.id, []).append(answer.question.budget.name)
    found = [(m, budgets[name], curve(m)) for name, m in winners.items()]
    return sorted((each for each in found if each[2]), key=lambda each: (each[2].slope, each[0].cost.rom))
