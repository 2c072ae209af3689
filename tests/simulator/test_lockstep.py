"""Every instruction form and long random programs, step by step beside independent simulators."""

import pytest

from .cores import OTHERS


@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_every_form(other, tmp_path):
    seen, met = set(), set()
    for seed in other.seeds:
        both = other.every_form(seed, tmp_path)
        seen |= both.forms
        met |= both.met
    assert seen >= set(other.wanted())
    assert met == set(other.differences())


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(
    "other, seed",
    [pytest.param(other, seed, id=f"{other}, {seed}") for other in OTHERS for seed in other.long_seeds],
)
def test_long_random_programs(other, seed, tmp_path):
    assert other.long_program(seed, tmp_path).steps > other.least


@pytest.mark.parametrize(
    "other, source, steps",
    [
        pytest.param(other, source, steps, id=f"{other}: {name}")
        for other in OTHERS
        for name, source, steps in other.sources
    ],
)
def test_programs_for_one_core(other, source, steps, tmp_path):
    assert other.compare(source, tmp_path).steps == steps
