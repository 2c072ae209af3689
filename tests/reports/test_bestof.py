"""Best-of lists and the ranking: points by place, shared where primitives are equal."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.cli.fixture_portfolio import measurements
from tightfit.reports.bestof import Best, best_document, best_of, ranking_document, standings
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


HASHES = ("sha-256", "keccak-256", "sha3-256", "sha3-512")


def test_three_two_one_and_the_sum():
    first, second, third, fourth = HASHES
    table = standings(
        lists([(first, 1), (second, 2), (third, 3), (fourth, 4)], [(second, 1), (first, 2)]),
    )
    assert [(standing.primitive, standing.total) for standing in table] == [
        (second, 5),
        (first, 5),
        (third, 1),
        (fourth, 0),
    ]
    assert table[2].points == {"t0": 1}


def test_equal_primitives_share_the_points_of_their_places():
    table = standings(lists([(HASHES[0], 1), *((name, 2) for name in HASHES[1:])]))
    points = {standing.primitive: standing.total for standing in table}
    assert points == {HASHES[0]: 3, **dict.fromkeys(HASHES[1:], Fraction(1))}
    first = standings(lists([(HASHES[0], 1), (HASHES[1], 1), (HASHES[2], 2)]))
    assert [standing.total for standing in first] == [Fraction(5, 2), Fraction(5, 2), 1]


def test_ciphers_and_hashes_are_no_rivals():
    primitives = [("sha-256", 1), ("aes-128", 2), ("keccak-256", 3), ("present-80", 4)]
    mixed = [replace(best, target="rl78", part="R5F100xE") for best in lists(primitives)]
    assert [(standing.kind, standing.primitive, standing.total) for standing in standings(mixed)] == [
        ("block-cipher", "aes-128", 3),
        ("block-cipher", "present-80", 2),
        ("hash", "sha-256", 3),
        ("hash", "keccak-256", 2),
    ]
    assert [table.caption.partition(":")[0] for table in ranking_document(mixed).tables] == [
        "block-cipher",
        "hash",
    ]
    assert [[row[1] for row in table.rows] for table in best_document(mixed).tables] == [
        ["aes-128", "present-80"],
        ["sha-256", "keccak-256"],
    ]
