"""Checks winners against known answers, through the full gate."""

from collections.abc import Sequence
from dataclasses import dataclass

from tightfit.errors import UsageError
from tightfit.generator import render
from tightfit.harness.bench import CYCLE_LIMIT, routine_of
from tightfit.harness.build import Builder
from tightfit.harness.gate import Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector, Vector
from tightfit.records import Measurement, Variant
from tightfit.targets import Part, Target
from tightfit.targets.progress import Progress, silent

_WHAT = "winners through the full gate"


@dataclass(frozen=True)
class Verification:
    """A variant that went through the full gate again; `reason` is why it fails, None where it passes."""

    measurement: Measurement
    reason: str | None


def verify(
    measurements: Sequence[Measurement],
    target: Target,
    part: Part,
    primitive: Primitive,
    vectors: Sequence[Vector | HashVector],
    progress: Progress = silent,
) -> list[Verification]:
    """Send each variant through the full gate.

    Parameters
    ----------
    vectors : more known answers to check; the primitive's own are always checked.

    Raises
    ------
    WorkError
        A tool is missing.
    """
    kind = kind_of(primitive)
    kind.add(vectors)
    builder, gate = Builder(target, part), Gate(Machine(target, part, CYCLE_LIMIT), kind)
    results = []
    try:
        for done, measurement in enumerate(measurements):
            progress(_WHAT, done, len(measurements))
            reason = _reason(measurement.variant, primitive, builder, gate)
            results.append(Verification(measurement, reason))
            progress(_WHAT, done + 1, len(measurements))
    finally:
        builder.close()
    return results


def _reason(variant: Variant, primitive: Primitive, builder: Builder, gate: Gate) -> str | None:
    ranked = primitive.operation(variant.operation).ranked
    try:
        routine = routine_of(variant, render(variant))
        gate.check(routine, builder.build(routine), ranked, full=True)
    except (Rejected, UsageError) as reason:
        return str(reason)
    return None
