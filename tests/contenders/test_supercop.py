"""Folders in SUPERCOP's layout: found, called through an adapter that costs nothing, and counted."""

import shutil
import subprocess
from fractions import Fraction

import pytest

from tightfit.contenders import adapter, called, overhead, supercop, supercoptree
from tightfit.contenders.compiler import compiler
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

from . import guests
from .guests import TARGETS, measured

pytestmark = pytest.mark.dear("compiled C through the gate")


@pytest.fixture
def folder(tmp_path):
    """A hash without faults."""
    return guests.implementation(tmp_path, "sha256", "sha-256")


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", TARGETS)
def test_a_hash_is_measured_block_by_block(target):
    """A block takes the cycles of the same C with the block-wise interface, plus the code that feeds it."""
    contender, alone = guests.sound("sha256", "sha-256", target), guests.alone("sha-256", target)
    assert contender.rejected is None and contender.cost.ram_parts.block == 32 + 64  # as with our own
    assert contender.interface == "supercop" and contender.name == "crypto_hash/sha256/guest"
    middle, fed = alone.cost.cycles, contender.cost.cycles
    assert middle < fed < 1.2 * middle
    assert alone.cost.rom < contender.cost.rom < alone.cost.rom + 600
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    points = dict(zip(contender.curve.lengths, contender.curve.cycles, strict=True))
    assert points[0] == cycles["last"]
    assert points[64] == cycles["first"] + cycles["last"]
    if contender.cost.constant_path:
        assert points[1024] - points[512] == 8 * cycles["middle"]
        assert contender.curve.slope == Fraction(cycles["middle"]) / 64


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", ["avr", "rl78"])
def test_the_adapter_costs_nothing(folder, monkeypatch, target):
    """A slow adapter with a large frame gives the figures that the quick one gives."""
    quick = guests.sound("sha256", "sha-256", target)
    monkeypatch.setattr(called, "FLAGS", ("-O0",))
    assert measured(folder, target).cost == quick.cost
    assert adapter.FLAGS != called.FLAGS


CALLER = """int crypto_hash(unsigned char *, const unsigned char *, unsigned long long);
int caller(unsigned char *p, unsigned n) { return crypto_hash(p, p + 1, n) + 1; }
"""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", ["msp430", "rl78"])
def test_the_arguments_on_the_stack_are_those_that_the_compiler_pushes(folder, tmp_path, monkeypatch, target):
    place = load_target(target)
    cc, source = compiler(place, place.part()), tmp_path / "caller.c"
    source.write_text(CALLER)
    subprocess.run([cc.path, *cc.options, "-O2", "-fstack-usage", "-c", source], cwd=tmp_path, check=True)
    said = (tmp_path / "caller.su").read_text().split()[-2]
    found, pushed = [], overhead.pushed
    monkeypatch.setattr(overhead, "pushed", lambda *asked: found.append(pushed(*asked)) or found[-1])
    measured(folder, target)
    assert found == [[int(said)]]


@pytest.mark.parametrize("name, primitive", [("keccakc512", "keccak-256"), ("sha3256", "sha3-256")])
def test_names_of_supercop_are_primitives_of_ours(name, primitive):
    contender = guests.sound(name, primitive, flags=guests.SPEED)
    assert (contender.rejected, contender.primitive) == (None, primitive)


@pytest.mark.in_turn(3)
def test_time_that_depends_on_the_message_of_any_length_ends_the_mark(tmp_path):
    odd = "if (inlen == 3 && in[0]) { for (volatile int n = 0; n < 99; n++) ; }"
    assert guests.sound("sha256", "sha-256").cost.constant_path
    contender = measured(guests.implementation(tmp_path, "sha256", "sha-256", odd), gate="full")
    assert contender.rejected is None and not contender.cost.constant_path


def test_implementations_are_found_from_anywhere_above(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "crypto_hash/blake256/some/body")
    for path, wanted in ((folder, 1), (folder.parent, 1), (folder.parents[1], 2), (tmp_path, 2)):
        assert len(supercoptree.find(path)) == wanted
    assert [(found.title, found.subject) for found in supercoptree.find(tmp_path)] == [
        ("crypto_hash/blake256/some/body", None),
        ("crypto_hash/sha256/guest", ("sha-256", "hash")),
    ]


def test_the_wrong_question(tmp_path):
    layout = "expected SUPERCOP's layout, crypto_hash/PRIMITIVE/IMPLEMENTATION/api.h"
    with pytest.raises(UsageError, match=layout):
        supercoptree.find(tmp_path)
    unknown = "crypto_hash/md5: no primitive of tightfit; it knows crypto_hash/sha256"
    with pytest.raises(UsageError, match=unknown):
        measured(guests.implementation(tmp_path / "1", "md5", "sha-256"))
    empty = guests.implementation(tmp_path / "2", "sha256", "sha-256")
    (empty / "hash.c").unlink()
    with pytest.raises(UsageError, match="expected C or assembly beside api.h, found none"):
        measured(empty)
    small = "ATtiny45 has 256 bytes of RAM: too few for a message of two blocks"
    for name, primitive in (("keccakc512", "keccak-256"), ("asconaead128", "ascon-aead128")):
        with pytest.raises(UsageError, match=small):
            measured(guests.implementation(tmp_path / "3", name, primitive), part="ATtiny45")


