"""Command lines that export from the shipped portfolio, with a store of their own."""

from functools import cache

import pytest

from tightfit.cli import main
from tightfit.exporter import layer
from tightfit.exporter.figures import read_figures
from tightfit.exporter.interfaces import load_interface

from .firmware.images import frame_of


@pytest.fixture(scope="session", autouse=True)
def measured_elsewhere():
    """Functions for whole messages are not measured, which takes a second for each library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layer, "measure_layer", lambda *_: (None, "this test needs no figures"))
        yield


@pytest.fixture(scope="module", autouse=True)
def figures_that_ship():
    """Costs with the shim of RL78 are those that ship, where there are, in place of a full gate for each."""
    shimmed = type(load_interface("rl78"))
    measure = shimmed.measure

    def known(interface, routine, variant):
        figure = read_figures(variant.target, variant.primitive).get(variant.id)
        return figure.cost if figure else measure(interface, routine, variant)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shimmed, "measure", known)
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


@pytest.fixture(scope="session")
def frame(tmp_path_factory):
    """A function that gives the objects that every program of a target is linked with."""
    return cache(lambda target: frame_of(target, tmp_path_factory.mktemp(target)))
