"""The front against its definition, and what stale measurements do."""

import random
from dataclasses import replace

from tests.cli.fixture_portfolio import measurement, measurements
from tightfit.reports.front import front, influences


def _random_measurements(count):
    source = random.Random(7)
    base = measurements("encrypt")[0]
    for number in range(count):
        rom, static, cycles = source.randrange(1, 6), source.randrange(5), source.randrange(1, 6)
        variant = replace(base.variant, knobs={"number": number})
        cost = replace(base.cost, rom=rom, ram_parts=replace(base.cost.ram_parts, static=static))
        timing = replace(cost.by_entry["encrypt"], total=4 * cycles)
        yield replace(base, variant=variant, cost=replace(cost, by_entry={"encrypt": timing}))


def test_the_front_is_what_nothing_dominates():
    known = list(_random_measurements(60))

    def figures(measurement):
        return measurement.cost.rom, measurement.cost.ram, measurement.cost.cycles

    points = {figures(measurement) for measurement in front(known)}
    expected = {
        figures(measurement)
        for measurement in known
        if not any(
            figures(other) != figures(measurement)
            and all(map(int.__le__, figures(other), figures(measurement)))
            for other in known
        )
    }
    assert points == expected
    assert len(points) == len(front(known))


def test_what_a_knob_is_worth():
    base = measurements("encrypt")[0].variant
    costs = {("table", "fast"): (500, 2000), ("table", "slow"): (300, 4000), ("none", "fast"): (500, 3000)}
    known = [
        replace(
            measurement(base, rom, 0, 8, (cycles,), 0, True),
            variant=replace(base, knobs={"sbox": sbox, "mix": mix}),
        )
        for (sbox, mix), (rom, cycles) in costs.items()
    ]
    worth = {
        (influence.knob, influence.value): influence.slowdown for influence in influences(front(known), known)
    }
    assert worth == {("mix", "fast"): 2.0, ("mix", "slow"): None}
