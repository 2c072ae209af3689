"""Every kind in SUPERCOP's layout: its figures, and what is wrong in it."""

from itertools import product

import pytest

from tests.coverings import covering
from tightfit.errors import UsageError

from . import guests
from .guests import SPEED, TARGETS

pytestmark = pytest.mark.dear("compiled C through the gate")

KINDS = {"trivium": "trivium", "asconaead128": "ascon-aead128", "poly1305": "poly1305"}
PRIMITIVES = {**KINDS, "sha256": "sha-256"}
COVERING = covering(product(KINDS, TARGETS), parts=enumerate)


def measured(folder, gate="search"):
    return guests.measured(folder, flags=SPEED, gate=gate)


def sound(name, target="avr"):
    return guests.sound(name, KINDS[name], target, SPEED)


def changed(folder, name, **statements):
    """An implementation with further statements."""
    return guests.implementation(folder, name, PRIMITIVES[name], **statements)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name, target", COVERING)
def test_figures_are_those_of_blocks_and_what_feeds_them(name, target):
    contender = sound(name, target)
    assert contender.rejected is None and contender.interface == "supercop"
    cost, inner = contender.cost, guests.alone(KINDS[name], target, SPEED).cost
    assert set(cost.ranked) <= cost.by_entry.keys() <= inner.by_entry.keys()
    for figure in inner.ranked:
        fed, block = cost.by_entry[figure], inner.by_entry[figure]
        assert block.cycles < fed.cycles < 1.25 * block.cycles
    assert inner.rom < cost.rom < 2 * inner.rom + 1000  # lengths of 64 bits
    assert cost.secrecy.leaks == inner.secrecy.leaks


def test_a_stream_of_one_block_is_set_up_and_next():
    contender = sound("trivium")
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    points = dict(zip(contender.curve.lengths, contender.curve.cycles, strict=True))
    assert contender.cost.ranked == ("setup", "next") and contender.operation == "encrypt"
    assert points[16] == cycles["setup"] + cycles["next"]
    assert points[1024] - points[512] == 32 * cycles["next"]
    assert contender.curve.slope == cycles["next"] / 16
    assert contender.cost.ram_parts.block == 10 + 10 + 16 + 16


def test_authenticated_encryption_has_the_curves_of_its_kind():
    contender = sound("asconaead128")
    points, with_data = (
        dict(zip(contender.curve.lengths, cycles, strict=True))
        for cycles in (contender.curve.cycles, contender.curve.with_data)
    )
    assert contender.cost.ranked == ("seal", "open") and contender.operation == "seal+open"
    assert with_data[16] == contender.cost.by_entry["seal"].cycles
    assert points[1536] - points[512] == 64 * 16 * contender.curve.slope


def test_a_mac_is_counted_as_a_hash_and_its_verification_is_not(tmp_path):
    contender = sound("poly1305")
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    points = dict(zip(contender.curve.lengths, contender.curve.cycles, strict=True))
    assert contender.cost.ranked == ("middle",)
    assert (points[0], points[16]) == (cycles["last"], cycles["first"] + cycles["last"])
    slow = "volatile unsigned char more[200]; for (unsigned i = 0; i < 200; i++) more[i] = 0"
    assert measured(changed(tmp_path, "poly1305", beside=slow)).cost == contender.cost


