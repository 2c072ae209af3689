"""Routines and tables: section, symbol and size come from the tag."""

import pytest

from tightfit.errors import UsageError
from tightfit.generator import render

from .toyspace import variant

DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  place: {values: [flash, ram, code]}
block:
  - {name: text, bytes: 16}
entries: {encrypt: [encrypt]}
"""


def rendered(declare, source: str, **knobs) -> str:
    space = declare(DECLARED, source)
    return render(variant("one", **{"place": "flash", **knobs}), space=space, markers=False).source


def test_an_entry_is_a_global_function(declare):
    source = '{% routine "encrypt" %}\n        ret\n{% endroutine %}\n'
    assert rendered(declare, source) == (
        "        .text\n        .global _tf_encrypt\n        .type   _tf_encrypt, @function\n_tf_encrypt:\n"
        "        ret\n        .size   _tf_encrypt, . - _tf_encrypt\n"
    )


def test_a_routine_that_is_no_entry_stays_local(declare):
    source = '{% routine "step" %}\n        ret\n{% endroutine %}\n'
    assert ".global" not in rendered(declare, source)


@pytest.mark.parametrize(("place", "section"), [("flash", ".rodata"), ("ram", ".data"), ("code", ".text")])
def test_a_table_goes_to_its_place(declare, place, section):
    source = (
        '{% fragment "sbox" reads="place" %}\n{% table "sbox" place=k.place align=16 %}\n'
        "        .byte   1\n{% endtable %}\n{% endfragment %}\n"
    )
    assert rendered(declare, source, place=place) == (
        f"        .section {section}\n        .balign 16\n        .type   _tf_sbox, @object\n_tf_sbox:\n"
        "        .byte   1\n        .size   _tf_sbox, . - _tf_sbox\n"
    )


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (
            '{% table "t" place="attic" %}\n{% endtable %}',
            "expected a place of code, flash, ram, zeroed, found 'attic'",
        ),
        ('{% table "t" size=4 %}\n{% endtable %}', "table has the options place, align, found 'size'"),
        ('{% routine "encrypt" align=2 %}\n{% endroutine %}', "routine has the options none, found 'align'"),
        ('{% routine "encrypt" %}\n', "endroutine"),
    ],
)
def test_a_wrong_tag_is_one_clear_line(declare, source, problem):
    with pytest.raises(UsageError) as error:
        rendered(declare, source)
    message = str(error.value)
    assert "main.s.j2:1: " in message and problem in message and "\n" not in message
