"""The stages that fill one job: search, full gate, cells, C baselines."""

import time
from dataclasses import replace

from tightfit.contenders.baselines import Baselined, renew
from tightfit.errors import WorkError
from tightfit.filling.gates import Gates
from tightfit.filling.jobs import Job
from tightfit.filling.outcome import Filled
from tightfit.filling.progress import JobProgress, RunProgress, Silent
from tightfit.generator.search import Found, SearchSettings
from tightfit.generator.search import search as search_space
from tightfit.harness.cluster import Cluster
from tightfit.harness.store import Store


def fill_job(
    job: Job,
    store: Store,
    progress: RunProgress | None = None,
    workers: int | None = None,
    settings: SearchSettings | None = None,
    cluster: Cluster | None = None,
) -> Filled:
    """Answer every budget of a job, trace its fronts, and keep all that in the store.

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
        found = search(job, gates, settings or SearchSettings(), report)
        if job.space_digest() != digest:
            raise WorkError(f"{job.name}: the templates changed while they were in use; start again")
        cells = [replace(cell, space_digest=digest) for cell in found.cells]
        fronts = [replace(front, space_digest=digest) for front in found.fronts]
        store.put_answers(cells, fronts)
        baselines = measure_baselines(job, store, report)
    seconds = time.monotonic() - begun
    return Filled(job, tuple(cells), tuple(fronts), gates.measured, gates.rejections, seconds, baselines)


def search(job: Job, gates: Gates, settings: SearchSettings, report: JobProgress) -> Found:
    """The cells and fronts of a job, every variant of which stands in the full gate.

    One that the full gate rejects, or finds another cost of, is searched past: the search is run again with
    what the full gate found.
    """
    space, budgets = job.space(), job.budgets()
    while True:
        found = search_space(
            space,
            job.operation,
            job.part.name,
            budgets,
            gates.measure,
            under=job.fronts(),
            settings=settings,
            progress=report.event,
        )
        report.say("winners through the full gate")
        if not gates.overrule(found):
            return found


def measure_baselines(job: Job, store: Store, report: JobProgress) -> Baselined:
    """What the C compiler alone makes of the primitive's portable C."""
    return renew(
        *(job.target, job.part, job.primitive, job.operation),
        store,
        lambda level: report.say(f"portable C with {level}"),
    )
