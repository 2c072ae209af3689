"""A fill of an empty store writes what ships, to the last byte."""

import re
from pathlib import Path

import pytest

from tightfit import api
from tightfit.exporter import figures
from tightfit.paths import PACKAGE
from tightfit.textfile import read_packed


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    """No portfolio to begin with: neither measurements nor figures with the GNU interface."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))
    figures.read_figures.cache_clear()
    yield tmp_path
    figures.read_figures.cache_clear()


def _as_made(file: Path) -> str:
    """The text of a file, without the state of the simulator's sources, which is recorded only."""
    text = read_packed(file) if file.suffix == ".xz" else file.read_text()
    return re.sub(r', "simulator": "[0-9a-f]{16}"', "", text)


@pytest.mark.dear("a space is searched and measured from nothing")
@pytest.mark.parametrize("target, primitive", [("rl78", "speck64-128")])
def test_a_fill_from_nothing_writes_what_ships(nothing, target, primitive):
    made, ships = nothing / "portfolio", PACKAGE.parent / "portfolio"
    api.fill(primitive, target=target, workers=1, store=nothing / "store.sqlite", portfolio=made)
    names = {file.relative_to(made) for file in made.rglob("*.*")}
    own = [ships / target / f"{primitive}.json", *(ships / target / primitive).iterdir()]
    assert names == {file.relative_to(ships) for file in own}
    for name in sorted(names):
        assert _as_made(made / name) == _as_made(ships / name), name
