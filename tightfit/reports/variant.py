"""One variant in full: knobs, cost, and where its bytes and cycles are."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tightfit.curve import curve
from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.notes import load_notes
from tightfit.primitives import load_primitive
from tightfit.records import Cell, Measurement
from tightfit.reports import curves, words
from tightfit.reports.cautions import cautions
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import cost_form, timing_form, variant_form

LEAKS = "leaks"


@dataclass(frozen=True)
class Share:
    """A fragment's share of the cost: bytes of all its emissions, and mean cycles of a call by entry.

    `leaks` are its instructions that let the time depend on a secret.
    """

    fragment: str
    bytes: int
    emissions: int
    cycles: Mapping[str, float]
    leaks: int


def split(measurement: Measurement) -> list[Share]:
    """The cost by fragment, dearest first; the caller's call instruction is the fragment ""."""
    attribution = measurement.attribution
    if attribution is None:
        return []
    cycles: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for share in attribution.time:
        fragment = share.path[-1] if share.path else ""
        cycles[fragment][share.entry] += share.cycles / attribution.inputs
    leaks = {share.fragment: share.instructions for share in attribution.leaks}
    held = {share.fragment: share for share in attribution.rom}
    shares = [
        Share(
            fragment,
            held[fragment].bytes if fragment in held else 0,
            held[fragment].emissions if fragment in held else 0,
            dict(cycles[fragment]),
            leaks.get(fragment, 0),
        )
        for fragment in dict.fromkeys([*held, *cycles])
    ]
    return sorted(shares, key=lambda share: (-sum(share.cycles.values()), -share.bytes, share.fragment))


def variant_report(measurement: Measurement, cells: Sequence[Cell]) -> dict:
    """Everything known of a variant as plain JSON."""
    cost, variant = measurement.cost, measurement.variant
    return {
        "target": variant.target,
        "part": variant.part,
        "primitive": variant.primitive,
        "operation": variant.operation,
        "variant": variant_form(measurement),
        "cost": cost_form(cost) if cost else None,
        "rejected": measurement.rejected,
        "timing": {entry: timing_form(timing) for entry, timing in cost.by_entry.items()} if cost else {},
        "fragments": [
            {
                "fragment": share.fragment,
                "step": step(measurement, share.fragment),
                "rom": share.bytes,
                "emissions": share.emissions,
                "cycles": {entry: _number(figure) for entry, figure in share.cycles.items()},
                "leaks": share.leaks,
            }
            for share in split(measurement)
        ],
        "curve": curves.curve_form(message_curve) if (message_curve := curve(measurement)) else None,
        "wins": [cell.budget.name for cell in cells if cell.variant_id == variant.id],
        "provenance": dict(measurement.provenance),
    }


def variant_text(measurement: Measurement, cells: Sequence[Cell]) -> str:
    """A variant as `show` prints it above the listing."""
    variant, cost = measurement.variant, measurement.cost
    where = f"{variant.primitive} {variant.operation} on {variant.target} ({variant.part})"
    title = f"variant {variant.id}: {where}, template {variant.template}"
    knobs = Table("knobs", ("knob", "value"), tuple((k, str(v)) for k, v in variant.knobs.items()))
    named = (knobs,) if variant.knobs else ()
    if cost is None:
        return write(Document(title, named, (f"rejected: {measurement.rejected}",)), "text")
    wins = [cell.budget.name for cell in cells if cell.variant_id == variant.id]
    notes = [", ".join(words.marks(measurement))]
    notes += [f"{name}: {line}" for name, line in cautions(measurement).items()]
    notes += [f"wins {', '.join(wins)}"] if wins else []
    lengths = curves.table("cycles by message length", [(("cycles",), curve(measurement))], ("",), 1)
    tables = (*named, _cost(measurement), lengths, split_table(measurement))
    return write(Document(title, tables, tuple(notes)), "text")


def _cost(measurement: Measurement) -> Table:
    cost = measurement.cost
    rows = [
        (
            "ROM",
            f"{cost.rom:,} B",
            f"alignment {cost.alignment}{words.padded(cost.padding.rom, cost.alignment)}",
        ),
        (
            "RAM",
            f"{cost.ram} B",
            f"block {cost.ram_parts.block}, static {cost.ram_parts.static}, stack {cost.ram_parts.stack}"
            + words.padded(cost.padding.ram, cost.alignment),
        ),
        ("cycles", words.cycles(cost.cycles), words.cycles_apart(measurement.variant.target, cost)),
    ]
    for entry, timing in cost.by_entry.items():
        spread = "" if timing.minimum == timing.maximum else f"{timing.minimum:,} .. {timing.maximum:,}"
        rows.append((f"  {entry}", words.cycles(timing.cycles), spread))
    return Table("cost", ("", "", ""), tuple(rows), frozenset({1}))


def split_table(measurement: Measurement) -> Table:
    """Bytes, emissions and cycles by fragment, their sums, and the step that each fragment is."""
    shares, entries = split(measurement), tuple(measurement.cost.by_entry)
    rows = [
        (
            share.fragment or "(the caller's call)",
            str(share.bytes),
            str(share.emissions),
            *(words.cycles(_number(share.cycles.get(entry, 0))) for entry in entries),
            str(share.leaks or ""),
            step(measurement, share.fragment),
        )
        for share in shares
    ]
    total = _sum("all", shares, entries)
    parts = [_sum(name, part, entries) for name, part in _construction(measurement, shares).items()]
    columns = ("fragment", "ROM", "times", *(f"{entry} cycles" for entry in entries), LEAKS, "step")
    right = frozenset(range(1, len(columns) - 1))
    rows = (*rows, *parts, total)
    return Table("where the bytes and the cycles are", columns, rows, right).dropping(LEAKS)


def _sum(name: str, shares: Sequence[Share], entries: Sequence[str]) -> tuple[str, ...]:
    cycles = (words.cycles(_number(sum(share.cycles.get(entry, 0) for share in shares))) for entry in entries)
    return (name, str(sum(share.bytes for share in shares)), "", *cycles, "", "")


def _construction(measurement: Measurement, shares: Sequence[Share]) -> dict[str, list[Share]]:
    """The shares of what a construction calls, and its own; nothing for what calls no other primitive."""
    primitive = load_primitive(measurement.variant.primitive)
    if primitive.over is None:
        return {}
    own = [share for share in shares if share.fragment.startswith(f"{primitive.templates}_")]
    called = [share for share in shares if share.fragment and share not in own]
    return {f"of {primitive.over}": called, f"of {primitive.templates} over it": own}


def step(measurement: Measurement, fragment: str) -> str:
    """The step of the standard that a fragment is; "" for the call, and for fragments without a note."""
    variant = measurement.variant
    if not fragment:
        return ""
    try:
        load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
        return load_notes(variant.target, variant.primitive).step(variant, fragment)
    except UsageError:  # measured with templates that have changed since
        return ""


def _number(figure: float) -> int | float:
    return int(figure) if figure == int(figure) else round(figure, 3)
