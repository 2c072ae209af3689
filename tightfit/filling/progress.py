"""What a display of a run must offer; by default nothing is shown."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tightfit.generator.search import Event
from tightfit.records import Measurement


class JobProgress(Protocol):
    """Is told how far one job is."""

    def result(self, measurement: Measurement) -> None:
        """A candidate was measured."""

    def event(self, event: Event) -> None:
        """The search got somewhere."""

    def say(self, stage: str) -> None:
        """Another stage begins."""


class RunProgress(Protocol):
    """Is told of the jobs of a run, one after the other."""

    def job(self, name: str, cells: int) -> AbstractContextManager[JobProgress]:
        """The progress of the next job, which has so many cells to close."""

    def steps(self, what: str, done: int, total: int) -> None:
        """So many steps of some work beside the jobs are done."""


class SilentJob:
    """Shows nothing of a job."""

    def result(self, measurement: Measurement) -> None: ...

    def event(self, event: Event) -> None: ...

    def say(self, stage: str) -> None: ...


class Silent:
    """Shows nothing of a run."""

    @contextmanager
    def job(self, name: str, cells: int) -> Iterator[SilentJob]:
        """A job of which nothing is shown."""
        yield SilentJob()

    def steps(self, what: str, done: int, total: int) -> None: ...


@contextmanager
def silent(jobs: int) -> Iterator[Silent]:
    """The display of a run of which nothing is shown."""
    yield Silent()
