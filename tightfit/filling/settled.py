"""What of a job is answered already: a search that would find the same is not run again."""

from dataclasses import replace

from tightfit.filling.jobs import Job
from tightfit.generator.search import Found
from tightfit.harness.provenance import provenance
from tightfit.harness.store import Store
from tightfit.records import Cell, Front
from tightfit.reports.known import Current


def settled(job: Job, store: Store) -> Found | None:
    """The cells and fronts of a job if all are proved and nothing has changed that they rest on.

    That is the texts of the space, and for every variant that is an answer the context of the full gate.
    """
    subject = job.target.id, job.part.name, job.primitive.id, job.operation
    of = dict(zip(("target", "part", "primitive", "operation"), subject, strict=True))
    current = Current(store, attribution=False)
    cells, fronts = _cells(job, current.cells(**of)), _fronts(job, current.fronts(**of))
    if cells is None or fronts is None:
        return None
    chosen = {cell.variant_id for cell in cells if cell.variant_id}
    chosen |= {variant for front in fronts for variant in front.variants}
    context = provenance(*subject, "full")["context"]
    known = current.measurements(**of)
    if not chosen <= {each.variant.id for each in known if each.provenance["context"] == context}:
        return None
    return of_space(Found(cells, fronts), job)


def of_space(found: Found, job: Job) -> Found:
    """The same answers, said of the space that a job has now."""
    now = {"space_digest": job.space_digest(), "texts_digest": job.texts_digest()}
    return Found(
        [replace(cell, **now) for cell in found.cells], [replace(front, **now) for front in found.fronts]
    )


def _cells(job: Job, known: list[Cell]) -> list[Cell] | None:
    by_name = {cell.budget.name: cell for cell in known if cell.certificate.proved}
    wanted = job.budgets()
    cells = [by_name.get(budget.name) for budget in wanted]
    same = all(cell and cell.budget == budget for cell, budget in zip(cells, wanted, strict=True))
    return cells if same else None


def _fronts(job: Job, known: list[Front]) -> list[Front] | None:
    by_conditions = {front.only: front for front in known if front.certificate.proved}
    fronts = [by_conditions.get(only) for only in job.fronts()]
    return fronts if all(fronts) else None
