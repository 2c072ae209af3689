"""Templates are for the default part; the other parts of a target run them too, or say what is missing."""

import re

import pytest

from tightfit.generator import load_space, spaces
from tightfit.harness.bench import Bench
from tightfit.records import Variant
from tightfit.targets import load_target

CASES = [(target, part, primitive) for target, primitive in spaces() for part in load_target(target).parts]
MISSING = (
    r"needs at least \d+ bytes of RAM, {0} has|{0} has \d+ bytes of (RAM|ROM)"
    r"|illegal opcode \w+ for mcu"
)


@pytest.mark.parametrize(("target", "part", "primitive"), CASES)
def test_the_first_template_on_every_part(target, part, primitive):
    spec = load_space(target, primitive).of("encrypt")[0]
    knobs = {name: knob.values[0] for name, knob in spec.knobs.items()}
    with Bench(target, part, primitive) as bench:
        found = bench.measure(Variant(target, part, primitive, spec.operations[0], spec.name, knobs))
    assert found.cost or re.search(MISSING.format(part), found.rejected), found.rejected
    assert (found.provenance.get("timing") == "not verified") != load_target(target).part(
        part
    ).core.timing_tested
