"""Tests leave the user's own store alone; toolchains and the simulator are the user's, built once."""

import gc
import os
import signal

import pytest

from tests import cpu, longrun, sampling
from tightfit.reports.view import ready

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
def ready_answers():
    """What ships is made ready once, before tests ask in many processes."""
    ready()
