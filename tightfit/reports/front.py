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
    """The variants that no other equals or beats in ROM, RAM and cycles, by ROM; of equals the least id."""
    by_id = sorted(measurements, key=lambda one: one.variant.id)
    return [by_id[index] for index in on_front([_figures(one) for one in by_id])]


def on_front(figures: Sequence[tuple[int, int, float]]) -> list[int]:
    """Indices of those that no other equals or beats in (ROM, RAM, cycles), by the figures.

    Of equals the first one stays. One pass: fit for many thousands.
    """
    stairs: list[tuple[int, float]] = []  # (RAM, cycles) of those so far, RAM rising, cycles falling
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
    ranked = sorted(measurements, key=lambda one: one.cost.cycles)
    found = []
    for template in dict.fromkeys(one.variant.template for one in points):
        own = [one for one in points if one.variant.template == template]
        for knob in own[0].variant.knobs:
            counts = Counter(one.variant.knobs.get(knob) for one in own)
            if len(counts) > 1:
                found += [
                    Influence(template, knob, value, count, _slowdown(template, knob, value, points, ranked))
                    for value, count in counts.most_common()
                ]
    return found


def document(points: Sequence[Measurement], shaped: Sequence[Influence], title: str) -> Document:
    """The page of a front."""
    rows = tuple(
        (
            one.variant.id,
            str(one.cost.rom),
            words.ram(one.cost),
            words.by_entry(one.cost),
            words.cycles(one.cost.hazard),
            words.short_marks(one),
            words.recipe(one.variant),
        )
        for one in points
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
    return Document(title, tables, ("Marks: C constant path (tested), R re-entrant, K destroys the key.",))


def front_form(points: Sequence[Measurement], shaped: Sequence[Influence]) -> dict:
    """Front and knobs as plain JSON."""
    return {
        "front": [{"variant": variant_form(one), "cost": cost_form(one.cost)} for one in points],
        "knobs": [
            {
                "template": one.template,
                "knob": one.knob,
                "value": one.value,
                "points": one.points,
                "slowdown": one.slowdown,
            }
            for one in shaped
        ],
    }


def _figures(one: Measurement) -> tuple[int, int, float]:
    return one.cost.rom, one.cost.ram, one.cost.cycles


def _slowdown(
    template: str, knob: str, value: str | int, points: Sequence[Measurement], ranked: Sequence[Measurement]
) -> float | None:
    """`ranked` are the known variants by cycles."""

    def has(one: Measurement) -> bool:
        return one.variant.template == template and one.variant.knobs.get(knob) == value

    worst = 1.0
    for point in filter(has, points):
        rom, ram, cycles = _figures(point)
        slower = islice(ranked, bisect_left(ranked, cycles, key=lambda one: one.cost.cycles), None)
        fitting = (one for one in slower if one.cost.rom <= rom and one.cost.ram <= ram and not has(one))
        instead = next(fitting, None)
        if instead is None:
            return None
        worst = max(worst, instead.cost.cycles / cycles)
    return worst


def _factor(slowdown: float | None) -> str:
    return "nothing else fits" if slowdown is None else f"{slowdown:.2f} x"
