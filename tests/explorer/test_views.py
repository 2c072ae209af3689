"""The other views in a browser: every way to a variant, two side by side, downloads, the address."""

import io
from zipfile import ZipFile

import numpy as np
from playwright.sync_api import expect

from tests.cli.fixture_portfolio import measurements
from tests.explorer.conftest import SUBJECT
from tests.reports.test_contenders import FAST
from tightfit.generator import render

KNOBS = "Knobs and cost"
VIEWS = ("best", "tradeoff", "primitives", "area", "lengths", "portfolio", "variant")
FIRST, SECOND = (one.variant for one in measurements("encrypt")[:2])
# Where the trade-off draws a point, on the screen.
_PLACE = """([rom, cycles]) => {
    const view = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name("tradeoff"))
    const box = view.el.getBoundingClientRect()
    return [box.x + view.frame.x_scale.compute(rom), box.y + view.frame.y_scale.compute(cycles)]
}"""


def test_a_cell_opens_its_variant_certificate_and_published_figures(explorer, address):
    explorer.open(address + SUBJECT + "&view=portfolio")
    explorer.says("Portfolio", "ROM-min", "3,000", "x", "-")
    cell = explorer.page.get_by_role("button", name="1KB/128B: 3,000 cycles", exact=True)
    cell.focus()
    cell.press("Enter")
    explorer.says("The chosen cell", "1KB/128B: fits", "proved optimal", "of 1,000 variants, 50 measured")
    assert explorer.state()["cell"] == "1KB/128B"
    explorer.page.get_by_role("button", name="512B/128B: ", exact=False).click()
    explorer.says("The chosen cell", "6,622", "code and tables in ROM", "Matsui, Murakami", "beaten")
    explorer.shot("portfolio")
    won = measurements("encrypt")[1].variant.id
    explorer.page.get_by_label("The chosen cell").get_by_role(
        "button", name=f"Open variant {won}"
    ).first.click()
    explorer.says(KNOBS, won)
    assert explorer.state()["view"] == "variant"


def test_what_is_impossible_and_what_is_satiated_say_so(explorer, address):
    explorer.open(address + SUBJECT + "&view=portfolio&cell=512B%2F64B")
    explorer.says("The chosen cell", "512B/64B: impossible", "proved that none fits")
    explorer.page.get_by_role("button", name="a smaller budget is as fast").first.click()
    explorer.says("The chosen cell", "a smaller budget is as fast", "satiated")


def test_a_point_tells_its_cost_and_opens_its_variant(explorer, address):
    explorer.open(address + SUBJECT)
    explorer.says("What fits", "5 of 5")
    chosen = measurements("encrypt")[1]
    place = explorer.page.evaluate(_PLACE, [chosen.cost.rom, chosen.cost.cycles])
    explorer.page.mouse.move(*place)
    tip = explorer.page.locator(".bk-Tooltip")
    expect(tip).to_contain_text(chosen.variant.id)
    expect(tip).to_contain_text(f"{chosen.cost.rom} B")
    explorer.page.mouse.click(*place)
    explorer.says(KNOBS, chosen.variant.id)
    assert explorer.state()["variant"] == chosen.variant.id


def test_two_variants_side_by_side(explorer, address):
    explorer.open(f"{address}{SUBJECT}&view=variant&variant={FIRST.id}")
    explorer.page.get_by_role("button", name="Keep as the second").click()
    field = explorer.page.get_by_label("Variant (id)")
    field.fill(SECOND.id)
    field.press("Enter")
    explorer.says(KNOBS, FIRST.id, SECOND.id, "200 B", "400 B", "9,000", "5,000")
    marked = explorer.page.get_by_label(KNOBS).locator("tr.differs th, tr.differs td:first-child")
    different = {name for name in FIRST.knobs if FIRST.knobs[name] != SECOND.knobs[name]}
    expect(marked.filter(has_text="ROM").first).to_be_visible()
    assert different & set(marked.all_inner_texts())
    assert explorer.state()["other"] == FIRST.id
    explorer.shot("compare")


def test_the_listing_is_a_heat_strip_where_a_toolchain_is(explorer, served):
    explorer.open(f"{served.address}{SUBJECT}&view=variant&variant={FIRST.id}")
    explorer.says("Listing", "cycles", ".text", "_tf_encrypt")
    strip = explorer.page.get_by_label("Listing").locator("td.heat")
    shades = {one.evaluate("cell => cell.style.background") for one in strip.all()[:60]}
    assert len(shades) > 1
    explorer.shot("variant")


