import pytest

from tightfit.errors import UsageError
from tightfit.generator import render

from .toyspace import variant

DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  a: {values: [x, y]}
  b: {values: [1, 2]}
block:
  - {name: text, bytes: 16}
  - {name: work, bytes: "16 * k.b"}
  - {name: key, bytes: 16}
entries: {encrypt: [encrypt]}
extra_entries: {encrypt_next: "k.b == 2"}
"""
PLAIN = dict(table="mirror", step="add", unroll=2, call="inline")


def render_one(declare, source, **knobs):
    space = declare(DECLARED, source)
    return render(variant("one", **{"a": "x", "b": 1, **knobs}), space=space)


def test_source_and_markers(toy):
    marked = render(variant(**PLAIN), space=toy)
    plain = render(variant(**PLAIN), markers=False, space=toy)
    lines = [line for line in marked.source.splitlines(True) if not line.startswith("__tf_")]
    assert "".join(lines) == plain.source
    assert marked.sha256 == plain.sha256
    assert "_tf_encrypt:" in plain.source and "add     a, #0x5a" in plain.source
    assert "_other_encrypt:" in render(variant(**PLAIN), name="other", space=toy).source


def test_emissions(toy):
    rendered = render(variant(**PLAIN), space=toy)
    assert [(e.fragment, e.parent_index) for e in rendered.emissions] == [
        ("enter", None), ("loop", None), ("step", 1), ("step", 1), ("leave", None),
    ]  # fmt: skip
    for index, emission in enumerate(rendered.emissions):
        assert emission.begin_label == f"__tf_b{index}" and emission.end_label == f"__tf_e{index}"
        assert rendered.source.index(f"\n__tf_b{index}:\n") < rendered.source.index(f"\n__tf_e{index}:\n")
    assert "bnz" in rendered.emissions[1].text and "0x5a" not in rendered.emissions[1].text
    assert "0x5a" in rendered.emissions[2].text


def test_reads_hold_what_is_read_outside_fragments(toy):
    rendered = render(variant(**PLAIN), space=toy)
    assert rendered.reads["loop"] == {"unroll", "call", "table"}
    assert rendered.reads["enter"] == {"call", "table"}


def test_macros_see_the_variant_at_hand(declare):
    source = '{% import "m.inc.j2" as m %}\n{% fragment "f" reads="a" %}\n{{ m.show() }}\n{% endfragment %}\n'
    space = declare(DECLARED, source)
    (space.folder / "m.inc.j2").write_text(
        "{% set top = k.a %}\n{% macro show() %}{{ k.a }} {{ name }}{% endmacro %}\n"
    )
    for value in "xyx":
        rendered = render(variant("one", a=value, b=1), name=f"n{value}", markers=False, space=space)
        assert rendered.source.strip() == f"{value} n{value}"
        assert rendered.reads["f"] == {"a"}


def test_fragment_inside_a_macro(declare):
    source = """\
{% macro m(a) %}
{% fragment "inner" reads="a" %}
 {{ a }}
{% endfragment %}
{% endmacro %}
{% fragment "outer" reads="a" %}
{{ m(k.a) }}
{% endfragment %}
"""
    rendered = render_one(declare, source)
    assert [(e.fragment, e.parent_index, e.text.strip()) for e in rendered.emissions] == [
        ("outer", None, ""),
        ("inner", 0, "x"),
    ]


@pytest.mark.parametrize(
    ("source", "line", "found"),
    [
        ('\n{% fragment "f" reads="a" %}\n{{ k.b }}\n{% endfragment %}', 3, "k.b reads knob 'b'"),
        ('\n{% fragment "f" %}{% if k.a == "x" %}{% endif %}{% endfragment %}', 2, "k.a reads knob 'a'"),
        ("\n\n{{ k.c }}", 3, "undeclared knob 'c'"),
        ("\n{{ k['c'] }}", 2, "undeclared knob 'c'"),
        ('{% fragment "f" reads="a" %}\n{{ block.key }}{% endfragment %}', 2, "block.key reads knob 'b'"),
        (
            '{% fragment "f" reads="a" %}\n{% if "decrypt" in entries %}{% endif %}{% endfragment %}',
            2,
            "entries reads",
        ),
        ("{{ block.text }}\n{{ block.tag }}", 2, "block.tag is no field"),
        ('{% fragment "f" reads="c" %}{% endfragment %}', 1, "declares 'c'"),
        (
            '{% fragment "f" reads="a" %}{% endfragment %}\n{% fragment "f" reads="b" %}{% endfragment %}',
            2,
            "declares 'b' here and 'a' elsewhere",
        ),
        ("{{ 1 }}\n{{ missing }}", 2, "'missing' is undefined"),
        ("{{ 1 }}\n{% fragment %}", 2, "end of"),
        ("{{ 1 }}\n{% fragment 'f' %}", 2, "endfragment"),
        ("{{ 1 }}\n{{ 1 // 0 }}", 2, "zero"),
    ],
)
def test_a_wrong_template_is_one_clear_line(declare, source, line, found):
    with pytest.raises(UsageError) as error:
        render_one(declare, source)
    message = str(error.value)
    assert f"main.s.j2:{line}: " in message and found in message and "\n" not in message
    if "fragment 'f'" in source and "reads knob" in message:
        assert "fragment 'f'" in message


def test_a_violation_names_the_fragment(declare):
    inner = '{% fragment "inner" %}{{ k.a }}{% endfragment %}'
    with pytest.raises(UsageError, match="in fragment 'inner'"):
        render_one(declare, f'{{% fragment "outer" reads="a" %}}{inner}{{% endfragment %}}')


def test_a_copied_fragment_is_refused(declare):
    source = '{% set t %}{% fragment "f" %} nop\n{% endfragment %}{% endset %}{{ t }}{{ t }}'
    with pytest.raises(UsageError, match="fragment 'f': expected its text once"):
        render_one(declare, source)


def test_offsets_and_entries_follow_the_knobs(declare):
    source = '{{ block.key }} {{ block.size }} {{ entries | join(" ") }}\n'
    assert render_one(declare, source).source == "32 48 encrypt\n"
    rendered = render_one(declare, source, b=2)
    assert rendered.source == "48 64 encrypt encrypt_next\n"
    assert rendered.block.size == 64 and rendered.entries == ("encrypt", "encrypt_next")


def test_text_after_an_unfinished_line(declare):
    rendered = render_one(declare, '{% fragment "f" %} nop{% endfragment %} nop\n')
    assert rendered.source == "__tf_b0:\n nop\n__tf_e0:\n nop\n"
