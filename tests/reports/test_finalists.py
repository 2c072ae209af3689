"""The SHA-3 finalists: points among the five alone, beside those that a study published."""

import pytest

from tests.reports.test_bestof import of, row
from tightfit.reports import finalists
from tightfit.reports.bestof import best_of

CYCLES = {"keccak-256": 900, "sha-256": 100, "keccak-512": 50}


@pytest.fixture
def lists():
    every = [of(name, row(500, cycles)) for name, cycles in CYCLES.items()]
    return {by: [best_of(by, target, "any", every) for target in ("avr", "rl78")] for by in finalists.BY}


def test_points_are_among_the_finalists(lists):
    ranked = finalists.finalists(lists)
    assert [one.name for one in ranked] == ["Keccak", "BLAKE", "Groestl", "JH", "Skein"]
    assert (ranked[0].total, ranked[0].published) == (12, 11)
    assert not any(one.points for one in ranked[1:])
    assert sum(one.published for one in ranked) == 60


def test_the_table_and_the_object_say_the_same(lists):
    table = finalists.document(lists).tables[0]
    standings = finalists.form(lists)["standings"]
    assert [row[1] for row in table.rows] == [one["primitive"] for one in standings]
    assert [row[-2:] for row in table.rows] == [
        (f"{one['sum']:g}", str(one["published"])) for one in standings
    ]
    assert table.columns[2:6] == ("avr speed", "avr area", "rl78 speed", "rl78 area")
