"""Best-of lists and the ranking of the XBX study: the best primitives by a criterion, on each target."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from tightfit.primitives import load_primitive
from tightfit.records import Contender, Measurement
from tightfit.reports import words
from tightfit.reports.contenders import C_ALONE, level
from tightfit.reports.criteria import CRITERIA, Criterion, Measured, area, cycles_a_byte, throughput
from tightfit.reports.document import Document, Table
from tightfit.reports.forms import contender_form, cost_form, variant_form

_SPARE = (C_ALONE, "area", "variant")
POINTS = (3, 2, 1)
"""For the first place, the second and the third."""
_BEST_RULES = (
    "For each primitive the variant that is best by the criterion; ties go to fewer cycles, less ROM, then "
    "less RAM.",
    "Area is ROM + 4 x RAM, throughput bytes in 1000 cycles, both as in the XBX study; cycles are those of a "
    "block (a cipher's with a fresh key, a hash's in the middle of a message).",
    "C alone: the same figure for the best that a compiler makes of the primitive's portable C.",
    words.PADDING,
)
_RANKING_RULES = (
    "On each target three points for the best primitive by the criterion, two for the second, one for the "
    "third, then the sum; primitives that are equal share the points of the places that they take. Each kind "
    "is ranked by itself.",
)


@dataclass(frozen=True)
class Best:
    """The best variant of each primitive on one part by a criterion, the best first.

    `c_alone` has, by primitive, the C baseline that is best by the same criterion.
    """

    criterion: Criterion
    target: str
    part: str
    measurements: tuple[Measurement, ...]
    c_alone: Mapping[str, Contender] = field(default_factory=dict, hash=False)

    def by_kind(self) -> dict[str, "Best"]:
        """A list for each kind: a cipher and a hash are no rivals."""
        groups: dict[str, list[Measurement]] = {}
        for measurement in self.measurements:
            groups.setdefault(load_primitive(measurement.variant.primitive).kind, []).append(measurement)
        return {kind: replace(self, measurements=tuple(own)) for kind, own in sorted(groups.items())}


@dataclass(frozen=True)
class Standing:
    """A primitive's points among its kind by target; a target on which it has no variant is missing."""

    primitive: str
    points: Mapping[str, Fraction]

    @property
    def kind(self) -> str:
        """The kind of the primitive; points are those among its kind."""
        return load_primitive(self.primitive).kind

    @property
    def total(self) -> Fraction:
        return sum(self.points.values(), Fraction(0))


def best_of(
    criterion: str,
    target: str,
    part: str,
    usable: Iterable[Measurement],
    baselines: Iterable[Contender] = (),
) -> Best:
    """The list of one part, from the usable variants and the baselines of one operation of each primitive."""
    by = CRITERIA[criterion]
    by_primitive: dict[str, Measurement] = {}
    for measurement in usable:
        best = by_primitive.get(measurement.variant.primitive)
        if best is None or _order(by, measurement) < _order(by, best):
            by_primitive[measurement.variant.primitive] = measurement
    ranked = sorted(
        by_primitive.values(), key=lambda measurement: (by.figure(measurement), measurement.variant.primitive)
    )
    worst_first = sorted(baselines, key=lambda contender: _order(by, contender), reverse=True)
    return Best(
        by, target, part, tuple(ranked), {contender.primitive: contender for contender in worst_first}
    )


def _order(by: Criterion, measured: Measured) -> tuple:
    name = measured.id if isinstance(measured, Contender) else measured.variant.id
    return by.figure(measured), measured.cost.cycles, measured.cost.rom, measured.cost.ram, name


def standings(lists: Sequence[Best]) -> list[Standing]:
    """The points of every primitive on all targets, by kind, most points first, ties by name."""
    names = {measurement.variant.primitive for best in lists for measurement in best.measurements}
    points = {
        best.target: {
            name: worth for one in best.by_kind().values() for name, worth in best_points(one).items()
        }
        for best in lists
    }
    unordered = [
        Standing(name, {target: given[name] for target, given in points.items() if name in given})
        for name in names
    ]
    return sorted(unordered, key=lambda standing: (standing.kind, -standing.total, standing.primitive))


def best_points(best: Best) -> dict[str, Fraction]:
    """The points of each primitive of a list."""
    figures = [best.criterion.figure(measurement) for measurement in best.measurements]
    points = {}
    for measurement, figure in zip(best.measurements, figures, strict=True):
        first = figures.index(figure)
        places = range(first, first + figures.count(figure))
        worth = sum(POINTS[place] for place in places if place < len(POINTS))
        points[measurement.variant.primitive] = Fraction(worth, len(places))
    return points


