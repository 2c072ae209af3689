"""The Pareto front over ROM, RAM and cycles, and the knobs that shape it."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tightfit.jsonform import to_json
from tightfit.records import Front, Measurement, Stretch
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


def document(
    points: Sequence[Measurement], shaped: Sequence[Influence], title: str, proved: Front | None = None
) -> Document:
    """The page of a front, and what was proved of it; None where nothing was."""
    rows = tuple(
        (
            point.variant.id,
            words.rom(point.cost),
            words.ram(point.cost),
            words.by_entry(point.cost),
            words.cycles(point.cost.cycles_apart),
            words.short_marks(point),
            words.recipe(point.variant),
        )
        for point in points
    )
    apart = words.apart_column(points[0].variant.target) if points else ""
    columns = ("variant", "ROM", "RAM", "cycles", apart, "marks", "template and knobs")
    caption = "front: nothing known is as good in ROM, RAM and cycles"
    broken = ("RAM", "cycles", "template and knobs")
    front = Table(caption, columns, rows, frozenset({1, 3, 4}), (apart, "marks"), broken)
    tables = (
        front.dropping(apart),
        Table(
            "knobs that shape it",
            ("template", "knob", "value", "variants on the front", "slower without it"),
            tuple((i.template, i.knob, str(i.value), str(i.points), _factor(i.slowdown)) for i in shaped),
            frozenset({3, 4}),
        ),
    )
    return Document(title, tables, (*_proof(proved), words.PADDING, words.MARKS))


def _proof(front: Front | None) -> list[str]:
    if front is None:
        return ["No search has traced this front: others may be as good."]
    if not front.open:
        return [f"This is the front of the whole space, {words.proof(front.certificate)}."]
    return [
        f"The front of the space, {words.proof(front.certificate)}. A limit left open whether budgets have "
        f"better answers with {', '.join(map(_stretch, front.open))}."
    ]


def _stretch(stretch: Stretch) -> str:
    """Such as `1,025 to 1,208 B of ROM and up to 512 B of RAM (no less than 14,449 cycles)`."""
    most = "or more" if stretch.most_rom is None else f"to {stretch.most_rom:,}"
    ram = "any RAM" if stretch.most_ram is None else f"up to {stretch.most_ram:,} B of RAM"
    bound = "" if stretch.bound is None else f" (no less than {words.cycles(stretch.bound)} cycles)"
    return f"{stretch.least_rom:,} {most} B of ROM and {ram}{bound}"


def front_form(
    points: Sequence[Measurement], shaped: Sequence[Influence], proved: Front | None = None
) -> dict:
    """Front, knobs and what was proved as plain JSON."""
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
        "certificate": proved and to_json(proved.certificate),
        "open": [to_json(stretch) for stretch in proved.open] if proved else [],
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
