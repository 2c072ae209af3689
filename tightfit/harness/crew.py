"""Who measures: this process, or as many processes of this machine as wanted."""

import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.util import Finalize
from typing import Protocol

from tightfit.errors import WorkError
from tightfit.harness.bench import Bench
from tightfit.records import Measurement, Variant

Question = tuple[str, str | None, str]
"""Target, part (None: the default one) and primitive."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
_bench: Bench | None = None


class Crew(Protocol):
    """Measures variants of one question, each once, in any order."""

    def measure(self, variants: Sequence[Variant], gate: str) -> Iterator[Measurement]:
        """The measurements as they finish; WorkError where no more can come."""

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, as they finish."""

    def close(self) -> None:
        """End the work; what is being measured is dropped."""


class Alone:
    """This process."""

    def __init__(self, question: Question):
        self._question = question
        self._bench: Bench | None = None

    def measure(self, variants: Sequence[Variant], gate: str) -> Iterator[Measurement]:
        """The measurements, one after the other."""
        self._bench = self._bench or Bench(*self._question)
        yield from (self._bench.measure(variant, gate) for variant in variants)

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, one after the other."""
        self._bench = self._bench or Bench(*self._question)
        yield from map(self._bench.follow, measurements)

    def close(self) -> None:
        """End the bench."""
        if self._bench is not None:
            self._bench.close()
            self._bench = None


class Processes:
    """Worker processes of this machine, started when there is something to measure."""

    def __init__(self, question: Question, count: int):
        self._question, self._count = question, count
        self._executor: ProcessPoolExecutor | None = None

    def measure(self, variants: Sequence[Variant], gate: str) -> Iterator[Measurement]:
        """The measurements as they finish; WorkError if a worker dies."""
        yield from self._done(_measure, ((variant, gate) for variant in variants))

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, as they finish; WorkError if a worker dies."""
        yield from self._done(_follow, ((measurement,) for measurement in measurements))

    def _done(self, work: Callable[..., Measurement], calls: Iterable[tuple]) -> Iterator[Measurement]:
        if self._executor is None:
            Bench(*self._question).close()  # reports what is missing once, here, and not in every worker
            self._executor = ProcessPoolExecutor(
                self._count, get_context("spawn"), _start_worker, (*self._question, os.getpid())
            )
        futures: list[Future] = []
        try:
            futures += (self._executor.submit(work, *arguments) for arguments in calls)
            for future in _completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise WorkError("a measuring process ended unexpectedly (killed, or out of memory)") from None
        finally:
            for future in futures:
                future.cancel()

    def ids(self) -> list[int]:
        """Process ids of the workers."""
        return list(self._executor._processes) if self._executor else []

    def close(self) -> None:
        """End the workers."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


def here(question: Question, workers: int | None = None) -> Crew:
    """A crew on this machine: `workers` processes, by default one for each core."""
    count = workers or os.cpu_count() or 1
    return Processes(question, count) if count > 1 else Alone(question)


def _completed(futures: Iterable[Future]) -> Iterator[Future]:
    pending = set(futures)
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        yield from done


def _start_worker(target: str, part: str | None, primitive: str, parent: int) -> None:
    """A worker leaves Ctrl-C to its parent and dies with it."""
    global _bench
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    except (OSError, AttributeError):  # no such call outside Linux: the worker ends with its queue
        pass
    if os.getppid() != parent:
        os._exit(1)
    _bench = Bench(target, part, primitive)
    Finalize(None, _bench.close, exitpriority=1)


def _end(*_) -> None:
    if _bench is not None:
        _bench.close()
    os._exit(1)


def _measure(variant: Variant, gate: str) -> Measurement:
    return _bench.measure(variant, gate)


def _follow(measurement: Measurement) -> Measurement:
    return _bench.follow(measurement)