def best_document(lists: Sequence[Best]) -> Document:
    """A table for each target."""
    columns = (
        "",
        "primitive",
        "operation",
        "bytes/1000 cycles",
        "cycles a byte",
        "ROM",
        "RAM",
        "area",
        "variant",
        C_ALONE,
    )
    tables = [
        Table(
            f"{kind}: best by {best.criterion.title} on {words.place(best.target, best.part)}",
            columns,
            tuple(
                _best_row(best, place, measurement) for place, measurement in enumerate(own.measurements, 1)
            ),
            frozenset({0, 3, 4, 5, 6, 7, 9}),
            _SPARE,
        ).dropping(C_ALONE)
        for best in lists
        for kind, own in best.by_kind().items()
    ]
    return Document(f"best of each primitive by {lists[0].criterion.title}", tuple(tables), _BEST_RULES)


def _best_row(best: Best, place: int, measurement: Measurement) -> tuple[str, ...]:
    return (
        str(place),
        measurement.variant.primitive,
        measurement.variant.operation,
        f"{throughput(measurement):#.3g}",
        f"{cycles_a_byte(measurement):,.1f}",
        f"{measurement.cost.rom:,}{words.padding(measurement.cost.padding.rom)}",
        str(measurement.cost.ram),
        f"{area(measurement):,}",
        measurement.variant.id,
        _c_alone(best, measurement),
    )


def _c_alone(best: Best, measurement: Measurement) -> str:
    """The figure that the best baseline of a primitive reaches, and its level."""
    rival = best.c_alone.get(measurement.variant.primitive)
    if rival is None:
        return ""
    return f"{words.cycles(best.criterion.figure(rival))} {level(rival)}"


def ranking_document(lists: Sequence[Best]) -> Document:
    """Points by target and their sum, a table for each kind."""
    targets, by = [best.target for best in lists], lists[0].criterion
    tables = tuple(
        Table(
            f"{kind}: points by {by.title} ({by.unit})",
            ("primitive", *targets, "sum"),
            tuple(_points_row(standing, targets) for standing in own),
            frozenset(range(1, len(targets) + 2)),
        )
        for kind, own in groupby(standings(lists), attrgetter("kind"))
    )
    return Document(f"ranking by {by.title}", tables, _RANKING_RULES)


def _points_row(standing: Standing, targets: Sequence[str]) -> tuple[str, ...]:
    by_target = (points_text(standing.points.get(target)) for target in targets)
    return (standing.primitive, *by_target, points_text(standing.total))


def points_text(points: Fraction | None) -> str:
    """Points as words, a share of a place with two decimals; nothing where there is no variant."""
    if points is None:
        return ""
    return words.cycles(int(points)) if points.denominator == 1 else f"{float(points):.2f}"


def best_form(lists: Sequence[Best]) -> dict[str, Any]:
    """The object that `table --best-of --json` prints."""
    return {
        "criterion": lists[0].criterion.name,
        "unit": lists[0].criterion.unit,
        "lists": [
            {
                "target": best.target,
                "part": best.part,
                "best": [
                    {
                        "primitive": measurement.variant.primitive,
                        "operation": measurement.variant.operation,
                        "figure": best.criterion.figure(measurement),
                        "throughput": throughput(measurement),
                        "area": area(measurement),
                        "variant": variant_form(measurement),
                        "cost": cost_form(measurement.cost),
                        "c_alone": _c_alone_form(best, measurement),
                    }
                    for measurement in best.measurements
                ],
            }
            for best in lists
        ],
    }


def _c_alone_form(best: Best, measurement: Measurement) -> dict[str, Any] | None:
    rival = best.c_alone.get(measurement.variant.primitive)
    return rival and {**contender_form(rival), "figure": best.criterion.figure(rival)}


def ranking_form(lists: Sequence[Best]) -> dict[str, Any]:
    """The object that `table --ranking --json` prints."""
    return {
        "criterion": lists[0].criterion.name,
        "standings": [
            {
                "primitive": standing.primitive,
                "kind": standing.kind,
                "points": {target: float(points) for target, points in standing.points.items()},
                "sum": float(standing.total),
            }
            for standing in standings(lists)
        ],
    }
