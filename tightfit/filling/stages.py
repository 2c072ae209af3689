"""The stages that fill one job: search, full gate, cells, C baselines."""

import time

from tightfit.contenders.baselines import Baselined, renew
from tightfit.errors import WorkError
from tightfit.filling.gates import Gates
from tightfit.filling.jobs import Job
from tightfit.filling.outcome import Filled
from tightfit.filling.progress import JobProgress, RunProgress, Silent
from tightfit.filling.settled import of_space, settled
from tightfit.generator.search import Found, SearchSettings
from tightfit.generator.search import search as search_space
from tightfit.harness.crew import Crew
from tightfit.harness.store import Store


def fill_job(
    job: Job,
    store: Store,
    crew: Crew,
    progress: RunProgress | None = None,
    settings: SearchSettings | None = None,
    anew: bool = False,
) -> Filled:
    """Answer every budget of a job, trace its fronts, and keep all that in the store.

    Each measurement is kept as soon as it is there, so a run that was stopped resumes. What is answered and
    proved, and rests on nothing that has changed, is not searched again.

    Parameters
    ----------
    crew : who measures.
    settings : what decides what is proposed; with settings of its own a job is searched again.
    anew : search what is answered as well.

    Raises
    ------
    WorkError
        A tool is missing, a worker died, the store cannot be written, or the templates changed meanwhile.
    """
    begun, progress = time.monotonic(), progress or Silent()
    with progress.job(job.name, len(job.budgets())) as report:
        gates = Gates(store, report, crew)
        known = None if anew or settings else settled(job, store)
        found = known or _searched(job, gates, settings or SearchSettings(), report)
        store.put_answers(found.cells, found.fronts)
        baselines = measure_baselines(job, store, report, crew)
    return Filled(
        job=job,
        cells=tuple(found.cells),
        fronts=tuple(found.fronts),
        searched=known is None,
        measured=gates.measured,
        followed=gates.followed,
        rejections=gates.rejections,
        seconds=time.monotonic() - begun,
        baselines=baselines,
    )


def _searched(job: Job, gates: Gates, settings: SearchSettings, report: JobProgress) -> Found:
    """What the search finds in the space that there is at its beginning and still at its end."""
    digest = job.space_digest()
    found = search(job, gates, settings, report)
    if job.space_digest() != digest:
        raise WorkError(f"{job.name}: the templates changed while they were in use; start again")
    return of_space(found, job)


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


def measure_baselines(job: Job, store: Store, report: JobProgress, crew: Crew) -> Baselined:
    """What the C compiler alone makes of the primitive's portable C."""
    return renew(
        *(job.target, job.part, job.primitive, job.operation),
        store,
        lambda level: report.say(f"portable C with {level}"),
        each=crew.each,
    )
