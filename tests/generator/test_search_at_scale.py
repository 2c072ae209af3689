"""The exact search in a space too large to enumerate, against an optimum found in another way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tightfit.generator import Space
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.records import Budget, Cell, Variant

from .fakebench import FakeBench
from .routespace import Frontier, Routing, drawn, written

pytestmark = pytest.mark.dear("spaces of many variants are searched")

BUDGETS = [
    *(Budget(f"{rom}/{ram}", rom, ram) for rom in (512, 700, 1024, 2048, None) for ram in (64, 360, 512)),
    *(Budget(f"ROM-min/{ram}", None, ram, "rom") for ram in (64, 360, 512)),
]
SOME = BUDGETS[::4]
"""For what holds of each budget alone: every size of ROM and of RAM, and a least ROM."""


@dataclass(frozen=True)
class Case:
    """A space too large to enumerate, with its bench and its cells."""

    costs: Routing
    space: Space
    bench: FakeBench
    cells: list[Cell]


def case(seed: int, folder: Path) -> Case:
    costs = drawn(seed, routines=6)
    space = written(costs, folder)
    bench = FakeBench(space)
    return Case(costs, space, bench, filled(space, bench))


@pytest.fixture(scope="module")
def solved(tmp_path_factory) -> Case:
    return case(1, tmp_path_factory.mktemp("routes"))


def filled(space: Space, bench: Callable, budgets=BUDGETS, **settings) -> list[Cell]:
    return fill_cells(space, "hash", "p", budgets, bench, settings=replace(SearchSettings(), **settings))


def reached(cell: Cell, bench: FakeBench) -> tuple[int, int, int] | None:
    """Cycles, ROM and RAM of a cell's variant."""
    cost = cell.variant_id and bench.stored[cell.variant_id].cost
    return cost and (cost.cycles, cost.rom, cost.ram)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long(seconds=10))])
def test_every_cell_is_the_optimum_and_proved(seed, tmp_path, request):
    searched = request.getfixturevalue("solved") if seed == 1 else case(seed, tmp_path)
    frontier = Frontier(searched.costs)
    assert searched.space.count("hash") > 10**20
    for cell in searched.cells:
        expected = frontier.best(cell.budget)
        assert reached(cell, searched.bench) == expected, cell.budget.name
        certificate = cell.certificate
        assert certificate.proved and certificate.margin == 0
        assert certificate.kind == f"{'optimal' if expected else 'infeasible'} under additivity"
        if expected:
            assert certificate.bound == expected[cell.budget.objective == "rom"]
        else:
            assert certificate.least_rom == frontier.best(Budget("", None, None, "rom"))[1]


def test_few_hundred_measurements_and_little_effort(solved):
    certificates = [cell.certificate for cell in solved.cells]
    assert len(solved.bench.asked) == certificates[0].measured <= 300
    assert certificates[0].exact == certificates[0].measured
    assert sum(certificate.deterministic_time for certificate in certificates) < 60
    assert certificates[0].space == str(solved.space.count("hash"))


@pytest.mark.long(seconds=15)
def test_the_same_again_from_a_cache_or_measured_in_another_order(solved):
    first, again = FakeBench(solved.space), FakeBench(solved.space)
    cells = filled(solved.space, first, SOME)
    again.stored = dict(list(first.stored.items())[::3])
    assert filled(solved.space, again, SOME) == cells
    assert {variant.id for variant in again.asked} < {variant.id for variant in first.asked}
    backward = FakeBench(solved.space)

    def measure(variants):
        measurements = backward(list(variants)[::-1])
        return measurements[::-1]

    assert filled(solved.space, measure, SOME) == cells


def test_a_limit_too_small_says_how_far_the_bound_is(solved):
    frontier = Frontier(solved.costs)
    bench = FakeBench(solved.space)
    cells = filled(solved.space, bench, deterministic_limit=0.02, solve_limit=0.01)
    open_cells = [cell for cell in cells if not cell.certificate.proved]
    assert any(cell.variant_id for cell in open_cells)
    for cell in cells:
        expected, certificate = frontier.best(cell.budget), cell.certificate
        if cell in open_cells:
            assert certificate.kind == ("best found" if cell.variant_id else "none")
            assert cell.status in (("fits", "satiated") if cell.variant_id else ("unexplored",))
        else:
            assert reached(cell, bench) == expected
        if expected and certificate.bound is not None:
            assert certificate.bound <= expected[cell.budget.objective == "rom"]


@pytest.mark.in_turn(4)
def test_seams_between_routes_are_found_out_and_the_rest_still_proved(solved):
    """A wait where one route follows another: what a hazard across fragments would add."""

    def wait(variant: Variant) -> tuple[int, int]:
        knobs = variant.knobs
        return 0, 96 if knobs["r03"] == "direct" and knobs["r04"] != "direct" else 0

    bench = FakeBench(solved.space, wait)
    cells = filled(solved.space, bench, SOME)
    additive = {cell.budget.name: reached(cell, solved.bench) for cell in solved.cells}
    for cell in cells:
        assert "under additivity" in cell.certificate.kind
        answer, least = reached(cell, bench), additive[cell.budget.name]
        assert (answer is None) == (least is None)
        if answer and cell.budget.objective == "cycles":
            assert least[0] <= cell.certificate.bound <= answer[0] <= least[0] + 24
    assert len(bench.asked) <= 600


@pytest.mark.long(seconds=20)
def test_a_broken_value_is_left_aside_and_its_cells_stay_open(solved):
    """A value that is always rejected costs few measurements, and is not taken as proved to be broken."""
    bench = FakeBench(solved.space, broken=lambda variant: variant.knobs["chi"] == "flat")
    cells = filled(solved.space, bench, SOME)
    steps = {**solved.costs.steps, "chi": {k: v for k, v in solved.costs.steps["chi"].items() if k != "flat"}}
    working, all_of_it = Frontier(replace(solved.costs, steps=steps)), Frontier(solved.costs)
    for cell in cells:
        assert reached(cell, bench) == working.best(cell.budget), cell.budget.name
        at = cell.budget.objective == "rom"
        if cell.variant_id and not cell.certificate.proved:
            assert cell.certificate.bound <= all_of_it.best(cell.budget)[at]
    assert "best found" in {cell.certificate.kind for cell in cells}
    assert len(bench.asked) <= 400
