"""Routines of guests whose count of a long message goes wrong: their counts are found and forged."""

import pytest

from tightfit.contenders.baselines import source_of
from tightfit.contenders.measure import measure_c
from tightfit.primitives import load_primitive

from . import guests
from .guests import TARGETS

pytestmark = pytest.mark.dear("compiled C through the gate")

SOURCE = source_of(load_primitive("sha-256")).file.read_text()
ADDED, CARRIED = "bits[0] += more;", "bits[1]++;"
UPSIDE_DOWN = {
    "block->bits[0] = block->bits[1] = 0": "block->bits[0] = block->bits[1] = 0xFFFFFFFF",
    "bits[0] += more;": "bits[0] -= more;",
    "bits[0] < more": "bits[0] > 0xFFFFFFFF - more",
    CARRIED: "bits[1]--;",
    "COUNT, block->bits[1]": "COUNT, ~block->bits[1]",
    "COUNT + 4, block->bits[0]": "COUNT + 4, ~block->bits[0]",
}


def measured(folder, target, replaced, gate="search"):
    source, text = folder / "sha256.c", SOURCE
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    source.write_text(text)
    return measure_c(source, target, None, "sha-256", "hash", gate=gate)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("wrong", "length"),
    [
        ({ADDED: f"{ADDED} bits[0] &= 0xFFFF;"}, 1 << 13),
        ({ADDED: f"{ADDED} bits[0] &= 0x1FFFF;"}, 1 << 14),
        ({ADDED: f"{ADDED} bits[0] &= 0x7FFFF;"}, 1 << 16),
        ({CARRIED: ";"}, 1 << 29),
        ({CARRIED: "bits[1] = (bits[1] + 1) & 0xFF;"}, 1 << 37),
    ],
)
def test_a_count_that_loses_a_carry(tmp_path, target, wrong, length):
    """Wrong from `length` bytes on, which no message of the gate has."""
    rejected = measured(tmp_path, target, wrong).rejected
    assert rejected.startswith("wrong answer: hash of ") and "by a forged count" in rejected
    assert length <= int(rejected.split()[4])


@pytest.mark.parametrize("target", TARGETS)
def test_a_right_count_is_found(target):
    contender = guests.alone("sha-256", target)
    assert contender.rejected is None and contender.tested_bytes == 0


@pytest.mark.in_turn(3)
def test_a_count_that_is_not_found(tmp_path):
    """It counts down: the full gate hashes a message of more than 64 KB instead, and says so."""
    assert measured(tmp_path, "msp430", UPSIDE_DOWN).tested_bytes == 1024
    assert measured(tmp_path, "msp430", UPSIDE_DOWN, "full").tested_bytes == 66_000
    wrong = {**UPSIDE_DOWN, "bits[0] -= more;": "bits[0] -= more; bits[0] |= 0xFFF80000;"}
    assert measured(tmp_path, "msp430", wrong).rejected is None
    assert measured(tmp_path, "msp430", wrong, "full").rejected.startswith(
        "wrong answer: hash of 66000 bytes"
    )
