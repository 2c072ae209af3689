"""The exact search against the whole of a small space, measured by a bench whose costs are known."""

import random
from dataclasses import replace
from math import inf

import pytest

from tightfit.errors import UsageError
from tightfit.generator import Space, load_space
from tightfit.generator.merit import fits, merit
from tightfit.generator.order import rank
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.records import Budget, Measurement, Variant

from .fakebench import FakeBench
from .toyspace import DATA

SOLVED = SearchSettings(enumerate_below=0, batch=4)
BUDGETS = [
    *(
        Budget(f"{rom}/{ram}", rom, ram)
        for rom in (100, 150, 330, 400, 600, None)
        for ram in (30, 64, 90, 400, None)
    ),
    Budget("ROM-min/64", None, 64, "rom"),
    Budget("ROM-min", None, None, "rom"),
    Budget("ROM-min/10", None, 10, "rom"),
    Budget("400<2000", 400, None, below={"encrypt": 2000}),
    Budget("400<3", 400, None, below={"encrypt": 3}),
    *(
        Budget(f"{rom}/{ram} no-banks", rom, ram, only=("no-banks",))
        for rom in (150, 400, None)
        for ram in (64, 400)
    ),
    *(Budget(f"{rom} constant-time", rom, None, only=("constant-time",)) for rom in (150, 330, 600)),
    Budget("ROM-min constant-time", None, None, "rom", only=("constant-time",)),
    *(Budget(f"{rom} no-prefetch", rom, None, only=("no-prefetch",)) for rom in (150, 330, 600)),
    Budget("400 constant-time no-banks", 400, None, only=("constant-time", "no-banks")),
    Budget("ROM-min/64 no-banks", None, 64, "rom", only=("no-banks",)),
    *(Budget(f"{rom}/90 any-address", rom, 90, only=("any-address",)) for rom in (150, 330, 400)),
    Budget("ROM-min any-address", None, None, "rom", only=("any-address",)),
]


@pytest.fixture
def synthetic() -> Space:
    return load_space("rl78", "synthetic", DATA)


def everything(space: Space, operation: str, bench: FakeBench) -> list[Measurement]:
    """All variants of the space, measured, in the order in which ties are broken."""
    return [
        bench.measure(Variant("rl78", "p", space.primitive, operation, spec.name, knobs))
        for spec in space.of(operation)
        for knobs in spec.variants(operation)
    ]


def winners(measured: list[Measurement]) -> dict[str, Measurement | None]:
    """The best of each budget, by looking at every variant."""
    best = {}
    for budget in BUDGETS:
        fitting = [m for m in measured if m.cost and fits(m.cost, budget)]
        best[budget.name] = min(fitting, key=lambda m: merit(m.cost, budget), default=None)
    return best


def fill(
    space: Space, bench: FakeBench, operation: str = "encrypt", settings: SearchSettings = SOLVED, **more
):
    return fill_cells(space, operation, "p", BUDGETS, bench, settings=settings, **more)


def hazard(variant: Variant) -> tuple[int, int]:
    """A wait at a seam of two fragments that share no knob, and a branch that grows."""
    knobs = variant.knobs
    wait = 40 if knobs.get("state") == "banks" and knobs.get("mix") == "flat" else 0
    return 2 if knobs.get("unroll") == 5 and knobs.get("sbox") == "mirror" else 0, wait


def padding(variant: Variant) -> tuple[int, int]:
    """What a linker adds at worst: to ROM for one form of the S-box, to RAM for one place of the state."""
    knobs = variant.knobs
    return 60 if knobs.get("sbox") == "mirror" else 0, 20 if knobs.get("state") == "banks" else 0


