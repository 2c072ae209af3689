"""Stream ciphers by the measures of eSTREAM's testing framework: long streams, packets, their mix, set-up."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightfit.curve import curve
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.document import Document, Table
from tightfit.reports.portfolio import Portfolio

NAME, KIND = "estream", "stream-cipher"
MIX = {40: 7, 576: 4, 1500: 1}
"""Packets of the mix, by their bytes: so many of each."""
RULES = (
    "Cycles a byte: of a long stream, of packets of 40, 576 and 1,500 bytes, each with a fresh key and "
    "initial value, and of their mix, 7 to 4 to 1 in number (the Imix of eSTREAM's testing framework). "
    "Set-up is that of key and initial value together, in cycles.",
    "Key agility, many contexts taking turns of 256 bytes, is the figure of the long stream: these cores "
    "have no cache, and a context is its parameter block.",
)


@dataclass(frozen=True)
class Measures:
    """A variant's measures: cycles of a set-up; cycles a byte by packet, of the mix, of a long stream."""

    setup: Fraction
    packets: dict[int, Fraction]
    mix: Fraction
    stream: Fraction


def measures(measurement: Measurement) -> Measures:
    """The measures of a stream cipher's variant, from its message-length curve."""
    points = curve(measurement)
    cycles = dict(zip(points.lengths, map(Fraction, points.cycles), strict=True))
    total = sum(cycles[size] * count for size, count in MIX.items())
    return Measures(
        setup=cycles[0],
        packets={size: cycles[size] / size for size in MIX},
        mix=total / sum(size * count for size, count in MIX.items()),
        stream=Fraction(points.slope),
    )


def document(portfolios: Sequence[Portfolio], title: str) -> Document:
    """A table for each place: the winners of the listed budgets, the least of the mix first."""
    heads = (
        "primitive",
        "operation",
        "budgets",
        "variant",
        "ROM",
        "RAM",
        "long",
        *(f"{size} B" for size in MIX),
        "mix",
    )
    tables = []
    for place, rows in _by_place(portfolios).items():
        lines = tuple(
            (
                row.variant.primitive,
                row.variant.operation,
                ", ".join(budgets),
                row.variant.id,
                f"{row.cost.rom:,}",
                str(row.cost.ram),
                *(f"{float(rate):,.1f}" for rate in (found.stream, *found.packets.values(), found.mix)),
                words.cycles(_number(found.setup)),
            )
            for row, budgets, found in rows
        )
        right = frozenset(range(4, len(heads) + 1))
        tables.append(Table(f"stream ciphers on {place}", (*heads, "set-up"), lines, right, ("budgets",)))
    return Document(title, tuple(tables), RULES)


def form(portfolios: Sequence[Portfolio]) -> dict[str, Any]:
    """The object that `table --measures estream --json` prints."""
    return {
        "measures": NAME,
        "mix": {str(size): count for size, count in MIX.items()},
        "rows": [
            {
                "target": row.variant.target,
                "part": row.variant.part,
                "primitive": row.variant.primitive,
                "operation": row.variant.operation,
                "variant": row.variant.id,
                "budgets": budgets,
                "rom": row.cost.rom,
                "ram": row.cost.ram,
                "setup": float(found.setup),
                "packets": {str(size): float(rate) for size, rate in found.packets.items()},
                "mix": float(found.mix),
                "stream": float(found.stream),
            }
            for rows in _by_place(portfolios).values()
            for row, budgets, found in rows
        ],
    }


def _by_place(portfolios: Sequence[Portfolio]) -> dict[str, list[tuple[Measurement, list[str], Measures]]]:
    """The winners of the listed budgets on each target and part, with their budgets and measures."""
    places: dict[str, list[tuple[Measurement, list[str], Measures]]] = {}
    for portfolio in portfolios:
        if portfolio.primitive.form != KIND:
            continue
        listed = {budget.name for budget in portfolio.listed}
        budgets: dict[str, list[str]] = {}
        winners: dict[str, Measurement] = {}
        for answer in portfolio.answers:
            if answer.measurement is not None and answer.question.budget.name in listed:
                winners[answer.measurement.variant.id] = answer.measurement
                budgets.setdefault(answer.measurement.variant.id, []).append(answer.question.budget.name)
        rows = places.setdefault(words.place(portfolio.target, portfolio.part), [])
        rows += [(winner, budgets[name], measures(winner)) for name, winner in winners.items()]
    return {
        place: sorted(rows, key=lambda row: (row[2].mix, row[0].variant.id)) for place, rows in places.items()
    }


def _number(figure: Fraction) -> int | float:
    return figure.numerator if figure.denominator == 1 else float(figure)
