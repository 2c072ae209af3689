"""One variant for the browser: knobs, cost, where its bytes and cycles are, its source."""

from collections.abc import Sequence
from typing import Any

from tightfit.curve import curve
from tightfit.errors import TightfitError, UsageError
from tightfit.exporter import default_name
from tightfit.generator import render
from tightfit.records import Cell, Cost, Measurement, Variant
from tightfit.reports import curves, words
from tightfit.reports.cautions import cautions
from tightfit.reports.variant import split


def page(measurement: Measurement, cells: Sequence[Cell]) -> dict[str, Any]:
    """All but the source; knobs are those with a say. UsageError for a rejected candidate."""
    variant, cost = measurement.variant, measurement.cost
    if cost is None:
        raise UsageError(f"variant {variant.id} was rejected: {measurement.rejected}")
    lengths, free = curve(measurement), words.free_knobs(variant)
    return {
        "id": variant.id,
        "about": f"{variant.primitive} {variant.operation}",
        "target": variant.target,
        "simulated": variant.part,
        "rom": cost.rom,
        "ram": cost.ram,
        "template": variant.template,
        "recipe": f"{variant.template}: {words.knobs(free)}" if free else variant.template,
        "knobs": {name: str(value) for name, value in free.items()},
        "cost": {**_cost(variant.target, cost), **cautions(measurement)},
        "marks": words.marks(measurement),
        "wins": [cell.budget.name for cell in cells if cell.variant_id == variant.id],
        "fragments": _fragments(measurement),
        "curve": lengths and curves.curve_form(lengths),
        "provenance": dict(measurement.provenance),
    }


NOT_MEASURED = "`tightfit explore --out` was run without `--listings`"


def listing_page(variant: Variant, measured: bool = True) -> dict[str, Any]:
    """The source as a library has it and, where they are measured, its lines with bytes and cycles.

    `lines` are None, and `note` says why, where a toolchain is missing or measuring is not asked for. Cycles
    are those of one call of every entry.
    """
    name = default_name(variant.primitive)
    lines, note = _lines(variant) if measured else (None, NOT_MEASURED)
    return {
        "id": variant.id,
        "file": f"{name}.S",
        "source": _source(variant, name),
        "lines": lines,
        "note": note,
    }


def _lines(variant: Variant) -> tuple[list[list] | None, str | None]:
    """Text, bytes and cycles of each line; or why there are none."""
    from tightfit.reports import listing

    try:
        lines = listing.listing(variant, secrets=False).lines
    except TightfitError as error:
        return None, str(error)
    return [[line.text, line.bytes, sum(cycles for _, cycles in line.spent.values())] for line in lines], None


def _source(variant: Variant, name: str) -> str | None:
    """The source, None where the templates no longer make this variant."""
    try:
        return render(variant, name, markers=False).source
    except TightfitError:
        return None


def _cost(target: str, cost: Cost) -> dict[str, str]:
    entries = {f"cycles of {entry}": words.cycles(timing.cycles) for entry, timing in cost.by_entry.items()}
    figure = cost.cycles_apart
    apart = {words.apart_column(target): words.cycles(figure)} if figure else {}
    return {
        "ROM": f"{cost.rom:,} B{words.padded(cost.padding.rom, cost.alignment)}",
        "RAM": f"{words.ram_parts(cost)} B{words.padded(cost.padding.ram, cost.alignment)}",
        "cycles": words.cycles(cost.cycles),
        **entries,
        **apart,
        "alignment": f"{cost.alignment} B",
    }


def _fragments(measurement: Measurement) -> dict[str, list]:
    """Bytes of each fragment, and cycles of one call of each ranked entry together."""
    shares, ranked = split(measurement), measurement.cost.ranked
    return {
        "name": [share.fragment or "(call)" for share in shares],
        "rom": [share.bytes for share in shares],
        "cycles": [sum(share.cycles.get(entry, 0) for entry in ranked) for share in shares],
    }
