"""The step of the standard beside each fragment of a variant's cost."""

from types import SimpleNamespace

from tightfit.generator import load_space
from tightfit.records import Variant
from tightfit.reports.variant import step


def _measured(template: str, **changed: str | int) -> SimpleNamespace:
    spec = load_space("avr", "aes-128").templates["walk"]
    knobs = {**next(spec.variants("encrypt")), **changed}
    return SimpleNamespace(variant=Variant("avr", "ATmega1284P", "aes-128", "encrypt", template, knobs))


def test_a_fragment_has_its_step():
    assert "MixColumns" in step(_measured("walk"), "mix_columns")


def test_the_call_and_what_nobody_knows_have_none():
    assert step(_measured("walk"), "") == ""
    assert step(_measured("walk"), "of another time") == ""
    assert step(_measured("none"), "mix_columns") == ""
    assert step(_measured("walk", another=1), "mix_columns") == ""
