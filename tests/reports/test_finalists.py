"""The SHA-3 finalists: points among the five alone, beside those that a study published."""

from fractions import Fraction

import pytest

from tests.reports.test_bestof import of, row
from tightfit.reports import finalists
from tightfit.reports.bestof import best_of

CYCLES = {
    "sha-256": 100,
    "keccak-512": 50,
    "keccak-256": 900,
    "blake-256": 800,
    "groestl-256": 20_000,
    "jh-256": 30_000,
}
ALL = {**CYCLES, "skein-256-256": 40_000}


@pytest.fixture
def lists():
    """Two targets with all five, and one on which Skein is missing."""
    every, four = ([of(name, row(500, cycles)) for name, cycles in some.items()] for some in (ALL, CYCLES))
    targets = {"avr": every, "msp430": four, "rl78": every}
    return {by: [best_of(by, target, "any", them) for target, them in targets.items()] for by in finalists.BY}


def test_points_are_among_the_finalists_where_all_five_are(lists):
    ranked = finalists.finalists(lists)
    assert [one.name for one in ranked] == ["Keccak", "BLAKE", "Groestl", "JH", "Skein"]
    of_speed = [one.points["avr", "speed"] for one in ranked]
    assert (of_speed, {one.points["rl78", "area"] for one in ranked}) == ([3, 2, 1, 0, 0], {Fraction(6, 5)})
    assert not any(target == "msp430" for one in ranked for target, _ in one.points)
    assert sum(one.published for one in ranked) == 60


def test_the_table_and_the_object_say_the_same(lists):
    table = finalists.document(lists).tables[0]
    standings = finalists.form(lists)["standings"]
    assert [row[1] for row in table.rows] == [one["primitive"] for one in standings]
    assert [(float(row[-2]), int(row[-1])) for row in table.rows] == [
        (one["sum"], one["published"]) for one in standings
    ]
    assert table.columns[2:6] == ("avr speed", "avr area", "rl78 speed", "rl78 area")


def test_the_fastest_of_the_study_on_cortex_m0_stands_beside_ours():
    ours = of("keccak-256", row(500, 13600))
    lists = {by: [best_of(by, "armv6m", "any", [ours])] for by in finalists.BY}
    table = finalists.document(lists).tables[1]
    shown = {row[0]: row[1:] for row in table.rows}
    assert shown["Keccak"] == ("183", "5,296", "100.0", "500")
    assert shown["BLAKE"] == ("115", "9,124", "-", "-")
