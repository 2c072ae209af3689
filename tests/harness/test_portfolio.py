"""The portfolio as text: the same records give the same text, and come back equal."""

import json
import random
from dataclasses import replace

import pytest

from tightfit.errors import WorkError
from tightfit.harness import portfolio
from tightfit.paths import PACKAGE
from tightfit.records import Curve, Stretch
from tightfit.textfile import replace_texts

from .samples import PROOF, cell, front, in_context, measurement, variant

pytestmark = pytest.mark.usefixtures("texts")

TEMPLATES = {"fast": {"sources": "5" * 16, "texts": {}}}
BELOW = {"encrypt": 7339, "decrypt": 10636}
CELLS = [
    cell(name, rom=rom, objective=objective, below=BELOW)
    for name, rom, objective in (
        ("Fast/64B", None, "cycles"),
        ("1KB/64B", 1024, "cycles"),
        ("ROM-min/64B", None, "rom"),
    )
]
MEASUREMENTS = [measurement(variant(unroll=n), rom=400 + 10 * n, cycles=5000 - 20 * n) for n in range(12)]
VARIANTS = [each.variant for each in MEASUREMENTS]
BOUND = replace(PROOF, proved=False, kind="best found", bound=None, least_rom=400, least_ram=8)
STRETCHES = (Stretch(0, 99, None, None), Stretch(100, None, 64, 2.5))
FRONTS = [
    front(*VARIANTS[:3], only=("constant-time",), stretches=STRETCHES, proof=BOUND),
    front(*VARIANTS, proof=BOUND),
]


