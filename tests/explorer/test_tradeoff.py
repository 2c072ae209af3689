"""Trade-off in a browser: budgets move, the winner changes, a point opens its variant."""

from playwright.sync_api import expect

from tests.cli.fixture_portfolio import COSTS, measurements
from tests.explorer.conftest import CONTENDERS, SUBJECT
from tests.reports.test_contenders import FAST

FASTEST, FRONT = "The fastest that fits", "The front within the budgets"
# The origins of what is drawn beside the variants.
_DRAWN = """() => Bokeh.documents[0]._all_models.values().toArray()
    .filter((one) => one.type === "ColumnDataSource" && one.data.origin)
    .flatMap((one) => Array.from(one.data.origin)).sort()"""

_RANGES = """() => {
    const {x_range, y_range} = Bokeh.documents[0].get_model_by_name("tradeoff")
    return [[x_range.start, x_range.end], [y_range.start, y_range.end]]
}"""


def winner(rom, ram, constant=False):
    """Id and cycles of the fastest of the fixture's variants within bounds."""
    found = [
        one
        for one in measurements("encrypt")
        if one.cost.rom <= rom and one.cost.ram <= ram and (one.cost.constant_path or not constant)
    ]
    best = min(found, key=lambda one: one.cost.cycles)
    return best.variant.id, f"{best.cost.cycles:,}"


def slide(explorer, which, steps):
    """Move a slider with the keyboard."""
    handle = explorer.page.get_by_label(f"{which} at most, as a power of two")
    handle.focus()
    for _ in range(abs(steps)):
        handle.press("ArrowLeft" if steps < 0 else "ArrowRight")


def test_a_budget_moves_and_the_winner_changes(explorer, address):
    explorer.open(address + SUBJECT)
    free = winner(10**6, 10**6)
    explorer.says(FASTEST, *free)
    explorer.go(f"{SUBJECT}&rom=2048")
    explorer.page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('rom') === '2048'")
    slide(explorer, "ROM", -1)
    explorer.page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('rom') === '1024'")
    explorer.page.get_by_label("RAM, bytes").fill("128")
    explorer.page.get_by_label("RAM, bytes").press("Enter")
    bounded = winner(1024, 128)
    assert bounded != free
    explorer.says(FASTEST, *bounded)
    explorer.says("What fits", " of 5 ")
    assert explorer.state()["ram"] == "128"
    explorer.shot("tradeoff")


def test_the_winner_is_the_one_that_ask_names(explorer, served):
    explorer.open(served.address + SUBJECT)
    for rom, ram in ((512, 128), (1000, 90), (2000, 2000), (150, 64)):
        explorer.go(f"{SUBJECT}&rom={rom}&ram={ram}")
        explorer.says(FASTEST, f"Fastest within {rom:,} B ROM, {ram:,} B RAM")
        if rom < min(cost[0] for cost in COSTS["encrypt"]):
            explorer.says(FASTEST, "impossible: no variant of the space fits", "proved that none fits")
        else:
            explorer.says(FASTEST, *winner(rom, ram))


def test_constant_path_only(explorer, address):
    explorer.open(address + SUBJECT + "&rom=600")
    explorer.says(FASTEST, *winner(600, 10**6))
    explorer.page.get_by_label("Constant path only").check()
    constant = winner(600, 10**6, constant=True)
    explorer.says(FASTEST, *constant)
    assert explorer.state()["only"] == "constant-path"


def test_routines_that_are_not_ours_stand_beside(explorer, address):
    explorer.open(address + SUBJECT)
    explorer.says("What fits", "5 of 5", "C alone", "external routine", "published")
    explorer.says(FRONT, "Not ours, counted as ours")
    rows = explorer.page.get_by_label(FRONT).locator("table").nth(1).locator("tbody tr").all_inner_texts()
    shown = sorted((one for one in CONTENDERS if one.cost), key=lambda one: one.cost.cycles)
    assert len(rows) == len(shown)
    for row, one in zip(rows, shown, strict=True):
        assert all(
            each in row for each in (one.name, one.compiler, f"{one.cost.rom:,}", f"{one.cost.cycles:,}")
        )
    assert explorer.page.evaluate(_DRAWN) == ["C baseline", "C baseline", "C baseline", "external"]
    explorer.page.get_by_label("External routines").uncheck()
    explorer.says("What fits", "C alone")
    explorer.page.wait_for_function(f"({_DRAWN})().length === 3")
    assert explorer.state()["hide"] == "external"
    explorer.shot("contenders")
    explorer.page.get_by_label("Published figures").uncheck()
    explorer.page.get_by_label("Constant path only").check()
    explorer.says(FRONT, FAST.compiler)
    expect(explorer.page.get_by_label(FRONT).locator("table").nth(1).locator("tbody tr")).to_have_count(1)
    expect(explorer.page.get_by_label("What fits")).not_to_contain_text("published")


def test_what_was_hidden_is_in_sight_when_it_is_shown(explorer, served):
    explorer.load(f"{served.address}{SUBJECT}&hide=published,C+baseline,external")
    explorer.says("What fits", "5 of 5")
    for label in ("Published figures", "C alone", "External routines"):
        explorer.page.get_by_label(label, exact=True).check()
    explorer.page.wait_for_function(f"({_DRAWN})().length === 4")
    (left, right), (low, high) = explorer.page.evaluate(_RANGES)
    for one in CONTENDERS:
        assert one.cost is None or left < one.cost.rom < right and low < one.cost.cycles < high


def test_a_routine_that_is_not_ours_has_its_cycles_of_a_message(explorer, served):
    explorer.open(f"{served.address}{SUBJECT}&length=64&hide=external")
    explorer.says(FRONT, f"{4 * FAST.cost.cycles:,}")
    explorer.go(f"{SUBJECT}&length=64&hide=external,C+baseline")
    expect(explorer.page.get_by_label(FRONT)).not_to_contain_text("Not ours")
