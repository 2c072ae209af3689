"""Tests leave the user's own store alone; toolchains and the simulator are the user's, built once."""

import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests import sampling
from tightfit.harness import store as stores
from tightfit.paths import portfolio_dir, store_path

# What a shell starts in the background ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true", help="test all that a usual run has a sample of")


def pytest_configure(config):
    sampling.exhaustive(config.option.exhaustive)


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))


@pytest.fixture(scope="session", autouse=True)
def copied_stores(tmp_path_factory):
    """A store of the shipped portfolio is built once, and copied where a test would build it again."""
    built, opened = tmp_path_factory.mktemp("built") / "store.sqlite", stores.Store.open

    def open_copy(path=None, read_only=False):
        place = Path(path) if path is not None else store_path()
        if stores.portfolio_dir() == portfolio_dir() and not place.exists():
            if not built.exists():
                opened(built).close()
            with suppress(OSError):
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(built, place)
        return opened(path, read_only)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores.Store, "open", staticmethod(open_copy))
        yield
