"""Every part of a core class answers, within its own ROM and RAM, and what is not there is said."""

import io
from base64 import b64decode
from dataclasses import replace
from itertools import product
from urllib.parse import quote_plus
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from tests.cli import fixture_portfolio
from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tests.explorer.conftest import EVERY_COST, LARGE, LARGE_COSTS
from tightfit.budgets import budget, load_budgets
from tightfit.errors import UsageError
from tightfit.explorer import boxes, data
from tightfit.explorer.data import Subject
from tightfit.explorer.pages import Pages, subjects_of
from tightfit.harness.store import Store
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import Question, answer
from tightfit.reports.answertext import text
from tightfit.targets import load_target

SMALL, EMPTY = "R5F100xA", "R5F104xC"
SUBJECT = Subject(TARGET, SMALL, PRIMITIVE, LARGE)
ADDRESS = f"#target={TARGET}&primitive={PRIMITIVE}&operation={quote_plus(LARGE)}"
LABEL = f"{TARGET} ({SMALL}, simulated on {PART})"
CLASS = [part.name for part in load_target(TARGET).class_of(load_target(TARGET).part(PART))]
FASTEST, FRONT, KNOBS, NOTICES = (
    "The fastest that fits",
    "The front within the budgets",
    "Knobs and cost",
    "Notices",
)
FITTING, TOO_LARGE = measurements(LARGE, LARGE_COSTS)[:2], measurements(LARGE, LARGE_COSTS)[2:]


@pytest.fixture
def pages(tmp_path, monkeypatch):
    folder = fixture_portfolio.write(tmp_path / "portfolio", EVERY_COST)
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(folder))
    return Pages()


def asked(part, bounds):
    """What `ask --part` answers."""
    with data.current() as store:
        known = store.known(TARGET, part, PRIMITIVE, LARGE)
    return answer(Question(TARGET, part, PRIMITIVE, LARGE, bounds), known, load_budgets())


@pytest.mark.parametrize("part", CLASS)
def test_the_first_row_that_fits_is_what_ask_answers_for_the_part(pages, part):
    columns = pages.subject(Subject(TARGET, part, PRIMITIVE, LARGE))["columns"]
    for rom, ram in product((250, 400, 2000, 40_000, None), (64, 100, 4000, None)):
        rows = zip(*(columns[name] for name in ("id", "rom", "ram")), strict=True)
        fitting = (name for name, size, work in rows if size <= (rom or size) and work <= (ram or work))
        found = asked(part, Budget("", rom, ram)).measurement
        assert next(fitting, None) == (found and found.variant.id)


def test_variants_that_do_not_fit_the_part_are_left_out(pages):
    page = pages.subject(SUBJECT)
    assert set(page["columns"]["id"]) == {one.variant.id for one in FITTING}
    assert page["title"] == f"{PRIMITIVE} {LARGE} on {LABEL}"
    assert len(pages.lengths(SUBJECT)["cycles"]["64"]) == len(FITTING)
    assert len(pages.subject(SUBJECT.simulated)["columns"]["id"]) == len(LARGE_COSTS)


def test_the_cells_of_a_part_are_what_ask_answers(pages):
    cells = pages.cells(SUBJECT)["portfolio"]["cells"]
    for bounds in load_budgets():
        expected = asked(SMALL, bounds)
        head, _, body = text(expected).partition("\n\n")
        assert f"{PRIMITIVE} {LARGE} on {LABEL} within {cells[bounds.name]['within']}" == head
        assert cells[bounds.name]["text"].startswith(body)  # the published figures follow
        assert cells[bounds.name]["variant"] == (expected.measurement and expected.measurement.variant.id)


def test_the_catalogue_lists_every_part_of_a_class_the_simulated_one_first(pages):
    catalogue = pages.catalogue()
    (place,) = catalogue["places"]
    parts = {part["part"]: part for part in place["parts"]}
    assert list(parts)[0] == PART and set(parts) == set(CLASS)
    assert parts[PART]["memory"] is None
    assert parts[SMALL] == {"part": SMALL, "label": LABEL, "memory": {"rom": 16384, "ram": 2048}}
    unfilled = {part["part"] for place in catalogue["unfilled"] for part in place["parts"]}
    assert {EMPTY, "ATmega328P", "MSP430F1611"} <= unfilled and not unfilled & set(CLASS)


def made(pages):
    """What the one job comes to."""
    (job,) = boxes.jobs(subjects_of(pages.catalogue()))
    return boxes.make(pages, job, listings=False)


def test_a_box_holds_the_variants_once_for_a_class(pages):
    (name,) = made(pages).variants
    assert name == f"{TARGET}/{PART}/{PRIMITIVE}"


def test_what_renders_to_another_text_now_is_not_written(pages):
    pages.catalogue()  # the store is made from the portfolio
    one = replace(measurements(LARGE, LARGE_COSTS)[0], source_sha256="0" * 64)
    with Store.open() as store:
        store.add(replace(one, variant=replace(one.variant, part="R5F104xE")))
    assert len(pages.catalogue()["places"]) == 2
    assert {subject.part for subject in made(pages).subjects} == {PART}


def test_a_library_is_for_the_part(pages):
    pages.catalogue()  # the store is made from the portfolio
    variant = FITTING[0].variant.id
    packed = pages.answer("library", f"{SMALL}/{variant}")
    with ZipFile(io.BytesIO(b64decode(packed["base64"]))) as archive:
        sheet = "\n".join(archive.read(name).decode() for name in archive.namelist())
    assert f"--part {SMALL} --variant {variant}" in sheet


