"""A fragment's text depends on nothing but the knobs it declares, in every template."""

import random
from itertools import zip_longest

import pytest

from tests.families import heads
from tests.sampling import as_measured
from tightfit.errors import UsageError
from tightfit.generator import Rendered, Space, TemplateSpec, load_space, render
from tightfit.generator.sources import digest
from tightfit.records import Variant

from .toyspace import DATA

PAIRS, FEW = 40, 6
"""Pairs of variants of a template, and of one that is as it was measured."""


def _spaces() -> list[Space]:
    own = sorted({path.parents[1] for path in DATA.glob("*/*/*/template.yaml")})
    toys = [load_space(folder.parent.name, folder.name, DATA) for folder in own]
    return [*toys, *(load_space(target, primitive) for target, primitive in heads())]


CASES = [
    pytest.param(space, spec, operation, id=f"{space.target}-{space.primitive}-{spec.name}-{operation}")
    for space in _spaces()
    for spec in space.templates.values()
    for operation in spec.operations
]


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


@pytest.mark.parametrize(("space", "spec", "operation"), CASES)
def test_equal_knobs_give_equal_text(space, spec, operation):
    check(space, spec, operation, FEW if as_measured(spec) or spec.inner else PAIRS)


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


def test_every_variant_of_a_template_renders():
    for case in CASES:
        space, spec, operation = case.values
        try:
            _render(space, spec, operation, next(spec.variants(operation)))
        except UsageError as error:
            pytest.fail(str(error))
