"""A fill of an empty store writes the files that ship, to the last byte."""

import pytest

from tightfit import api
from tightfit.exporter import figures
from tightfit.harness import store as stores
from tightfit.paths import portfolio_dir


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    """No portfolio to begin with: neither measurements nor figures with the GNU interface."""
    for module in (stores, figures):
        monkeypatch.setattr(module, "portfolio_dir", lambda: tmp_path / "none")
    figures.read_figures.cache_clear()
    yield tmp_path
    figures.read_figures.cache_clear()


@pytest.mark.parametrize("target, primitive", [("rl78", "speck64-128")])
def test_a_fill_from_nothing_writes_what_ships(nothing, target, primitive):
    made = nothing / "portfolio"
    api.fill(primitive, target=target, workers=1, store=nothing / "store.sqlite", portfolio=made)
    names = {file.relative_to(made) for file in made.rglob("*.json*")}
    ships = portfolio_dir()
    assert names == {
        file.relative_to(ships)
        for file in [ships / target / f"{primitive}.json", *(ships / target / primitive).glob("*.json*")]
    }
    for name in sorted(names):
        assert (made / name).read_text() == (ships / name).read_text(), name
