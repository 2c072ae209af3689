"""Every line of a source knows its fragment and the line of a template that it was rendered from."""

import pytest

from tightfit.generator.sourcelines import source_lines

from .toyspace import variant

DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  a: {values: [x, y]}
block:
  - {name: text, bytes: 16}
entries: {encrypt: [encrypt]}
"""
MAIN = """\
{#- A comment
    of two lines. -#}
{% import "lib/words.s.j2" as lib %}

{% routine "encrypt" %}
{% fragment "first" reads="a" %}
        inc     a
{% if k.a == "y" %}
        dec     a                       ; only of y
{% endif %}
        mov     a, {{ "#" ~ 1 }}
{{ lib.twice("b") }}
{% fragment "inner" reads="" %}
{{ "clrb" }}    b
{{ "        nop\\n        nop" }}
{% endfragment %}
{% endfragment %}
{% include "shared.s.j2" %}
{% endroutine %}
"""
LIB = """\
{#- Twice. -#}
{% macro twice(register) -%}
{% for turn in range(2) %}
        inc     {{ register }}
{% endfor %}
{%- endmacro %}
"""
SHARED = "\n        ret\n"


@pytest.fixture
def lines(declare):
    def rendered(main: str = MAIN, ending: str = "\n", a: str = "x") -> dict[str, list[tuple]]:
        space = declare(DECLARED, "")
        (space.folder / "one" / "main.s.j2").write_bytes(main.replace("\n", ending).encode())
        (space.folder / "shared.s.j2").write_bytes(SHARED.replace("\n", ending).encode())
        library = space.folder.parent / "lib"
        library.mkdir(exist_ok=True)
        (library / "words.s.j2").write_bytes(LIB.replace("\n", ending).encode())
        places: dict[str, list[tuple]] = {}
        for line in source_lines(variant("one", a=a), space=space):
            place = line.template and (line.template.name, line.template_line)
            places.setdefault(" ".join(line.text.split()), []).append((line.fragment, place))
        return places

    return rendered


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_lines_of_a_template_of_a_macro_and_of_a_shared_file(lines, ending):
    places = lines(ending=ending)
    assert places["inc a"] == [("first", ("main.s.j2", 7))]
    assert places["mov a, #1"] == [("first", ("main.s.j2", 11))]
    assert places["inc b"] == [("first", ("words.s.j2", 4))] * 2
    assert places["clrb b"] == [("inner", ("main.s.j2", 14))]
    assert places["nop"] == [("inner", ("main.s.j2", 15))] * 2
    assert places["ret"] == [("", ("shared.s.j2", 2))]
    assert "dec a ; only of y" not in places


def test_a_line_that_depends_on_a_knob(lines):
    assert lines(a="y")["dec a ; only of y"] == [("first", ("main.s.j2", 9))]


def test_text_that_is_looked_at_keeps_its_fragments(lines):
    """The marks would change what `length` sees, so no line of a template is named."""
    text = "{% set text %}\n nop\n{% endset %} mov a, #{{ text | length }}\n"
    places = lines(f'{{% fragment "f" %}}\n{text}{{% endfragment %}}\n')
    assert places["mov a, #5"] == [("f", None)]
