"""The README shows what the portfolio holds."""

import re
from pathlib import Path

from tightfit.harness import portfolio
from tightfit.paths import portfolio_dir

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_answer_on_the_first_screen_is_the_portfolios(capsys, tmp_path, monkeypatch):
    from tightfit.cli import main

    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))
    question, _, shown = README.partition("$ tightfit ")[2].partition("```")[0].partition("\n")
    assert main(question.split()) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == shown.rstrip().splitlines()


def test_the_figures_of_the_table_are_the_portfolios():
    ours = set()
    for file in portfolio.files(portfolio_dir()):
        measurements, cells = portfolio.read(file)
        winners = {cell.variant_id for cell in cells}
        for measurement in measurements:
            entries = measurement.cost.by_entry.values()
            if measurement.variant.id in winners:
                ours.add(" + ".join(f"{timing.cycles:,}" for timing in entries))
            ours.add(f"{measurement.cost.rom} B")
    rows = re.findall(r"^\| encrypt.*\| ([^|]+) \|$", README, re.MULTILINE)
    assert rows
    for row in rows:
        for figure in re.split(r"; ", row):
            assert figure.removesuffix(" on one path for all inputs") in ours, row
