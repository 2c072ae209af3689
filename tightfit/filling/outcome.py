"""What a job came to, as text and as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tightfit.contenders.baselines import Baselined
from tightfit.filling.jobs import Job
from tightfit.records import Cell, Front


@dataclass(frozen=True)
class Filled:
    """What a job came to.

    Attributes
    ----------
    cells : the answers, one a budget.
    fronts : the variants that answer all other budgets.
    searched : whether a search was run; answers that rest on nothing that has changed stay without one.
    measured : number of variants measured anew.
    followed : number of variants of which only the secrets were followed anew.
    rejections : why known variants were rejected, one reason each.
    seconds : time that it took.
    baselines : what the compiler alone makes of the primitive's C.
    """

    job: Job
    cells: tuple[Cell, ...]
    fronts: tuple[Front, ...]
    searched: bool
    measured: int
    followed: int
    rejections: tuple[str, ...]
    seconds: float
    baselines: Baselined


def form(filled: Filled) -> dict[str, Any]:
    """The object that `fill --json` prints for a job."""
    return {
        "primitive": filled.job.primitive.id,
        "operation": filled.job.operation,
        "target": filled.job.target.id,
        "part": filled.job.part.name,
        "searched": filled.searched,
        "measured": filled.measured,
        "followed": filled.followed,
        "rejected": len(filled.rejections),
        "seconds": round(filled.seconds, 1),
        "cells": [
            {
                "budget": cell.budget.name,
                "status": cell.status,
                "variant": cell.variant_id,
                "proof": cell.certificate.kind,
            }
            for cell in filled.cells
        ],
        "fronts": [
            {
                "only": list(front.only),
                "variants": list(front.variants),
                "open": len(front.open),
                "proof": front.certificate.kind,
            }
            for front in filled.fronts
        ],
        "baselines": {
            "measured": filled.baselines.measured,
            "followed": filled.baselines.followed,
            "known": [baseline.id for baseline in filled.baselines.contenders],
            "rejected": [baseline.rejected for baseline in filled.baselines.contenders if baseline.rejected],
            "missing": filled.baselines.missing,
        },
    }


def text(outcomes: Sequence[Filled]) -> str:
    """A line for each job, and a line for the C baselines of each target."""
    return "\n".join([*map(_line, outcomes), *_about_baselines(outcomes)])


def _line(filled: Filled) -> str:
    status = Counter(cell.status for cell in filled.cells)
    counts = ", ".join(f"{count} {name}" for name, count in status.items())
    proved = sum(cell.certificate.proved for cell in filled.cells)
    space = f"{int(filled.cells[0].certificate.space):,} variants" if filled.cells else "no variants"
    return (
        f"{filled.job.name}: {len(filled.cells)} cells ({counts}), {proved} proved; {_fronts(filled)}"
        f"space of {space}, "
        f"{_work(filled)}, {filled.seconds:.1f} s{_rejected(filled.rejections)}"
    )


def _work(filled: Filled) -> str:
    """What the job took: `12 measured now`, or that nothing had changed."""
    if not filled.searched:
        return "nothing changed since"
    followed = f", secrets of {filled.followed:,} followed anew" if filled.followed else ""
    return f"{filled.measured:,} measured now{followed}"


def _fronts(filled: Filled) -> str:
    """`8 fronts of 212 variants, 7 proved; `, nothing without any."""
    if not filled.fronts:
        return ""
    variants = {variant for front in filled.fronts for variant in front.variants}
    proved = sum(front.certificate.proved for front in filled.fronts)
    return f"{len(filled.fronts)} fronts of {len(variants)} variants, {proved} proved; "


def _rejected(reasons: Sequence[str]) -> str:
    """A second line where variants were rejected: a space that is all defects proves nothing fit."""
    if not reasons:
        return ""
    reason, count = Counter(reasons).most_common(1)[0]
    return f"\n  {len(reasons):,} rejected; {count:,} of them: {reason}"


def _about_baselines(outcomes: Sequence[Filled]) -> list[str]:
    lines = []
    for target in dict.fromkeys(filled.job.target.id for filled in outcomes):
        own = [filled.baselines for filled in outcomes if filled.job.target.id == target]
        missing = next((each.missing for each in own if each.missing), None)
        if missing:
            lines.append(f"C baselines on {target} not measured, the shipped ones stay: {missing}")
            continue
        known = [baseline for each in own for baseline in each.contenders]
        fresh, bad = sum(each.measured for each in own), [each.rejected for each in known if each.rejected]
        line = f"C baselines on {target}: {len(known)}, {fresh} of them measured now"
        lines.append(line + (f"; {len(bad)} rejected, such as: {bad[0]}" if bad else ""))
    return lines
