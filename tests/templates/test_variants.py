"""Every template of every target passes the gate: each knob value once, and a seeded sample.

The full gate has iterated vectors, which call a variant some ten thousand times. So only a few quick variants
of each template and operation go through it, the others through the search gate; the winners among slow ones
went through the full gate when the portfolio was filled. Of a template that is as it was then, the usual run
takes one variant through the search gate, another with every change of a source.
"""

from random import Random

import pytest

from tests.sampling import as_measured
from tightfit.generator import load_space, spaces
from tightfit.generator.sources import digest
from tightfit.harness.bench import Bench
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.records import Variant
from tightfit.targets import load_target

SAMPLE = 12
QUICK = {"block-cipher": 40_000, "hash": 30_000, "stream-cipher": 20_000, "mac": 30_000, "aead": 30_000}
"""Cycles up to which a variant counts as quick; the full gate calls a hash more often."""
FULL = 3
"""Variants of a template and operation that go through the full gate."""
FEW = 1
"""Variants of a template and operation where the template is as it was measured."""


def _spaces():
    for target, primitive in spaces():
        yield load_space(target, primitive)


def _cases():
    for space in _spaces():
        for spec in space.templates.values():
            for operation in spec.operations:
                words = (space.target, space.primitive, spec.name, operation)
                yield pytest.param(space, spec, operation, id="-".join(words))


def _knobs_to_try(spec, operation):
    """Assignments that together hold every reachable value of every knob, then a random sample.

    The first primitive of a family tries every value; the others have the same templates.
    """
    rng = Random(f"{spec.target} {spec.primitive} {digest(spec.folder)} {operation}")
    chosen = {}
    if as_measured(spec):
        return [spec.sample(operation, rng) for _ in range(FEW)]
    family = [name for name in primitive_ids() if load_primitive(name).templates == spec.folder.parent.name]
    for knob in spec.knobs.values() if spec.primitive == family[0] else ():
        for value in knob.values:
            if any(tried[knob.name] == value for tried in chosen.values()):
                continue
            if (knobs := spec.sample(operation, rng, {knob.name: value})) is not None:
                chosen[tuple(knobs.items())] = knobs
    for _ in range(SAMPLE):
        knobs = spec.sample(operation, rng)
        chosen[tuple(knobs.items())] = knobs
    return list(chosen.values())


def _command(variant):
    """What shows the variant alone, and which line is at fault."""
    name = f"{variant.target}/{variant.primitive}/{variant.template}"
    knobs = " ".join(f"{knob}={value}" for knob, value in variant.knobs.items())
    return f"tightfit try {name} {knobs} --operation {variant.operation} --part {variant.part}"


@pytest.mark.parametrize("space, spec, operation", list(_cases()))
def test_variants_pass_the_gate(space, spec, operation):
    part = load_target(space.target).default_part
    rejected, limit = [], QUICK[load_primitive(space.primitive).kind]
    full = FULL if as_measured(spec) else 0
    with Bench(space.target, part, space.primitive) as bench:
        for knobs in _knobs_to_try(spec, operation):
            variant = Variant(space.target, part, space.primitive, operation, spec.name, knobs)
            measurement = bench.measure(variant)
            if measurement.cost is not None and measurement.cost.cycles < limit and full < FULL:
                full += 1
                measurement = bench.measure(variant, gate="full")
            if measurement.rejected:
                rejected.append(f"{_command(variant)}: {measurement.rejected}")
                continue
            shares = {share.fragment: share for share in measurement.attribution.rom}
            assert "" not in shares, f"{dict(knobs)}: bytes outside every fragment"
            assert sum(share.bytes for share in shares.values()) == measurement.cost.rom
            for entry, timing in measurement.cost.by_entry.items():
                inputs = measurement.attribution.inputs
                total = sum(share.cycles for share in measurement.attribution.time if share.entry == entry)
                assert total * timing.inputs == timing.total * inputs
    assert not rejected, "\n".join(rejected)
