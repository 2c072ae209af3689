"""Tests leave the user's own store alone; toolchains and the simulator are the user's, built once."""

import gc
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from filelock import FileLock

from tests import cpu, longrun, sampling
from tightfit.harness import store as stores
from tightfit.paths import portfolio_dir, store_path

# As the commands do; the tests start hundreds of processes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What a shell starts in the background ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    longrun.add_options(parser)
    cpu.add_options(parser)


def pytest_configure(config):
    config.addinivalue_line("markers", "long(seconds): for the exhaustive run; takes that much CPU time")
    config.addinivalue_line("markers", "in_turn(n): a usual run takes one case in n, others with each commit")
    config.addinivalue_line("markers", f"dear(why): takes more than {cpu.LIMIT} s of CPU time, and why")
    sampling.exhaustive(config.option.exhaustive)
    config.pluginmanager.register(longrun.LongRun(config))
    config.pluginmanager.register(cpu.Dearest(config))


def pytest_collection_finish():
    """Modules and tests stay to the end; the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory, monkeypatch):
    """No test finds the store of the one before. A folder for each would have to be made and deleted."""
    folder = tmp_path_factory.getbasetemp() / "own"
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("TIGHTFIT_STORE", str(folder / "store.sqlite"))
    yield folder / "store.sqlite"
    for file in folder.iterdir():
        file.unlink()


@pytest.fixture(scope="session", autouse=True)
def one_store(tmp_path_factory):
    """A store of the shipped portfolio is built once for all workers; who would write gets a copy of it."""
    opened = stores.Store.open
    folder = tmp_path_factory.getbasetemp()
    folder = folder if "PYTEST_XDIST_WORKER" not in os.environ else folder.parent
    shipped = folder / "shipped.sqlite"

    def build():
        half = folder / "half.sqlite"
        with FileLock(folder / "shipped.lock"):
            if not shipped.exists():
                opened(half).close()
                half.rename(shipped)

    def open_shipped(path=None, read_only=False):
        place = Path(path) if path is not None else store_path()
        if stores.portfolio_dir() != portfolio_dir() or place.exists():
            return opened(path, read_only)
        build()
        if read_only:
            return opened(shipped)
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(shipped, place)
        return opened(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores.Store, "open", staticmethod(open_shipped))
        yield
