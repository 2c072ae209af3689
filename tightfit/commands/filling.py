"""Search, measure, check the winners in full, keep the cells."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tightfit.budgets import budgets_for, load_budgets
from tightfit.commands.display import Display
from tightfit.contenders.baselines import Baselined, renew
from tightfit.export import Prepared, prepare, prepare_fastest
from tightfit.export.figures import Figure, write_figures
from tightfit.export.interfaces import load_interface
from tightfit.generator import load_space
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.harness import portfolio, shipped
from tightfit.harness.cluster import Cluster
from tightfit.harness.pool import Pool
from tightfit.harness.store import Store
from tightfit.primitives import Primitive
from tightfit.records import Budget, Cell, Measurement, Variant
from tightfit.reports.known import Current
from tightfit.targets import Part, Target
from tightfit.targets.progress import shown


@dataclass(frozen=True)
class Job:
    """One operation of a primitive to fill on a part."""

    primitive: Primitive
    operation: str
    target: Target
    part: Part
    budgets_file: Path | None = None

    @property
    def name(self) -> str:
        """Primitive, operation, target and part in words."""
        return f"{self.primitive.id} {self.operation} on {self.target.id} ({self.part.name})"

    def budgets(self) -> list[Budget]:
        """The listed budgets and those of the published cells."""
        listed = {one.name: one for one in load_budgets(self.budgets_file)}
        beside = (
            budgets_for(self.primitive, self.target.id, self.operation) if self.budgets_file is None else []
        )
        return list({**listed, **{one.name: one for one in beside}}.values())


@dataclass(frozen=True)
class Filled:
    """What a job came to: its cells, variants measured anew, why known ones were rejected, seconds.

    `baselines` is what the compiler alone makes of the primitive's C.
    """

    job: Job
    cells: tuple[Cell, ...]
    measured: int
    rejections: tuple[str, ...]
    seconds: float
    baselines: Baselined


def fill(
    job: Job,
    store: Store,
    shown: Display,
    workers: int | None = None,
    settings: SearchSettings | None = None,
    cluster: Cluster | None = None,
) -> Filled:
    """Search every budget of a job and keep its cells; measure here, or on the workers of a cluster.

    A winner that fails the full gate, or costs another figure there, is searched past: the search is run
    again with what the full gate found, until every winner stands.
    """
    space, budgets = load_space(job.target.id, job.primitive.id), job.budgets()
    begun, question = time.monotonic(), (job.target.id, job.part.name, job.primitive.id, store)
    with (
        shown.job(job.name, len(budgets)) as report,
        Pool(*question, workers, "search", report.result, cluster) as pool,
        Pool(*question, workers, "full", cluster=cluster) as strict,
    ):
        judge, cells = _Judge(pool, strict), []
        while not cells or judge.overrules(cells):
            cells = fill_cells(
                space,
                job.operation,
                job.part.name,
                budgets,
                judge.measure,
                settings=settings or SearchSettings(),
                progress=report.event,
            )
            report.say("winners through the full gate")
        store.put_cells(cells)
        baselines = renew(
            *(job.target, job.part, job.primitive, job.operation),
            store,
            lambda level: report.say(f"portable C with {level}"),
        )
    measured, seconds = pool.measured + strict.measured, time.monotonic() - begun
    return Filled(job, tuple(cells), measured, judge.rejections, seconds, baselines)


class _Judge:
    """Measures for the search, by the search gate but for the winners that the full gate has corrected."""

    def __init__(self, pool: Pool, strict: Pool):
        self._pool, self._strict = pool, strict
        self._seen: dict[str, Measurement] = {}
        self._corrected: dict[str, Measurement] = {}

    def measure(self, variants: Sequence[Variant]) -> list[Measurement]:
        """Measurements in the order of the variants."""
        found = [self._corrected.get(one.variant.id, one) for one in self._pool.measure(variants)]
        self._seen |= {one.variant.id: one for one in found}
        return found

    @property
    def rejections(self) -> tuple[str, ...]:
        """Why variants that the search asked for have no cost, one reason each."""
        return tuple(one.rejected for one in self._seen.values() if one.rejected)

    def overrules(self, cells: Sequence[Cell]) -> bool:
        """Send the winners through the full gate; whether any is rejected or costs another figure there."""
        ids = dict.fromkeys(cell.variant_id for cell in cells if cell.variant_id)
        found = self._strict.measure([self._seen[each].variant for each in ids])
        news = {one.variant.id: one for one in found if _figures(one) != _figures(self._seen[one.variant.id])}
        self._corrected |= news
        return bool(news)


def write_portfolio(store: Store, jobs: Sequence[Job], folder: Path) -> list[str]:
    """Write the JSON of each primitive filled, its baselines, and its figures where GNU calls in another way.

    Says what was written.
    """
    current = Current(store)
    lines = []
    for target, primitive in dict.fromkeys((job.target.id, job.primitive.id) for job in jobs):
        lines.append(f"wrote {portfolio.write(current, target, primitive, folder)}")
        if written := shipped.write(store, target, primitive, folder):
            lines.append(f"wrote {written}")
        if not load_interface(target).counted:
            figures = _gnu_figures(current, target, primitive)
            lines.append(f"wrote {write_figures(folder, target, primitive, figures)}")
    return lines


def _gnu_figures(current: Current, target: str, primitive: str) -> list[Figure]:
    """The winner of every listed budget with the GNU interface, and every winner of a cell with its shim."""
    cells = current.cells(target=target, primitive=primitive)
    made: dict[str, Prepared] = {}

    def make(one: Measurement, name: str) -> Prepared:
        return made.setdefault(one.variant.id, made.get(one.variant.id) or prepare(one, name))

    found: dict[str, Prepared] = {}
    with shown() as progress:
        questions = list(dict.fromkeys((cell.part, cell.operation) for cell in cells))
        for done, (part, operation) in enumerate(questions):
            progress("figures with the GNU interface", done, len(questions))
            known = current.known(target, part, primitive, operation)
            best = [prepare_fastest(known, one, "tf", make) for one in load_budgets()]
            own = [make(one, "tf") for one in filter(None, map(known.winner, known.cells))]
            found |= {one.measurement.variant.id: one for one in [*filter(None, best), *own]}
            progress("figures with the GNU interface", done + 1, len(questions))
    return [Figure(one.measurement, one.cost) for one in found.values() if one.cost]


def form(filled: Filled) -> dict:
    """The object that `fill --json` prints for a job."""
    return {
        "primitive": filled.job.primitive.id,
        "operation": filled.job.operation,
        "target": filled.job.target.id,
        "part": filled.job.part.name,
        "measured": filled.measured,
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
        "baselines": {
            "measured": filled.baselines.measured,
            "known": [one.id for one in filled.baselines.contenders],
            "rejected": [one.rejected for one in filled.baselines.contenders if one.rejected],
            "missing": filled.baselines.missing,
        },
    }


def text(filled: Filled) -> str:
    """A job's outcome in one line."""
    status = Counter(cell.status for cell in filled.cells)
    counts = ", ".join(f"{count} {name}" for name, count in status.items())
    proved = sum(cell.certificate.proved for cell in filled.cells)
    space = f"{int(filled.cells[0].certificate.space):,} variants" if filled.cells else "no variants"
    return (
        f"{filled.job.name}: {len(filled.cells)} cells ({counts}), {proved} proved; space of {space}, "
        f"{filled.measured:,} measured now, {filled.seconds:.1f} s{_rejected(filled.rejections)}"
    )


def about_baselines(every: Sequence[Filled]) -> list[str]:
    """What came of the C baselines: a line a target."""
    lines = []
    for target in dict.fromkeys(one.job.target.id for one in every):
        own = [one.baselines for one in every if one.job.target.id == target]
        missing = next((one.missing for one in own if one.missing), None)
        if missing:
            lines.append(f"C baselines on {target} not measured, those that ship stay: {missing}")
            continue
        found = [one for each in own for one in each.contenders]
        fresh, bad = sum(one.measured for one in own), [one.rejected for one in found if one.rejected]
        line = f"C baselines on {target}: {len(found)}, {fresh} of them measured now"
        lines.append(line + (f"; {len(bad)} rejected, such as: {bad[0]}" if bad else ""))
    return lines


def _rejected(reasons: Sequence[str]) -> str:
    """A second line where variants were rejected: a space that is all defects proves nothing fit."""
    if not reasons:
        return ""
    reason, count = Counter(reasons).most_common(1)[0]
    return f"\n  {len(reasons):,} rejected; {count:,} of them: {reason}"


def _figures(one: Measurement) -> tuple[int | float, ...] | None:
    return one.cost and (one.cost.rom, one.cost.ram, one.cost.cycles)
