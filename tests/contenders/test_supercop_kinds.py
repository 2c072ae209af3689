"""Stream ciphers, authenticated encryption and MACs in SUPERCOP's layout."""

from itertools import product

import pytest

from tests.coverings import covering
from tightfit.contenders import supercop, supercoptree
from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import measure_c
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive

from . import guests

pytestmark = pytest.mark.dear("compiled C through the gate")

TARGETS = ("avr", "msp430", "rl78")
KINDS = {"trivium": "trivium", "asconaead128": "ascon-aead128", "poly1305": "poly1305"}
COVERING = covering(product(KINDS, TARGETS), parts=enumerate)


def measured(folder, target="avr", gate="search", part=None, flags=("-O2",)):
    (implementation,) = supercoptree.find(folder)
    return supercop.measure(implementation, target, part, flags=flags, gate=gate)


def alone(primitive, target):
    """The same C, called block by block."""
    of = load_primitive(primitive)
    operation, source = list(of.operations)[-1], source_of(of)
    defines = definitions(of, operation)
    more = {"flags": ("-O2",), "gate": "search", "routine": source.name, "defines": defines}
    return measure_c(source.file, target, None, primitive, operation, **more)


@pytest.mark.parametrize("name, target", COVERING)
def test_figures_are_those_of_blocks_and_what_feeds_them(tmp_path, name, target):
    contender = measured(guests.implementation(tmp_path, name, KINDS[name]), target)
    assert contender.rejected is None and contender.interface == "supercop"
    cost, inner = contender.cost, alone(KINDS[name], target).cost
    assert set(cost.ranked) <= cost.by_entry.keys() <= inner.by_entry.keys()
    for figure in inner.ranked:
        fed, block = cost.by_entry[figure], inner.by_entry[figure]
        assert block.cycles < fed.cycles < 1.25 * block.cycles
    assert inner.rom < cost.rom < 2 * inner.rom + 1000  # lengths of 64 bits
    assert cost.secrecy.leaks == inner.secrecy.leaks


def test_a_stream_of_one_block_is_set_up_and_next(tmp_path):
    contender = measured(guests.implementation(tmp_path, "trivium", "trivium"))
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    points = dict(zip(contender.curve.lengths, contender.curve.cycles, strict=True))
    assert contender.cost.ranked == ("setup", "next") and contender.operation == "encrypt"
    assert points[16] == cycles["setup"] + cycles["next"]
    assert points[1024] - points[512] == 32 * cycles["next"]
    assert contender.curve.slope == cycles["next"] / 16
    assert contender.cost.ram_parts.block == 10 + 10 + 16 + 16


def test_authenticated_encryption_has_the_curves_of_its_kind(tmp_path):
    contender = measured(guests.implementation(tmp_path, "asconaead128", "ascon-aead128"))
    points, with_data = (
        dict(zip(contender.curve.lengths, cycles, strict=True))
        for cycles in (contender.curve.cycles, contender.curve.with_data)
    )
    assert contender.cost.ranked == ("seal", "open") and contender.operation == "seal+open"
    assert with_data[16] == contender.cost.by_entry["seal"].cycles
    assert points[1536] - points[512] == 64 * 16 * contender.curve.slope


def test_a_mac_is_counted_as_a_hash_and_its_verification_is_not(tmp_path):
    contender = measured(guests.implementation(tmp_path / "short", "poly1305", "poly1305"))
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    points = dict(zip(contender.curve.lengths, contender.curve.cycles, strict=True))
    assert contender.cost.ranked == ("middle",)
    assert (points[0], points[16]) == (cycles["last"], cycles["first"] + cycles["last"])
    slow = "volatile unsigned char more[200]; for (unsigned i = 0; i < 200; i++) more[i] = 0"
    longer = measured(guests.implementation(tmp_path / "long", "poly1305", "poly1305", beside=slow))
    assert longer.cost == contender.cost


