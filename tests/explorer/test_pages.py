"""The pages without a browser: columns in the order of `ask`, every question, the boxes of a folder."""

import json
from dataclasses import replace
from functools import reduce
from itertools import product

import pytest

from tests.cli import fixture_portfolio
from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tests.reports.test_contenders import EVERY as CONTENDERS
from tightfit.budgets import load_budgets
from tightfit.conditions import CONDITIONS, CONSTANT_PATH
from tightfit.curve import curve
from tightfit.errors import UsageError, WorkError
from tightfit.explorer import boxes, data, portfoliopage, work
from tightfit.explorer.data import Subject
from tightfit.explorer.pages import Pages, cells_key, subjects_of
from tightfit.explorer.sketch import FIELDS, Sketch
from tightfit.harness.lines import line_of
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive
from tightfit.records import Budget, Padding
from tightfit.reports.answer import IMPOSSIBLE, Question, answer
from tightfit.reports.known import Current
from tightfit.reports.portfolio import gather

SUBJECT = Subject(TARGET, PART, PRIMITIVE, "encrypt")


@pytest.fixture
def portfolio(tmp_path, monkeypatch):
    folder = fixture_portfolio.write(tmp_path / "portfolio")
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(folder))


@pytest.fixture
def pages(portfolio):
    return Pages()


@pytest.mark.parametrize("only", [(), *((name,) for name in CONDITIONS), tuple(CONDITIONS)])
def test_the_first_row_that_fits_is_what_ask_answers(pages, only):
    columns = pages.subject(SUBJECT)["columns"]
    with data.current() as store:
        known = store.known(TARGET, PART, PRIMITIVE, "encrypt", only)
    mask = sum(1 << bit for bit, name in enumerate(CONDITIONS) if name in only)
    for rom, ram in product((100, 250, 600, 1000, 2000, None), (60, 70, 100, 400, None)):
        budget = Budget("", rom, ram)
        rows = zip(*(columns[name] for name in ("id", "rom", "ram", "met")), strict=True)
        fitting = (
            name
            for name, size, work, met in rows
            if size <= (rom or size) and work <= (ram or work) and met & mask == mask
        )
        found = answer(Question(TARGET, PART, PRIMITIVE, "encrypt", budget), known, []).measurement
        assert next(fitting, None) == (found and found.variant.id)


def test_columns_are_the_figures_of_the_variants(pages):
    columns = pages.subject(SUBJECT)["columns"]
    by_id = {one.variant.id: one for one in measurements("encrypt")}
    assert set(columns["id"]) == set(by_id)
    for at, name in enumerate(columns["id"]):
        cost = by_id[name].cost
        row = tuple(columns[column][at] for column in ("rom", "ram", "cycles", "met"))
        assert row == (cost.rom, cost.ram, cost.cycles, data.met(cost))
        for bit, condition in enumerate(CONDITIONS.values()):
            assert bool(row[-1] >> bit & 1) == condition.holds(cost)


def test_lengths_are_those_of_the_curves(pages):
    found = pages.lengths(SUBJECT)["cycles"]
    by_id = {one.variant.id: curve(one) for one in measurements("encrypt")}
    ids = pages.subject(SUBJECT)["columns"]["id"]
    assert found["64"] == [by_id[name].cycles[by_id[name].lengths.index(64)] for name in ids]
    assert found["long"] == [by_id[name].slope for name in ids]
    assert "0" not in found


def test_every_page_is_plain_json(pages):
    name = measurements("encrypt")[0].variant.id
    questions = [
        ("catalogue", ""),
        ("headline", ""),
        ("areas", ""),
        ("subject", SUBJECT.key),
        ("lengths", SUBJECT.key),
    ]
    questions += [("cells", SUBJECT.key), ("cells", cells_key(SUBJECT, CONDITIONS))]
    for question in (*questions, ("variant", name), ("listing", name), ("library", f"{PART}/{name}")):
        page = pages.answer(*question)
        assert json.loads(json.dumps(page)) == page


