"""The Pareto front over ROM, RAM and cycles, and the knobs that shape it."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.document import Document, Table
from tightfit.reports.forms import cost_form, variant_form


@dataclass(frozen=True)
class Influence:
    """What one value of a knob is worth to the front.

    `points` is how many variants of the front have it, `slowdown` the largest factor by which a point of the
    front gets slower, within its own ROM and RAM, when the value is taken away (None: nothing else fits).
    """

    template: str
    knob: str
    value: str | int
    points: int
    slowdown: float | None


def front(measurements: Sequence[Measurement]) -> list[Measurement]:
    """The variants that no other equals or beats in ROM, RAM and cycles, by ROM; ties keep the least id."""
    by_id = sorted(measurements, key=lambda measurement: measurement.variant.id)
    return [by_id[index] for index in on_front([_figures(measurement) for measurement in by_id])]


def on_front(figures: Sequence[tuple[int, int, float]]) -> list[int]:
    """Indices of the variants that no other equals or beats in (ROM, RAM, cycles), sorted by these figures.

    Of equal variants the first stays. A single pass, quick for many thousands.
    """
    stairs: list[tuple[int, float]] = []  # (RAM, cycles) so far, RAM rising, cycles falling
    kept = []
    for index in sorted(range(len(figures)), key=figures.__getitem__):
        _, ram, cycles = figures[index]
        at = bisect_right(stairs, (ram, float("inf")))
        if at and stairs[at - 1][1] <= cycles:
            continue
        kept.append(index)
        begin = bisect_left(stairs, (ram, -1.0))
        end = begin
        while end < len(stairs) and stairs[end][1] >= cycles:
            end += 1
        stairs[begin:end] = [(ram, cycles)]
    return kept


def influences(points: Sequence[Measurement], measurements: Sequence[Measurement]) -> list[Influence]:
    """The knobs that take more than one value on the front, by template, with what each value is worth."""
    ranked = sorted(measurements, key=lambda measurement: measurement.cost.cycles)
    shaping = []
    for template in dict.fromkeys(point.variant.template for point in points):
        own = [point for point in points if point.variant.template == template]
        for knob in own[0].variant.knobs:
            counts = Counter(point.variant.knobs.get(knob) for point in own)
            if len(counts) > 1:
                shaping += [
                    Influence(template, knob, value, count, _slowdown(template, knob, value, points, ranked))
                    for value, count in counts.most_common()
                ]
    return shaping


def document(points: Sequence[Measurement], shaped: Sequence[Influence], title: str) -> Document:
    """The page of a front."""
    rows = tuple(
        (
            point.variant.id,
            words.rom(point.cost),
            words.ram(point.cost),
            words.by_entry(point.cost),
            words.cycles(point.cost.hazard),
            words.short_marks(point),
            words.recipe(point.variant),
        )
        for point in points
    )
    columns = ("variant", "ROM", "RAM", "cycles", words.HAZARD, "marks", "template and knobs")
    front = Table(
        "front: nothing known is as good in ROM, RAM and cycles", columns, rows, frozenset({1, 3, 4})
    )
    tables = (
        front.dropping(words.HAZARD),
        Table(
            "knobs that shape it",
            ("template", "knob", "value", "variants on the front", "slower without it"),
            tuple((i.template, i.knob, str(i.value), str(i.points), _factor(i.slowdown)) for i in shaped),
            frozenset({3, 4}),
        ),
    )
    return Document(title, tables, (words.PADDING, words.MARKS))


def front_form(points: Sequence[Measurement], shaped: Sequence[Influence]) -> dict:
    """Front and knobs as plain JSON."""
    return {
        "front": [{"variant": variant_form(point), "cost": cost_form(point.cost)} for point in points],
        "knobs": [
            {
                "template": influence.template,
                "knob": influence.knob,
                "value": influence.value,
                "points": influence.points,
                "slowdown": influence.slowdown,
            }
            for influence in shaped
        ],
    }


def _figures(measurement: Measurement) -> tuple[int, int, float]:
    return measurement.cost.rom, measurement.cost.ram, measurement.cost.cycles


def _slowdown(
    template: str, knob: str, value: str | int, points: Sequence[Measurement], ranked: Sequence[Measurement]
) -> float | None:
    """`ranked` are the known variants by cycles."""

    def has(measurement: Measurement) -> bool:
        return measurement.variant.template == template and measurement.variant.knobs.get(knob) == value

    worst = 1.0
    for point in filter(has, points):
        rom, ram, cycles = _figures(point)
        slower = islice(
            ranked, bisect_left(ranked, cycles, key=lambda measurement: measurement.cost.cycles), None
        )
        fitting = (
            measurement
            for measurement in slower
            if measurement.cost.rom <= rom and measurement.cost.ram <= ram and not has(measurement)
        )
        instead = next(fitting, None)
        if instead is None:
            return None
        worst = max(worst, instead.cost.cycles / cycles)
    return worst


def _factor(slowdown: float | None) -> str:
    return "nothing else fits" if slowdown is None else f"{slowdown:.2f} x"
