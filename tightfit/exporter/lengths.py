"""Cycles by message length, with the interface that a routine is called through."""

from dataclasses import replace

from tightfit.curve import curve
from tightfit.exporter.prepared import Prepared
from tightfit.primitives import load_primitive
from tightfit.records import Curve


def exported_curve(prepared: Prepared) -> Curve | None:
    """The message-length curve with the toolchain's interface; None where it is not known.

    A shim adds the same cycles to every call, and a hash takes a call for every block of a message.
    """
    measurement, cost = prepared.measurement, prepared.cost
    primitive = load_primitive(measurement.variant.primitive)
    if primitive.kind == "hash" and measurement.curve is None:
        return None
    plain = curve(measurement)
    if cost is None or plain is None or cost == measurement.cost:
        return plain if cost else None
    if measurement.curve is None:
        return curve(replace(measurement, cost=cost))
    block = primitive.block_bytes
    added = cost.cycles - measurement.cost.cycles
    cycles = (
        figure + (primitive.split(length)[0] + 1) * added
        for length, figure in zip(plain.lengths, plain.cycles, strict=True)
    )
    return Curve(plain.lengths, tuple(cycles), plain.slope + added / block)
