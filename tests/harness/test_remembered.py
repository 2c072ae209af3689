"""Dialogues made once for many routines are those that each routine would be asked alone."""

import dataclasses

import numpy as np
import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import routine_of
from tightfit.harness.kinds import kind_of
from tightfit.harness.kinds.remembered import Remembered
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target

QUESTIONS = {
    "quick": (),
    "random": (3,),
    "elsewhere": (2,),
    "contexts": (),
    "watched": (True,),
    "secret": (),
    "thorough": (),
    "iterated": (),
    "shapes": (1,),
}
OF_EACH_KIND = [
    ("avr", "aes-128", "encrypt-next"),
    ("avr", "aes-128-cbc", "encrypt"),
    ("rl78", "aes-128-ctr", "encrypt"),
    ("avr", "sha-256", "hash"),
    ("rl78", "aes-128-cmac", "mac"),
    ("avr", "aes-128-gcm", "seal+open"),
]


def routines(target, primitive, operation):
    """Variants with different parameter blocks."""
    part = load_target(target).part(None).name
    space = load_space(target, primitive, part=part)
    blocks = {}
    for spec in space.of(operation):
        for knobs in spec.variants(operation):
            blocks.setdefault(spec.block_layout(knobs, operation).fields, (spec, knobs))
            if len(blocks) == 4:
                break
    for spec, knobs in blocks.values():
        variant = Variant(target, part, primitive, operation, spec.name, knobs)
        yield routine_of(variant, render(variant))


def plain(asked):
    """Dialogues as lists that compare: turns without the functions that word a complaint."""
    if isinstance(asked, np.ndarray):
        return asked.tolist()
    if dataclasses.is_dataclass(asked):
        return {
            field.name: plain(getattr(asked, field.name))
            for field in dataclasses.fields(asked)
            if field.name != "complaint"
        }
    if isinstance(asked, dict):
        return {name: plain(each) for name, each in asked.items()}
    if isinstance(asked, (str, int, frozenset, type(None))):
        return asked
    return [plain(each) for each in asked]


@pytest.mark.parametrize("subject", OF_EACH_KIND, ids="-".join)
def test_every_routine_is_asked_what_it_would_be_asked_alone(subject):
    primitive = load_primitive(subject[1])
    remembered, seen = Remembered(kind_of(primitive)), 0
    for routine in routines(*subject):
        alone = kind_of(primitive)
        for question, arguments in QUESTIONS.items():
            asked = getattr(remembered, question)(routine, *arguments)
            assert plain(asked) == plain(getattr(alone, question)(routine, *arguments)), question
            assert getattr(remembered, question)(routine, *arguments) is asked
        seen += 1
    assert seen > 1
