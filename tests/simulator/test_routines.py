"""Routines of the templates on independent simulators: clocks as we count them, and the same state."""

import random
from collections.abc import Iterator

import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected
from tightfit.records import Variant

from .cores import MACHINES


def variants(core, primitive: str, each: int) -> Iterator[Variant]:
    """Some variants of each template and operation, their knobs at random."""
    chance = random.Random(primitive)
    for name, template in load_space(core.target.id, primitive).templates.items():
        for operation in template.operations:
            for _ in range(each):
                knobs = template.sample(operation, chance)
                yield Variant(core.target.id, core.part.name, primitive, operation, name, knobs)


@pytest.mark.in_turn(2)
@pytest.mark.dear("every step of a routine is counted twice")
@pytest.mark.parametrize("primitive", ["aes-128", "present-80"])
@pytest.mark.parametrize(
    "core, other",
    [pytest.param(core, o, id=o.name) for core in MACHINES for o in core.others if o.routine],
)
def test_clocks_and_states_are_the_same(core, other, primitive, tmp_path):
    chance = random.Random(11)
    stepped = 0
    with Bench(core.target.id, core.part.name, primitive) as bench:
        for variant in variants(core, primitive, other.variants):
            rendered = render(variant)
            try:
                image = bench.build(rendered)
            except Rejected:
                assert other.knobs_may_clash, variant
                continue
            stepped += other.routine(image, rendered.entries, chance, tmp_path)
    assert stepped > 10_000