def test_the_catalogue_is_in_the_order_of_the_definitions(pages):
    (place,) = pages.catalogue()["places"]
    assert (place["target"], place["simulated"]) == (TARGET, PART)
    assert place["primitives"] == {PRIMITIVE: ["encrypt", "encrypt+decrypt"]}


def test_what_is_not_there(pages):
    with pytest.raises(UsageError, match="expected target/part/primitive/operation"):
        pages.answer("subject", "rl78")
    with pytest.raises(WorkError, match="nothing is known yet"):
        pages.answer("subject", f"{TARGET}/{PART}/{PRIMITIVE}/encrypt-next")
    with pytest.raises(UsageError, match="no variant"):
        pages.answer("variant", "000000000000")
    with pytest.raises(UsageError, match="no page 'frob'"):
        pages.answer("frob", "")


def test_what_is_written_is_read_again(pages):
    pages.catalogue()  # the store is made from the portfolio
    before = pages.subject(SUBJECT)
    assert pages.subject(SUBJECT)["version"] == before["version"]
    with Store.open() as store:
        store.add(measurements("encrypt", [(100, 0, 8, (9000,), 0, True)])[0])
    after = pages.subject(SUBJECT)
    assert after["version"] > before["version"]
    assert 100 in after["columns"]["rom"]


def test_a_box_holds_every_page_that_it_leads_to(pages):
    (job,) = boxes.jobs(subjects_of(pages.catalogue()))
    shelves = boxes.make(pages, job, listings=False).shelves
    box, sources = shelves[f"{TARGET}/{PART}/{PRIMITIVE}"], shelves[f"{TARGET}/sources/{PRIMITIVE}"]
    for subject in job.subjects:
        operation = box["operations"][subject.operation]
        assert operation["subject"] == pages.subject(subject) and operation["lengths"] == pages.lengths(
            subject
        )
        cells = operation["cells"]["portfolio"]["cells"].values()
        won = {cell["variant"] for cell in cells} - {None}
        assert won and won <= set(sources["of"])
        assert {sketch.id for sketch in pages.sketches(subject)} <= set(box["variants"])
    for page in box["variants"].values():
        assert page["provenance"] in box["contexts"]
    for one in sources["of"].values():
        assert "aes128_encrypt" in sources["texts"][one["text"]]


def test_of_very_many_variants_those_on_a_front_and_in_cells_have_a_page(pages, monkeypatch):
    (job,) = boxes.jobs(subjects_of(pages.catalogue()))
    monkeypatch.setattr(boxes, "FEW", 1)
    box = boxes.make(pages, job, listings=False).shelves[f"{TARGET}/{PART}/{PRIMITIVE}"]
    fronts = [sketch.id for subject in job.subjects for sketch in data.fronts(pages.sketches(subject))]
    assert set(fronts) <= set(box["variants"])


def test_all_that_is_read_at_once_answers_as_what_is_read_by_its_figures(pages):
    whole = Pages(data.current_in_full, whole=True)
    name = measurements("encrypt")[0].variant.id
    for question in (("subject", SUBJECT.key), ("lengths", SUBJECT.key), ("headline", ""), ("variant", name)):
        found, expected = whole.answer(*question), pages.answer(*question)
        assert {**found, "version": 0} == {**expected, "version": 0}


def test_a_front_holds_what_nothing_beats_under_the_same_conditions(pages):
    sketches = pages.sketches(SUBJECT)
    kept = {sketch.id for sketch in data.fronts(sketches)}

    def beats(one, other):
        figures = zip(
            *((each.cost.rom, each.cost.ram, each.cost.cycles) for each in (one, other)), strict=True
        )
        return all(a <= b for a, b in figures) and data.met(other.cost) & ~data.met(one.cost) == 0

    for sketch in sketches:
        beaten = any(beats(other, sketch) for other in sketches if other is not sketch)
        assert (sketch.id in kept) != beaten


