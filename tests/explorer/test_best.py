"""What opens first: the best of each kind on each target within the sizes, as `ask` ranks them."""

import pytest
from playwright.sync_api import expect

from tests.explorer.conftest import SEVERAL, SUBJECT
from tightfit import api
from tightfit.explorer import written
from tightfit.explorer.pack import script
from tightfit.explorer.pages import Pages
from tightfit.primitives import load_primitive
from tightfit.targets import target_ids

PICTURE, NOTICES = "The best of each kind on each target", "Notices"
_PLACES = """all => all.map((one) => {
    const {x, right, width, bottom} = one.getBoundingClientRect()
    return {x, right, width, bottom}
})"""
BUDGETS = [
    (None, None, ()),
    (1024, 64, ()),
    (300, 200, ()),
    (400, 30, ()),
    (64, 16, ()),
    (700, 100, ("constant-time",)),
    (600, 64, ("any-address",)),
]
_ROWS = """() => {
    const view = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name("best"))
    const cells = (row) => [...row.cells].map((cell) => cell.innerText)
    return [...view.markup_el.querySelectorAll("table")].map((table) =>
        [table.caption.innerText, [...table.tBodies[0].rows].map(cells)])
}"""


pytestmark = pytest.mark.dear("the first one writes some primitives of the portfolio")


def shown(explorer):
    """The rows of the picture by kind: target, best, cycles a byte, ROM, RAM, how many fit."""
    return {caption: {row[0]: row[1:] for row in rows} for caption, rows in explorer.page.evaluate(_ROWS)}


def expected(rom, ram, only):
    """The first of each kind on each target, and how many fit, as `ask --rom ... --ram ...` has them."""
    found = {}
    for one in api.ask_all(*SEVERAL, rom=rom, ram=ram, only=only):
        if one.answer.measurement is None and one.answer.certificate is None:
            continue  # nothing is known of it there
        place = one.primitive.kind, one.answer.question.target
        best, fit, every = found.get(place, (None, 0, 0))
        fits = one.cycles_per_byte is not None
        found[place] = (best or (one if fits else None), fit + fits, every + 1)
    return found


@pytest.mark.parametrize("rom, ram, only", BUDGETS)
def test_the_best_of_each_kind_is_what_ask_ranks_first(explorer, several, rom, ram, only):
    bounds = "".join(f"&{name}={size}" for name, size in (("rom", rom), ("ram", ram)) if size)
    explorer.open(f"{several.as_uri()}#view=best&only={','.join(only)}{bounds}")
    rows, answers = shown(explorer), expected(rom, ram, only)
    assert sum(map(len, rows.values())) == len(answers)
    for (kind, target), (best, fit, every) in answers.items():
        caption = next(name for name in rows if name.lower().startswith(kind.replace("-", " ")))
        name, _, cycles, its_rom, its_ram, count = rows[caption][target]
        assert count == f"{fit} of {every}"
        if best is None:
            assert "none fits" in name and "is the least" in name
            continue
        cost = best.answer.measurement.cost
        assert name == best.primitive.id
        assert float(cycles.replace(",", "")) == pytest.approx(best.cycles_per_byte, abs=0.051)
        assert (its_rom, its_ram) == (f"{cost.rom:,}", f"{cost.ram:,}")


def test_it_opens_first_and_a_click_leads_to_the_trade_off(explorer, several):
    asked = []
    explorer.fresh().on("request", lambda one: asked.append(one.url.rpartition("/explorer/")[2]))
    explorer.load(several.as_uri())
    assert explorer.state()["view"] == "best"
    assert {name for name in asked if name.startswith(("index", "data"))} == {
        "index.html",
        "data/first.js",
        "data/bokeh.js",
    }
    best = shown(explorer)["Block ciphers"]["avr"][0]
    explorer.page.get_by_role("button", name=f"{best} encrypt on avr in the trade-off").click()
    explorer.says("What fits", f"{best} encrypt on avr")
    assert explorer.state()["view"] == "tradeoff"
    assert f"data/avr/{written_part('avr')}/{best}.js" in asked


