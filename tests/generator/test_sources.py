"""Words change neither the text that is measured nor the digest of the sources; code changes both."""

import pytest

from tightfit.generator import load_space, render
from tightfit.generator.sources import digest

from .toyspace import variant

DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  a: {values: [x, y], doc: "what a is"}
block:
  - {name: text, bytes: 16}
entries: {encrypt: [encrypt]}
"""
MAIN = """\
{#- Jinja's comment -#}
{% import "shared/steps.s.j2" as step %}
{% fragment "f" reads="a" %}
        mov     a, #1           ; why
{{ step.own(k.a) }}
{% endfragment %}
"""
STEPS = """\
{% macro own(a) %}
{% if a == "y" %}
        inc     a
{% endif %}
{% endmacro %}
"""


@pytest.fixture
def state(declare):
    """The digest of a template, and the texts of its two variants."""

    def look(declared: str = DECLARED, main: str = MAIN, steps: str = STEPS) -> tuple[str, str, str]:
        space = declare(declared, main)
        (space.folder / "shared").mkdir(exist_ok=True)
        (space.folder / "shared" / "steps.s.j2").write_text(steps)
        texts = (render(variant("one", a=value), space=space).sha256 for value in ("x", "y"))
        return digest(space.folder / "one"), *texts

    yield look
    load_space.cache_clear()


def test_words_change_nothing(state):
    before = state()
    assert state(DECLARED.replace("what a is", "anything")) == before
    assert state(main=MAIN.replace("Jinja's comment", "another")) == before
    assert state(main=MAIN.replace("; why", "; for another reason")) == before
    assert state(main=MAIN.replace("mov     a, #1", "\n  mov a,  #1")) == before
    assert state(steps="{# a comment of the shared file #}" + STEPS) == before


def test_a_shared_macro_moves_the_texts_that_it_is_in(state):
    before, after = state(), state(steps=STEPS.replace("inc", "dec"))
    assert after[0] != before[0]
    assert after[1] == before[1] and after[2] != before[2]


def test_what_is_measured_is_in_the_text(state):
    before = state()
    for declared, main in (
        (DECLARED.replace("bytes: 16", "bytes: 17"), MAIN),
        (DECLARED + "static: 1\n", MAIN),
        (DECLARED + 'destroys_key: "True"\n', MAIN),
        (DECLARED, MAIN.replace('"f"', '"g"')),
        (DECLARED, MAIN.replace("#1", "#2")),
        (DECLARED, MAIN.replace("mov     a, #1", '.ascii ";a"')),
    ):
        after = state(declared, main)
        assert all(old != new for old, new in zip(before, after, strict=True))


def test_a_semicolon_in_a_string_begins_no_comment(state):
    texts = {state(main=MAIN.replace("mov     a, #1", f'.ascii "{text}"'))[1] for text in (";a", ";b")}
    assert len(texts) == 2


def test_no_template_has_no_digest(tmp_path):
    assert digest(tmp_path) == ""
