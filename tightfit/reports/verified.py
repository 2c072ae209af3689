"""Winners that went through the full gate again, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from tightfit.harness.verification import Verification
from tightfit.primitives import Primitive
from tightfit.reports.document import Document, Table, write


def form(primitive: Primitive, extra: int, results: Sequence[Verification]) -> dict[str, Any]:
    """The object that `verify --json` prints; `extra` is the number of vectors beside the primitive's own."""
    return {
        "primitive": primitive.id,
        "vectors": {"own": len(primitive.vectors()), "file": extra},
        "winners": [
            {
                "variant": result.measurement.variant.id,
                "operation": result.measurement.variant.operation,
                "passed": not result.reason,
                "reason": result.reason,
            }
            for result in results
        ],
    }


def text(primitive: Primitive, extra: int, results: Sequence[Verification]) -> str:
    """The results as a table."""
    if not results:
        title = f"{primitive.id}: no winner to check; `tightfit fill {primitive.id}` finds some"
    else:
        passed = sum(result.reason is None for result in results)
        file = f" and {extra} of the file" if extra else ""
        title = (
            f"{primitive.id}: {passed} of {len(results)} winners pass; {len(primitive.vectors())} "
            f"vectors{file}, iterated ones included"
        )
    rows = tuple(map(_row, results))
    return write(Document(title, (Table("winners", ("variant", "operation", "template", ""), rows),)), "text")


def _row(result: Verification) -> tuple[str, ...]:
    variant = result.measurement.variant
    return variant.id, variant.operation, variant.template, result.reason or "passed"