def write(file, measurements, cells, fronts=()):
    """The files of a portfolio."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(portfolio.render("rl78", "aes-128", measurements, cells, fronts))
    replace_texts(portfolio.measurement_texts(file, "rl78", "aes-128", measurements, TEMPLATES))


def test_same_text_whatever_the_order():
    text = portfolio.render("rl78", "aes-128", MEASUREMENTS, CELLS)
    measured = portfolio.render_measurements("rl78", "aes-128", MEASUREMENTS, TEMPLATES)
    for seed in range(5):
        source = random.Random(seed)
        measurements, cells = source.sample(MEASUREMENTS, len(MEASUREMENTS)), source.sample(CELLS, len(CELLS))
        assert portfolio.render("rl78", "aes-128", measurements, cells) == text
        assert portfolio.render_measurements("rl78", "aes-128", measurements, TEMPLATES) == measured


def test_comes_back_equal(tmp_path):
    file = tmp_path / "rl78" / "aes-128.json"
    write(file, MEASUREMENTS, CELLS)
    measurements, cells = portfolio.read(file)
    by_id = {m.variant.id: m for m in measurements}
    assert by_id == {m.variant.id: m for m in MEASUREMENTS} and len(measurements) == len(by_id)
    assert {c.budget.name: c for c in cells} == {c.budget.name: c for c in CELLS}
    assert [c.budget.name for c in cells] == ["ROM-min/64B", "1KB/64B", "Fast/64B"]
    assert list(cells[0].budget.below) == ["encrypt", "decrypt"]
    assert portfolio.render("rl78", "aes-128", measurements, cells) == file.read_text()
    (tmp_path / "rl78" / "aes-128" / "gnu.json").write_text("{}")
    assert portfolio.files(tmp_path) == [file]  # other files beside it are left alone
    assert portfolio.files(tmp_path / "none") == []


def test_fronts_come_back_equal(tmp_path):
    file = tmp_path / "rl78" / "aes-128.json"
    write(file, MEASUREMENTS, CELLS, FRONTS)
    assert portfolio.read_answers(file)[1] == FRONTS[::-1]
    lines = [line for line in file.read_text().splitlines() if '"only"' in line]
    assert len(lines) == 2 and json.loads(lines[0].rstrip(","))["variants"] == list(FRONTS[1].variants)


def test_curves_come_back_and_others_have_none(tmp_path):
    file = tmp_path / "aes-128.json"
    curved = replace(MEASUREMENTS[0], curve=Curve((0, 1, 64), (20_608, 20_599.5, 40_426), 309.65625))
    write(file, [curved, MEASUREMENTS[1]], CELLS)
    by_id = {m.variant.id: m for m in portfolio.read(file)[0]}
    assert by_id[curved.variant.id] == curved
    assert by_id[MEASUREMENTS[1].variant.id].curve is None
    assert portfolio.beside(file).read_text().count('"curve"') == 1


@pytest.mark.in_turn(4)
@pytest.mark.dear("every file of the portfolio is read and written")
def test_the_portfolio_as_it_is_reads_and_writes_the_same():
    for file in portfolio.files(PACKAGE.parent / "portfolio"):
        own, measured = (file.parent.name, file.stem), portfolio.read_measurements(file)
        measurements = measured.measurements()
        again = portfolio.render(*own, measurements, *portfolio.read_answers(file))
        assert again == file.read_text(encoding="utf-8"), file
        again = portfolio.render_measurements(*own, measurements, measured.templates)
        assert again == portfolio.beside(file).read_text(encoding="utf-8"), file


def test_a_new_stamp_moves_the_line_of_the_contexts_alone():
    others = [replace(m, provenance=in_context(run="another")) for m in MEASUREMENTS]
    before, after = (
        portfolio.render_measurements("rl78", "aes-128", each, TEMPLATES).splitlines()
        for each in (MEASUREMENTS, others)
    )
    assert [n for n, lines in enumerate(zip(before, after, strict=True)) if len(set(lines)) > 1] == [1]
    assert portfolio.render_attributions(others) == portfolio.render_attributions(MEASUREMENTS)


def test_a_cell_is_a_line_with_the_figures_of_the_winner_and_a_proof_stands_once():
    text = portfolio.render("rl78", "aes-128", MEASUREMENTS, CELLS)
    line = next(line for line in text.splitlines() if '"budget": "1KB/64B"' in line)
    form = json.loads(line.rstrip(","))
    assert (form["variant"], form["status"], form["proof"]) == (variant().id, "fits", "optimal")
    assert text.count("cp-sat") == 1 and json.loads(text)["searches"][0]["space"] == "12"
    winner = measurement(variant(), rom=900, cycles=9000)
    form = json.loads(portfolio.render("rl78", "aes-128", [winner], CELLS))["cells"][0]
    told = [form[name] for name in ("rom", "ram", "cycles", "template")]
    assert told == [900, winner.cost.ram, 9000, "fast"]


def test_write_keeps_front_and_winners(opened, tmp_path):
    dominated_winner = measurement(variant(), rom=900, cycles=9000)
    dominated = measurement(variant(unroll=99), rom=900, cycles=9000)
    for stored in [*MEASUREMENTS, dominated_winner, dominated]:
        opened.add(stored)
    opened.put_answers(CELLS, FRONTS)
    file = portfolio.write(opened, "rl78", "aes-128", tmp_path / "written")
    before = file.stat().st_mtime_ns
    assert portfolio.write(opened, "rl78", "aes-128", tmp_path / "written") == file
    assert file.stat().st_mtime_ns == before
    kept = {m.variant.id for m in portfolio.read(file)[0]}
    assert kept == {m.variant.id for m in [*MEASUREMENTS, dominated_winner]}


@pytest.mark.parametrize("damage", ["", "[]", '{"format": 6}', '{"format": 99}', None])
@pytest.mark.parametrize("name", ["aes-128.json", "measurements.jsonl"])
def test_no_portfolio(tmp_path, name, damage):
    """None: the file is cut."""
    file = tmp_path / "aes-128.json"
    write(file, MEASUREMENTS, CELLS)
    damaged = file if name == file.name else portfolio.beside(file)
    damaged.write_text(damaged.read_text()[:-100] if damage is None else damage)
    with pytest.raises(WorkError, match=f"{name}: (this is no portfolio|portfolio of format 99)"):
        portfolio.read(file)