@pytest.mark.parametrize("operation", ["encrypt", "encrypt+decrypt"])
@pytest.mark.parametrize("seam", [lambda variant: (0, 0), hazard], ids=["additive", "seams"])
def test_same_winner_as_enumeration_for_every_budget(synthetic, operation, seam):
    bench = FakeBench(synthetic, seam, padding=padding)
    cells = fill(synthetic, bench, operation)
    searched = len(bench.asked)
    expected = winners(everything(synthetic, operation, FakeBench(synthetic, seam, padding=padding)))
    assert [cell.budget for cell in cells] == BUDGETS
    for cell in cells:
        winner = expected[cell.budget.name]
        assert cell.variant_id == (winner and winner.variant.id), cell.budget.name
        assert cell.certificate.proved
        if winner is None:
            assert cell.status == "impossible" and cell.certificate.kind == "infeasible under additivity"
        else:
            assert cell.certificate.kind == "optimal under additivity"
            objective = winner.cost.rom if cell.budget.objective == "rom" else winner.cost.cycles
            assert cell.certificate.bound <= objective
    assert searched == cells[0].certificate.measured < synthetic.count(operation)
    assert {cell.certificate.space for cell in cells} == {str(synthetic.count(operation))}


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_that_no_knob_explains_shows_as_margin(synthetic, seed):
    def noise(variant: Variant) -> tuple[int, int]:
        draw = random.Random(f"{seed} {variant.id}")
        return draw.randint(0, 2), 4 * draw.randint(0, 3)

    cells = fill(synthetic, FakeBench(synthetic, noise))
    expected = winners(everything(synthetic, "encrypt", FakeBench(synthetic, noise)))
    for cell in cells:
        winner = expected[cell.budget.name]
        assert cell.certificate.margin > 0 and cell.certificate.exact < cell.certificate.measured
        assert "under additivity" in cell.certificate.kind
        assert cell.variant_id == (winner and winner.variant.id)
        if winner:
            objective = winner.cost.rom if cell.budget.objective == "rom" else winner.cost.cycles
            assert cell.certificate.bound <= objective


def test_a_margin_that_is_not_looked_through_proves_nothing(synthetic):
    def noise(variant: Variant) -> tuple[int, int]:
        draw = random.Random(f"3 {variant.id}")
        return draw.randint(0, 40), 4 * draw.randint(0, 60)

    settings = SearchSettings(enumerate_below=0, batch=4, margin_limit=1, margin_total=4)
    cells = fill(synthetic, FakeBench(synthetic, noise), settings=settings)
    unsettled = [cell.certificate for cell in cells if not cell.certificate.proved]
    assert unsettled and {certificate.kind for certificate in unsettled} == {"best found"}
    assert all(certificate.margin > 0 and certificate.bound is not None for certificate in unsettled)


def test_an_additive_space_is_proved_without_margin(synthetic):
    cells = fill(synthetic, FakeBench(synthetic))
    for cell in cells:
        certificate = cell.certificate
        assert certificate.margin == 0
        assert certificate.exact == certificate.measured


def test_enumerated_space_is_optimal_outright(synthetic):
    bench = FakeBench(synthetic, hazard)
    cells = fill(synthetic, bench, settings=SearchSettings())
    expected = winners(everything(synthetic, "encrypt", FakeBench(synthetic, hazard)))
    assert len(bench.asked) == synthetic.count("encrypt") == cells[0].certificate.measured
    for cell in cells:
        winner = expected[cell.budget.name]
        assert cell.variant_id == (winner and winner.variant.id)
        assert cell.certificate.kind == ("optimal" if winner else "infeasible")
        assert cell.certificate.margin == 0 and cell.certificate.proved
        if winner:
            assert cell.certificate.bound == (
                winner.cost.rom if cell.budget.objective == "rom" else winner.cost.cycles
            )


def test_small_templates_are_measured_whole_beside_modelled_ones(synthetic):
    bench = FakeBench(synthetic, hazard)
    cells = fill(synthetic, bench, settings=replace(SOLVED, enumerate_below=2))
    expected = winners(everything(synthetic, "encrypt", FakeBench(synthetic, hazard)))
    assert sum(variant.template == "tiny" for variant in bench.asked) == 2
    for cell in cells:
        assert cell.variant_id == ((winner := expected[cell.budget.name]) and winner.variant.id)
        assert "under additivity" in cell.certificate.kind


def test_statuses(synthetic):
    cells = {cell.budget.name: cell for cell in fill(synthetic, FakeBench(synthetic))}
    measured = winners(everything(synthetic, "encrypt", FakeBench(synthetic)))
    for cell in cells.values():
        smaller = [
            other
            for other in BUDGETS
            if other.objective == "cycles" == cell.budget.objective
            and (other.below, other.only) == (cell.budget.below, cell.budget.only)
            and (other.rom, other.ram) != (cell.budget.rom, cell.budget.ram)
            and (other.rom or inf) <= (cell.budget.rom or inf)
            and (other.ram or inf) <= (cell.budget.ram or inf)
            and measured[other.name]
            and measured[cell.budget.name]
            and measured[other.name].cost.cycles == measured[cell.budget.name].cost.cycles
        ]
        assert (cell.status == "satiated") == bool(smaller)
        if smaller:
            assert cells[cell.satiated_by].status == "fits"
            assert cell.satiated_by in [other.name for other in smaller]
    assert {cell.status for cell in cells.values()} == {"fits", "satiated", "impossible"}


