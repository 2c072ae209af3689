"""Many candidates at once: worker processes, the store as cache, every result kept as soon as it is there."""

import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.util import Finalize

from tightfit.errors import WorkError
from tightfit.harness.bench import Bench
from tightfit.harness.provenance import of_variant
from tightfit.harness.store import Store
from tightfit.records import Measurement, Variant

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
_bench: Bench | None = None


class Pool:
    """Measures lists of variants of one primitive on one part, in as many processes as wanted.

    Parameters
    ----------
    part : name of the part; the target's default one when None.
    store : what is measured already is taken from it, what is new is added to it at once.
    workers : number of processes; all cores when None; 1 measures in this process.
    gate : `search` or `full`.
    on_result : called with each new measurement, in the order in which they finish.
    """

    def __init__(
        self,
        target: str,
        part: str | None,
        primitive: str,
        store: Store,
        workers: int | None = None,
        gate: str = "search",
        on_result: Callable[[Measurement], None] | None = None,
    ):
        self.workers = workers or os.cpu_count() or 1
        self.gate = gate
        self.measured = 0
        self._question = target, part, primitive
        self._store = store
        self._on_result = on_result
        self._bench: Bench | None = None
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; what they were measuring is dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None
        if self._bench is not None:
            self._bench.close()
            self._bench = None

    def measure(self, variants: Sequence[Variant]) -> list[Measurement]:
        """The measurements of variants, in their order; each variant is measured once, rejected ones too.

        Raises
        ------
        WorkError
            A tool is missing, a worker died, or the store cannot be written.
        """
        wanted = {variant.id: variant for variant in variants}
        found = {key: self._stored(variant) for key, variant in wanted.items()}
        missing = [wanted[key] for key, measurement in found.items() if measurement is None]
        for measurement in self._fresh(missing):
            self._store.add(measurement)
            self.measured += 1
            found[measurement.variant.id] = measurement
            if self._on_result is not None:
                self._on_result(measurement)
        return [found[variant.id] for variant in variants]

    def _stored(self, variant: Variant) -> Measurement | None:
        return self._store.get(variant, of_variant(variant, self.gate)["context"])

    def _fresh(self, variants: Sequence[Variant]) -> Iterator[Measurement]:
        if not variants:
            return
        if self.workers == 1:
            self._bench = self._bench or Bench(*self._question)
            yield from (self._bench.measure(variant, self.gate) for variant in variants)
            return
        yield from self._parallel(variants)

    def _parallel(self, variants: Sequence[Variant]) -> Iterator[Measurement]:
        if self._executor is None:
            Bench(*self._question).close()  # what is missing is said here, once, not in every worker
            self._executor = ProcessPoolExecutor(
                self.workers, get_context("spawn"), _start_worker, (*self._question, os.getpid())
            )
        futures = [self._executor.submit(_measure, variant, self.gate) for variant in variants]
        try:
            for future in _completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise WorkError("a measuring process ended unexpectedly (killed, or out of memory)") from None
        finally:
            for future in futures:
                future.cancel()


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
