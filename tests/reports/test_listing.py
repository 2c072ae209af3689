"""The listing of a variant, on every target: every byte and every cycle is at its line."""

import pytest

from tightfit.generator import load_space, render, spaces
from tightfit.harness.bench import Bench
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.reports.listing import listing
from tightfit.targets import load_target

CIPHERS = {target: name for target, name in spaces() if load_primitive(name).form == "block-cipher"}
"""A block cipher of each target that has one."""


@pytest.mark.parametrize(("target", "primitive"), CIPHERS.items())
def test_bytes_and_cycles_of_code_are_all_there(target, primitive):
    part, spec = load_target(target).part(), load_space(target, primitive).of("encrypt")[0]
    knobs = {name: knob.values[0] for name, knob in spec.knobs.items()}
    variant = Variant(target, part.name, primitive, "encrypt", spec.name, knobs)
    with Bench(target, part.name, primitive) as bench:
        cost = bench.measure(variant).cost
    listed = listing(variant)
    cycles = sum(line.spent["encrypt"][1] for line in listed.lines if "encrypt" in line.spent)
    timing = cost.by_entry["encrypt"]
    assert timing.minimum <= cycles + part.core.call_cycles <= timing.maximum
    assert sum(line.bytes for line in listed.lines) == cost.rom
    assert [line.text for line in listed.lines] == render(variant, markers=False).source.splitlines()
