"""Variants of the real templates on the bench."""

import pytest

from tightfit.generator import load_space
from tightfit.generator.naming import variant_named
from tightfit.harness.bench import Bench
from tightfit.harness.current import text_now
from tightfit.records import Measurement


@pytest.fixture(scope="module")
def measured() -> Measurement:
    variant = variant_named("rl78/aes-128/compact", {}, "encrypt+decrypt")
    with Bench("rl78", None, "aes-128") as bench:
        return bench.measure(variant)


def test_pair(measured):
    cost = measured.cost
    assert cost.ranked == ("encrypt", "decrypt")
    assert cost.cycles == cost.by_entry["encrypt"].cycles + cost.by_entry["decrypt"].cycles
    assert cost.ram == cost.ram_parts.block + cost.ram_parts.static + cost.ram_parts.stack
    space = load_space("rl78", "aes-128").templates[measured.variant.template]
    layout = space.block_layout(measured.variant.knobs, measured.variant.operation)
    assert cost.ram_parts.block == layout.size
    assert text_now(measured.variant) == measured.source_sha256


def test_every_byte_and_every_cycle_belongs_to_a_fragment(measured):
    attribution = measured.attribution
    assert "" not in {share.fragment for share in attribution.rom}
    assert sum(share.bytes for share in attribution.rom) == measured.cost.rom
    for entry, timing in measured.cost.by_entry.items():
        cycles = sum(share.cycles for share in attribution.time if share.entry == entry)
        assert cycles * timing.inputs == timing.total * attribution.inputs
        assert "" not in {name for share in attribution.time for name in share.path}
