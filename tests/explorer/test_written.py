"""The explorer from a disk: data that comes when it is asked for, what is missing, one file to mail."""

import json
import shutil
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tests.explorer.conftest import LARGE, SUBJECT, write
from tests.explorer.test_parts import LABEL, SMALL
from tightfit.explorer.pages import Pages

NOTICES, BOX = "Notices", f"data/{TARGET}/{PART}/{PRIMITIVE}.js"
LARGE_ON_SMALL = f"#target={TARGET}&part={SMALL}&primitive={PRIMITIVE}&operation={quote_plus(LARGE)}"
FIRST = measurements("encrypt")[0].variant


@pytest.fixture
def broken(written, tmp_path):
    """A copy of the folder, to be damaged; its page."""
    return shutil.copytree(written.parent, tmp_path / "copy") / "index.html"


def test_a_file_that_is_missing_is_said_in_one_line_and_asked_for_again(explorer, broken):
    box = broken.parent / BOX
    kept = box.rename(broken.parent / "kept.js")
    explorer.load(f"{broken.as_uri()}{SUBJECT}")
    said = f"{BOX} is missing or cannot be read: index.html needs the folder that it was written with."
    expect(explorer.page.get_by_label(NOTICES)).to_have_text(said)
    assert all("ERR_FILE_NOT_FOUND" in line for line in explorer.forgive())
    kept.rename(box)
    explorer.go(SUBJECT)
    explorer.says("What fits", "5 of 5")
    expect(explorer.page.get_by_label(NOTICES)).to_be_empty()


def test_a_file_that_was_cut_off_is_said_in_one_line(explorer, broken):
    box = broken.parent / BOX
    box.write_text(box.read_text()[:200])
    explorer.load(f"{broken.as_uri()}{SUBJECT}")
    explorer.says(NOTICES, f"{BOX} is missing or cannot be read")
    assert explorer.forgive()


@pytest.mark.parametrize("name", ["first", "bokeh"])
def test_a_page_without_its_folder_says_so(explorer, broken, name):
    (broken.parent / "data" / f"{name}.js").unlink()
    explorer.fresh().goto(broken.as_uri())
    line = explorer.page.get_by_text(f"data/{name}.js is missing or cannot be read: index.html needs")
    expect(line).to_be_visible()
    assert explorer.forgive()


@pytest.mark.dear("writes the fixture portfolio in a process of its own")
def test_an_earlier_explorer_is_replaced_and_nothing_else(written, tmp_path):
    folder = shutil.copytree(written.parent, tmp_path / "again")
    (folder / "data" / "old.js").write_text("mine")
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    write(tmp_path / "work", "--out", folder)
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


def test_a_variant_of_another_primitive_is_found_by_its_id(explorer, written):
    explorer.open(f"{written.as_uri()}#operation={LARGE.replace('+', '%2B')}&view=variant&variant={FIRST.id}")
    explorer.says("Knobs and cost", FIRST.id, "constant path", "context")


def test_conditions_and_a_small_part_leave_what_is_within(explorer, written):
    explorer.open(f"{written.as_uri()}{SUBJECT}&view=portfolio&only=constant-path&cell=2KB%2F512B")
    best = min(
        (one for one in measurements("encrypt") if one.cost.constant_path and one.cost.ram <= 512),
        key=lambda one: one.cost.cycles,
    )
    explorer.says("The chosen cell", best.variant.id, f"{best.cost.cycles:,}")
    explorer.go(f"{SUBJECT}&view=portfolio&only=constant-time,constant-path")
    explorer.says("Portfolio", "?")
    expect(explorer.page.get_by_label(NOTICES)).to_be_empty()
    explorer.go(f"{SUBJECT}&part={SMALL}&view=lengths")
    explorer.says("Cycles by message length", LABEL, measurements("encrypt")[1].variant.id)


@pytest.mark.parametrize(
    "only", ["", "constant-path", "no-banks", "constant-time", "any-address", "constant-path,no-banks"]
)
def test_the_grid_has_the_winners_that_a_server_shows(explorer, served, written, only):
    for place in (f"{SUBJECT}&part={PART}", LARGE_ON_SMALL):
        grids = []
        for address in (served.address, written.as_uri()):
            explorer.open(f"{address}{place}&view=portfolio&only={only}")
            grids.append(explorer.page.get_by_label("Portfolio", exact=True).inner_text())
        print("\n".join(grids))
        assert grids[0] == grids[1]


@pytest.mark.parametrize(
    "key, conditions",
    [
        ("avr/ATtiny202/speck64-128/encrypt", ["", "constant-time", "any-address", "constant-path"]),
        ("rl78/R5F100xE/present-80/encrypt", ["no-banks", "constant-time,no-banks", "constant-path"]),
        ("msp430/MSP430G2452/xtea/encrypt", ["", "constant-time,any-address", "constant-path,any-address"]),
    ],
)
def test_cells_under_conditions_and_on_small_parts_are_what_a_server_answers(
    explorer, several, key, conditions
):
    pages, names = Pages(), ("target", "part", "primitive", "operation")
    for only in conditions:
        subject = "&".join(f"{name}={value}" for name, value in zip(names, key.split("/"), strict=True))
        explorer.open(f"{several.as_uri()}#{subject}&view=portfolio&only={only}")
        buttons = explorer.page.get_by_label("Portfolio", exact=True).get_by_role("button").all()
        shown = {one.get_attribute("data-show"): one.inner_text() for one in buttons}
        found = {(facts["cell"], facts["variant"], text) for facts, text in _parsed(shown)}
        cells = pages.answer("cells", f"{key}?{only}")["portfolio"]["cells"]
        assert found == {(name, cell["variant"], cell["symbol"]) for name, cell in cells.items()}


def _parsed(shown):
    return [(json.loads(facts), text) for facts, text in shown.items()]


@pytest.mark.dear("writes the fixture portfolio in a process of its own")
def test_one_file_has_a_primitive_and_needs_nothing_beside_it(explorer, tmp_path):
    file = tmp_path / "mail.html"
    done = write(tmp_path, "--one-file", PRIMITIVE, "--out", file)
    assert done.stdout.strip() == str(file)
    assert file.stat().st_size < 1_500_000
    asked = []
    explorer.fresh().on("request", lambda one: asked.append(one.url))
    explorer.page.context.set_offline(True)
    explorer.load(file.as_uri())
    explorer.says("The best of each kind on each target", PRIMITIVE)
    for view in ("tradeoff", "primitives", "area", "lengths", "portfolio", "variant"):
        explorer.go(f"{SUBJECT}&view={view}&variant={FIRST.id}")
    explorer.says("Knobs and cost", FIRST.id)
    explorer.says("Listing", "_aes128_encrypt")
    assert {url for url in asked if not url.startswith(("blob:", "about:", "data:"))} == {file.as_uri()}
