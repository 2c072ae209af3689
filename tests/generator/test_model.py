"""The solver's model against a plain minimum over all variants."""

import pytest

from tightfit.generator.knowledge import ROM
from tightfit.generator.model import CYCLES, RAM, RANK, Model, SolverSettings
from tightfit.generator.order import rank

from .fakebench import FakeBench
from .test_knowledge import SPACE, SPEC, learned, variants

LIMIT = 10.0


@pytest.fixture(scope="module")
def known():
    bench = FakeBench(SPACE)
    knowledge = learned(variants(), bench)
    costs = {m.variant.id: m.cost for m in bench.stored.values()}
    return knowledge, {
        variant.id: {
            ROM: costs[variant.id].rom,
            RAM: costs[variant.id].ram,
            CYCLES: costs[variant.id].by_entry["encrypt"].total,
            "encrypt": costs[variant.id].by_entry["encrypt"].total,
            RANK: rank(SPEC, variant.knobs),
        }
        for variant in variants()
    }


@pytest.mark.parametrize("minimise", [ROM, RAM, CYCLES, RANK])
@pytest.mark.parametrize(
    "limits",
    [{}, {ROM: 380}, {RAM: 60}, {ROM: 420, RAM: 70}, {"encrypt": 20000}, {ROM: 1}, {RANK: 3, ROM: 400}],
)
def test_minimum_under_limits(known, minimise, limits):
    knowledge, costs = known
    fitting = [
        cost[minimise] for cost in costs.values() if all(cost[name] <= m for name, m in limits.items())
    ]
    answer = Model(knowledge, [], SolverSettings()).solve(minimise, limits, LIMIT)
    assert answer.closed and answer.bound == min(fitting, default=None)
    if fitting:
        variant = next(variant for variant in variants() if dict(variant.knobs) == answer.knobs)
        assert costs[variant.id][minimise] == answer.bound


def test_excluded_variants_come_no_more_and_a_copy_keeps_its_own(known):
    knowledge, costs = known
    model = Model(knowledge, [], SolverSettings())
    twin, bounds = model.copy(), []
    for _ in range(len(costs)):
        answer = twin.solve(CYCLES, {}, LIMIT)
        bounds.append(answer.bound)
        twin.exclude(tuple(answer.knobs[knob] for knob in SPEC.knobs))
    assert bounds == sorted(cost[CYCLES] for cost in costs.values())
    assert twin.solve(CYCLES, {}, LIMIT).bound is None
    assert model.solve(CYCLES, {}, LIMIT).bound == bounds[0]


def test_equal_models_answer_alike(known):
    knowledge, _ = known
    answers = [Model(knowledge, [], SolverSettings()).solve(CYCLES, {ROM: 400}, LIMIT) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