@pytest.mark.parametrize(
    "name, statements, reason",
    [
        ("trivium", {"after": "c[0] ^= mlen != 0"}, "wrong answer: crypto_stream_xor of"),
        ("trivium", {"after": "return 1"}, "crypto_stream_xor returns 1 for"),
        ("trivium", {"after": "c[mlen] ^= 1"}, "stray write: crypto_stream_xor writes behind the text"),
        ("trivium", {"after": "((unsigned char *)n)[0] ^= 1"}, "iv not intact: crypto_stream_xor changes it"),
        (
            "trivium",
            {"after": "((unsigned char *)k)[0] ^= 1"},
            "key not intact: crypto_stream_xor changes it",
        ),
        ("trivium", {"beside": "c[0] ^= clen != 0"}, "wrong answer: crypto_stream of"),
        ("trivium", {"beside": "return -1"}, "crypto_stream returns -1 for"),
        ("trivium", {"after": "oops"}, "compiler: stream.c"),
        ("poly1305", {"after": "out[0] ^= 1"}, "wrong answer: crypto_onetimeauth of"),
        ("poly1305", {"after": "((unsigned char *)k)[0] ^= 1"}, "key not intact: crypto_onetimeauth changes"),
        ("poly1305", {"after": "out[16] ^= 1"}, "stray write: crypto_onetimeauth"),
        ("poly1305", {"beside": "return 0"}, "crypto_onetimeauth_verify returns 0 for a forged message of"),
        ("poly1305", {"beside": "return -1"}, "crypto_onetimeauth_verify returns -1 for"),
        (
            "poly1305",
            {"beside": "((unsigned char *)h)[3] ^= 1"},
            "tag not intact: crypto_onetimeauth_verify changes it",
        ),
        ("asconaead128", {"after": "c[mlen] ^= 1"}, "wrong answer: crypto_aead_encrypt of"),
        ("asconaead128", {"after": "--*clen"}, "crypto_aead_encrypt tells"),
        (
            "asconaead128",
            {"after": "c[*clen] ^= 1"},
            "stray write: crypto_aead_encrypt writes behind the text",
        ),
        ("asconaead128", {"after": "((unsigned char *)ad)[0] ^= adlen != 0"}, "ad not intact"),
        ("asconaead128", {"beside": "++*mlen"}, "crypto_aead_decrypt tells"),
        ("asconaead128", {"beside": "return 0"}, "crypto_aead_decrypt returns 0 for a forged message of"),
        (
            "asconaead128",
            {"beside": "((unsigned char *)c)[0] ^= 1"},
            "message not intact: crypto_aead_decrypt",
        ),
    ],
)
def test_what_it_does_wrong_is_the_reason(tmp_path, name, statements, reason):
    contender = measured(guests.implementation(tmp_path, name, KINDS[name], **statements))
    assert contender.cost is None
    assert reason in contender.rejected


@pytest.mark.parametrize("name, entry", [("asconaead128", "block.tag[0] == 3"), ("poly1305", "h[0] == 3")])
def test_time_that_depends_on_a_tag_leaks(tmp_path, name, entry):
    slow = f"if ({entry}) for (volatile unsigned i = 0; i < 9; i++) ;"
    contender = measured(guests.implementation(tmp_path, name, KINDS[name], beside=slow))
    assert contender.rejected is None and contender.cost.secrecy.leaks


def test_hmac_as_crypto_auth(tmp_path):
    folder = guests.hmac(tmp_path)
    contender = measured(folder)
    assert contender.rejected is None and contender.cost.ram_parts.block == 32 + 32 + 64
    assert contender.cost.constant_path and not contender.cost.secrecy.leaks


def test_every_length_is_tried_by_the_full_gate(tmp_path):
    odd = "if (mlen == 27) c[3] ^= 1"
    wrong = guests.implementation(tmp_path, "trivium", "trivium", after=odd)
    assert measured(wrong).rejected is None
    assert "wrong answer: crypto_stream_xor of 27 bytes" in measured(wrong, gate="full").rejected


def test_sizes_of_another_primitive_are_told(tmp_path):
    folder = guests.implementation(tmp_path, "trivium", "trivium")
    (folder / "api.h").write_text("#define CRYPTO_KEYBYTES 10\n#define CRYPTO_NONCEBYTES 8\n")
    assert "CRYPTO_NONCEBYTES is not 10" in measured(folder).rejected


def test_primitives_that_are_defined_otherwise_are_not_ours(tmp_path):
    for name in ("chacha20", "salsa2012"):
        folder = guests.implementation(tmp_path, name, "trivium")
        with pytest.raises(UsageError, match=f"crypto_stream/{name}: no primitive of tightfit; it knows"):
            measured(folder)


def test_a_part_with_too_little_ram_is_told(tmp_path):
    folder = guests.implementation(tmp_path, "asconaead128", "ascon-aead128")
    with pytest.raises(
        UsageError, match="ATtiny45 has 256 bytes of RAM: too few for a message of two blocks"
    ):
        measured(folder, part="ATtiny45")
