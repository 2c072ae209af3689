"""The survey shows every key that the space has."""

import pytest

from tightfit.generator import load_space, render
from tightfit.generator.knowledge import Knowledge
from tightfit.generator.survey import Survey, survey_scopes
from tightfit.records import Variant

from .fakebench import INPUTS, FakeBench
from .toyspace import DATA


def surveyed(spec, space, bench, seed: int = 1) -> tuple[Knowledge, list[dict]]:
    knowledge = Knowledge(spec, "encrypt")
    knowledge.unit = INPUTS
    survey = Survey(knowledge, seed)
    everything, batch = [], survey.first(6)
    while batch:
        everything += batch
        chosen = [Variant("rl78", "p", "synthetic", "encrypt", spec.name, knobs) for knobs in batch]
        accepted = [m for m in bench(chosen) if m.cost]
        knowledge.absorb([(m, render(m.variant, space=space)) for m in accepted])
        batch = survey.next(4)
    return knowledge, everything


def test_every_key_of_every_scope_is_shown():
    space = load_space("rl78", "synthetic", DATA)
    spec = space.templates["rounds"]
    knowledge, variants = surveyed(spec, space, FakeBench(space))
    assert survey_scopes(knowledge)
    for scope in survey_scopes(knowledge):
        there = {tuple(knobs[knob] for knob in scope) for knobs in spec.variants("encrypt")}
        assert {tuple(knobs[knob] for knob in scope) for knobs in variants} == there
    assert len(variants) < spec.count("encrypt") // 2
    assert all(spec.contains("encrypt", knobs) for knobs in variants)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_gives_the_same_survey(seed):
    space = load_space("rl78", "synthetic", DATA)
    spec = space.templates["rounds"]
    runs = [surveyed(spec, space, FakeBench(space), seed)[1] for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_survey_of_nothing_but_rejected_variants_ends():
    space = load_space("rl78", "synthetic", DATA)
    spec = space.templates["rounds"]
    knowledge, variants = surveyed(spec, space, FakeBench(space, broken=lambda variant: True))
    assert variants and not knowledge.samples
