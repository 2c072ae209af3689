"""Variants by the words of a command line."""

from random import Random

import pytest

from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.naming import knobs_of, template_named, variant_named
from tightfit.paths import PACKAGE

PLACE = "rl78/aes-128/compact"


@pytest.mark.parametrize(
    "name",
    [PLACE, f"./{PLACE}/", f"{PACKAGE}/templates/{PLACE}", f"tightfit/templates/{PLACE}/main.s.j2"],
)
def test_a_template_by_name_or_path(name):
    assert template_named(name) == load_space("rl78", "aes-128", part="R5F100xE").templates["compact"]


def test_a_primitive_of_a_family():
    assert template_named("avr/sha3-256/tiny").primitive == "sha3-256"


def test_knobs_that_are_left_out_go_with_the_others():
    spec = template_named(PLACE)
    assert variant_named(PLACE, {}).operation == spec.operations[0]
    for name, knob in spec.knobs.items():
        for value in knob.values:
            if spec.sample("encrypt+decrypt", Random(1), {name: value}):
                variant = variant_named(PLACE, {name: str(value)}, "encrypt+decrypt")
                assert variant.knobs[name] == value
                assert spec.contains("encrypt+decrypt", variant.knobs)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: variant_named("rl78/aes-128", {}), "expected TARGET/PRIMITIVE/TEMPLATE"),
        (lambda: variant_named("rl78/aes-128/compact/x", {}), "expected TARGET/PRIMITIVE/TEMPLATE"),
        (lambda: variant_named("rl87/aes-128/compact", {}), "no target 'rl87'; the nearest: rl78"),
        (lambda: variant_named("rl78/aes-127/compact", {}), "no primitive 'aes-127'; the nearest: aes-128"),
        (
            lambda: variant_named("rl78/aes-128/compct", {}),
            "no template 'compct'; the nearest: compact",
        ),
        (
            lambda: variant_named("avr/keccak/tiny", {}),
            "keccak is a family, say for which of it: avr/keccak-256/",
        ),
        (lambda: variant_named(PLACE, {"sbx": "ram"}), "no knob 'sbx'; the nearest: sbox"),
        (lambda: variant_named(PLACE, {"sbox": "rom"}), "no value 'rom' of knob sbox; the nearest: "),
        (lambda: variant_named("avr/present-80/tiny", {"a": 1}), "no knob 'a': template tiny has none"),
        (
            lambda: variant_named(PLACE, {}, "encode"),
            "no operation 'encode' of aes-128 compact; the nearest:",
        ),
        (lambda: variant_named(PLACE, {}, part="R5"), "no part 'R5' of target rl78"),
        (lambda: knobs_of(["sbox"]), "'sbox': expected knob=value"),
        (lambda: knobs_of(["a=1", "a=2"]), "knob 'a': expected one value, found '1' and '2'"),
    ],
)
def test_a_wrong_word_is_one_clear_line(call, line):
    with pytest.raises(UsageError) as error:
        call()
    assert line in str(error.value) and "\n" not in str(error.value)


def test_values_that_do_not_go_together(declare, monkeypatch):
    space = declare(
        "doc: one\noperations: [encrypt]\nknobs:\n  a: {values: [1, 2]}\n  b: {values: [1, 2]}\n"
        "constraints: ['not (k.a == 2 and k.b == 2)']\nblock:\n  - {name: text, bytes: 1}\n"
    )
    monkeypatch.setattr("tightfit.generator.naming.load_space", lambda *_, **__: space)
    assert variant_named("rl78/toy/one", {"b": 2}).knobs == {"a": 1, "b": 2}
    with pytest.raises(
        UsageError, match="a=2 b=2: no variant has these together: not .k.a == 2 and k.b == 2."
    ):
        variant_named("rl78/toy/one", {"a": 2, "b": 2})
