"""The boxes of many primitives, made by all cores of this machine."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, nullcontext
from functools import partial
from multiprocessing import get_context

from tightfit.errors import WorkError
from tightfit.explorer.boxes import Job, Made, make
from tightfit.explorer.data import current_in_full
from tightfit.explorer.pack import script
from tightfit.explorer.pages import Pages
from tightfit.reports.collector import no_collector
from tightfit.reports.known import Current

FEW = 12
"""So many are made before other processes have started."""


def made(jobs: Sequence[Job], listings: bool) -> Iterator[tuple[Made, dict[str, str]]]:
    """What each job came to, with its shelves as scripts in the place of pages.

    Raises
    ------
    WorkError
        A process was killed meanwhile.
    """
    workers = os.cpu_count() or 1
    if len(jobs) <= FEW or workers == 1:
        with current_in_full() as store:
            yield from map(partial(_scripts, store, listings), jobs)
        return
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), _Process.begin) as pool:
            yield from pool.map(partial(_Process.scripts, listings), jobs, chunksize=2)
    except BrokenProcessPool:
        raise WorkError("a process that made listings ended (killed, or out of memory)") from None


def _scripts(store: Current, listings: bool, job: Job) -> tuple[Made, dict[str, str]]:
    with no_collector():
        done = make(Pages(lambda: nullcontext(store), whole=True), job, listings)
        scripts = {name: script(name, page) for name, page in done.shelves.items()}
    done.shelves.clear()
    return done, scripts


class _Process:
    """What a process of its own keeps: the store, opened once for all its jobs."""

    stack = ExitStack()
    store: Current

    @classmethod
    def begin(cls) -> None:
        cls.store = cls.stack.enter_context(current_in_full())

    @classmethod
    def scripts(cls, listings: bool, job: Job) -> tuple[Made, dict[str, str]]:
        return _scripts(cls.store, listings, job)
