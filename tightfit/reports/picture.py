"""The portfolio as a picture in SVG: cycles over ROM for each primitive, a line for each target."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from tightfit.budgets import format_size
from tightfit.reports.portfolio import Portfolio

_WIDTH, _HEIGHT = 440, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 64, 44, 44
_COLUMNS, _LINE = 2, 13
_COLOURS = (("#0072b2", "#56b4e9"), ("#c2410c", "#f59e0b"), ("#00795a", "#34d399"), ("#8b3f8f", "#d79bd9"))
"""Colours of the targets' lines, on light and on dark pages."""
_STYLE = (
    "text{{font:12px system-ui,sans-serif;fill:#24292f}}.t{{font:600 14px system-ui}}.a{{fill:#57606a}}"
    ".g{{stroke:#d0d7de;stroke-width:1}}.l{{fill:none;stroke-width:2}}.p{{fill:none;stroke-width:1.5}}{light}"
    "@media(prefers-color-scheme:dark){{text{{fill:#e6edf3}}.a{{fill:#9198a1}}.g{{stroke:#3d444d}}{dark}}}"
)
Point = tuple[float, float]


@dataclass(frozen=True)
class _Line:
    """A target's variants that no other beats in ROM and cycles, and the published figures."""

    target: str
    ours: tuple[Point, ...]
    published: tuple[Point, ...]


@dataclass(frozen=True)
class _Scale:
    """Where ROM and cycles are on a panel, both logarithmic."""

    rom: tuple[int, int]
    cycles: tuple[float, float]

    def x(self, rom: float) -> float:
        low, high = self.rom
        share = (log10(rom) / log10(2) - low) / (high - low)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, cycles: float) -> float:
        low, high = map(log10, self.cycles)
        share = (log10(cycles) - low) / (high - low)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def picture(portfolios: Sequence[Portfolio]) -> str:
    """A panel for each primitive, by its first operation; nothing but axes where nothing is known."""
    shown = [one for one in portfolios if one.operation == one.primitive.first_operation]
    names = list(dict.fromkeys(one.primitive.id for one in shown))
    targets = list(dict.fromkeys(one.target for one in shown))
    columns = min(_COLUMNS, len(names)) or 1
    width, height = columns * _WIDTH, ceil(len(names) / columns) * _HEIGHT + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="Cycles over ROM of {escape(", ".join(names))}">',
        f"<style>{_style(targets)}</style>",
    ]
    for index, name in enumerate(names):
        own = [one for one in shown if one.primitive.id == name]
        at = index % columns * _WIDTH, index // columns * _HEIGHT
        parts += [f'<g transform="translate({at[0]},{at[1]})">', *_panel(own, targets), "</g>"]
    legend = (
        "Lines: tightfit, measured, within any RAM. Circles: published, most of which leave some cost out."
    )
    parts += [f'<text class="a" x="{_LEFT}" y="{height - 8}">{legend}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _style(targets: Sequence[str]) -> str:
    light, dark = (
        "".join(
            f".c{index}{{stroke:{pair[mode]}}}.f{index}{{fill:{pair[mode]}}}"
            for index, pair in enumerate(_COLOURS[: len(targets)])
        )
        for mode in (0, 1)
    )
    return _STYLE.format(light=light, dark=dark)


def _panel(portfolios: Sequence[Portfolio], targets: Sequence[str]) -> Iterable[str]:
    primitive, operation = portfolios[0].primitive, portfolios[0].operation
    title = primitive.name if operation == primitive.kind else f"{primitive.name}, {operation}"
    yield f'<text class="t" x="{_LEFT}" y="22">{escape(title)}: cycles a block</text>'
    lines = [line for line in map(_line, portfolios) if line.ours]
    if not lines:
        return
    scale = _scale(lines)
    yield from _axes(scale)
    for line in lines:
        yield from _drawn(line, scale, targets.index(line.target) % len(_COLOURS))
    yield from _names(lines, scale, targets)


def _line(portfolio: Portfolio) -> _Line:
    cells = (comparison.published for comparison in portfolio.comparisons)
    published = sorted(
        {(cell.rom, sum(cell.to_beat.values())) for cell in cells if cell.rom and cell.to_beat}
    )
    return _Line(portfolio.target, portfolio.steps, tuple(published))


def _scale(lines: Sequence[_Line]) -> _Scale:
    points = [point for line in lines for point in (*line.ours, *line.published)]
    roms, cycles = zip(*points, strict=True)
    return _Scale(
        (floor(log10(min(roms)) / log10(2)), ceil(log10(max(roms)) / log10(2))),
        (
            max(mark for mark in _marks() if mark <= min(cycles)),
            min(mark for mark in _marks() if mark >= max(cycles)),
        ),
    )


def _axes(scale: _Scale) -> Iterable[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for power in range(scale.rom[0], scale.rom[1] + 1):
        x = scale.x(2**power)
        yield f'<path class="g" d="M{x} {_TOP}V{bottom}"/>'
        yield f'<text class="a" x="{x}" y="{bottom + 16}" text-anchor="middle">{format_size(2**power)}</text>'
    for mark in _marks():
        if scale.cycles[0] <= mark <= scale.cycles[1]:
            y = scale.y(mark)
            yield f'<path class="g" d="M{_LEFT} {y}H{right}"/>'
            yield f'<text class="a" x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{mark:,}</text>'
    yield f'<text class="a" x="{right}" y="{bottom + 32}" text-anchor="end">ROM</text>'


def _marks() -> list[int]:
    """1, 2, 5, 10, 20 ... cycles."""
    return [digit * 10**power for power in range(10) for digit in (1, 2, 5)]


def _drawn(line: _Line, scale: _Scale, colour: int) -> Iterable[str]:
    """Steps, since a variant is the best until the next one fits."""
    (rom, cycles), *more = line.ours
    steps = f"M{scale.x(rom)} {scale.y(cycles)}"
    steps += "".join(f"H{scale.x(rom)}V{scale.y(cycles)}" for rom, cycles in more)
    yield f'<path class="l c{colour}" d="{steps}H{_WIDTH - _RIGHT}"/>'
    for rom, cycles in line.published:
        yield f'<circle class="p c{colour}" cx="{scale.x(rom)}" cy="{scale.y(cycles)}" r="4"/>'


def _names(lines: Sequence[_Line], scale: _Scale, targets: Sequence[str]) -> Iterable[str]:
    """The targets where their lines end, the lowest first, each clear of the one below."""
    y = _HEIGHT - _BOTTOM + _LINE
    for line in sorted(lines, key=lambda line: line.ours[-1][1]):
        y = min(scale.y(line.ours[-1][1]) + 4, y - _LINE)
        colour = targets.index(line.target) % len(_COLOURS)
        yield f'<text class="f{colour}" x="{_WIDTH - _RIGHT + 6}" y="{y}">{escape(line.target)}</text>'
