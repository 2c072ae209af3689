"""Tables cut into pieces: every key is in one piece, with its amount, and no piece is superfluous."""

import random
from itertools import product

import pytest

from tightfit.generator.pieces import Branch, Leaf, cut

DOMAINS = {"route": ("direct", "one", "two", "other"), "left": ("absent", "small", "quick"), "far": (0, 1)}


def leaves(tree: Branch | Leaf) -> list[Leaf]:
    return [piece for piece in tree.walk() if isinstance(piece, Leaf)]


@pytest.mark.parametrize("seed", range(20))
def test_every_key_is_in_one_piece_with_its_amount(seed):
    draw = random.Random(seed)
    keys = [key for key in product(*DOMAINS.values()) if draw.random() < 0.8]
    values = {key: draw.choice((0, 0, 0, 7, 9)) for key in keys}
    pieces = leaves(cut(tuple(DOMAINS), values))
    for key in keys:
        chosen = dict(zip(DOMAINS, key, strict=True))
        holding = [leaf for leaf in pieces if all(chosen[knob] == value for knob, value in leaf.path)]
        assert [leaf.amount for leaf in holding] == [values[key]]


def test_a_route_is_asked_before_the_routine_that_only_some_of_its_values_call():
    times = {"absent": 0, "small": 50, "quick": 30}
    calls = {"direct": 0, "one": 1, "two": 2, "other": 0}
    values = {
        (route, left, far): calls[route] * times[left]
        for route, left, far in product(*DOMAINS.values())
        if not (calls[route] and left == "absent")
    }
    tree = cut(tuple(DOMAINS), values)
    assert tree.knob == "route"
    assert {leaf.path: leaf.amount for leaf in leaves(tree)} == {
        (("route", "direct"),): 0,
        (("route", "other"),): 0,
        (("route", "one"), ("left", "small")): 50,
        (("route", "one"), ("left", "quick")): 30,
        (("route", "two"), ("left", "small")): 100,
        (("route", "two"), ("left", "quick")): 60,
    }


def test_a_table_of_one_amount_is_one_piece():
    assert cut(("far",), {(0,): 3, (1,): 3}) == Leaf((), 3)
    assert cut((), {(): 5}) == Leaf((), 5)
    assert cut(("far",), {}) == Leaf((), 0)