FLIPPED = "((unsigned char *){})[0] ^= 1"
"""What is only to be read, changed."""
AFTER = {
    "sha256": {
        "return 1": "crypto_hash returns 1 for 1 bytes",
        "out[0] ^= 1": "wrong answer: crypto_hash of 1 bytes",
        FLIPPED.format("in"): "message not intact",
        "for (;;) ((volatile unsigned char *)out)[0]++": "cycle limit",
        "out[-1] = 0": "stray write",
        "out[32] ^= 1": "stray write: crypto_hash writes behind the digest",
        "oops": "compiler: hash.c",
        "extern void nowhere(void); nowhere()": "linker: ",
    },
    "trivium": {
        "c[0] ^= mlen != 0": "wrong answer: crypto_stream_xor of",
        "return 1": "crypto_stream_xor returns 1 for",
        "c[mlen] ^= 1": "stray write: crypto_stream_xor writes behind the text",
        FLIPPED.format("n"): "iv not intact: crypto_stream_xor changes it",
        FLIPPED.format("k"): "key not intact: crypto_stream_xor changes it",
        "oops": "compiler: stream.c",
    },
    "poly1305": {
        "out[0] ^= 1": "wrong answer: crypto_onetimeauth of",
        FLIPPED.format("k"): "key not intact: crypto_onetimeauth changes",
        "out[16] ^= 1": "stray write: crypto_onetimeauth",
    },
    "asconaead128": {
        "c[mlen] ^= 1": "wrong answer: crypto_aead_encrypt of",
        "--*clen": "crypto_aead_encrypt tells",
        "c[*clen] ^= 1": "stray write: crypto_aead_encrypt writes behind the text",
        "((unsigned char *)ad)[0] ^= adlen != 0": "ad not intact",
    },
}
BESIDE = {
    "trivium": {
        "c[0] ^= clen != 0": "wrong answer: crypto_stream of",
        "return -1": "crypto_stream returns -1 for",
    },
    "poly1305": {
        "return 0": "crypto_onetimeauth_verify returns 0 for a forged message of",
        "return -1": "crypto_onetimeauth_verify returns -1 for",
        "((unsigned char *)h)[3] ^= 1": "tag not intact: crypto_onetimeauth_verify changes it",
    },
    "asconaead128": {
        "++*mlen": "crypto_aead_decrypt tells",
        "return 0": "crypto_aead_decrypt returns 0 for a forged message of",
        FLIPPED.format("c"): "message not intact: crypto_aead_decrypt",
    },
}
WRONG_DOING = [
    (name, place, doing, reason)
    for place, names in (("after", AFTER), ("beside", BESIDE))
    for name, reasons in names.items()
    for doing, reason in reasons.items()
]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name, place, doing, reason", WRONG_DOING)
def test_what_it_does_wrong_is_the_reason(tmp_path, name, place, doing, reason):
    contender = measured(changed(tmp_path, name, **{place: doing}))
    assert contender.cost is None
    assert reason in contender.rejected


@pytest.mark.parametrize("name, entry", [("asconaead128", "block.tag[0] == 3"), ("poly1305", "h[0] == 3")])
def test_time_that_depends_on_a_tag_leaks(tmp_path, name, entry):
    slow = f"if ({entry}) for (volatile unsigned i = 0; i < 9; i++) ;"
    contender = measured(changed(tmp_path, name, beside=slow))
    assert contender.rejected is None and contender.cost.secrecy.leaks


@pytest.mark.in_turn(4)
def test_hmac_as_crypto_auth(tmp_path):
    contender = measured(guests.hmac(tmp_path))
    assert contender.rejected is None and contender.cost.ram_parts.block == 32 + 32 + 64
    assert contender.cost.constant_path and not contender.cost.secrecy.leaks


@pytest.mark.parametrize(
    "name, odd, reason",
    [
        ("sha256", "if (inlen == 77) out[0] = 1", "wrong answer: crypto_hash of 77 bytes"),
        ("trivium", "if (mlen == 27) c[3] ^= 1", "wrong answer: crypto_stream_xor of 27 bytes"),
    ],
)
def test_every_length_is_tried_by_the_full_gate(tmp_path, name, odd, reason):
    wrong = changed(tmp_path, name, after=odd)
    assert measured(wrong).rejected is None
    assert reason in measured(wrong, gate="full").rejected


def test_sizes_of_another_primitive_are_told(tmp_path):
    for name, sizes, right in (
        ("sha256", {"BYTES": 20}, "CRYPTO_BYTES is not 32"),
        ("trivium", {"KEYBYTES": 10, "NONCEBYTES": 8}, "CRYPTO_NONCEBYTES is not 10"),
    ):
        folder = changed(tmp_path, name)
        (folder / "api.h").write_text("".join(f"#define CRYPTO_{of} {size}\n" for of, size in sizes.items()))
        rejected = measured(folder).rejected
        assert rejected.startswith("api.h: compiler: ") and right in rejected


def test_primitives_that_are_defined_otherwise_are_not_ours(tmp_path):
    for name in ("chacha20", "salsa2012"):
        with pytest.raises(UsageError, match=f"crypto_stream/{name}: no primitive of tightfit; it knows"):
            measured(guests.implementation(tmp_path, name, "trivium"))
