"""Measuring on other machines: the workers of a Dask scheduler."""

import atexit
import logging
import re
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any

from tightfit.errors import TightfitError, UsageError, WorkError
from tightfit.harness.bench import Candidate
from tightfit.harness.crew import Benches
from tightfit.harness.provenance import RECORDED_ONLY, of_variant
from tightfit.records import Measurement, Variant

_ADDRESS = re.compile(r"tcp://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):\d{1,5}")
_CONNECT_SECONDS = 10
_PATIENCE_SECONDS = 60
"""How long a run waits when there is no worker: a worker that died may be on its way back."""
_LOOK_SECONDS = 5
_here = threading.local()


class Cluster:
    """A connection to a Dask scheduler; use it as a context manager.

    Every worker needs this version of tightfit and the same tools: other measurements are refused.

    Raises
    ------
    UsageError
        The address is not of the form tcp://HOST:8786.
    WorkError
        Nothing answers there.
    """

    def __init__(self, address: str, patience: float = _PATIENCE_SECONDS):
        if not _ADDRESS.fullmatch(address):
            raise UsageError(f"--cluster {address}: expected a scheduler such as tcp://HOST:8786")
        from distributed import Client

        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported in one line
        self.address, self.patience = address, patience
        try:
            self.client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkError(
                f"--cluster {address}: no Dask scheduler answers there; `dask scheduler` starts one "
                f"({type(error).__name__})"
            ) from None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_) -> None:
        self.client.close()

    def workers(self) -> int:
        """Number of workers now; also 0 where the scheduler does not answer."""
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def crew(self) -> "Remote":
        """The workers."""
        return Remote(self)


class Remote:
    """The workers of a cluster as a crew; if a worker dies, another takes over its work."""

    def __init__(self, cluster: Cluster):
        self._cluster = cluster
        self._futures: list[Any] = []

    def measure(self, candidates: Iterable[Candidate], gate: str) -> Iterator[Measurement]:
        """The measurements as they finish.

        Raises
        ------
        WorkError
            The scheduler is gone, there is no worker for longer than the cluster's patience, or a worker has
            other tools or sources than this machine.
        """
        yield from self._done(
            "measure", ((each.variant, (each.variant, gate, each.rendered)) for each in candidates)
        )

    def follow(self, measurements: Sequence[Measurement]) -> Iterator[Measurement]:
        """The same with their secrets followed anew, as they finish; errors are those of `measure`."""
        yield from self._done("follow", ((each.variant, (each,)) for each in measurements))

    def each(self, work: Callable[..., Any], calls: Sequence[tuple]) -> Iterator[Any]:
        """What a function gives for each of some arguments, here: a cluster only measures variants."""
        return starmap(work, calls)

    def _done(self, work: str, calls: Iterable[tuple[Variant, tuple]]) -> Iterator[Measurement]:
        """The results of a method of the workers' benches, called with the arguments beside each variant."""
        self._futures = []
        try:
            for variant, arguments in calls:
                key = f"{variant.id}-{uuid.uuid4()}"
                self._futures.append(
                    self._cluster.client.submit(_call, variant, work, *arguments, key=key, pure=False)
                )
            yield from (_checked(self._result(future)) for future in self._completed())
        finally:
            self.close()

    def close(self) -> None:
        """Cancel what is not yet measured."""
        if self._futures and self._cluster.client.status == "running":
            self._cluster.client.cancel(self._futures, force=True)
        self._futures = []

    def _completed(self) -> Iterator[Any]:
        from distributed import wait
        from distributed.client import FuturesCancelledError

        pending, waited = set(self._futures), 0.0
        while pending:
            try:
                with self._cluster.client.as_current():
                    done, pending = wait(pending, timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED")
            except TimeoutError:
                waited = 0.0 if self._workers() else waited + _LOOK_SECONDS
                if waited >= self._cluster.patience:
                    raise WorkError(
                        f"{self._cluster.address}: no worker there for {waited:.0f} s; "
                        f"`dask worker {self._cluster.address}` starts one"
                    ) from None
                continue
            except FuturesCancelledError as error:
                raise self._gone(error) from None
            waited = 0.0
            yield from done

    def _gone(self, error: Exception) -> WorkError:
        return WorkError(f"{self._cluster.address}: the scheduler is gone ({type(error).__name__})")

    def _workers(self) -> int:
        try:
            return self._cluster.workers()
        except (OSError, KeyError):
            return 0

    def _result(self, future: Any) -> Measurement:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            return future.result()
        except TightfitError as error:
            raise WorkError(f"{self._cluster.address}: a worker says: {error}") from None
        except KilledWorker as error:
            raise WorkError(
                f"{self._cluster.address}: the worker {error.last_worker.address} died repeatedly"
            ) from None
        except (FutureCancelledError, OSError) as error:
            raise self._gone(error) from None
        except Exception as error:  # a worker that is set up otherwise than this machine may raise anything
            raise WorkError(
                f"{self._cluster.address}: a worker cannot measure: {type(error).__name__}: {error}"
            ) from None


def _checked(measurement: Measurement) -> Measurement:
    """The measurement, if it was made with the sources and tools of this machine."""
    there = measurement.provenance
    here = of_variant(measurement.variant, there["gate"])
    if here["context"] != there["context"]:
        different = [name for name in here if name not in RECORDED_ONLY and here[name] != there.get(name)]
        raise WorkError(
            f"a worker measured with other sources or tools than those here: {', '.join(different)}; "
            "give all machines one version of tightfit, and run `tightfit setup` on each"
        )
    return measurement


def _call(variant: Variant, work: str, *arguments: Any) -> Measurement:
    """Measure on a worker, each of whose threads has benches of its own."""
    if not hasattr(_here, "benches"):
        _here.benches = Benches()
        atexit.register(_here.benches.close)
    return getattr(_here.benches.of(variant), work)(*arguments)
