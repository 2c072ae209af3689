"""Budgets and conditions in a browser: sizes as the commands read them, sliders, what is proved, Back."""

import pytest
from playwright.sync_api import expect

from tests.cli.fixture_portfolio import COSTS, measurements
from tests.explorer.conftest import SUBJECT
from tightfit.budgets import parse_size
from tightfit.errors import UsageError
from tightfit.explorer import impossible
from tightfit.reports.answer import Known

FASTEST, NOTICES = "The fastest that fits", "Notices"
SIZES = ("486", " 512B", "1KB", "2 KB", "1kib", "3k", "0x200", "0X1FB", "12 bytes")
REFUSED = ("1.5", "-4", "0", "1MB", "0x", "1e3", "KB")


def fill(explorer, which, text):
    field = explorer.page.get_by_label(f"{which}, bytes", exact=True)
    field.fill(text)
    field.press("Enter")


@pytest.mark.parametrize("text", SIZES)
def test_a_field_reads_sizes_as_the_commands_do(explorer, served, text):
    explorer.open(served.address + SUBJECT)
    fill(explorer, "ROM", text)
    explorer.says(FASTEST, f"Fastest within {parse_size(text):,} B ROM, any RAM")
    assert explorer.state()["rom"] == str(parse_size(text))


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_that_is_no_size_is_refused_in_the_words_of_the_commands(explorer, served, text):
    explorer.open(f"{served.address}{SUBJECT}&ram=100")
    with pytest.raises(UsageError) as refused:
        parse_size(text)
    fill(explorer, "RAM", text)
    explorer.says(NOTICES, f"RAM: {refused.value}")
    assert explorer.state()["ram"] == "100"
    expect(explorer.page.get_by_label("RAM, bytes", exact=True)).to_have_value(text)
    fill(explorer, "RAM", "")
    expect(explorer.page.get_by_label(NOTICES)).to_be_empty()
    assert "ram" not in explorer.state()


def test_a_slider_stops_at_powers_of_two_and_is_spoken_in_bytes(explorer, served):
    explorer.open(f"{served.address}{SUBJECT}&rom=700")
    handle = explorer.page.get_by_label("ROM at most, as a power of two")
    expect(handle).to_have_attribute("aria-valuetext", "700 bytes")
    handle.focus()
    handle.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "1024 bytes")
    for _ in range(7):
        handle.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "any")
    assert "rom" not in explorer.state()


def test_where_nothing_fits_it_is_said_whether_that_is_proved_and_what_comes_next(explorer, address):
    explorer.open(f"{address}{SUBJECT}&rom=300&ram=64")
    explorer.says(
        FASTEST, "impossible: no variant of the space fits", "proved that none fits: of 1,000 variants"
    )
    explorer.says(FASTEST, "300B/128B reaches 9,000 cycles with 200 B of ROM, 66 B of RAM")
    explorer.page.get_by_role("button", name="Set the budgets to 300B/128B").click()
    explorer.says(FASTEST, measurements("encrypt")[0].variant.id)
    assert (explorer.state()["rom"], explorer.state()["ram"]) == ("300", "128")


def test_what_no_search_closed_is_not_called_impossible(explorer, address):
    explorer.open(f"{address}{SUBJECT}&rom=450&ram=64&only=constant-time")
    explorer.says(FASTEST, "impossible: no variant of the space fits")  # not even without the condition
    explorer.go(f"{SUBJECT}&rom=450&ram=128&only=constant-time")
    explorer.says(FASTEST, "unexplored: nothing known fits, and nothing proves that nothing can")
    explorer.says(
        FASTEST, "tightfit fill aes-128 --target rl78 --operation encrypt --constant-time --rom 450"
    )


def test_conditions_of_the_target_are_offered(explorer, address):
    explorer.open(address + SUBJECT)
    for label in ("Constant time", "Constant path only", "No register banks"):
        expect(explorer.page.get_by_label(label, exact=True)).not_to_be_checked()
    explorer.page.get_by_label("Constant path only", exact=True).check()
    paths = sum(cost[-1] for cost in COSTS["encrypt"])
    explorer.says("What fits", f"{paths} of 5 known")
    explorer.page.get_by_label("Constant time", exact=True).check()
    explorer.says("What fits", "0 of 5 known")
    assert explorer.state()["only"] == "constant-time,constant-path"


def test_back_leads_to_the_view_before(explorer, served):
    explorer.load(served.address + SUBJECT)
    explorer.page.get_by_role("tab", name="Portfolio").press("Enter")
    explorer.says("Portfolio", "ROM-min")
    explorer.page.get_by_label("Operation", exact=True).select_option("encrypt+decrypt")
    explorer.says("Portfolio", "encrypt+decrypt")
    explorer.page.go_back()
    explorer.says("Portfolio", "aes-128 encrypt on")
    explorer.page.go_back()
    explorer.says(FASTEST, "Fastest within")
    assert (explorer.state()["view"], explorer.state()["operation"]) == ("tradeoff", "encrypt")


def test_what_is_far_slower_is_above_the_figure_until_it_is_asked_for(served_to_writers, store, explorer):
    *_, slow = measurements("encrypt", [(150, 0, 8, (600_000,), 0, True)] * 6)
    store.add(slow)
    ends = "() => Bokeh.documents[0].get_model_by_name('tradeoff').y_range.end"
    explorer.load(served_to_writers.address + SUBJECT)
    explorer.says("What fits", "1 slower ones lie above the figure")
    assert explorer.page.evaluate(ends) < 500_000
    explorer.page.get_by_role("button", name="Show all").click()
    explorer.page.wait_for_function(f"({ends})() > 500000")
    assert explorer.state()["axes"] == "all"


@pytest.mark.parametrize(
    "view", ["best", "tradeoff", "primitives", "area", "lengths", "portfolio", "variant"]
)
def test_a_view_fills_the_window_and_never_scrolls_sideways(explorer, served, view):
    explorer.open(f"{served.address}{SUBJECT}&view={view}")
    for width, height in ((800, 900), (1400, 900), (2560, 1300)):
        explorer.page.set_viewport_size({"width": width, "height": height})
        explorer.page.wait_for_function(
            "([width, height]) => { const page = document.documentElement; return page.scrollWidth === width"
            " && page.scrollHeight === height }",
            arg=[width, height],
        )
        explorer.shot(f"{view}-{width}")
    explorer.page.set_viewport_size({"width": 1366, "height": 768})


def test_where_nothing_is_known_nothing_is_ruled_out():
    assert impossible.page(Known((), ())) == []
