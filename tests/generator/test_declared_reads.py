"""A fragment's text depends on nothing but the knobs it declares, in every template."""

import random
from itertools import zip_longest

import pytest

from tests.families import heads
from tests.sampling import as_measured, is_its_turn
from tightfit.generator import Rendered, Space, TemplateSpec, load_space, render
from tightfit.generator.sources import digest
from tightfit.records import Variant

from .toyspace import DATA

PAIRS, FEW = 40, 6
"""Pairs of variants of a template, and of a construction's."""
TURNS = 20
"""Of templates that are as they were measured, one in so many is tested."""
TOYS = sorted({path.parents[1] for path in DATA.glob("*/*/*/template.yaml")})


def _check_all(space: Space) -> None:
    for spec in space.templates.values():
        for operation in spec.operations:
            case = f"{spec.target} {spec.primitive} {spec.name} {operation}"
            if not as_measured(spec) or is_its_turn(case, TURNS):
                check(space, spec, operation, FEW if spec.inner else PAIRS)


def _render(space: Space, spec: TemplateSpec, operation: str, knobs: dict) -> Rendered:
    return render(Variant(spec.target, "any", spec.primitive, operation, spec.name, knobs), space=space)


def _texts(rendered: Rendered, fragment: str) -> list[str]:
    return [emission.text for emission in rendered.emissions if emission.fragment == fragment]


def check(space: Space, spec: TemplateSpec, operation: str, pairs: int = PAIRS) -> None:
    """Compare random pairs that agree on what a fragment declares."""
    rng = random.Random(f"{digest(spec.folder)} {operation}")
    for _ in range(pairs):
        knobs = spec.sample(operation, rng)
        first = _render(space, spec, operation, knobs)
        fragment = rng.choice(sorted(first.reads))
        declared = {knob: knobs[knob] for knob in knobs if knob in first.reads[fragment]}
        other = spec.sample(operation, rng, declared)
        second = _render(space, spec, operation, other)
        if first.reads[fragment] != second.reads.get(fragment):
            continue
        for before, after in zip_longest(_texts(first, fragment), _texts(second, fragment)):
            assert before == after or None in (before, after), f"{fragment}: {knobs} and {other}"


@pytest.mark.dear("every template of a primitive")
@pytest.mark.parametrize(("target", "primitive"), heads(), ids=map("-".join, heads()))
def test_equal_knobs_give_equal_text(target, primitive):
    _check_all(load_space(target, primitive))


@pytest.mark.parametrize("folder", TOYS, ids=lambda folder: folder.name)
def test_equal_knobs_give_equal_text_of_toys(folder):
    _check_all(load_space(folder.parent.name, folder.name, DATA))


def test_a_leak_is_found(declare):
    space = declare(
        """\
doc: a value leaks from one fragment to another through a namespace
operations: [encrypt]
knobs: {a: {values: [x, y]}}
block: [{name: text, bytes: 16}]
entries: {encrypt: [encrypt]}
""",
        """\
{% set leak = namespace(v="") %}
{% fragment "f" reads="a" %}
{% set leak.v = k.a %}
{% endfragment %}
{% fragment "g" reads="" %}
 {{ leak.v }}
{% endfragment %}
""",
    )
    with pytest.raises(AssertionError, match="g: "):
        check(space, space.templates["one"], "encrypt")
