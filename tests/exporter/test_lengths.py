"""Cycles by message length, as the data sheet has them."""

from itertools import pairwise

import pytest

from tests.answers import winning
from tightfit.exporter import Prepared, default_name
from tightfit.exporter.figures import read_figures
from tightfit.exporter.lengths import exported_curve
from tightfit.exporter.prepared import predicted
from tightfit.generator import render
from tightfit.primitives import load_primitive


def exported(primitive: str) -> list[Prepared]:
    """The routines of the portfolio with the shim of RL78, and the figures that ship."""
    figures, name = read_figures("rl78", primitive), default_name(primitive)
    known = [each for each in winning("rl78", primitive) if each.variant.id in figures][:4]

    def prepared(one):
        text = render(one.variant, name=name, markers=False)
        return Prepared(one, name, text, "", figures[one.variant.id].cost, None)

    return list(map(prepared, known))


@pytest.mark.parametrize("primitive", ["sha-256", "keccak-512", "sha3-512"])
def test_a_message_of_whole_blocks_is_first_middle_ones_and_an_empty_last(primitive):
    block = load_primitive(primitive).block_bytes
    for routine in exported(primitive):
        curve, timings = exported_curve(routine), routine.cost.by_entry
        first, middle, last = (timings[name].cycles for name in ("first", "middle", "last"))
        whole = [length for length in curve.lengths if length and length % block == 0]
        assert whole
        for length in whole:
            expected = first + (length // block - 1) * middle + last
            assert curve.cycles[curve.lengths.index(length)] == pytest.approx(expected)
        assert curve.slope == pytest.approx(middle / block)


@pytest.mark.parametrize("primitive", ["aes-128", "present-80"])
def test_blocks_of_a_cipher_each_take_the_shim(primitive):
    for routine in exported(primitive):
        curve, timings = exported_curve(routine), routine.cost.by_entry
        entry = next(name for name in ("encrypt_next", "decrypt_next", "encrypt") if name in timings)
        following = timings[entry].cycles
        block = load_primitive(primitive).block_bytes
        points = list(zip(curve.lengths, curve.cycles, strict=True))[1:]
        for (shorter, before), (longer, after) in pairwise(points):
            blocks = -(-longer // block) - -(-shorter // block)
            assert after - before == pytest.approx(blocks * following)
        assert curve.cycles[0] == 0


def test_what_was_not_measured_has_no_lengths():
    routine = exported("sha-256")[0]
    assert exported_curve(Prepared(routine.measurement, "it", routine.rendered, "", None, "no tools")) is None


@pytest.mark.parametrize("primitive", ["aes-128", "present-80", "sha-256", "keccak-256"])
def test_what_the_shim_adds_is_foretold_but_for_bank_2(primitive):
    for routine in exported(primitive):
        estimate, cost = predicted(routine.measurement).cost, routine.cost
        assert (estimate.rom, estimate.by_entry) == (cost.rom, cost.by_entry)
        assert estimate.ram_parts.stack == cost.ram_parts.stack
        assert cost.ram_parts.static - estimate.ram_parts.static in (0, 8)
