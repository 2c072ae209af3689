"""The portfolio in the repository agrees with itself, with the templates and with the harness."""

from statistics import median

import pytest

from tests import answers
from tests.sampling import as_measured, exhaustive, some
from tightfit.conditions import meets, sizes
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.harness.replay import replay
from tightfit.harness.texts import sources_of, text_now
from tightfit.primitives import load_primitive
from tightfit.reports.front import on_front

REPLAYED, RENDERED = 1, 6
"""Variants of a file in a usual run."""


def test_there_is_a_portfolio():
    assert answers.FILES


@pytest.fixture(params=answers.FILES, ids=answers.NAMES)
def file(request):
    return request.param


@pytest.fixture
def kept(file):
    return answers.measurements(file), answers.cells_and_fronts(file)[0]


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
        if measurement.cost.constant_time and not (of.kind == "mac" and of.message_bits):
            spread = max(timing.maximum - timing.minimum for timing in timings)
            assert spread <= measurement.cost.carry, measurement.variant.id
        assert bool(measurement.attribution.leaks) == bool(measurement.cost.secrecy.leaks)


def test_every_variant_is_of_its_space(kept):
    for measurement in kept[0]:
        variant = measurement.variant
        load_space(variant.target, variant.primitive, part=variant.part).spec(variant)


def test_templates_have_the_sources_that_were_measured(file):
    measured, now = answers.measured(file).sources, {}
    for measurement in answers.measurements(file):
        if measurement.variant.template not in now:
            now[measurement.variant.template] = sources_of(measurement.variant)
    changed = sorted(name for name in measured.keys() | now.keys() if measured.get(name) != now.get(name))
    assert not changed, f"changed; `tightfit fill --portfolio portfolio` measures what moved: {changed}"


def test_variants_render_to_the_text_that_was_measured(file):
    """Equal sources render alike: a sample shows that the renderer is still the same."""
    templates = load_space(file.parent.name, file.stem).templates
    measurements = answers.measurements(file)
    sample = some(measurements, RENDERED, text=lambda measurement: measurement.source_sha256)
    changed = {name for name, spec in templates.items() if not as_measured(spec)}
    for measurement in [*sample, *(m for m in measurements if m.variant.template in changed)]:
        assert text_now(measurement.variant) == measurement.source_sha256, measurement.variant


def test_a_quick_winner_replays(file):
    """`tightfit replay --all` repeats every measurement; those of the slower half take most of its time."""
    winners = set(answers.winners(file))
    won = [measurement for measurement in answers.measurements(file) if measurement.variant.id in winners]
    middle = median(measurement.cost.cycles for measurement in won) if won else 0
    quick = [measurement for measurement in won if exhaustive() or measurement.cost.cycles <= middle]
    moved = {}
    for measurement in some(quick, REPLAYED, text=lambda measurement: measurement.source_sha256):
        variant = measurement.variant
        with Bench(variant.target, variant.part, variant.primitive) as bench:
            outcome = replay(measurement, bench)
        if not outcome.same:
            moved[variant.id] = outcome.moved[:3]
    assert not moved