AES = """#include "crypto_core.h"
#include "reference.h"
int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c)
{
    aes128_block block;
    for (unsigned char n = 0; n < 16; n++) {
        block.text[n] = in[n];
        block.key[n] = k[n];
    }
    aes128_encrypt(&block);
    for (unsigned char n = 0; n < 16; n++)
        out[n] = block.text[n];
    return 0;
}
"""


def test_a_block_cipher_as_crypto_core(tmp_path):
    sizes = {"OUTPUTBYTES": 16, "INPUTBYTES": 16, "KEYBYTES": 16, "CONSTBYTES": 0}
    core = guests.macros(load_primitive("aes-128"), "encrypt") + AES
    folder = guests.layout(tmp_path, "crypto_core/aes128encrypt/guest", sizes, "aes-128", core=core)
    contender = measured(folder)
    assert contender.rejected is None
    assert list(contender.cost.by_entry) == ["encrypt"] and contender.cost.ram_parts.block == 48
    assert contender.curve.cycles[5] == 4 * contender.cost.cycles


def renamed(folder, name):
    """The implementation with its function under another name, declared nowhere."""
    source = folder / "hash.c"
    text = source.read_text().replace('#include "crypto_hash.h"', '#include "api.h"')
    source.write_text(text.replace("int crypto_hash(", f"int {name}("))


@pytest.mark.in_turn(3)
def test_the_function_has_the_name_of_its_kind_or_its_whole_name(tmp_path):
    for name in ("crypto_hash", "crypto_hash_sha256_guest", "hash"):
        folder = guests.implementation(tmp_path / name, "sha256", "sha-256")
        renamed(folder, name)
        if name.startswith("crypto_hash"):
            assert measured(folder).rejected is None
        else:
            with pytest.raises(UsageError, match="hash.c: expected crypto_hash, found hash"):
                measured(folder)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("target", TARGETS)
def test_headers_and_macros_are_safe_for_assembly(folder, target):
    (folder / "more.S").write_text(
        '#include "crypto_hash.h"\n#include "crypto_uint32.h"\n'
        "        .global CRYPTO_NAMESPACE(more)\nCRYPTO_NAMESPACE(more): ret\n"
    )
    before = "extern void CRYPTO_NAMESPACE(more)(void); CRYPTO_NAMESPACE(more)()"
    text = (folder / "hash.c").read_text()
    symbol = '__asm__("crypto_hash_sha256_guest_more")'
    (folder / "hash.c").write_text(
        text.replace("#define BEFORE ", f"#define BEFORE {before.replace('(void);', f'(void) {symbol};')}")
    )
    assert measured(folder, target).rejected is None


def test_an_implementation_for_other_processors_is_told(folder):
    (folder / "architectures").write_text("amd64\nx86\n")
    with pytest.raises(UsageError, match="sha256/guest: its file `architectures` does not name avr"):
        measured(folder)
    (folder / "architectures").write_text("amd64\navr\n")
    assert measured(folder).rejected is None


BLOCKS = """#include "crypto_hashblocks.h"
#include "reference.h"
int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen)
{
    sha256_block b;
    unsigned n;
    for (n = 0; n < 32; n++)
        ((unsigned char *)b.state)[n] = state[n];
    b.bits[0] = b.bits[1] = 0;
    b.flags = 0;
    for (; inlen >= 64; inlen -= 64, in += 64) {
        for (n = 0; n < 64; n++)
            b.message[n] = in[n];
        sha256_hash(&b);
    }
    for (n = 0; n < 32; n++)
        state[n] = ((unsigned char *)b.state)[n];
    return 0;
}
"""
HASH = """#include "crypto_hashblocks_sha256.h"
#include "crypto_hash.h"
#define BLOCK crypto_hashblocks_sha256_BLOCKBYTES
static const unsigned long start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned long h[crypto_hashblocks_sha256_STATEBYTES / 4];
    unsigned char padded[2 * BLOCK];
    unsigned n, left = inlen % BLOCK, size = left < 56 ? BLOCK : 2 * BLOCK;
    for (n = 0; n < 8; n++)
        h[n] = start[n];
    crypto_hashblocks_sha256((unsigned char *)h, in, inlen);
    in += inlen - left;
    for (n = 0; n < size; n++)
        padded[n] = n < left ? in[n] : n == left ? 0x80 : n >= size - 8 ? inlen * 8 >> 8 * (size - 1 - n) : 0;
    crypto_hashblocks_sha256((unsigned char *)h, padded, size);
    for (n = 0; n < 32; n++)
        out[n] = h[n / 4] >> 8 * (3 - n % 4);
    return 0;
}
"""


def test_a_hash_made_of_hashblocks_is_measured_with_each_of_them(folder, tmp_path):
    (folder / "hash.c").write_text(HASH)
    sizes = {"STATEBYTES": 32, "BLOCKBYTES": 64}
    for name in ("one", "other"):
        guests.layout(tmp_path, f"crypto_hashblocks/sha256/{name}", sizes, "sha-256", blocks=BLOCKS)
    found = supercoptree.find(tmp_path)
    assert [each.title for each in found] == [
        f"crypto_hash/sha256/guest with crypto_hashblocks/sha256/{name}" for name in ("one", "other")
    ]
    contender = supercop.measure(found[0], "avr", None, flags=("-O2",), gate="search")
    assert contender.rejected is None, contender.rejected
