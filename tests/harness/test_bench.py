"""Variants of the real templates on the bench, and the command that shows one of them."""

import pytest

from tightfit.generator import load_space
from tightfit.harness.bench import Bench, main, variant_of
from tightfit.harness.texts import text_now
from tightfit.records import Measurement

WORDS = ["rl78", "aes-128", "encrypt+decrypt", "compact"]


@pytest.fixture(scope="module")
def measured() -> Measurement:
    variant = variant_of(WORDS)
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
    found = measured.attribution
    assert "" not in {share.fragment for share in found.rom}
    assert sum(share.bytes for share in found.rom) == measured.cost.rom
    for entry, timing in measured.cost.by_entry.items():
        cycles = sum(share.cycles for share in found.time if share.entry == entry)
        assert cycles * timing.inputs == timing.total * found.inputs
        assert "" not in {name for share in found.time for name in share.path}


def test_command_shows_cost_and_shares(capsys, measured):
    assert main(WORDS) == 0
    shown = capsys.readouterr().out
    assert f"{measured.variant.id}  ROM {measured.cost.rom}  RAM {measured.cost.ram} " in shown
    assert "time by call path" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rl78"], "usage: TARGET PRIMITIVE"),
        ([*WORDS[:3], "huge"], "no template 'huge': expected one of compact"),
        ([*WORDS, "sbx=ram"], "no knob 'sbx': expected one of "),
        ([*WORDS, "sbox=rom"], "expected sbox to be one of "),
        ([*WORDS, "gate=open"], "no gate 'open': expected one of search, full"),
        (["rl87", *WORDS[1:]], "rl87"),
    ],
)
def test_command_says_what_is_wrong(capsys, words, message):
    assert main(words) == 2
    assert message in capsys.readouterr().err
