"""The winners of the portfolio, exported once for all tests."""

from functools import cache

import pytest

from tests.sampling import exhaustive

from .winners import primitives, winners


@pytest.fixture(scope="session")
def exporter(tmp_path_factory):
    """A function that gives the winners of a target and primitive."""
    return cache(lambda *of: winners(*of, tmp_path_factory.mktemp("exported")))


@pytest.fixture
def chosen(exporter, request):
    """A function that gives those winners of a primitive of a form that are wanted; each test has its own."""

    def choose(target, of, wanted=lambda winner: True):
        for primitive in primitives(target, of, request.node.name):
            if found := [winner for winner in exporter(target, primitive) if wanted(winner)]:
                return found
        assert exhaustive(), "the portfolio has none"  # or nothing fits the listed budgets
        return []

    return choose
