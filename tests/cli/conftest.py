"""A command line in this process, answering from the fixture portfolio."""

from dataclasses import dataclass

import pytest

from tests.cli import fixture_portfolio
from tightfit.cli import main
from tightfit.exporter.figures import read_figures
from tightfit.reports import listing


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str


@pytest.fixture
def portfolio(tmp_path, monkeypatch):
    """The fixture portfolio in place of the package's, and a store of its own."""
    folder = fixture_portfolio.write(tmp_path / "portfolio")
    monkeypatch.setattr("tightfit.harness.store.portfolio_dir", lambda: folder)
    monkeypatch.setattr("tightfit.exporter.figures.portfolio_dir", lambda: folder)
    read_figures.cache_clear()
    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))
    return folder


@pytest.fixture
def no_tools(tmp_path, monkeypatch):
    """No toolchain anywhere."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TIGHTFIT_RL78_BIN", raising=False)
    listing._tools.cache_clear()


@pytest.fixture
def tightfit(capfd, portfolio):
    """Run a command line; its exit status and what it printed."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capfd.readouterr())

    return run
