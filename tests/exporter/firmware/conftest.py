"""The winners of a target and primitive, exported once for all tests."""

from functools import cache

import pytest

from tightfit.exporter.figures import read_figures
from tightfit.exporter.interfaces import load_interface
from tightfit.harness import portfolio
from tightfit.paths import portfolio_dir

from .images import supports
from .winners import winners


def shipped(interface, routine, variant):
    """The cost that ships, in place of a measurement."""
    return read_figures(variant.target, variant.primitive)[variant.id].cost


@pytest.fixture(scope="session")
def exporter(tmp_path_factory):
    """A function that gives winners, with the figures that ship, and the objects that every program needs."""

    @cache
    def make(target, primitive):
        folder = tmp_path_factory.mktemp("exported")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(load_interface(target)), "measure", shipped)
            return winners(target, primitive, folder), supports(target, folder)

    return make


FILLED = [(file.parent.name, file.stem) for file in portfolio.files(portfolio_dir())]


@pytest.fixture(params=FILLED, ids=" ".join)
def exported(request, exporter):
    """Target, winners, objects."""
    return request.param[0], *exporter(*request.param)
