"""The front against the whole of a small space: it answers every budget, and says which ones it does not."""

import random
from dataclasses import replace

import pytest

from tightfit.conditions import meets, sizes
from tightfit.generator import Space, load_space
from tightfit.generator.merit import fits, merit, unbeaten
from tightfit.generator.order import rank
from tightfit.generator.search import Found, SearchSettings, search
from tightfit.records import Budget, Measurement, Stretch, Variant

from .fakebench import FakeBench
from .test_search import SOLVED as CELLS
from .test_search import everything, hazard, padding
from .toyspace import DATA

pytestmark = pytest.mark.dear("spaces of many variants are searched")

SOLVED = replace(CELLS, front_effort=1e6)
UNDER = (
    (),
    ("constant-time",),
    ("no-prefetch",),
    ("no-banks",),
    ("any-address",),
    ("constant-time", "no-banks"),
    ("constant-time", "no-banks", "any-address"),
)


@pytest.fixture
def synthetic() -> Space:
    return load_space("rl78", "synthetic", DATA)


def found(space: Space, bench: FakeBench, under=UNDER, settings: SearchSettings = SOLVED, **more) -> Found:
    return search(space, "encrypt", "p", [], bench, under=under, settings=settings, **more)


def best(measured: list[Measurement], budget: Budget) -> Measurement | None:
    fitting = [m for m in measured if m.cost and fits(m.cost, budget)]
    return min(fitting, key=lambda m: merit(m.cost, budget), default=None)


def expected_front(space: Space, measured: list[Measurement], only: tuple[str, ...]) -> list[str]:
    """The front by looking at every variant; of equals the first in the order of templates and knobs."""
    templates = list(space.templates)

    def order(m: Measurement) -> tuple:
        spec = space.templates[m.variant.template]
        return templates.index(spec.name), rank(spec, m.variant.knobs)

    under = sorted((m for m in measured if m.cost and meets(m.cost, only)), key=order)
    return [m.variant.id for m in unbeaten(under, lambda m: (*sizes(m.cost, only), m.cost.cycles))]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("seam", [lambda variant: (0, 0), hazard], ids=["additive", "seams"])
@pytest.mark.parametrize("settings", [SOLVED, SearchSettings()], ids=["solved", "whole"])
def test_the_front_is_that_of_the_whole_space(synthetic, seam, settings):
    bench = FakeBench(synthetic, seam, padding=padding)
    fronts = found(synthetic, bench, settings=settings).fronts
    asked = len(bench.asked)
    every = everything(synthetic, "encrypt", FakeBench(synthetic, seam, padding=padding))
    assert [front.only for front in fronts] == sorted(UNDER, key=len)
    for front in fronts:
        assert list(front.variants) == expected_front(synthetic, every, front.only)
        assert front.open == () and front.certificate.proved and front.certificate.measured == asked
        points = [m for m in every if m.variant.id in front.variants]
        assert front.certificate.least_rom == min(sizes(m.cost, front.only)[0] for m in points)
        assert front.certificate.least_ram == min(sizes(m.cost, front.only)[1] for m in points)
    assert len({front.variants for front in fronts}) > 3
    assert (asked == synthetic.count("encrypt")) == (settings is not SOLVED)


def test_any_budget_between_its_points_has_its_answer(synthetic):
    bench = FakeBench(synthetic, hazard, padding=padding)
    fronts = found(synthetic, bench).fronts
    every = everything(synthetic, "encrypt", FakeBench(synthetic, hazard, padding=padding))
    draw = random.Random(1)
    for front in fronts:
        points = [bench.stored[variant] for variant in front.variants]
        for _ in range(60):
            rom, ram = draw.choice([None, draw.randint(50, 700)]), draw.choice([None, draw.randint(10, 400)])
            budget = Budget("", rom, ram, only=front.only)
            wanted, answer = best(every, budget), best(points, budget)
            assert (wanted and wanted.cost.cycles) == (answer and answer.cost.cycles), budget


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_front_with_noise_is_proved_to_its_margin(synthetic, seed):
    def noise(variant: Variant) -> tuple[int, int]:
        draw = random.Random(f"{seed} {variant.id}")
        return draw.randint(0, 2), 4 * draw.randint(0, 3)

    settings = replace(SOLVED, margin_limit=10**6, margin_total=10**6)
    fronts = found(synthetic, FakeBench(synthetic, noise), ((),), settings).fronts
    every = everything(synthetic, "encrypt", FakeBench(synthetic, noise))
    (front,) = fronts
    assert front.certificate.proved and front.certificate.margin > 0
    assert list(front.variants) == expected_front(synthetic, every, ())


def test_limits_leave_stretches_open_that_hold_what_was_missed(synthetic):
    tight = replace(SOLVED, survey_limit=1, cell_limit=0)
    bench = FakeBench(synthetic, hazard)
    (front,) = found(synthetic, bench, ((),), tight).fronts
    every = everything(synthetic, "encrypt", FakeBench(synthetic, hazard))
    points = [bench.stored[variant] for variant in front.variants]
    assert front.open and not front.certificate.proved
    missed = 0
    for measurement in every:
        budget = Budget("", measurement.cost.rom, measurement.cost.ram)
        wanted, answer = best(every, budget), best(points, budget)
        if answer is None or wanted.cost.cycles < answer.cost.cycles:
            missed += 1
            stretches = [stretch for stretch in front.open if stretch.holds(budget)]
            assert stretches
            assert min(stretch.bound or 0 for stretch in stretches) <= wanted.cost.cycles
    assert missed


def test_nothing_that_works_is_a_front_of_nothing(synthetic):
    bench = FakeBench(synthetic, broken=lambda variant: True)
    (front,) = found(synthetic, bench, ((),), SearchSettings()).fronts
    assert front.variants == () == front.open and front.certificate.kind == "infeasible"


@pytest.mark.in_turn(3)
def test_a_resumed_search_gives_the_same_fronts(synthetic):
    first = FakeBench(synthetic, hazard, padding=padding)
    fronts = found(synthetic, first).fronts
    again = FakeBench(synthetic, hazard, padding=padding)
    again.stored = dict(list(first.stored.items())[::2])
    assert found(synthetic, again).fronts == fronts


def test_a_front_knows_its_stretches():
    stretch = Stretch(100, 200, 64, 5)
    assert stretch.holds(Budget("", 100, 64)) and stretch.holds(Budget("", 200, 1))
    assert not any(
        stretch.holds(Budget("", *b)) for b in ((99, 30), (201, 30), (150, 65), (None, 40), (150, None))
    )
    assert Stretch(0, None, 64, None).holds(Budget("", None, 64))
