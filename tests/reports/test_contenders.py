"""Contenders are shown beside our variants and never ranked among them."""

import csv
import io
import json
from dataclasses import replace

import pytest

from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tightfit.budgets import budget, load_budgets
from tightfit.curve import of_blocks
from tightfit.primitives import load_primitive
from tightfit.records import BASELINE, Contender, Cost, RamParts, Timing
from tightfit.reports import bestof, contenders, curves, measured, supercop
from tightfit.reports import portfolio as portfolios
from tightfit.reports.answer import Known, Question, answer
from tightfit.reports.answertext import text
from tightfit.reports.document import FORMATS, write
from tightfit.schemas import validator


def contender(level="-Os", rom=800, static=0, cycles=12000, constant=False, **more):
    """A baseline of the fixture's operation with invented figures."""
    cost = Cost(
        rom=rom,
        ram_parts=RamParts(32, static, 20),
        by_entry={"encrypt": Timing(4, 4 * cycles, cycles, cycles, constant)},
        ranked=("encrypt",),
        alignment=2,
    )
    plain = {
        "target": TARGET,
        "part": PART,
        "primitive": PRIMITIVE,
        "operation": "encrypt",
        "origin": BASELINE,
        "name": "reference.c",
        "compiler": "rl78-elf-gcc",
        "version": "12.2.0",
        "flags": f"-mcpu=g13 {level}",
        "interface": "one pointer",
        "rejected": None,
        "source_sha256": "0" * 64,
        "provenance": {"context": "test"},
        "curve": of_blocks(load_primitive(PRIMITIVE), cost),
        "reentrant": True,
    }
    return Contender(**{**plain, "cost": cost, **more})


SMALL = contender()
FAST = contender("-O3", rom=2500, cycles=7000, constant=True)
LARGE_DATA = contender("-O2", rom=900, static=256, cycles=9000)
EXTERNAL = contender("-O2", rom=600, cycles=1000, origin="external", name="theirs/opt")
REJECTED = contender("-O0", cost=None, rejected="wrong answer", curve=None)
EVERY = (SMALL, FAST, LARGE_DATA, EXTERNAL, REJECTED)


@pytest.fixture
def known():
    return Known(tuple(measurements("encrypt")), (), contenders=EVERY)


def ask(known, rom, ram):
    return answer(Question(TARGET, PART, PRIMITIVE, "encrypt", budget(rom, ram)), known, load_budgets())


def page(known):
    return portfolios.gather(load_primitive(PRIMITIVE), TARGET, PART, "encrypt", known, load_budgets())


@pytest.mark.parametrize(
    "rom, ram, best, shown",
    [
        ("1KB", "64B", SMALL, "12,000 -Os"),
        ("1KB", "512B", LARGE_DATA, "9,000 -O2"),
        ("Fast", "512B", FAST, "7,000 -O3"),
        ("ROM-min", "512B", SMALL, "12,000 (800 B) -Os"),
        ("512B", "64B", None, "x"),
    ],
)
def test_the_best_baseline_within_the_budget_stands_beside_the_answer(known, rom, ram, best, shown):
    reply = ask(known, rom, ram)
    assert (reply.c_alone, reply.c_measured) == (best, 4)
    assert contenders.beside(reply) == shown


def test_no_contender_is_ever_the_answer(known):
    without = replace(known, contenders=())
    for rom in ("512B", "1KB", "Fast"):
        assert ask(known, rom, "512B").measurement == ask(without, rom, "512B").measurement
    assert contenders.beside(ask(without, "1KB", "64B")) == ""
    assert "C alone" not in text(ask(without, "1KB", "64B"))


def test_a_constant_path_is_asked_of_contenders_too(known):
    only = replace(known, only=("constant-path",))
    assert only.rivals == [FAST]
    assert ask(only, "1KB", "64B").c_alone is None


def test_where_every_baseline_is_rejected_none_fits(known):
    reply = ask(replace(known, contenders=(REJECTED,)), "Fast", "512B")
    assert (contenders.beside(reply), reply.c_measured) == ("x", 1)


def test_ask_says_what_the_compiler_alone_gives(known):
    reaches = "  C alone    9,000 cycles with 900 B of ROM, 308 B of RAM (4.50 times as many)"
    assert f"{reaches}: rl78-elf-gcc 12.2.0 -O2" in text(ask(known, "1KB", "512B")).splitlines()
    assert "  C alone    x: none of 4 ways to compile the portable C fits" in text(ask(known, "512B", "64B"))


