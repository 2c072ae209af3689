"""Coverings have every part, are small, and move with the texts."""

from itertools import combinations, product

import pytest

from tests import coverings
from tests.coverings import covering, pairs

SIZES = (3, 6, 7, 2)
PRODUCT = list(product(*map(range, SIZES)))


@pytest.fixture(autouse=True)
def usual_run(monkeypatch):
    monkeypatch.setattr(coverings, "exhaustive", lambda: False)


def test_every_two_values_are_together_once():
    chosen = covering(PRODUCT)
    for (one, many), (other, more) in combinations(enumerate(SIZES), 2):
        together = {(case[one], case[other]) for case in chosen}
        assert together == set(product(range(many), range(more))), (one, other)
    assert 6 * 7 <= len(chosen) <= 60 < len(PRODUCT)


def test_values_that_exclude_each_other_are_not_missed():
    possible = [case for case in PRODUCT if (case[0] == 0) == (case[2] < 5)]
    chosen = covering(possible)
    assert set(chosen) <= set(possible)
    assert {pair for case in chosen for pair in pairs(case)} == {p for case in possible for p in pairs(case)}


def test_what_must_be_there_can_be_said():
    chosen = covering(PRODUCT, lambda case: [("second", case[1]), ("ends", case[0], case[3])])
    assert {case[1] for case in chosen} == set(range(6))
    assert {(case[0], case[3]) for case in chosen} == set(product(range(3), range(2)))
    assert len(chosen) == 6


def test_the_same_texts_give_the_same_cases_in_their_order():
    assert covering(PRODUCT) == covering(iter(PRODUCT)) == sorted(covering(PRODUCT))
    assert covering(PRODUCT, text=lambda case: f"changed {case}") != covering(PRODUCT)


def test_an_exhaustive_run_has_all(monkeypatch):
    monkeypatch.setattr(coverings, "exhaustive", lambda: True)
    assert covering(PRODUCT) == PRODUCT


def test_of_nothing_there_is_nothing():
    assert covering([]) == []
