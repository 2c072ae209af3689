"""What rejected variants have in common."""

import random

from tightfit.generator.doubts import ENOUGH, doubts

DOMAINS = {"a": (1, 2, 3), "b": ("x", "y"), "c": (0, 1, 2, 3)}


def sorted_out(count: int, broken) -> tuple[list[dict], list[dict]]:
    draw = random.Random(2)
    drawn = [{knob: draw.choice(values) for knob, values in DOMAINS.items()} for _ in range(count)]
    return [knobs for knobs in drawn if not broken(knobs)], [knobs for knobs in drawn if broken(knobs)]


def test_one_value_and_two_together():
    assert doubts(*sorted_out(200, lambda knobs: knobs["a"] == 2)) == [(("a", 2),)]
    both = doubts(*sorted_out(300, lambda knobs: knobs["a"] == 2 and knobs["c"] == 1))
    assert both == [(("a", 2), ("c", 1))]


def test_few_rejected_or_one_accepted_raise_none():
    accepted, rejected = sorted_out(200, lambda knobs: knobs["a"] == 2)
    assert doubts(accepted, rejected[: ENOUGH - 1]) == []
    assert (("a", 2),) not in doubts([*accepted, rejected[0]], rejected[1:])
    assert doubts(accepted, []) == []
