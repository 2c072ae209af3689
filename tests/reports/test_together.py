"""Several needs under one budget: the split is the least of all combinations, found by trying them all."""

import itertools
import random
from fractions import Fraction

import pytest

from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tightfit.budgets import budget
from tightfit.primitives import load_primitive
from tightfit.reports.answer import Known
from tightfit.reports.together import STEP, need, together

ENTRIES = {"encrypt": 1, "encrypt+decrypt": 2}


def invented(operation: str, rng: random.Random):
    """Variants with sizes and cycles drawn at random, static data among them."""
    rows = [
        (
            rng.randrange(100, 1500),
            rng.choice((0, 0, 8, 256)),
            rng.randrange(6, 60),
            tuple(rng.randrange(2000, 9000) for _ in range(ENTRIES[operation])),
            0,
            True,
        )
        for _ in range(7)
    ]
    return measurements(operation, rows)


def needs_of(seed: int):
    rng = random.Random(seed)
    primitive = load_primitive(PRIMITIVE)
    weights = {"encrypt": Fraction(rng.randrange(1, 9), 2), "encrypt+decrypt": Fraction(1)}
    return [
        need(primitive, operation, weights[operation], Known(tuple(invented(operation, rng)), ()))
        for operation in ENTRIES
    ]


def figures(needs, chosen, tasks):
    """(time, ROM, RAM) of a combination, computed as the documentation says."""
    parts = [measurement.cost.ram_parts for measurement in chosen]
    shared = sum(p.static for p in parts) + max(p.block + p.stack for p in parts)
    time = sum(need.weight * Fraction(m.cost.cycles) for need, m in zip(needs, chosen, strict=True))
    ram = sum(p.total for p in parts) if tasks else shared
    return time, sum(m.cost.rom for m in chosen), ram


def least(needs, rom, ram, tasks):
    every = (figures(needs, chosen, tasks) for chosen in itertools.product(*(need.choices for need in needs)))
    return min(
        (combination for combination in every if combination[1] <= rom and combination[2] <= ram),
        default=None,
    )


@pytest.fixture(params=[0, 20_000], ids=["solver", "all tried"], autouse=True)
def few(request, monkeypatch):
    """Run every test with both ways to find the least split."""
    monkeypatch.setattr("tightfit.reports.together.FEW", request.param)


@pytest.mark.parametrize("tasks", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_split_is_the_least_of_all_combinations(seed, tasks):
    needs = needs_of(seed)
    rom, ram = random.Random(seed).randrange(500, 2500), random.Random(-seed).randrange(100, 700)
    reply = together(TARGET, PART, budget(rom, ram), tasks, needs)
    best = least(needs, rom, ram, tasks)
    if best is None:
        assert (reply.status, reply.split) == ("impossible", None)
        return
    split = reply.split
    assert (split.time, split.rom, split.ram) == best == figures(needs, split.chosen, tasks)
    for name, wider in (("rom", (rom + STEP, ram)), ("ram", (rom, ram + STEP))):
        reached = least(needs, *wider, tasks)
        assert (reply.more[name].time if reply.more[name] else best[0]) == reached[0]


@pytest.mark.parametrize("seed", range(6))
def test_where_nothing_fits_the_least_of_each_is_said(seed):
    needs = needs_of(seed)
    reply = together(TARGET, PART, budget(150, 4096), False, needs)
    every = [figures(needs, chosen, False) for chosen in itertools.product(*(need.choices for need in needs))]
    assert reply.status == "impossible"
    assert reply.least == {"rom": min(rom for _, rom, ram in every if ram <= 4096), "ram": None}


def test_the_least_rom_comes_first_where_it_is_asked_for():
    needs = needs_of(3)
    reply = together(TARGET, PART, budget("ROM-min", None), False, needs)
    every = (figures(needs, chosen, False) for chosen in itertools.product(*(need.choices for need in needs)))
    time, rom, _ = min(every, key=lambda combination: (combination[1], combination[0], combination[2]))
    assert (reply.split.rom, reply.split.time) == (rom, time)


def test_a_need_of_which_nothing_is_known():
    needs = needs_of(1)
    empty = need(load_primitive("present-80"), "encrypt", Fraction(1), Known((), ()))
    reply = together(TARGET, PART, budget("1KB", None), False, [*needs, empty])
    assert (reply.status, reply.split, reply.missing) == ("unexplored", None, (empty,))