def test_ask_says_which_routine_of_others_is_better(known):
    reaches = "  external   theirs/opt reaches 1,000 cycles with 600 B of ROM, 52 B of RAM"
    shown = f"{reaches}: rl78-elf-gcc 12.2.0 -O2; {EXTERNAL.id}"
    assert shown in text(ask(known, "1KB", "512B")).splitlines()
    nothing = replace(known, measurements=())
    assert ask(nothing, "1KB", "512B").external == EXTERNAL
    slow = contender("-O2", rom=600, cycles=99_000, origin="external")
    for others in ((slow,), (SMALL, FAST, LARGE_DATA), ()):
        assert ask(replace(known, contenders=others), "1KB", "512B").external is None
    assert ask(known, "512B", "64B").external is None  # it takes more


def test_a_part_of_which_nothing_is_known_is_told(known):
    for variants, ours in ((known.measurements, "x"), ((), "?")):
        rivalries = page(replace(known, measurements=variants)).rivalries
        table = contenders.table(rivalries, "here")
        by_id = {row[table.columns.index("id")]: row[table.columns.index("ours")] for row in table.rows}
        assert by_id[FAST.id] == ours
        told = measured.text(measured.Measured(rivalries, ()))
        assert "x: no known variant of ours is so small" in told or ours == "?"
        assert (f"`tightfit fill {PRIMITIVE} --target {TARGET}` does" in told) == (ours == "?")


def test_each_contender_has_ours_within_its_bounds_beside_it(known):
    by_id = {rivalry.contender.id: rivalry for rivalry in page(known).rivalries}
    assert set(by_id) == {contender.id for contender in (SMALL, FAST, LARGE_DATA, EXTERNAL)}
    assert by_id[LARGE_DATA.id].ours.cost.cycles == 3000  # the variant of 2,000 cycles takes 950 bytes
    assert by_id[LARGE_DATA.id].ratio == 3
    assert (by_id[FAST.id].ours, by_id[FAST.id].ratio) == (None, None)  # each of our variants takes more RAM
    table = contenders.table(page(known).rivalries, "here")
    rows = {row[table.columns.index("id")]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert [row["whose"] for row in rows.values()] == ["C baseline"] * 3 + ["external"]
    assert rows[SMALL.id]["flags"] == "-mcpu=g13 -Os" and rows[SMALL.id]["version"] == "12.2.0"
    assert rows[FAST.id]["marks"] == "CR" and rows[SMALL.id]["marks"] == "R"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_the_table_shows_them(known, form):
    pages = [page(known)]
    shown = write(portfolios.flat(pages) if form == "csv" else portfolios.document(pages, "all"), form)
    for contender in (SMALL, FAST, LARGE_DATA, EXTERNAL):
        assert contender.id in shown
    assert REJECTED.id not in shown
    assert ("-O0: wrong answer" in shown) == (form != "csv")


def test_the_spreadsheet_has_compiler_version_and_flags(known):
    rows = list(csv.DictReader(io.StringIO(write(portfolios.flat([page(known)]), "csv"))))
    mine = {row["variant"]: row for row in rows if row["whose"] in ("C baseline", "external")}
    assert mine[FAST.id]["flags"] == "-mcpu=g13 -O3" and mine[FAST.id]["cycles"] == "7000"
    beside = {row["budget"]: (row["c_cycles"], row["c_id"]) for row in rows if row["whose"] == "ours"}
    assert beside["1KB/64B"] == ("12000", SMALL.id) and beside["512B/64B"] == ("", "")


def test_json_keeps_to_the_schemas(known):
    form = json.loads(json.dumps(portfolios.portfolio_form([page(known)])))
    validator("table").validate(form)
    assert [(contender["id"], contender["reason"]) for contender in form["rejected"]] == [
        (REJECTED.id, "wrong answer")
    ]
    assert {contender["id"] for contender in form["contenders"]} == {
        SMALL.id,
        FAST.id,
        LARGE_DATA.id,
        EXTERNAL.id,
    }
    of_curves = curves.form([page(known)])
    validator("table-curve").validate(json.loads(json.dumps(of_curves)))
    assert len(of_curves["contenders"]) == 4


def test_best_of_lists_have_the_best_baseline_by_the_same_criterion(known):
    for criterion, best in (("speed", FAST), ("rom", SMALL), ("area", SMALL)):
        best_list = bestof.best_of(criterion, TARGET, PART, known.usable, known.baselines)
        assert best_list.c_alone == {PRIMITIVE: best}
        row = bestof.best_document([best_list]).tables[0].rows[0]
        assert row[-1].split()[-1] == contenders.level(best)
        validator("table-best-of").validate(json.loads(json.dumps(bestof.best_form([best_list]))))


def test_supercop_lines_name_the_compiler(known):
    lines = supercop.lines([page(known)]).splitlines()
    assert any(f"/{FAST.id} reference.c" in line for line in lines)
    assert any(line.endswith("compiler rl78-elf-gcc_-mcpu=g13_-O3 12.2.0") for line in lines)
