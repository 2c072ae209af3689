"""Best-of lists and the ranking: points by place, shared where primitives are equal."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.cli.fixture_portfolio import measurements
from tightfit.reports.bestof import Best, best_of, standings
from tightfit.reports.criteria import CRITERIA, area, cycles_a_byte, throughput


def of(primitive, row):
    """A measurement of a primitive with a row of figures."""
    (measurement,) = measurements("encrypt", [row])
    return replace(measurement, variant=replace(measurement.variant, primitive=primitive))


def row(rom, cycles, stack=8, static=0):
    return (rom, static, stack, (cycles,), 0, True)


SMALL, FAST = row(200, 9000), row(2000, 1600, stack=40)


def test_figures():
    variant = of("aes-128", FAST)
    assert cycles_a_byte(variant) == 100
    assert throughput(variant) == 10
    assert area(variant) == 2000 + 4 * (58 + 40)
    assert CRITERIA["area-time"].figure(variant) == 100 * area(variant)


@pytest.mark.parametrize(
    "criterion, rom", [("speed", 2000), ("rom", 200), ("ram", 200), ("area", 200), ("area-time", 2000)]
)
def test_a_primitive_stands_for_its_best_variant(criterion, rom):
    best = best_of(criterion, "rl78", "R5F100xE", [of("aes-128", SMALL), of("aes-128", FAST)])
    assert [measurement.cost.rom for measurement in best.measurements] == [rom]


def test_the_list_is_in_order_of_the_criterion():
    usable = [of("aes-128", row(300, 1600)), of("present-80", row(200, 1600)), of("aes-128", row(500, 800))]
    fast = best_of("speed", "rl78", "R5F100xE", usable)
    small = best_of("rom", "rl78", "R5F100xE", usable)
    assert [(measurement.variant.primitive, measurement.cost.rom) for measurement in fast.measurements] == [
        ("aes-128", 500),
        ("present-80", 200),
    ]
    assert [measurement.variant.primitive for measurement in small.measurements] == ["present-80", "aes-128"]


def lists(*by_target):
    """Best-of lists by ROM, from (primitive, ROM) of each target."""
    return [
        Best(CRITERIA["rom"], f"t{n}", "part", tuple(of(name, row(rom, 1600)) for name, rom in primitives))
        for n, primitives in enumerate(by_target)
    ]


def test_three_two_one_and_the_sum():
    table = standings(
        lists(
            [("aes-128", 1), ("present-80", 2), ("sha-256", 3), ("keccak-256", 4)],
            [("present-80", 1), ("aes-128", 2)],
        )
    )
    assert [(standing.primitive, standing.total) for standing in table] == [
        ("aes-128", 5),
        ("present-80", 5),
        ("sha-256", 1),
        ("keccak-256", 0),
    ]
    assert table[2].points == {"t0": 1}


def test_equal_primitives_share_the_points_of_their_places():
    table = standings(lists([("aes-128", 1), ("present-80", 2), ("sha-256", 2), ("keccak-256", 2)]))
    points = {standing.primitive: standing.total for standing in table}
    assert points == {"aes-128": 3, **dict.fromkeys(("present-80", "sha-256", "keccak-256"), Fraction(1))}
    first = standings(lists([("aes-128", 1), ("present-80", 1), ("sha-256", 2)]))
    assert [standing.total for standing in first] == [Fraction(5, 2), Fraction(5, 2), 1]
