"""Command lines that export from the shipped portfolio, with a store of their own."""

import pytest

from tightfit.cli import main
from tightfit.exporter import layer


@pytest.fixture(scope="session", autouse=True)
def measured_elsewhere():
    """Functions for whole messages are not measured, which takes a second for each library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layer, "measure_layer", lambda *_: (None, "this test needs no figures"))
        yield


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "store.sqlite"


@pytest.fixture
def tightfit(capfd, monkeypatch, store):
    """Run a command line; its exit status and what it printed."""
    monkeypatch.setenv("TIGHTFIT_STORE", str(store))

    def run(*arguments):
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        return status, *capfd.readouterr()

    return run
