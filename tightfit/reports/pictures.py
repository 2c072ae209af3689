"""Pictures for pages without scripts: SVG as text, its colours and strokes in the pages' style sheet."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2

from markupsafe import Markup, escape

_WIDE, _HIGH, _LEFT, _BELOW, _EDGE = 720, 380, 74, 44, 30
_BAR, _NAME, _FIGURE = 22, 130, 90
_LABEL, _TEXT, _HUES = 140, 13, 8
_MARKS = {
    "circle": '<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>',
    "diamond": '<path d="M{x:.1f} {y:.1f}m0 -6l6 6l-6 6l-6 -6z"/>',
    "triangle": '<path d="M{x:.1f} {y:.1f}m0 -6l6 10h-12z"/>',
    "cross": '<path d="M{x:.1f} {y:.1f}m-5 -5l10 10m0 -10l-10 10"/>',
}


@dataclass(frozen=True)
class Dots:
    """Points of one kind: what they are called, their mark, and (x, y, what is said of each)."""

    name: str
    mark: str
    points: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True)
class Line:
    """What a line is called, and its (x, y) from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class _Axis:
    """Powers of two from `low` to `high`, spread over a stretch of the picture."""

    low: int
    high: int
    begin: float
    end: float

    @classmethod
    def over(cls, figures: Iterable[float], begin: float, end: float) -> "_Axis":
        known = [log2(figure) for figure in figures]
        low, high = floor(min(known)), ceil(max(known))
        return cls(low, max(high, low + 1), begin, end)

    def at(self, figure: float) -> float:
        return self.begin + (self.end - self.begin) * (log2(figure) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[int]:
        """At most ten powers of two."""
        step = ceil((self.high - self.low + 1) / 10)
        return [2**power for power in range(self.low, self.high + 1, step)]


def scatter(
    title: str, across: str, up: str, dots: Sequence[Dots], steps: Sequence[tuple[float, float]]
) -> Markup:
    """Points on logarithmic axes, and a line of steps; "" where there is no point."""
    known = [point for kind in dots for point in kind.points]
    if not known:
        return Markup()
    xs = _Axis.over([x for x, _, _ in known], _LEFT, _WIDE - _EDGE)
    ys = _Axis.over([y for _, y, _ in known], _HIGH - _BELOW, _EDGE)
    parts = [
        *_axes(across, up, xs, ys),
        _stairs(steps, xs, ys),
        *(_dots(kind, xs.at, ys.at) for kind in dots if kind.points),
    ]
    return _svg(title, _WIDE, _HIGH, parts, [(kind.name, kind.mark) for kind in dots if kind.points])


def lines(title: str, across: str, up: str, drawn: Sequence[Line]) -> Markup:
    """Lines on logarithmic axes, each named at its right end; "" where there is none."""
    known = [point for line in drawn for point in line.points]
    if not known:
        return Markup()
    xs = _Axis.over([x for x, _ in known], _LEFT, _WIDE - _LABEL)
    ys = _Axis.over([y for _, y in known], _HIGH - _BELOW, _EDGE)
    own = [line for line in drawn if line.points]
    ends = _apart({line.name: ys.at(line.points[-1][1]) for line in own})
    parts = [
        *_axes(across, up, xs, ys),
        *(_line(line, at % _HUES, ends, xs, ys) for at, line in enumerate(own)),
    ]
    return _svg(title, _WIDE, _HIGH, parts)


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Heights of labels in the order of what they stand for, no two closer than a line of text."""
    apart: dict[str, float] = {}
    lowest = _HIGH - _BELOW + _TEXT
    for name in sorted(heights, key=heights.get, reverse=True):
        lowest = apart[name] = min(heights[name], lowest - _TEXT)
    return apart


def _line(line: Line, hue: int, ends: Mapping[str, float], xs: _Axis, ys: _Axis) -> str:
    at = [f"{xs.at(x):.1f} {ys.at(y):.1f}" for x, y in line.points]
    said = f"{line.name}: {', '.join(f'{x:,} B {y:,.1f}' for x, y in line.points)}"
    right, height, label = xs.at(line.points[-1][0]), ys.at(line.points[-1][1]), ends[line.name]
    return (
        f'<g class="line hue{hue}"><title>{escape(said)}</title><path d="M{"L".join(at)}"/>'
        f'<path class="lead" d="M{right:.1f} {height:.1f}L{right + 8:.1f} {label:.1f}"/>'
        f'<text x="{right + 11:.1f}" y="{label + 4:.1f}">{escape(line.name)}</text></g>'
    )


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> Markup:
    """A bar for each (name, figure, the figure as text); "" where there is none."""
    if not rows:
        return Markup()
    most = max(figure for _, figure, _ in rows)
    room = _WIDE - _NAME - _FIGURE
    parts = []
    for at, (name, figure, text) in enumerate(rows):
        y, length = at * _BAR + 4, max(1.0, room * figure / most)
        parts.append(
            f'<text x="{_NAME - 8}" y="{y + 12}" class="end">{escape(name)}</text>'
            f'<rect class="bar" x="{_NAME}" y="{y}" width="{length:.1f}" height="{_BAR - 7}"/>'
            f'<text x="{_NAME + length + 6:.1f}" y="{y + 12}">{escape(text)}</text>'
        )
    return _svg(title, _WIDE, len(rows) * _BAR + 6, parts)


def _svg(
    title: str, wide: int, high: int, parts: Iterable[str], key: Sequence[tuple[str, str]] = ()
) -> Markup:
    described = f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="{escape(title)}">'
    signs = "".join(
        f'<span><svg viewBox="-8 -8 16 16" class="sign" aria-hidden="true"><g class="{mark}">'
        f"{_MARKS[mark].format(x=0, y=0)}</g></svg> {escape(name)}</span>"
        for name, mark in key
    )
    caption = f"<figcaption><b>{escape(title)}</b> {signs}</figcaption>"
    return Markup(f"<figure>{caption}{described}{''.join(parts)}</svg></figure>")


def _axes(across: str, up: str, xs: _Axis, ys: _Axis) -> list[str]:
    return [
        *(_tick_x(x, xs, ys) for x in xs.ticks),
        *(_tick_y(y, xs, ys) for y in ys.ticks),
        f'<text x="{(xs.begin + xs.end) / 2:.0f}" y="{_HIGH - 6}" class="mid">{escape(across)}</text>',
        f'<text transform="translate(12 {(ys.begin + ys.end) / 2:.0f}) rotate(-90)" class="mid">'
        f"{escape(up)}</text>",
    ]


def _dots(kind: Dots, across: Callable[[float], float], up: Callable[[float], float]) -> str:
    marks = "".join(
        f"<g><title>{escape(said)}</title>{_MARKS[kind.mark].format(x=across(x), y=up(y))}</g>"
        for x, y, said in kind.points
    )
    return f'<g class="{kind.mark}">{marks}</g>'


def _stairs(steps: Sequence[tuple[float, float]], xs: _Axis, ys: _Axis) -> str:
    if not steps:
        return ""
    (first_x, first_y), *rest = steps
    path = f"M{xs.at(first_x):.1f} {ys.at(first_y):.1f}"
    return f'<path class="steps" d="{path}{"".join(f"H{xs.at(x):.1f}V{ys.at(y):.1f}" for x, y in rest)}"/>'


def _tick_x(x: int, xs: _Axis, ys: _Axis) -> str:
    at = f"{xs.at(x):.1f}"
    line = f'<path class="grid" d="M{at} {ys.begin:.1f}V{ys.end:.1f}"/>'
    return f'{line}<text x="{at}" y="{ys.begin + 14:.1f}" class="mid">{x:,}</text>'


def _tick_y(y: int, xs: _Axis, ys: _Axis) -> str:
    at = f"{ys.at(y):.1f}"
    line = f'<path class="grid" d="M{xs.begin:.1f} {at}H{xs.end:.1f}"/>'
    return f'{line}<text x="{xs.begin - 6:.1f}" y="{ys.at(y) + 4:.1f}" class="end">{y:,}</text>'
