"""Who measures: this process, or as many processes of this machine as wanted."""

import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import starmap
from multiprocessing import get_context
from multiprocessing.util import Finalize
from typing import Any, Protocol

from tightfit.errors import WorkError
from tightfit.harness.bench import Bench, Candidate
from tightfit.records import Measurement, Variant

Question = tuple[str, str, str]
"""Target, part and primitive."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
_BENCHES = 2
"""Benches that a process keeps: a search and the full gate go to and fro in one question."""


class Benches:
    """The benches of a process or a thread, for the questions that were asked last."""

    def __init__(self) -> None:
        self._kept: dict[Question, Bench] = {}

    def of(self, variant: Variant) -> Bench:
        """The bench on which a variant is measured; WorkError where a tool is missing."""
        question = _question(variant)
        bench = self._kept.pop(question, None) or Bench(*question)
        self._kept[question] = bench
        if len(self._kept) > _BENCHES:
            self._kept.pop(next(iter(self._kept))).close()
        return bench

    def close(self) -> None:
        """Remove what they keep."""
        for bench in self._kept.values():
            bench.close()
        self._kept.clear()


def _question(variant: Variant) -> Question:
    return variant.target, variant.part, variant.primitive


_benches = Benches()


class Crew(Protocol):
    """Measures variants, each once, in any order."""

    def measure(self, candidates: Iterable[Candidate], gate: str) -> Iterator[Measurement]:
        """The measurements as they finish; WorkError where no more can come.

        Work begins with the first candidate, while those that follow are still being found.
        """

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, as they finish."""

    def each(self, work: Callable[..., Any], calls: Sequence[tuple]) -> Iterator[Any]:
        """What a function gives for each of some arguments, in their order."""

    def close(self) -> None:
        """End the work; what is being measured is dropped."""


class Alone:
    """This process."""

    def __init__(self) -> None:
        self._benches = Benches()

    def measure(self, candidates: Iterable[Candidate], gate: str) -> Iterator[Measurement]:
        """The measurements, one after the other."""
        for variant, rendered in candidates:
            yield self._benches.of(variant).measure(variant, gate, rendered)

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, one after the other."""
        yield from (self._benches.of(each.variant).follow(each) for each in measurements)

    def each(self, work: Callable[..., Any], calls: Sequence[tuple]) -> Iterator[Any]:
        """What a function gives for each of some arguments, one after the other."""
        return starmap(work, calls)

    def close(self) -> None:
        """End the benches."""
        self._benches.close()


class Processes:
    """Worker processes of this machine, started when there is something to measure."""

    def __init__(self, count: int):
        self._count = count
        self._executor: ProcessPoolExecutor | None = None
        self._asked: set[Question] = set()

    def measure(self, candidates: Iterable[Candidate], gate: str) -> Iterator[Measurement]:
        """The measurements as they finish; WorkError if a worker dies."""
        yield from self._done(
            _measure, ((self._looked(variant), gate, rendered) for variant, rendered in candidates)
        )

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, as they finish; WorkError if a worker dies."""
        for measurement in measurements:
            self._looked(measurement.variant)
        yield from self._done(_follow, ((measurement,) for measurement in measurements))

    def _looked(self, variant: Variant) -> Variant:
        """A variant, once it is known that nothing is missing: that is reported here, not in every worker."""
        question = _question(variant)
        if question not in self._asked:
            Bench(*question).close()
            self._asked.add(question)
        return variant

    def each(self, work: Callable[..., Any], calls: Sequence[tuple]) -> Iterator[Any]:
        """What a function gives for each of some arguments, in their order; WorkError if a worker dies."""
        with self._submitted(work, calls) as futures:
            for future in futures:
                yield future.result()

    def _done(self, work: Callable[..., Measurement], calls: Iterable[tuple]) -> Iterator[Measurement]:
        with self._submitted(work, calls) as futures:
            for future in _completed(futures):
                yield future.result()

    @contextmanager
    def _submitted(self, work: Callable[..., Any], calls: Iterable[tuple]) -> Iterator[list[Future]]:
        """Calls on their way; those that nobody waits for any more are cancelled."""
        futures: list[Future] = []
        try:
            for arguments in calls:
                self._executor = self._executor or _started(self._count)
                futures.append(self._executor.submit(work, *arguments))
            yield futures
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


def here(workers: int | None = None) -> Crew:
    """A crew on this machine: `workers` processes, by default one for each core."""
    count = workers or os.cpu_count() or 1
    return Processes(count) if count > 1 else Alone()


def _started(count: int) -> ProcessPoolExecutor:
    """An executor with all its workers: one that starts another while one dies may wait for it for ever."""
    executor = ProcessPoolExecutor(count, get_context("spawn"), _start_worker, (os.getpid(),))
    for _ in range(count):
        executor.submit(os.getpid)
    return executor


def _completed(futures: Iterable[Future]) -> Iterator[Future]:
    pending = set(futures)
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        yield from done


def _start_worker(parent: int) -> None:
    """A worker leaves Ctrl-C to its parent and dies with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    except (OSError, AttributeError):  # no such call outside Linux: the worker ends with its queue
        pass
    if os.getppid() != parent:
        os._exit(1)
    Finalize(None, _benches.close, exitpriority=1)


def _end(*_) -> None:
    try:
        _benches.close()
    finally:
        os._exit(1)


def _measure(variant: Variant, *how: Any) -> Measurement:
    return _benches.of(variant).measure(variant, *how)


def _follow(measurement: Measurement) -> Measurement:
    return _benches.of(measurement.variant).follow(measurement)
