"""A command line in this process, answering from the fixture portfolio."""

import shutil
from dataclasses import dataclass, replace
from types import MappingProxyType

import pytest

from tests.cli import fixture_portfolio
from tightfit.cli import main
from tightfit.contenders import path, supercop
from tightfit.contenders.baselines import Baselined
from tightfit.exporter.figures import read_figures
from tightfit.filling import jobs, stages
from tightfit.generator import load_space
from tightfit.reports import listing


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command: its exit status and what it printed."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The fixture portfolio, of which each test gets a copy."""
    return fixture_portfolio.write(tmp_path_factory.mktemp("fixture") / "portfolio")


def answer_from(portfolio, folder, patch):
    """Patch in a portfolio in place of the package's, and in a folder a store of its own."""
    patch.setenv("TIGHTFIT_PORTFOLIO", str(portfolio))
    read_figures.cache_clear()
    patch.setenv("TIGHTFIT_STORE", str(folder / "store.sqlite"))
    patch.setenv("TIGHTFIT_CONFIG", str(folder / "none.toml"))


def leave_no_tools(folder, patch):
    """Patch away every toolchain."""
    patch.setenv("PATH", "")
    patch.setenv("TIGHTFIT_CACHE", str(folder / "cache"))
    patch.delenv("TIGHTFIT_RL78_BIN", raising=False)
    listing._tools.cache_clear()


@pytest.fixture
def portfolio(written, tmp_path, monkeypatch):
    """A copy of the fixture portfolio in place of the package's, and a store of its own."""
    folder = shutil.copytree(written, tmp_path / "portfolio")
    answer_from(folder, tmp_path, monkeypatch)
    yield folder
    read_figures.cache_clear()


@pytest.fixture
def no_tools(tmp_path, monkeypatch):
    """No toolchain anywhere."""
    leave_no_tools(tmp_path, monkeypatch)


@pytest.fixture
def tightfit(capfd, portfolio):
    """Run a command line; its exit status and what it printed."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capfd.readouterr())

    return run


@pytest.fixture
def small_space(monkeypatch):
    """The real space with one free knob, the first that matters; the others have a variant's values."""
    space = load_space("rl78", "aes-128")
    spec = space.of("encrypt")[0]
    start = next(spec.variants("encrypt"))
    moving = next(name for name in spec.knobs if _free(spec, start, name) > 1)
    knobs = {
        name: knob if name == moving else replace(knob, values=(start[name],))
        for name, knob in spec.knobs.items()
    }
    held = replace(spec, knobs=MappingProxyType(knobs), _relations={})
    small = replace(space, templates=MappingProxyType({spec.name: held}))
    monkeypatch.setattr(jobs, "load_space", lambda *_, **__: small)
    return small


def _free(spec, start, name) -> int:
    return sum(spec.contains("encrypt", {**start, name: value}) for value in spec.knobs[name].values)


@pytest.fixture
def no_compiler(monkeypatch):
    """`fill` without a C compiler: C baselines have tests of their own."""
    monkeypatch.setattr(stages, "renew", lambda *_, **__: Baselined(missing="no compiler"))


@pytest.fixture
def search_gate(monkeypatch):
    """`measure` with the search gate in the place of the full one."""
    for place, name in ((path, "measure_c"), (path, "measure_described"), (supercop, "measure")):
        original = getattr(place, name)

        def searched(*arguments, original=original, **options):
            return original(*arguments, **options, gate="search")

        monkeypatch.setattr(place, name, searched)
