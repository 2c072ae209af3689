"""Trade-off in a browser: budgets move, the winner changes, a point opens its variant."""

import pytest

from tests.cli.fixture_portfolio import COSTS, measurements
from tests.explorer.conftest import SUBJECT

FASTEST = "The fastest that fits"


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
    slide(explorer, "ROM", -80)  # 5 octaves down from 64 KB
    explorer.page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('rom') === '2048'")
    slide(explorer, "ROM", -16)
    explorer.page.wait_for_function("new URLSearchParams(location.hash.slice(1)).get('rom') === '1024'")
    explorer.page.get_by_label("RAM, bytes").fill("128")
    explorer.page.get_by_label("RAM, bytes").press("Enter")
    bounded = winner(1024, 128)
    assert bounded != free
    explorer.says(FASTEST, *bounded)
    explorer.says("What fits", " of 5 ")
    assert explorer.state()["ram"] == "128"
    explorer.shot("tradeoff")


@pytest.mark.parametrize("rom, ram", [(512, 128), (1000, 90), (2000, 2000), (150, 64)])
def test_the_winner_is_the_one_that_ask_names(explorer, served, rom, ram):
    explorer.open(f"{served.address}{SUBJECT}&rom={rom}&ram={ram}")
    if rom < min(cost[0] for cost in COSTS["encrypt"]):
        explorer.says(FASTEST, "Nothing known fits")
    else:
        explorer.says(FASTEST, *winner(rom, ram))


def test_constant_path_only(explorer, address):
    explorer.open(address + SUBJECT + "&rom=600")
    explorer.says(FASTEST, *winner(600, 10**6))
    explorer.page.get_by_label("Constant path only").check()
    constant = winner(600, 10**6, constant=True)
    explorer.says(FASTEST, *constant)
    assert explorer.state()["constant"] == "1"
