"""What changed since it was measured passes the gate: each knob value once, and a seeded sample.

The portfolio is the ledger: what renders to the texts that are in it has passed the full gate, and no usual
run sends it there again, but for one variant of each kind on each target. An exhaustive run takes all.
The full gate has iterated vectors, which call a variant some ten thousand times, so only a few quick variants
of each template and operation go through it, the others through the search gate.
"""

from random import Random

import pytest

from tests.answers import BY_NAME, winning
from tests.sampling import as_measured, commit
from tightfit.generator import load_space, spaces
from tightfit.generator.sources import digest
from tightfit.harness.bench import Bench
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.records import Variant
from tightfit.targets import load_target

SAMPLE = 12
QUICK = {"block-cipher": 40_000, "hash": 30_000, "stream-cipher": 20_000, "aead": 30_000, "mac": 30_000}
"""Cycles up to which a variant counts as quick; the full gate calls a hash more often."""
FULL = 3
"""Variants of a template and operation that go through the full gate."""
FEW = 1
"""Variants of a construction's template and operation besides those that try its own knobs."""
KINDS = sorted({(target, load_primitive(primitive).kind) for target, primitive in spaces()})


def _knobs_to_try(spec, operation):
    """Assignments that together hold every reachable value of every knob, then a random sample.

    The first primitive of a family tries every value; the others have the same templates. Of a construction
    only its own knobs are tried, as what it calls is tested by itself.
    """
    rng = Random(f"{spec.target} {spec.primitive} {digest(spec.folder)} {operation}")
    chosen = {}
    family = [name for name in primitive_ids() if load_primitive(name).templates == spec.folder.parent.name]
    called = spec.inner.spec.knobs if spec.inner else {}
    own = [knob for name, knob in spec.knobs.items() if name not in called]
    for knob in own if spec.primitive == family[0] else ():
        for value in knob.values:
            if any(tried[knob.name] == value for tried in chosen.values()):
                continue
            if (knobs := spec.sample(operation, rng, {knob.name: value})) is not None:
                chosen[tuple(knobs.items())] = knobs
    for _ in range(FEW if spec.inner else SAMPLE):
        knobs = spec.sample(operation, rng)
        chosen[tuple(knobs.items())] = knobs
    return list(chosen.values())


def _command(variant):
    """What shows the variant alone, and which line is at fault."""
    name = f"{variant.target}/{variant.primitive}/{variant.template}"
    knobs = " ".join(f"{knob}={value}" for knob, value in variant.knobs.items())
    return f"tightfit try {name} {knobs} --operation {variant.operation} --part {variant.part}"


def _rejected(spec, operation, bench):
    """Why variants of a template do not pass; what they cost is attributed to fragments, all of it."""
    rejected, full = [], FULL - 1 if spec.inner else 0
    limit = QUICK[load_primitive(spec.primitive).kind]
    for knobs in _knobs_to_try(spec, operation):
        variant = Variant(spec.target, bench.part.name, spec.primitive, operation, spec.name, knobs)
        measurement = bench.measure(variant)
        if measurement.cost is not None and measurement.cost.cycles < limit and full < FULL:
            full += 1
            measurement = bench.measure(variant, gate="full")
        if measurement.rejected:
            rejected.append(f"{_command(variant)}: {measurement.rejected}")
        else:
            _check_attribution(measurement)
    return rejected


def _check_attribution(measurement):
    shares = {share.fragment: share for share in measurement.attribution.rom}
    assert "" not in shares, f"{measurement.variant}: bytes outside every fragment"
    assert sum(share.bytes for share in shares.values()) == measurement.cost.rom
    for entry, timing in measurement.cost.by_entry.items():
        inputs = measurement.attribution.inputs
        total = sum(share.cycles for share in measurement.attribution.time if share.entry == entry)
        assert total * timing.inputs == timing.total * inputs


@pytest.mark.dear("a template that changed goes through the gate")
@pytest.mark.parametrize(("target", "primitive"), spaces(), ids=map("-".join, spaces()))
def test_templates_that_changed_pass_the_gate(target, primitive):
    changed = [spec for spec in load_space(target, primitive).templates.values() if not as_measured(spec)]
    rejected = []
    with Bench(target, load_target(target).default_part, primitive) as bench:
        for spec in changed:
            for operation in spec.operations:
                rejected += _rejected(spec, operation, bench)
    assert not rejected, "\n".join(rejected)


@pytest.mark.dear("the full gate")
@pytest.mark.parametrize(("target", "kind"), KINDS, ids=map("-".join, KINDS))
def test_a_variant_of_every_kind_passes_the_full_gate(target, kind):
    """Of a primitive, template and operation that change with the commit, the quickest of some variants.

    It is a template with a quick winner: a slow hash takes the full gate minutes.
    """
    part = load_target(target).default_part
    quick = {
        (each.variant.primitive, each.variant.operation, each.variant.template)
        for place, primitive in BY_NAME
        if place == target and load_primitive(primitive).kind == kind
        for each in winning(target, primitive)
        if each.variant.part == part and each.cost.cycles <= QUICK[kind]
    }
    rng = Random(commit())
    primitive, operation, template = rng.choice(sorted(quick))
    spec = load_space(target, primitive).templates[template]
    with Bench(target, part, primitive) as bench:
        subject = target, part, primitive, operation, template
        tried = [bench.measure(Variant(*subject, spec.sample(operation, rng))) for _ in range(FULL)]
        quickest = min(tried, key=lambda one: one.cost.cycles)
        measurement = bench.measure(quickest.variant, gate="full")
    assert measurement.rejected is None
    _check_attribution(measurement)
