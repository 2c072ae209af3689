"""The listing of a variant, on every target: every byte and every cycle is at its line."""

import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.records import Variant
from tightfit.reports.listing import listing
from tightfit.targets import load_target, target_ids


@pytest.mark.parametrize("target", target_ids())
def test_bytes_and_cycles_of_code_are_all_there(target):
    part, spec = load_target(target).part(), load_space(target, "present-80").of("encrypt")[0]
    knobs = {name: knob.values[0] for name, knob in spec.knobs.items()}
    variant = Variant(target, part.name, "present-80", "encrypt", spec.name, knobs)
    with Bench(target, part.name, "present-80") as bench:
        cost = bench.measure(variant).cost
    listed = listing(variant)
    cycles = sum(line.spent["encrypt"][1] for line in listed.lines if "encrypt" in line.spent)
    timing = cost.by_entry["encrypt"]
    assert timing.minimum <= cycles + part.core.call_cycles <= timing.maximum
    assert sum(line.bytes for line in listed.lines) == cost.rom
    assert [line.text for line in listed.lines] == render(variant, markers=False).source.splitlines()
