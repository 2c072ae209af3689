"""One variant in full: knobs, cost, and where its bytes and cycles are."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tightfit.curve import curve
from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.notes import load_notes
from tightfit.records import Cell, Measurement
from tightfit.reports import curves, words
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import cost_form, timing_form, variant_form


@dataclass(frozen=True)
class Share:
    """What a fragment holds and takes: bytes over all its emissions, and mean cycles of a call by entry."""

    fragment: str
    bytes: int
    emissions: int
    cycles: Mapping[str, float]


def split(measurement: Measurement) -> list[Share]:
    """The cost by fragment, dearest first; the caller's call instruction is the fragment ""."""
    found = measurement.attribution
    if found is None:
        return []
    cycles: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for share in found.time:
        fragment = share.path[-1] if share.path else ""
        cycles[fragment][share.entry] += share.cycles / found.inputs
    held = {share.fragment: share for share in found.rom}
    shares = [
        Share(
            fragment,
            held[fragment].bytes if fragment in held else 0,
            held[fragment].emissions if fragment in held else 0,
            dict(cycles[fragment]),
        )
        for fragment in dict.fromkeys([*held, *cycles])
    ]
    return sorted(shares, key=lambda one: (-sum(one.cycles.values()), -one.bytes, one.fragment))


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
                "fragment": one.fragment,
                "step": step(measurement, one.fragment),
                "rom": one.bytes,
                "emissions": one.emissions,
                "cycles": {entry: _number(figure) for entry, figure in one.cycles.items()},
            }
            for one in split(measurement)
        ],
        "curve": curves.curve_form(found) if (found := curve(measurement)) else None,
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
    notes = [", ".join(words.marks(measurement))] + ([f"wins {', '.join(wins)}"] if wins else [])
    lengths = curves.table("cycles by message length", [(("cycles",), curve(measurement))], ("",), 1)
    tables = (*named, _cost(measurement), lengths, split_table(measurement))
    return write(Document(title, tables, tuple(notes)), "text")


def _cost(measurement: Measurement) -> Table:
    cost = measurement.cost
    rows = [
        ("ROM", f"{cost.rom:,} B", f"alignment {cost.alignment}"),
        (
            "RAM",
            f"{cost.ram} B",
            f"block {cost.ram_parts.block}, static {cost.ram_parts.static}, stack {cost.ram_parts.stack}",
        ),
        ("cycles", words.cycles(cost.cycles), words.hazard(cost.hazard)),
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
            one.fragment or "(the caller's call)",
            str(one.bytes),
            str(one.emissions),
            *(words.cycles(_number(one.cycles.get(entry, 0))) for entry in entries),
            step(measurement, one.fragment),
        )
        for one in shares
    ]
    total = ("all", str(sum(one.bytes for one in shares)), "")
    sums = (words.cycles(_number(sum(one.cycles.get(entry, 0) for one in shares))) for entry in entries)
    columns = ("fragment", "ROM", "times", *(f"{entry} cycles" for entry in entries), "step")
    right = frozenset(range(1, len(columns) - 1))
    return Table("where the bytes and the cycles are", columns, (*rows, (*total, *sums, "")), right)


def step(measurement: Measurement, fragment: str) -> str:
    """The step of the standard that a fragment is; "" for the call, and for what the notes do not know."""
    variant = measurement.variant
    if not fragment:
        return ""
    try:
        load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
        return load_notes(variant.target, variant.primitive).step(variant, fragment)
    except UsageError:  # it was measured with templates of another time
        return ""


def _number(figure: float) -> int | float:
    return int(figure) if figure == int(figure) else round(figure, 3)
