"""What measured variants teach about keys, on the synthetic space."""

import random

import pytest

from tightfit.errors import WorkError
from tightfit.generator import load_space, render, spaces
from tightfit.generator.knowledge import ROM, STACK, Knowledge, Part
from tightfit.records import Variant

from .fakebench import INPUTS, FakeBench
from .toyspace import DATA

SPACE = load_space("rl78", "synthetic", DATA)
SPEC = SPACE.templates["rounds"]


def variants(count: int | None = None) -> list[Variant]:
    """All variants of the template, or the first of a shuffled list."""
    everything = [
        Variant("rl78", "p", "synthetic", "encrypt", "rounds", knobs) for knobs in SPEC.variants("encrypt")
    ]
    random.Random(7).shuffle(everything)
    return everything[:count]


def learned(chosen: list[Variant], bench: FakeBench, step: int = 1000) -> Knowledge:
    knowledge = Knowledge(SPEC, "encrypt")
    knowledge.unit = INPUTS
    for i in range(0, len(chosen), step):
        batch = chosen[i : i + step]
        rendered = [render(variant, space=SPACE) for variant in batch]
        knowledge.absorb(zip(bench(batch), rendered, strict=True))
    return knowledge


def total(knowledge: Knowledge, kind: str, variant: Variant) -> int:
    return knowledge.least(kind, variant.knobs)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_sums_equal_the_whole_once_all_is_measured(step):
    bench = FakeBench(SPACE)
    chosen = variants()
    knowledge = learned(chosen, bench, step)
    for variant in chosen:
        cost = bench.stored[variant.id].cost
        assert total(knowledge, ROM, variant) == cost.rom
        assert total(knowledge, STACK, variant) == cost.ram_parts.stack
        assert total(knowledge, "encrypt", variant) == cost.by_entry["encrypt"].total
    excess, exact = knowledge.excess()
    assert {"rom", "stack", "encrypt", "leaks", "cycles", "padded rom", "padded ram"} <= excess.keys()
    assert not any(excess.values()) and exact == len(chosen)


@pytest.mark.parametrize("count", [1, 3, 10, 40])
def test_bounds_stay_below_what_is_measured_later(count):
    bench = FakeBench(SPACE)
    knowledge = learned(variants(count), bench)
    for variant in variants():
        cost = bench.measure(variant).cost
        assert total(knowledge, ROM, variant) <= cost.rom
        assert total(knowledge, "encrypt", variant) <= cost.by_entry["encrypt"].total


def test_a_key_is_shared_by_variants_that_contain_it():
    """Two knobs that no fragment reads together need no joint measurement."""
    bench = FakeBench(SPACE)
    knowledge = learned(variants(60), bench)
    unmeasured = [variant for variant in variants()[60:]]
    foretold = sum(
        total(knowledge, ROM, variant) == bench.measure(variant).cost.rom for variant in unmeasured
    )
    assert foretold > len(unmeasured) // 2


def test_scopes_follow_what_fragments_read():
    knowledge = learned(variants(40), FakeBench(SPACE))
    outside = {"sbox", "mix"}
    assert set(knowledge.structure.own("enter")) == {"state"} | outside
    assert set(knowledge.structure.around("sub_bytes")) == {"unroll"} | outside
    path = ("sub_bytes", "inversion")
    assert set(knowledge.structure.full(path)) == {"sbox", "state", "unroll"} | outside


def seam(variant: Variant) -> tuple[int, int]:
    knobs = variant.knobs
    return 0, 24 if knobs["keys"] == "kept" and knobs["unroll"] == 2 else 0


def test_refinement_finds_the_knobs_of_a_seam():
    knowledge = learned(variants(), FakeBench(SPACE, seam), step=20)
    part = Part("encrypt", ("enter",))
    (own, _), (added, amounts) = knowledge.lower_bounds(part)
    assert own == ("state",) and added == ("unroll", "keys")
    assert {key: amount for key, amount in amounts.items() if amount} == {(2, "kept"): 24}
    margins, exact = knowledge.excess()
    assert exact == len(variants()) and margins["cycles"] == 0


def test_what_no_knob_explains_is_a_seam_with_its_least():
    costs = {}

    def noise(variant: Variant) -> tuple[int, int]:
        return 0, costs.setdefault(variant.id, 4 * (len(costs) % 3))

    bench = FakeBench(SPACE, noise)
    chosen = variants()
    knowledge = learned(chosen, bench)
    for variant in chosen:
        assert total(knowledge, "encrypt", variant) <= bench.stored[variant.id].cost.by_entry["encrypt"].total
    margins, exact = knowledge.excess()
    assert 0 < margins["cycles"] <= 8 * 2 and exact < len(chosen)


ODD = """\
doc: odd
operations: [encrypt]
knobs:
  a: {values: [1, 2, 3]}
  b: {values: [0, 5], when: "k.a > 1"}
  c: {values: [0, 2]}
block:
  - {name: text, bytes: k.c + 1}
  - {name: mine, bytes: k.a + k.c}
  - {name: work, bytes: 2 * k.a + k.b}
"""


def test_ram_of_a_block_is_the_sum_of_its_fields_and_the_padding(declare):
    spec = declare(ODD).templates["one"]
    tables = Knowledge(spec, "encrypt").declared_ram()
    for knobs in spec.variants("encrypt"):
        foretold = sum(sizes[tuple(knobs[knob] for knob in scope)] for scope, sizes in tables)
        assert foretold == spec.block_layout(knobs, "encrypt").size
    padding = tables[len(spec.fields)]
    assert padding[0] == ("a", "b") and set(padding[1].values()) == {0, 1}


@pytest.mark.parametrize(("target", "primitive"), spaces())
def test_ram_that_shipped_templates_declare_is_exact(target, primitive):
    for spec in load_space(target, primitive).templates.values():
        for operation in spec.operations:
            tables = Knowledge(spec, operation).declared_ram()
            for number in range(10):
                knobs = spec.sample(operation, random.Random(number))
                foretold = sum(sizes[tuple(knobs[knob] for knob in scope)] for scope, sizes in tables)
                block = spec.block_layout(knobs, operation).size
                assert foretold == block + spec.static_bytes(knobs, operation)


def test_other_timing_inputs_are_refused():
    knowledge = Knowledge(SPEC, "encrypt")
    knowledge.unit = 3
    variant = variants(1)[0]
    with pytest.raises(WorkError, match="expected 3 timing inputs, found 4"):
        knowledge.absorb([(FakeBench(SPACE).measure(variant), render(variant, space=SPACE))])
