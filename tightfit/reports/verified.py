"""Winners that went through the full gate again, or through Monte Carlo tests, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from tightfit.harness.verification import Chain, Verification
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
                **({"chains": [_chain(chain) for chain in result.chains]} if result.chains else {}),
            }
            for result in results
        ],
    }


def _chain(chain: Chain) -> dict[str, Any]:
    """A Monte Carlo test: groups of calls, answers that were right, and the cycles of one."""
    return {
        "function": chain.test.name,
        "calls": chain.test.calls,
        "answers": chain.answers,
        "cycles": None if chain.least is None else {"least": chain.least, "most": chain.most},
    }


def text(primitive: Primitive, extra: int, results: Sequence[Verification]) -> str:
    """The results as a table."""
    chained = any(result.chains for result in results)
    if not results:
        title = f"{primitive.id}: no winner to check; `tightfit fill {primitive.id}` finds some"
    else:
        passed = sum(result.reason is None for result in results)
        title = (
            f"{primitive.id}: {passed} of {len(results)} winners pass; {_checks(primitive, extra, results)}"
        )
    columns = (
        "variant",
        "operation",
        "template",
        *(("function", "answers", "cycles") if chained else ()),
        "",
    )
    rows = [row for result in results for row in (_chained(result) if chained else [_row(result)])]
    table = Table("winners", columns, tuple(rows), frozenset((4, 5) if chained else ()))
    return write(Document(title, (table,)), "text")


def _checks(primitive: Primitive, extra: int, results: Sequence[Verification]) -> str:
    """What the winners were asked."""
    answers = sum(chain.answers for result in results for chain in result.chains)
    chains = f"{answers:,} right answers in Monte Carlo tests" if answers else ""
    if answers and not extra:
        return chains
    file = f" and {extra} of files" if extra else ""
    vectors = f"{len(primitive.vectors())} vectors{file}, iterated ones included"
    return f"{vectors}; {chains}" if chains else vectors


def _chained(result: Verification) -> list[tuple[str, ...]]:
    variant = result.measurement.variant
    named = variant.id, variant.operation, variant.template
    outcome = result.reason or "passed"
    if not result.chains:
        return [(*named, "", "", "", outcome)]
    return [
        (*named, chain.test.name, f"{chain.answers:,}", _cycles(chain), outcome) for chain in result.chains
    ]


def _cycles(chain: Chain) -> str:
    if chain.least is None:
        return ""
    return f"{chain.least:,}" if chain.least == chain.most else f"{chain.least:,} to {chain.most:,}"


def _row(result: Verification) -> tuple[str, ...]:
    variant = result.measurement.variant
    return variant.id, variant.operation, variant.template, result.reason or "passed"
