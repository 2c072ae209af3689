"""The stages that fill one job: search, full gate, cells, C baselines."""

import time
from dataclasses import replace

from tightfit.contenders.baselines import Baselined, renew
from tightfit.errors import WorkError
from tightfit.filling.gates import Gates
from tightfit.filling.jobs import Job
from tightfit.filling.outcome import Filled
from tightfit.filling.progress import JobProgress, RunProgress, Silent
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.harness.cluster import Cluster
from tightfit.harness.store import Store
from tightfit.records import Cell


def fill_job(
    job: Job,
    store: Store,
    progress: RunProgress | None = None,
    workers: int | None = None,
    settings: SearchSettings | None = None,
    cluster: Cluster | None = None,
) -> Filled:
    """Answer every budget of a job, and keep the answers in the store.

    Each measurement is kept as soon as it is there, so a run that was stopped resumes.

    Parameters
    ----------
    workers : number of measuring processes; all cores when None.
    cluster : measures on its workers instead.

    Raises
    ------
    WorkError
        A tool is missing, a worker died, the store cannot be written, or the templates changed meanwhile.
    """
    begun, progress = time.monotonic(), progress or Silent()
    with (
        progress.job(job.name, len(job.budgets())) as report,
        Gates(job, store, report, workers, cluster) as gates,
    ):
        digest = job.space_digest()
        cells = search(job, gates, settings or SearchSettings(), report)
        if job.space_digest() != digest:
            raise WorkError(f"{job.name}: the templates changed while they were in use; start again")
        store.put_cells(replace(cell, space_digest=digest) for cell in cells)
        baselines = measure_baselines(job, store, report)
    seconds = time.monotonic() - begun
    return Filled(job, tuple(cells), gates.measured, gates.rejections, seconds, baselines)


def search(job: Job, gates: Gates, settings: SearchSettings, report: JobProgress) -> list[Cell]:
    """The cells of a job, every winner of which stands in the full gate.

    A winner that the full gate rejects, or finds another cost of, is searched past: the search is run again
    with what the full gate found.
    """
    space, budgets = job.space(), job.budgets()
    while True:
        cells = fill_cells(
            space,
            job.operation,
            job.part.name,
            budgets,
            gates.measure,
            settings=settings,
            progress=report.event,
        )
        report.say("winners through the full gate")
        if not gates.overrule(cells):
            return cells


def measure_baselines(job: Job, store: Store, report: JobProgress) -> Baselined:
    """What the C compiler alone makes of the primitive's portable C."""
    return renew(
        *(job.target, job.part, job.primitive, job.operation),
        store,
        lambda level: report.say(f"portable C with {level}"),
    )
