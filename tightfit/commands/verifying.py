"""Winners against known answers, through the full gate."""

from collections.abc import Sequence
from pathlib import Path

from tightfit.errors import UsageError
from tightfit.generator import render
from tightfit.harness.bench import CYCLE_LIMIT, routine_of
from tightfit.harness.build import Builder
from tightfit.harness.gate import Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import Vector
from tightfit.records import Measurement, Variant
from tightfit.reports.answer import Known
from tightfit.reports.document import Document, Table, write
from tightfit.targets import Part, Target
from tightfit.targets.progress import shown

Result = tuple[Measurement, str | None]


def load(path: Path, primitive: Primitive) -> list[Vector]:
    """The vectors of a file; UsageError for one that does not parse, or holds none."""
    vectors = primitive.load_vectors(path)
    if not vectors:
        raise UsageError(f"{path}: expected vectors, found none")
    return vectors


def winners(known: Known) -> list[Measurement]:
    """The variants that win a cell, each once."""
    ids = dict.fromkeys(cell.variant_id for cell in known.cells)
    by_id = {one.variant.id: one for one in known.measurements}
    return [by_id[each] for each in ids if each in by_id]


def verify(
    winning: Sequence[Measurement], target: Target, part: Part, primitive: Primitive, extra: Sequence[Vector]
) -> list[Result]:
    """Each winner with the reason why it fails, or None; the primitive's own vectors are checked always."""
    kind = kind_of(primitive)
    kind.add(extra)
    builder, gate = Builder(target, part), Gate(Machine(target, part, CYCLE_LIMIT), kind)
    results = []
    try:
        with shown() as progress:
            for done, one in enumerate(winning):
                progress("winners through the full gate", done, len(winning))
                results.append((one, _reason(one.variant, primitive, builder, gate)))
                progress("winners through the full gate", done + 1, len(winning))
    finally:
        builder.close()
    return results


def form(primitive: Primitive, extra: Sequence[Vector], results: Sequence[Result]) -> dict:
    """The object that `verify --json` prints."""
    return {
        "primitive": primitive.id,
        "vectors": {"own": len(primitive.vectors()), "file": len(extra)},
        "winners": [
            {
                "variant": one.variant.id,
                "operation": one.variant.operation,
                "passed": not reason,
                "reason": reason,
            }
            for one, reason in results
        ],
    }


def text(primitive: Primitive, extra: Sequence[Vector], results: Sequence[Result]) -> str:
    """The results as `verify` prints them."""
    rows = tuple(
        (one.variant.id, one.variant.operation, one.variant.template, reason or "passed")
        for one, reason in results
    )
    passed = sum(reason is None for _, reason in results)
    file = f" and {len(extra)} of the file" if extra else ""
    title = (
        f"{primitive.id}: {passed} of {len(results)} winners pass; {len(primitive.vectors())} vectors{file}, "
        "iterated ones included"
    )
    if not results:
        title = f"{primitive.id}: no winner to check; `tightfit fill {primitive.id}` finds some"
    return write(Document(title, (Table("winners", ("variant", "operation", "template", ""), rows),)), "text")


def _reason(variant: Variant, primitive: Primitive, builder: Builder, gate: Gate) -> str | None:
    ranked = primitive.operation(variant.operation).ranked
    try:
        routine = routine_of(variant, render(variant))
        gate.check(routine, builder.build(routine), ranked, full=True)
    except (Rejected, UsageError) as reason:
        return str(reason)
    return None
