"""Message-length curves of block ciphers, and of measurements without a curve."""

from dataclasses import replace

import pytest

from tightfit.curve import LENGTHS, curve, message_cycles
from tightfit.primitives import load_primitive
from tightfit.records import Curve, Timing

from .samples import measurement


def measured(**cycles: int):
    sample = measurement()
    timings = {entry: Timing(64, 64 * n, n, n, True) for entry, n in cycles.items()}
    return replace(sample, cost=replace(sample.cost, by_entry=timings))


@pytest.mark.parametrize(
    ("cycles", "first", "following"),
    [
        ({"encrypt": 1000}, 1000, 1000),
        ({"encrypt": 1000, "decrypt": 1}, 1000, 1000),
        ({"encrypt": 1000, "encrypt_next": 700}, 1000, 700),
        ({"encrypt": 1100, "setup": 400, "encrypt_next": 700}, 1100, 700),
        ({"setup": 400, "encrypt_next": 700}, 1100, 700),
        ({"setup": 400, "decrypt_next": 800}, 1200, 800),
        ({"encrypt": 1000, "decrypt": 1300, "decrypt_next": 900}, 1000, 1000),
    ],
)
def test_blocks_of_a_cipher(cycles, first, following):
    cipher = curve(measured(**cycles))
    points = dict(zip(cipher.lengths, cipher.cycles, strict=True))
    assert cipher.lengths == LENGTHS
    assert points[0] == 0
    assert points[1] == points[8] == points[16] == first
    assert points[40] == first + 2 * following
    assert points[1500] == first + 93 * following
    assert cipher.slope == following / 16


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
def test_a_key_schedule_and_as_many_blocks_as_a_message_has(way):
    sample = measured(**{"setup": 400, f"{way}_next": 700})
    assert message_cycles(sample, load_primitive("aes-128"), 128) == 400 + 8 * 700


def test_curves_of_few_words():
    assert isinstance(curve(measured(encrypt=1600)).slope, int)
    own = Curve((0, 1), (2, 3), 4)
    assert curve(replace(measurement(), curve=own)) is own  # what was measured counts
    assert curve(measurement(rejected="wrong answer")) is None


def test_padding_that_shares_no_block_takes_one_more():
    known = replace(measured(first=100, middle=90, last=110), curve=Curve((0,), (105,), 1))
    apart, shared = load_primitive("jh-256"), load_primitive("sha-256")
    assert [message_cycles(known, apart, length) for length in (128, 134)] == [300, 390]
    assert [message_cycles(known, shared, length) for length in (128, 134)] == [300, 300]
