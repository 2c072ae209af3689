"""The portfolio in the repository agrees with itself, with the templates and with the harness."""

from collections import defaultdict

import pytest

from tests import answers
from tests.sampling import as_measured, some, turn
from tightfit.conditions import meets, sizes
from tightfit.filling.jobs import jobs
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.harness.current import moved_facts, text_now
from tightfit.harness.replay import replay
from tightfit.primitives import load_primitive
from tightfit.reports.front import on_front
from tightfit.targets import target_ids

REPLAYED = {"quick": 90, "slow": 1000}
"""Of the figures that ship one in so many is measured again in a usual run, others with each commit: one in a
hundred of all. The slow ones are a twelfth of all and take more than half of the time."""
SLOW = 100_000
"""Clocks of the longest call from which on a variant is slow."""
RENDERED = 4
"""Variants of a file, of templates whose sources are as they were, that a usual run renders."""


def test_there_is_a_portfolio():
    assert answers.FILES


@pytest.fixture(params=answers.FILES, ids=answers.NAMES)
def file(request):
    return request.param


@pytest.fixture
def kept(file):
    return answers.measurements(file), answers.cells_and_fronts(file)[0]


@pytest.mark.parametrize("target", target_ids())
def test_every_budget_that_a_fill_answers_has_a_cell(target):
    """Published figures are budgets too: one that is added wants a cell."""
    answered = defaultdict(set)
    for file in (file for file in answers.FILES if file.parent.name == target):
        for cell in answers.cells_and_fronts(file)[0]:
            answered[cell.primitive, cell.part, cell.operation].add(repr(cell.budget))
    wanted = {
        (job.primitive.id, job.part.name, job.operation): set(map(repr, job.budgets()))
        for job in jobs(target=target)
        if (target, job.primitive.id) in answers.BY_NAME
    }
    assert answered == wanted


def _fits(cost, budget):
    bounds = zip(sizes(cost, budget.only), (budget.rom, budget.ram), strict=True)
    within = all(bound is None or figure <= bound for figure, bound in bounds) and meets(cost, budget.only)
    return within and all(cost.by_entry[entry].cycles < bound for entry, bound in budget.below.items())


def test_every_winner_fits_its_budget(kept):
    measurements, cells = kept
    by_id = {measurement.variant.id: measurement for measurement in measurements}
    for cell in cells:
        if cell.status == "impossible":
            assert cell.variant_id is None and cell.certificate.kind.startswith("infeasible")
            continue
        assert _fits(by_id[cell.variant_id].cost, cell.budget)


def test_no_measured_variant_beats_a_winner(kept):
    measurements, cells = kept
    by_id = {measurement.variant.id: measurement for measurement in measurements}
    for cell in (cell for cell in cells if cell.variant_id):
        by_rom, only = cell.budget.objective == "rom", cell.budget.only
        order = (lambda c, only=only: (sizes(c, only)[0], c.cycles)) if by_rom else (lambda c: (c.cycles,))
        for other in measurements:
            cost = other.cost
            same = (other.variant.operation, other.variant.part) == (cell.operation, cell.part)
            if same and _fits(cost, cell.budget):
                assert order(by_id[cell.variant_id].cost) <= order(cost), (cell.budget.name, other.variant.id)


def test_fronts_are_of_what_was_measured_and_nothing_measured_is_better(file):
    measurements, (cells, fronts) = answers.measurements(file), answers.cells_and_fronts(file)
    by_id = {measurement.variant.id: measurement for measurement in measurements}
    for front in fronts:
        points = [by_id[variant].cost for variant in front.variants]
        figures = [(*sizes(cost, front.only), cost.cycles) for cost in points]
        assert figures == sorted(set(figures)) and all(meets(cost, front.only) for cost in points)
        assert bool(front.open) != front.certificate.proved
        stairs = on_front(figures)
        assert stairs == list(range(len(figures)))
        for cell in cells:
            own = (cell.operation, cell.part, cell.budget.only) == (front.operation, front.part, front.only)
            if own and cell.variant_id and not cell.budget.below:
                cost = by_id[cell.variant_id].cost
                assert (*sizes(cost, front.only), cost.cycles) in figures, cell.budget.name


def test_what_is_proved_to_take_constant_time_took_it_with_every_input(kept):
    """But for a count of blocks, which is no secret; that of a hash within a code cannot be forged."""
    for measurement in kept[0]:
        timings = measurement.cost.by_entry.values()
        of = load_primitive(measurement.variant.primitive)
        if measurement.cost.constant_time_without_prefetch and not (of.kind == "mac" and of.message_bits):
            spread = max(timing.maximum - timing.minimum for timing in timings)
            assert spread <= measurement.cost.carry, measurement.variant.id
        attribution, secrecy = measurement.attribution, measurement.cost.secrecy
        assert bool(attribution.leaks) == bool(secrecy.leaks)
        assert bool(attribution.flash_lookups) == bool(secrecy.flash_lookups)


def test_every_variant_is_of_its_space(kept):
    for measurement in kept[0]:
        variant = measurement.variant
        load_space(variant.target, variant.primitive, part=variant.part).spec(variant)


def test_templates_render_to_what_was_measured(file):
    """Equal sources render alike: a sample shows that the renderer is still the same."""
    changed = [spec.name for spec in load_space(*_subject(file)).templates.values() if not as_measured(spec)]
    measurements = answers.measurements(file)
    sample = some(measurements, RENDERED, text=lambda measurement: measurement.source_sha256)
    of_changed = [m for m in measurements if m.variant.template in changed]
    moved = {m.variant.template for m in [*sample, *of_changed] if text_now(m.variant) != m.source_sha256}
    assert not moved, f"`tightfit fill --portfolio portfolio` measures what moved: {sorted(moved)}"


def test_contexts_are_those_of_today(file):
    moved = {
        measurement.variant.operation: moved_facts(measurement) for measurement in answers.measurements(file)
    }
    assert not any(moved.values()), f"`tightfit fill --portfolio portfolio` measures what moved: {moved}"


@pytest.mark.dear("the full gate again")
def test_shipped_figures_replay(file):
    """One in a hundred; `tightfit replay --all` repeats every measurement."""
    measurements, moved = answers.measurements(file), {}
    for speed, one_in in REPLAYED.items():
        of_speed = [measurement for measurement in measurements if _speed(measurement) == speed]
        for measurement in turn(of_speed, one_in, lambda measurement: measurement.variant.id):
            with Bench(measurement.variant.target, measurement.variant.part, file.stem) as bench:
                outcome = replay(measurement, bench)
            if not outcome.same:
                moved[measurement.variant.id] = outcome.moved[:3]
    assert not moved


def _speed(measurement):
    longest = max(timing.maximum for timing in measurement.cost.by_entry.values())
    return "slow" if longest > SLOW else "quick"


def _subject(file):
    return file.parent.name, file.stem
