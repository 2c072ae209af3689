"""Counting, walking and sampling constrained knobs, compared with a look at every assignment."""

import itertools
import random
import time
from math import comb

import pytest

from tightfit.generator.counting import count
from tightfit.generator.relations import Relation, sample, walk

DOMAINS = {"a": (1, 2, 3), "b": ("x", "y"), "c": (0, 1, 2, 3), "d": ("p", "q", "r"), "e": (7,)}


def drawn(seed: int) -> list[Relation]:
    """Random constraints over one to three knobs, now and then none at all."""
    draw = random.Random(seed)
    relations = []
    for _ in range(draw.randrange(6)):
        scope = tuple(draw.sample(list(DOMAINS), draw.randrange(1, 4)))
        keys = itertools.product(*(DOMAINS[knob] for knob in scope))
        relations.append(Relation(scope, frozenset(key for key in keys if draw.random() < 0.7), "drawn"))
    return relations


def everything(relations: list[Relation]) -> list[dict]:
    assignments = (dict(zip(DOMAINS, values, strict=True)) for values in itertools.product(*DOMAINS.values()))
    return [knobs for knobs in assignments if all(rule.holds(knobs) for rule in relations)]


@pytest.mark.parametrize("seed", range(40))
def test_walk_and_count_as_looking_at_everything(seed):
    relations = drawn(seed)
    expected = everything(relations)
    assert list(walk(DOMAINS, relations)) == expected
    assert count(DOMAINS, relations) == len(expected)


@pytest.mark.parametrize("seed", range(40))
def test_a_sample_holds_what_is_fixed_and_is_missing_only_where_there_is_none(seed):
    relations, draw = drawn(seed), random.Random(seed)
    for fixed in ({}, {"c": 2}, {"d": "q", "a": 3}):
        fitting = [assignment for assignment in everything(relations) if fixed.items() <= assignment.items()]
        knobs = sample(DOMAINS, relations, draw, fixed)
        assert knobs in fitting if fitting else knobs is None


def tied(routes: int, routines: int) -> tuple[dict, list[Relation]]:
    """Routes of which every value but the first needs a routine, declared after them."""
    domains = {f"r{i}": tuple(range(routines + 1)) for i in range(routes)}
    domains |= {f"f{j}": ("absent", "small", "quick") for j in range(1, routines + 1)}
    relations = []
    for i, j in itertools.product(range(routes), range(1, routines + 1)):
        scope = (f"r{i}", f"f{j}")
        keys = itertools.product(domains[scope[0]], domains[scope[1]])
        allowed = frozenset(key for key in keys if key[0] != j or key[1] != "absent")
        relations.append(Relation(scope, allowed, f"route {i} by {j}"))
    return domains, relations


def test_a_large_tied_space_is_counted_exactly():
    domains, relations = tied(24, 12)
    by_hand = sum(comb(12, there) * 2**there * (1 + there) ** 24 for there in range(13))
    assert count(domains, relations) == by_hand


def test_a_large_tied_space_is_sampled_without_blind_search():
    domains, relations = tied(40, 16)
    draw, begun = random.Random(1), time.process_time()
    for _ in range(50):
        fixed = {"f3": "absent", "f7": "quick", "r5": 7}
        knobs = sample(domains, relations, draw, fixed)
        assert fixed.items() <= knobs.items() and all(rule.holds(knobs) for rule in relations)
        assert sample(domains, relations, draw, {"r9": 3, "f3": "absent"}) is None
    assert time.process_time() - begun < 20
