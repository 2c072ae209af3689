"""Cycles by message length, with the interface that a routine is called through."""

from dataclasses import replace

from tightfit.curve import WITH_DATA, calls, curve
from tightfit.exporter.prepared import Prepared
from tightfit.primitives import load_primitive
from tightfit.records import Cost, Curve


def exported_curve(prepared: Prepared) -> Curve | None:
    """The message-length curve with the toolchain's interface; None where it is not known.

    A shim adds the same cycles to every call.
    """
    measurement, cost = prepared.measurement, prepared.cost
    primitive = load_primitive(measurement.variant.primitive)
    if primitive.kind != "block-cipher" and measurement.curve is None:
        return None
    plain = curve(measurement)
    if cost is None or plain is None or cost == measurement.cost:
        return plain if cost else None
    if measurement.curve is None:
        return curve(replace(measurement, cost=cost))
    added = added_by_call(cost, measurement.cost)
    cycles, with_data = (
        tuple(
            figure + calls(primitive, length, data) * added
            for length, figure in zip(plain.lengths, figures, strict=False)
        )
        for data, figures in ((0, plain.cycles), (WITH_DATA, plain.with_data))
    )
    return Curve(plain.lengths, cycles, plain.slope + added / primitive.block_bytes, with_data)


def added_by_call(cost: Cost, plain: Cost) -> int | float:
    """Cycles that an interface adds to a call: the least that a figure grows by, as some are of several."""
    return min(cost.by_entry[name].cycles - timing.cycles for name, timing in plain.by_entry.items())
