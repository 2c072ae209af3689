"""The package as it ships, in a process of its own, with an empty PATH and no store."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import turn
from tightfit.harness import portfolio
from tightfit.paths import portfolio_dir
from tightfit.readyfile import kept_path

ROOT = Path(__file__).parents[2]
ON = ("--target", "rl78")
TURNS = 32


def _named(file: Path) -> str:
    return f"{file.parent.name} {file.stem}"


@pytest.fixture
def alone(tmp_path):
    """Runs a command where there is nothing but Python and the ready answers."""
    ready = tmp_path / "cache" / "ready" / kept_path().name
    ready.parent.mkdir(parents=True)
    shutil.copy(kept_path(), ready)
    environment = {
        "PATH": "",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "TIGHTFIT_CACHE": str(tmp_path / "cache"),
        "TIGHTFIT_STORE": str(tmp_path / "store.sqlite"),
    }

    def run(*arguments: object) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "tightfit.cli", *map(str, arguments)]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.in_turn(4)
@pytest.mark.dear("a process a file")
def test_every_cell_of_the_portfolio_is_answered_as_it_stands(alone):
    """In a usual run one file in `TURNS`, others with each commit."""
    for file in turn(portfolio.files(portfolio_dir()), TURNS, _named):
        cells, _ = portfolio.read_answers(file)
        answers = {}
        for part in dict.fromkeys(cell.part for cell in cells):
            on = ("--target", file.parent.name, "--part", part)
            done = alone("table", *on, "--primitive", file.stem, "--json")
            assert (done.returncode, done.stderr) == (0, "")
            for cell in json.loads(done.stdout)["cells"]:
                answers[part, cell["operation"], cell["budget"]["name"]] = cell
        for cell in (cell for cell in cells if not cell.budget.only):
            ours = answers[cell.part, cell.operation, cell.budget.name]
            assert (ours["variant"] and ours["variant"]["id"]) == cell.variant_id, cell.budget.name
            assert ours["certificate"]["proved"] == cell.certificate.proved, cell.budget.name
            assert ours["certificate"]["kind"] == cell.certificate.kind, cell.budget.name


@pytest.mark.dear("processes of many commands")
def test_every_query_answers(alone, tmp_path):
    """Of a winner of each file; in a usual run of one file in `TURNS`, others with each commit."""
    chosen = turn(portfolio.files(portfolio_dir()), TURNS, _named)
    files = [portfolio.read_answers(file)[0] for file in chosen]
    winners = [cell for cells in files for cell in [one for one in cells if one.variant_id][:1]]
    assert alone("list").returncode == 0
    assert alone("ask", "aes-128", "encrypt", *ON, "--rom", "1KB", "--ram", "64B").returncode == 0
    assert alone("front", "aes-128", "encrypt", *ON).returncode == 0
    for number, cell in enumerate(winners):
        folder = tmp_path / f"out{number}"
        shown = alone("show", cell.variant_id)
        assert shown.returncode == 0 and "no listing" in shown.stderr
        options = ("--target", cell.target, "--variant", cell.variant_id, "--to", folder)
        exported = alone("export", cell.primitive, cell.operation, *options)
        assert exported.returncode == 0, exported.stderr
        assert os.listdir(folder)


def test_a_store_that_cannot_be_used_is_said(alone, tmp_path):
    (tmp_path / "store.sqlite").mkdir()
    done = alone("ask", "aes-128", "encrypt", *ON, "--rom", "1KB", "--ram", "64B")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "the store cannot be opened" in done.stderr and "TIGHTFIT_STORE" in done.stderr
