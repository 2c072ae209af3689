"""The order of variants, in spaces whose ranks do not fit a machine word."""

import random

import pytest

from tightfit.generator.order import GROUP_LIMIT, groups, places, rank, weights

from .routespace import drawn, written


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    return written(drawn(3), tmp_path_factory.mktemp("routes")).templates["plain"]


def test_a_rank_and_its_places_tell_the_same(spec):
    draw = random.Random(1)
    variants = [spec.sample("hash", draw) for _ in range(20)]
    for knobs in variants:
        indices = places(spec, rank(spec, knobs))
        assert list(indices) == list(spec.knobs)
        assert indices == {name: knob.values.index(knobs[name]) for name, knob in spec.knobs.items()}
    by_rank = sorted(variants, key=lambda knobs: rank(spec, knobs))
    in_order = sorted(variants, key=lambda knobs: tuple(places(spec, rank(spec, knobs)).values()))
    assert by_rank == in_order
    assert max(rank(spec, knobs) for knobs in variants) > 2**64


def test_groups_number_their_joint_values(spec):
    runs = groups(spec)
    assert [knob.name for group in runs for knob in group] == list(spec.knobs)
    assert len(runs) > 1
    for group in runs:
        last = sum(weights(group).get((knob.name, knob.values[-1]), 0) for knob in group)
        size = 1
        for knob in group:
            size *= len(knob.values)
        assert last == size - 1 < GROUP_LIMIT
