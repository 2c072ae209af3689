"""`fill --cluster`: a real Dask scheduler and two workers on loopback."""

import contextlib
import json
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from tightfit.cli import main
from tightfit.contenders.baselines import Baselined
from tightfit.errors import UsageError, WorkError
from tightfit.filling import stages
from tightfit.generator import load_space
from tightfit.harness import cluster as clusters
from tightfit.harness.cluster import Cluster
from tightfit.harness.pool import Pool
from tightfit.harness.store import Store
from tightfit.records import Variant

ROOT = Path(__file__).parents[2]
WHAT = ("speck64-128", "--target", "msp430", "--operation", "encrypt+decrypt")
SECONDS = 600


class Dask:
    """A scheduler of its own, and workers of one thread each."""

    def __init__(self, folder: Path):
        self.folder, self.workers = folder, []
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        self.address = self._wait(lambda: json.loads(self.file.read_text())["address"])

    def add_worker(self, **environment: str) -> None:
        number = len(self.workers)
        place = ("--local-directory", self.folder / f"worker{number}")
        options = ("--nthreads", "1", "--no-nanny", *place)
        self.workers.append(self._start("worker", *options, **environment))

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(self, what: str, *options, **environment: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, options)]
        return subprocess.Popen(
            [*command, "--no-dashboard", "--scheduler-file", str(self.file)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _wait(self, answer):
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, ValueError, KeyError):
                return answer()
            time.sleep(0.05)
        raise AssertionError("the scheduler did not start")


@pytest.fixture
def dask(tmp_path):
    cluster = Dask(tmp_path)
    yield cluster
    cluster.end()


@pytest.fixture
def pool(dask, opened):
    """Opens a pool of the cluster, with an empty store."""

    @contextlib.contextmanager
    def pool(**options):
        with (
            Cluster(dask.address, **options) as cluster,
            contextlib.closing(cluster.crew()) as crew,
        ):
            yield Pool(opened, crew)

    return pool


@pytest.fixture
def fill(no_portfolio, tmp_path, monkeypatch, capfd):
    """Fill a new, empty store; returns exit status, standard error and the text of the portfolio."""
    # C baselines are none of the cluster's work
    monkeypatch.setattr(stages, "renew", lambda *_, **__: Baselined())

    def run(name: str, *options: str):
        monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / f"{name}.sqlite"))
        status = main(["fill", *WHAT, "--portfolio", str(tmp_path / name), *options])
        file = tmp_path / name / "msp430" / "speck64-128.json"
        return status, capfd.readouterr().err, file.read_bytes() if file.is_file() else None

    return run


def after(count: int, act, monkeypatch) -> None:
    """Do something once, when the store has a given number of measurements."""
    real, seen = Store.add, []

    def add(store, measurement):
        real(store, measurement)
        seen.append(measurement)
        if len(seen) == count:
            act()

    monkeypatch.setattr(Store, "add", add)


def variants(count: int) -> list[Variant]:
    spec = load_space("msp430", "present-80").of("encrypt")[0]
    return [
        Variant("msp430", "MSP430F1611", "present-80", "encrypt", spec.name, knobs)
        for knobs in islice(spec.variants("encrypt"), count)
    ]


@pytest.mark.dear("a fill by processes of a cluster")
def test_a_worker_killed_in_the_middle_changes_nothing(dask, fill, monkeypatch):
    dask.add_worker()
    dask.add_worker()
    with Cluster(dask.address) as cluster:
        dask._wait(lambda: {2: True}[cluster.workers()])
    after(8, dask.workers[0].kill, monkeypatch)
    status, error, far = fill("far", "--cluster", dask.address)
    assert status == 0, error
    assert dask.workers[0].wait(SECONDS) != 0 and dask.workers[1].poll() is None
    status, error, near = fill("near", "--workers", "1")
    assert status == 0, error
    assert far == near


def test_a_scheduler_that_dies_is_one_line_and_what_was_measured_is_kept(dask, fill, monkeypatch, tmp_path):
    dask.add_worker()
    after(5, dask.scheduler.kill, monkeypatch)
    status, error, written = fill("far", "--cluster", dask.address)
    assert (status, written) == (1, None)
    assert f"tightfit: {dask.address}: the scheduler is gone" in error.splitlines()[-1]
    with Store.open(tmp_path / "far.sqlite") as store:
        assert len(store.measurements(rejected=True)) >= 5


def test_a_cluster_without_workers_says_how_to_start_one(dask, pool, monkeypatch):
    monkeypatch.setattr(clusters, "_LOOK_SECONDS", 0.2)
    said = f"no worker there for 1 s; `dask worker {dask.address}` starts one"
    with pool(patience=1) as mine, pytest.raises(WorkError, match=said):
        mine.measure(variants(2))


def test_a_worker_with_other_sources_is_refused(dask, pool, opened, monkeypatch):
    real = clusters.of_variant

    def other(variant, gate):
        return {**real(variant, gate), "as": "0.1", "context": "0"}

    dask.add_worker()
    with pool() as mine:
        with monkeypatch.context() as patch:
            patch.setattr(clusters, "of_variant", other)
            with pytest.raises(WorkError, match="with other sources or tools than those here: as; give all"):
                mine.measure(variants(2))
        assert opened.measurements(rejected=True) == []
        assert len(mine.measure(variants(2))) == 2


def test_what_is_wrong_on_a_worker_is_said(dask, pool, tmp_path):
    empty = str(tmp_path / "empty")
    dask.add_worker(TIGHTFIT_MSP430_BIN=empty, TIGHTFIT_CACHE=empty, PATH="")
    with pool() as mine, pytest.raises(WorkError, match="a worker says: .*msp430-elf-as is missing"):
        mine.measure(variants(1))


def test_nothing_answers(monkeypatch):
    monkeypatch.setattr(clusters, "_CONNECT_SECONDS", 1)
    with pytest.raises(WorkError, match="no Dask scheduler answers there; `dask scheduler` starts one"):
        Cluster("tcp://127.0.0.1:9")


@pytest.mark.parametrize("address", "127.0.0.1:8786 tcp://:8786 tcp://host tcp://host:x inproc://a".split())
def test_an_address_that_is_none(address):
    said = f"--cluster {address}: expected a scheduler such as tcp://HOST:8786"
    with pytest.raises(UsageError, match=said):
        Cluster(address)


def test_a_cluster_and_workers_of_this_machine(capfd):
    assert main(["fill", *WHAT, "--cluster", "tcp://127.0.0.1:9", "--workers", "2"]) == 2
    assert "--workers counts processes of this machine" in capfd.readouterr().err