def test_without_a_toolchain_the_listing_is_the_source(explorer, written):
    explorer.open(f"{written.as_uri()}{SUBJECT}&view=variant&variant={FIRST.id}")
    explorer.says("Listing", "without `--listings`", "_aes128_encrypt")


def test_download_of_the_library(explorer, served):
    explorer.open(f"{served.address}{SUBJECT}&view=variant&variant={FIRST.id}")
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("button", name="Download the drop-in library").click()
    assert download.value.suggested_filename == f"aes128_{FIRST.id}.zip"
    with ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert {"aes128/src/aes128.S", "aes128/src/aes128.h", "aes128/examples/main.c"} <= set(
            archive.namelist()
        )
        assert FIRST.id in archive.read("aes128/src/aes128.S").decode()


def test_download_of_the_source(explorer, written):
    explorer.open(f"{written.as_uri()}{SUBJECT}&view=variant&variant={FIRST.id}")
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("button", name="Download the source").click()
    assert download.value.suggested_filename == "aes128.S"
    assert download.value.path().read_text() == render(FIRST, "aes128", markers=False).source


def test_message_lengths(explorer, address):
    explorer.open(address + SUBJECT + "&view=lengths")
    explorer.says("Cycles by message length", "1536 B", FIRST.id, "36,000")  # 64 bytes: 4 x 9,000
    explorer.page.get_by_label(f"{FIRST.id}: 200 B ROM").uncheck()
    expect(explorer.page.get_by_label("Cycles by message length")).not_to_contain_text(FIRST.id)
    rivals = explorer.page.get_by_label("C alone -O3: 2500 B ROM")
    expect(rivals).to_be_checked()
    explorer.says("Cycles by message length", f"{32 * FAST.cost.cycles:,}", "external theirs/opt -O2")
    explorer.shot("lengths")
    explorer.page.get_by_label("C alone", exact=True).uncheck()
    expect(explorer.page.get_by_label("Cycles by message length")).not_to_contain_text("C alone")
    expect(rivals).to_have_count(0)
    explorer.page.get_by_label("Cycles of", exact=True).select_option(label="a message of 64 B")
    explorer.page.get_by_role("tab", name="Trade-off").press("Enter")
    explorer.says("The fastest that fits", "8,000")  # 4 x 2,000
    assert (explorer.state()["length"], explorer.state()["view"]) == ("64", "tradeoff")


def test_area_against_throughput(explorer, address):
    explorer.open(address + SUBJECT + "&view=area")
    explorer.says("Colours of the primitives", "aes-128")
    points = """() => Bokeh.documents[0]._all_models.values().toArray()
        .filter((one) => one.type === "ColumnDataSource" && one.data.area)
        .flatMap((one) => Array.from(one.data.area, (area, at) => [area, one.data.y[at]]))"""
    found = sorted(map(tuple, explorer.page.evaluate(points)))
    measured = measurements("encrypt")
    expected = [(4 * one.cost.ram + one.cost.rom, 16000 / one.cost.cycles) for one in measured]
    front = [
        one for one in expected if not any(o[0] <= one[0] and o[1] >= one[1] and o != one for o in expected)
    ]
    assert np.allclose(found, sorted(front))
    explorer.shot("area")


def test_the_folder_needs_no_network(explorer, written):
    asked = []
    page = explorer.fresh()
    page.context.set_offline(True)
    page.on("request", lambda one: asked.append(one.url))
    explorer.load(f"{written.as_uri()}{SUBJECT}&view={VIEWS[0]}&variant={FIRST.id}")
    for name in VIEWS[1:]:
        explorer.go(f"{SUBJECT}&view={name}&variant={FIRST.id}")
    explorer.says(KNOBS, FIRST.id)
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data", "about"}


def test_an_address_shows_the_same_again(explorer, address):
    explorer.open(f"{address}{SUBJECT}&rom=700&ram=100&length=40&only=constant-path&view=lengths")
    before = explorer.state()
    explorer.load(address + "#" + "&".join(f"{name}={value}" for name, value in before.items()))
    assert explorer.state() == before
    assert (before["rom"], before["ram"], before["length"], before["only"]) == (
        "700",
        "100",
        "40",
        "constant-path",
    )
    explorer.go(f"{SUBJECT}&view=portfolio")
    explorer.says("Portfolio", "3,000")
    assert "rom" not in explorer.state()
