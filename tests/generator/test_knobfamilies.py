"""`for` in template.yaml: knobs and constraints of one shape, declared once."""

import pytest

from tightfit.errors import UsageError

DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  left: {values: [called, absent]}
  right: {values: [called, absent]}
  r{count:02}:
    for: {count: [1, 6], by: [left, right]}
    values: [turned, written]
    doc: "rotation by {count} through `{by}`"
  s{n}: {for: {n: 0..2}, values: [0, 1]}
constraints:
  - {for: {count: [1, 6], by: [left, right]}, rule: "k.r{count:02} != 'turned' or k.{by} == 'called'"}
  - {for: {n: 1..2}, rule: "k.s{n} <= k.s0"}
block:
  - {name: text, bytes: 16}
"""


def test_a_family_declares_what_its_rows_say(declare):
    spec = declare(DECLARED).templates["one"]
    assert list(spec.knobs) == ["left", "right", "r01", "r06", "s0", "s1", "s2"]
    assert spec.knobs["r06"].doc == "rotation by 6 through `right`"
    assert spec.knobs["s2"].values == (0, 1)
    assert [rule.text for rule in spec.constraints] == [
        "k.r01 != 'turned' or k.left == 'called'",
        "k.r06 != 'turned' or k.right == 'called'",
        "k.s1 <= k.s0",
        "k.s2 <= k.s0",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "found"),
    [
        ("    for: {count: [1, 6], by: [left, right]}", "    for: {count: [1, 6], by: [left]}", 6, "1 of by"),
        ("{n: 0..2}", "{n: 0..x}", 10, "'0..x'"),
        ("k.s{n} <= k.s0", "k.t{n} <= k.s0", 13, "k.t1"),
        ("k.s{n} <= k.s0", "k.s{m} <= k.s0", 13, "'m'"),
        ("  s{n}:", "  r0{n}:", 10, "'r01'"),
        ("  s{n}:", "  s{m}:", 10, "'m'"),
        ("for: {n: 0..2}, ", "", 10, "'s{n}'"),
    ],
)
def test_a_wrong_family_is_one_clear_line(declare, old, new, line, found):
    with pytest.raises(UsageError) as error:
        declare(DECLARED.replace(old, new, 1))
    message = str(error.value)
    assert f"template.yaml:{line}: expected" in message and found in message and "\n" not in message