@pytest.mark.parametrize(
    "key, message",
    [
        (f"{SMALL}/{TOO_LARGE[0].variant.id}", f"takes [0-9,]+ B of ROM .* {SMALL} has 16,384 B of ROM and"),
        (f"{EMPTY}/{FITTING[0].variant.id}", f"was simulated on {PART}, not for {EMPTY}"),
        (f"R7/{FITTING[0].variant.id}", "no part 'R7' of target rl78"),
    ],
)
def test_a_library_for_a_part_that_it_is_not_for(pages, key, message):
    pages.catalogue()
    with pytest.raises(UsageError, match=message):
        pages.answer("library", key)


def test_a_part_that_there_is_not(pages):
    with pytest.raises(UsageError, match="no part 'R7' of target rl78"):
        pages.answer("subject", f"{TARGET}/R7/{PRIMITIVE}/{LARGE}")


def test_parts_are_chosen_by_their_class(explorer, address):
    explorer.open(address + ADDRESS)
    explorer.says("What fits", f"on {TARGET} ({PART})", "4 of 4 known")
    chooser = explorer.page.get_by_label("Target (part)")
    labels = chooser.locator("optgroup").first.locator("option").all_inner_texts()
    assert labels[0] == f"{TARGET} ({PART})" and LABEL in labels and len(labels) == len(CLASS)
    chooser.select_option(label=LABEL)
    explorer.says("What fits", f"on {LABEL}", "2 of 2 known")
    assert explorer.state()["part"] == SMALL
    expect(explorer.page.get_by_label(NOTICES)).to_be_empty()
    explorer.shot("part")


def test_the_trade_off_of_a_part_is_what_ask_answers(explorer, address):
    explorer.open(f"{address}{ADDRESS}&part={SMALL}")
    best = min(FITTING, key=lambda one: one.cost.cycles)
    explorer.says(FASTEST, best.variant.id, f"{best.cost.cycles:,.0f}")
    explorer.says(FRONT, *(one.variant.id for one in FITTING))
    for one in TOO_LARGE:
        expect(explorer.page.get_by_label(FRONT)).not_to_contain_text(one.variant.id)
    explorer.go(f"{ADDRESS}&part={SMALL}&length=64")
    explorer.says(FASTEST, f"{4 * best.cost.by_entry['encrypt'].cycles:,}")


def test_the_cells_of_a_part_in_a_browser(explorer, address, served, pages):
    explorer.open(f"{address}{ADDRESS}&part={SMALL}&view=portfolio&cell=Fast%2F512B")
    explorer.says("Portfolio", LABEL)
    found = asked(SMALL, budget(None, 512))
    explorer.says("The chosen cell", found.measurement.variant.id, words.by_entry(found.measurement.cost))
    if address == served.address:
        _expect_all_words(explorer, text(found))
    explorer.go(f"{ADDRESS}&part={SMALL}&view=area")
    titles = "() => Bokeh.documents[0]._all_models.values().toArray().filter((one) => one.type === 'Title')"
    explorer.page.wait_for_function(f"({titles})().some((title) => title.text === '{LABEL}')")
    explorer.shot("part-area")


def _expect_all_words(explorer, expected):
    shown = explorer.page.get_by_label("The chosen cell").locator("pre")
    for line in (line.strip() for line in expected.splitlines()):
        if line and "C alone" not in line:
            expect(shown).to_contain_text(line)


def test_a_variant_names_the_parts_that_its_figures_stand_for(explorer, address):
    fitting, too_large = FITTING[0].variant.id, TOO_LARGE[0].variant.id
    explorer.open(f"{address}{ADDRESS}&part={SMALL}&view=variant&variant={fitting}")
    explorer.says(KNOBS, f"{PRIMITIVE} {LARGE} on {LABEL}", f"Simulated on {PART}; the figures stand for")
    explorer.says(KNOBS, *CLASS)
    expect(explorer.page.get_by_label(KNOBS)).not_to_contain_text("not fit")
    explorer.go(f"{ADDRESS}&part={SMALL}&view=variant&variant={too_large}")
    explorer.says(KNOBS, f"does not fit {SMALL}, which has 16,384 B of ROM and 2,048 B of RAM")


def test_the_download_is_for_the_part(explorer, served):
    explorer.open(f"{served.address}{ADDRESS}&part={SMALL}&view=variant&variant={FITTING[0].variant.id}")
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("button", name="Download the drop-in library").click()
    with ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert f"--part {SMALL}" in archive.read("aes128/src/aes128.S").decode()


MISSING = {
    f"target=rl78&part={EMPTY}&primitive=aes-128": (
        f"Nothing is known of rl78 ({EMPTY}, simulated on R5F104xE) yet: `tightfit fill aes-128 "
        f"--target rl78 --part {EMPTY}` searches and measures. Shown: rl78 ({PART})"
    ),
    f"part={EMPTY}": f"`tightfit fill aes-128 --target rl78 --part {EMPTY}`",
    "target=avr": "Nothing is known of avr (ATmega1284P) yet: `tightfit fill aes-128 --target avr --part",
    "target=rl78&part=R7": (
        f'There is no part "R7" of rl78: `tightfit list parts` lists them. Shown: rl78 ({PART})'
    ),
    "part=R7": 'There is no part "R7" of rl78',
    "target=z80&part=R7": 'Nothing is known of target "z80"',
}


@pytest.mark.parametrize("wanted", MISSING)
def test_a_part_that_is_not_shown_is_said(explorer, address, wanted):
    explorer.open(f"{address}#{wanted}&view=tradeoff")
    explorer.says(NOTICES, MISSING[wanted])
    explorer.says("What fits", f"aes-128 encrypt on rl78 ({PART})")
    assert explorer.state()["part"] == PART