def test_impossible_names_the_least_the_space_reaches(synthetic):
    every = everything(synthetic, "encrypt", FakeBench(synthetic))
    for settings in (SOLVED, SearchSettings()):
        cells = fill(synthetic, FakeBench(synthetic), settings=settings)
        for cell in cells:
            if cell.status == "impossible":
                assert cell.certificate.least_rom == min(m.cost.rom for m in every)
                assert cell.certificate.least_ram == min(m.cost.ram for m in every)
            else:
                assert cell.certificate.least_rom is None


def test_rejected_variants_are_never_winners(synthetic):
    def broken(variant: Variant) -> bool:
        return variant.knobs.get("mix") == "flat" and variant.knobs.get("keys") == "fly"

    bench = FakeBench(synthetic, broken=broken)
    cells = fill(synthetic, bench)
    expected = winners(everything(synthetic, "encrypt", FakeBench(synthetic, broken=broken)))
    for cell in cells:
        assert cell.variant_id == ((winner := expected[cell.budget.name]) and winner.variant.id)
    assert len({variant.id for variant in bench.asked}) == len(bench.asked)


def test_all_rejected_is_impossible_not_a_winner(synthetic):
    cells = fill(synthetic, FakeBench(synthetic, broken=lambda v: True), settings=SearchSettings())
    assert {cell.status for cell in cells} == {"impossible"}
    assert {cell.certificate.least_rom for cell in cells} == {None}


def test_a_resumed_search_gives_the_same_cells(synthetic):
    first = FakeBench(synthetic, hazard)
    cells = fill(synthetic, first)
    again = FakeBench(synthetic, hazard)
    again.stored = dict(first.stored)
    assert fill(synthetic, again) == cells and not again.asked
    half = FakeBench(synthetic, hazard)
    half.stored = dict(list(first.stored.items())[::2])
    assert fill(synthetic, half) == cells
    more = FakeBench(synthetic, hazard)
    everything(synthetic, "encrypt", more)
    assert fill(synthetic, more) == cells


def test_batches_have_a_fixed_size(synthetic):
    bench = FakeBench(synthetic)
    fill(synthetic, bench)
    survey = 4 + 2 * 3
    assert max(bench.sizes[1:]) <= SOLVED.batch and bench.sizes[0] <= survey


def test_limits_leave_a_best_found(synthetic):
    tight = replace(SOLVED, survey_limit=1, cell_limit=0)
    cells = fill(synthetic, FakeBench(synthetic, hazard), settings=tight)
    expected = winners(everything(synthetic, "encrypt", FakeBench(synthetic, hazard)))
    open_cells = [cell for cell in cells if not cell.certificate.proved]
    assert open_cells
    for cell in open_cells:
        assert cell.certificate.kind == ("best found" if cell.variant_id else "none")
        assert cell.status in ("fits", "satiated") if cell.variant_id else cell.status == "unexplored"
        winner = expected[cell.budget.name]
        if winner and cell.certificate.bound is not None:
            objective = winner.cost.rom if cell.budget.objective == "rom" else winner.cost.cycles
            assert cell.certificate.bound <= objective


def test_the_solver_limit_leaves_a_best_found(synthetic):
    cells = fill(synthetic, FakeBench(synthetic), settings=replace(SOLVED, deterministic_limit=0.0))
    assert all(not cell.certificate.proved for cell in cells)


def test_progress_is_told(synthetic):
    events = []
    bench = FakeBench(synthetic)
    fill(synthetic, bench, progress=events.append)
    assert {event.stage for event in events} == {"survey", "propose", "cell"}
    assert sorted(e.budget for e in events if e.stage == "cell") == sorted(b.name for b in BUDGETS)
    assert events[-1].measured == len(bench.asked)


def test_unknown_operation(synthetic):
    with pytest.raises(UsageError, match="'hash'"):
        fill(synthetic, FakeBench(synthetic), "hash")


def test_rank_is_the_lexicographic_order(synthetic):
    spec = synthetic.templates["rounds"]
    ranks = [rank(spec, knobs) for knobs in spec.variants("encrypt")]
    assert ranks == sorted(set(ranks))