def written_part(target):
    """The part under which a target's default class is written."""
    return api.load_target(target).part().simulated


def test_sizes_move_the_picture_at_once_and_the_least_that_fits_is_set(explorer, several):
    explorer.open(f"{several.as_uri()}#view=best")
    handle = explorer.page.get_by_label("ROM at most, as a power of two")
    handle.focus()
    for _ in range(11):
        handle.press("ArrowLeft")
    explorer.says(PICTURE, "The best within 64 B ROM, any RAM", "none fits")
    explorer.page.get_by_role("button", name="Set the sizes to the least of").first.click()
    expect(explorer.page.get_by_label(PICTURE)).not_to_contain_text("within 64 B")
    assert int(explorer.state()["rom"]) > 64
    assert any(row[-1].startswith("1 of") for rows in shown(explorer).values() for row in rows.values())


def test_a_length_of_a_message_ranks_by_that(explorer, several):
    explorer.open(f"{several.as_uri()}#view=best&length=8&rom=2000")
    explorer.says(PICTURE, "cycles of a message of 8 bytes", "tightfit ask --rom 2000 --message 8")
    cycles = {row[0]: row[2] for row in shown(explorer)["Block ciphers"].values()}
    for name, figure in cycles.items():
        ranked = load_primitive(name).ranked_bytes
        assert ranked == 8 and float(figure.replace(",", "")) > 0


@pytest.mark.parametrize("width, height", [(800, 900), (1400, 900), (2560, 1300)])
def test_the_picture_is_seen_and_nothing_scrolls_sideways(explorer, several, width, height):
    explorer.open(f"{several.as_uri()}#view=best")
    explorer.page.set_viewport_size({"width": width, "height": height})
    picture = explorer.page.get_by_label(PICTURE, exact=True)
    explorer.page.wait_for_function(
        "width => document.documentElement.scrollWidth === width && innerWidth === width", arg=width
    )
    assert picture.evaluate("one => one.scrollWidth <= one.clientWidth")
    (box,) = picture.evaluate_all(_PLACES)
    assert box["x"] >= 0 and box["right"] <= width
    for _ in range(50):  # the picture is drawn anew for the width
        bars = picture.locator(".bar").evaluate_all(_PLACES)
        if len(bars) >= 2 * len(target_ids()) and all(bar["width"] > 0 for bar in bars):
            break
        explorer.page.wait_for_timeout(50)
    assert len(bars) >= 2 * len(target_ids())
    for bar in bars[: len(target_ids())]:
        assert bar["width"] > 0 and bar["bottom"] < height
    assert explorer.page.get_by_role("tab", name="Variant").bounding_box()["x"] < width
    explorer.shot(f"best-{width}")
    explorer.page.set_viewport_size({"width": 1366, "height": 768})


@pytest.mark.dear("reads the figures of all primitives")
def test_what_loads_before_the_first_view_weighs_little(ready_answers):
    """The page, Bokeh and what of the whole portfolio the first view needs: less than 1.5 MB together."""
    pages = Pages()
    first = {"catalogue": pages.catalogue(), "headline": pages.headline()}
    assert len({series["primitive"] for series in first["headline"]["series"]}) > 20
    weights = [len(text) for text in (written.index(), written.bokeh(), script(written.FIRST, first))]
    assert weights[0] < 300_000 and sum(weights) < 1_500_000


def test_an_address_with_a_primitive_opens_its_trade_off(explorer, served):
    explorer.open(f"{served.address}{SUBJECT}")
    assert explorer.state()["view"] == "tradeoff"
    explorer.go("#target=rl78")
    assert explorer.state()["view"] == "best"
    explorer.says(PICTURE, "Block ciphers", "aes-128", "125")  # 2,000 cycles of 16 bytes