@pytest.mark.parametrize("only", [(), (CONSTANT_PATH,)])
def test_what_is_ruled_out_is_what_ask_calls_impossible(pages, only):
    page = pages.cells(SUBJECT, only)["impossible"]
    with data.current() as store:
        known = store.known(TARGET, PART, PRIMITIVE, "encrypt", only)
    for rom, ram in product((1, 150, 199, 200, 399, 512, 899, 950, None), (60, 65, 66, 88, 90, 330, None)):
        asked = answer(
            Question(TARGET, PART, PRIMITIVE, "encrypt", Budget("", rom, ram)), known, load_budgets()
        )
        ruled_out = any(
            (one["rom"] is None or (rom or 10**9) <= one["rom"])
            and (one["ram"] is None or (ram or 10**9) <= one["ram"])
            for one in page
        )
        assert ruled_out == (asked.status == IMPOSSIBLE), (rom, ram, page)


def test_what_destroys_the_key_or_is_of_another_text_is_left_out(pages):
    before = set(pages.subject(SUBJECT)["columns"]["id"])
    *_, known = measurements("encrypt", [(100, 0, 8, (9000,), 0, True)] * (len(before) + 1))
    others = [
        replace(known, destroys_key=True),
        replace(known, source_sha256="0" * 64),
    ]
    for measurement in others:
        with Store.open() as store:
            store.add(measurement)
    assert set(pages.subject(SUBJECT)["columns"]["id"]) == before


@pytest.mark.dear("starts two processes, and makes all of two primitives twice")
def test_several_processes_make_what_one_does(monkeypatch):
    with data.current() as store:
        every = data.subjects(store)
    named = [("rl78", "xtea"), ("avr", "present-80")]
    jobs = [job for job in boxes.jobs(every) if (job.target, job.primitive) in named]
    expected = list(work.made(jobs, listings=False))
    assert [len(scripts) > 1 for _, scripts in expected] == [True, True]
    monkeypatch.setattr(work, "FEW", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert list(work.made(jobs, listings=False)) == expected


def test_routines_that_are_not_ours_come_with_what_made_them(pages):
    pages.catalogue()  # the store is made from the portfolio
    with Store.open() as store:
        for one in CONTENDERS:
            store.add_contender(one)
    found = pages.subject(SUBJECT)["rivals"]
    by_id = {one.id: one for one in CONTENDERS if one.cost}
    assert set(found["id"]) == set(by_id)
    for at, name in enumerate(found["id"]):
        cost, made = by_id[name].cost, found["made"][at]
        assert (found["rom"][at], found["ram"][at], found["cycles"][at]) == (cost.rom, cost.ram, cost.cycles)
        assert made.startswith(f"{by_id[name].compiler} {by_id[name].version} -O")
        assert found["lengths"]["64"][at] == 4 * cost.cycles


def test_published_figures_come_with_how_they_count(portfolio):
    found = data.published(SUBJECT)
    assert 6622 in found["cycles"] and 512 in found["rom"]
    assert all(found["counted"])


def test_a_published_figure_without_cycles_is_not_called_beaten():
    compared = next(one for one in _comparisons("sha-256", "hash") if one["theirs"] == "cycles not known")
    assert compared["beaten"] is None
    assert "ROM" in compared["within"] and compared["rom"]


def _comparisons(primitive, operation):
    with Store.open() as store:
        known = Current(store).known(TARGET, PART, primitive, operation)
    portfolio = gather(load_primitive(primitive), TARGET, PART, operation, known, load_budgets())
    return portfoliopage.page(portfolio)["published"]


def test_a_sketch_has_the_padding_of_its_variant():
    measured = measurements("encrypt")[0]
    measured = replace(measured, cost=replace(measured.cost, padding=Padding(255, 3)))
    record = json.loads(line_of(measured).record)
    sketch = Sketch.of("it", [reduce(dict.get, path.split(".")[1:], record) for path in FIELDS])
    assert (sketch.cost.padding, sketch.cost.constant_time) == (Padding(255, 3), False)
