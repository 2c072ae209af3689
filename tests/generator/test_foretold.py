"""Real templates of giant spaces: what a survey teaches never exceeds what is measured afterwards."""

import random

import pytest

from tightfit.generator import load_space, render
from tightfit.generator.knowledge import ROM, STACK, Knowledge
from tightfit.generator.survey import Survey, survey_size
from tightfit.harness.pool import pool_here
from tightfit.harness.store import Store
from tightfit.records import Variant
from tightfit.targets import load_target

DRAWN = 8


@pytest.mark.long(seconds=18)
@pytest.mark.parametrize("target", ["rl78", "avr", "msp430"])
def test_sums_of_a_survey_are_lower_bounds_of_the_rest(target, tmp_path):
    space, part = load_space(target, "keccak-256"), load_target(target).default_part
    spec = max(space.of("hash"), key=lambda template: template.count("hash"))
    assert spec.count("hash") > 400
    knowledge = Knowledge(spec, "hash")
    survey, rng = Survey(knowledge, 1), random.Random(2)
    with Store.open(tmp_path / "store.sqlite") as store, pool_here(store) as pool:

        def measured(chosen):
            measurements = pool.measure(
                [Variant(target, part, "keccak-256", "hash", spec.name, k) for k in chosen]
            )
            assert all(measurement.rejected is None for measurement in measurements)
            return measurements

        batch = survey.first(survey_size(spec, "hash"))
        while batch:
            measurements = measured(batch)
            knowledge.unit = measurements[0].cost.by_entry["middle"].inputs
            knowledge.absorb([(m, render(m.variant, markers=False)) for m in measurements])
            batch = survey.next(8)
        drawn = measured([spec.sample("hash", rng) for _ in range(DRAWN)])
    assert len(knowledge.samples) <= 200
    exact = 0
    for measurement in drawn:
        knobs, cost = measurement.variant.knobs, measurement.cost
        assert knowledge.least(ROM, knobs) <= cost.rom
        assert knowledge.least(STACK, knobs) <= cost.ram_parts.stack
        for entry, timing in cost.by_entry.items():
            assert knowledge.least(entry, knobs) <= timing.total
        exact += knowledge.least("middle", knobs) == cost.by_entry["middle"].total
    assert exact
