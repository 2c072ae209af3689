"""All primitives within one budget, and several needs together, as `ask --need` answers them."""

from itertools import islice

import pytest
from playwright.sync_api import expect

from tests.cli.fixture_portfolio import PART, TARGET, measurement
from tests.explorer.conftest import SUBJECT
from tightfit.budgets import budget
from tightfit.generator import load_space
from tightfit.records import Variant
from tightfit.reports.known import Current
from tightfit.reports.needs import answer_needs

BARS, TOGETHER = "All primitives within the budgets", "Several together"
NEEDS = ("aes-128:encrypt", "present-80:encrypt")
# ROM, static, stack, cycles of entries, those of the wait told apart, constant path
PRESENT = [(300, 0, 4, (9000,), 0, True), (500, 40, 4, (4000,), 0, True), (650, 0, 30, (3900,), 0, True)]


@pytest.fixture
def second(store):
    """Another primitive in the store that is served."""
    spec = load_space(TARGET, "present-80").of("encrypt")[0]
    variants = [
        Variant(TARGET, PART, "present-80", "encrypt", spec.name, knobs)
        for knobs in islice(spec.variants("encrypt"), len(PRESENT))
    ]
    for variant, figures in zip(variants, PRESENT, strict=True):
        store.add(measurement(variant, *figures))
    return store


def test_a_bar_for_each_primitive_that_fits(explorer, address):
    explorer.open(f"{address}{SUBJECT}&view=primitives&rom=1000&ram=128")
    explorer.says(BARS, "Fastest block ciphers", "aes-128", "187.5", "900")  # 3,000 cycles of 16 bytes
    explorer.go(f"{SUBJECT}&view=primitives&rom=150")
    explorer.says(BARS, "nothing known fits")
    explorer.page.get_by_role("button", name="aes-128 in the trade-off").press("Enter")
    explorer.says("The fastest that fits", "150 B ROM")
    assert explorer.state()["view"] == "tradeoff"


def test_a_line_for_each_primitive_of_the_kind(served_to_writers, second, explorer):
    explorer.load(f"{served_to_writers.address}{SUBJECT}&view=primitives&rom=1000&ram=128")
    explorer.says(BARS, "Fastest block ciphers", "aes-128", "present-80")
    lines = """() => Bokeh.documents[0].get_model_by_name("kind").renderers[0].data_source.data"""
    explorer.page.wait_for_function(f"({lines})().label.length === 2")
    drawn = explorer.page.evaluate(f"({lines})()")
    assert sorted(drawn["label"]) == ["aes-128", "present-80"]
    at = drawn["label"].index("aes-128")
    points = dict(zip(drawn["xs"][at], drawn["ys"][at], strict=True))
    assert points[64] == pytest.approx(3000 / 16)  # 3,000 cycles a block of 16 bytes


def test_several_needs_share_a_budget_as_ask_splits_it(served_to_writers, second, explorer):
    explorer.load(f"{served_to_writers.address}{SUBJECT}&view=primitives")
    for name in ("aes-128", "present-80"):
        explorer.page.get_by_label(f"{name} is needed").check()
    expect(explorer.page.get_by_label("present-80 is needed")).to_be_focused()
    for rom, ram in ((1300, 140), (1500, 130), (1000, 400), (2000, 128)):
        explorer.go(f"{SUBJECT}&view=primitives&needs=aes-128,present-80&rom={rom}&ram={ram}")
        found = answer_needs(Current(second), NEEDS, {}, TARGET, PART, budget(rom, ram)).split
        explorer.says(TOGETHER, f"Together within {rom:,} B ROM, {ram:,} B RAM")
        explorer.says(TOGETHER, *(one.variant.id for one in found.chosen))
        explorer.says(TOGETHER, f"{found.rom:,}", f"{found.ram:,}", f"{int(found.time):,}")
    explorer.go(f"{SUBJECT}&view=primitives&needs=aes-128,present-80&rom=400")
    explorer.says(TOGETHER, "Nothing known fits together")
