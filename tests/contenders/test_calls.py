"""Routines with calls of their own: through an adapter that costs nothing, counted like all others."""

import shutil
from functools import cache

import pytest

from tightfit.contenders import called
from tightfit.contenders.baselines import source_of
from tightfit.contenders.called import Sources, measure_calls
from tightfit.contenders.calltext import buffers, read
from tightfit.contenders.measure import question
from tightfit.contenders.plans import Calls, computed
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive

from . import guests
from .guests import TARGETS

pytestmark = pytest.mark.dear("compiled C through the gate")

SETUP, CALL = "cipher_init(round_keys[sizeof(struct cipher)], key)", "cipher_encrypt(round_keys, in, out)"
TIED = Calls(CALL, setup=SETUP, headers=("cipher.h",))
DIRECT = "guest_encrypt(text, key, work[10])"
"""The one-pointer guest finds its key behind the text, and its work area behind the key."""
FILES = ("cipher.c", "cipher_keys.c")
SET_UP = "cipher_init(round_keys[256], key)"


@pytest.fixture
def cipher(tmp_path):
    """PRESENT-80 in two files and a header, with round keys in a struct of the caller."""
    for name in ("cipher.h", *FILES):
        shutil.copy(guests.DATA / name, tmp_path / name)
    return [tmp_path / name for name in FILES]


def measured(sources, calls, target="avr", operation="encrypt", flags=("-Os",), primitive="present-80"):
    asked = question(target, None, primitive, operation, "guest", flags, "search")
    return measure_calls(asked, Sources(tuple(sources)), calls)


@cache
def tied(target="avr", operation="encrypt"):
    """The cipher whose caller has the round keys, measured."""
    return measured([guests.DATA / name for name in FILES], TIED, target, operation)


@pytest.mark.parametrize("target", TARGETS)
def test_the_figures_are_those_of_a_call_without_an_adapter(target):
    through = measured([guests.PRESENT], Calls(DIRECT), target)
    assert through.rejected is None and through.interface == DIRECT
    cost, wanted = through.cost, guests.measured_present(target).cost
    more = 4 if target == "rl78" else 0  # two more pointers
    assert (cost.rom, cost.by_entry, cost.secrecy) == (wanted.rom, wanted.by_entry, wanted.secrecy)
    assert cost.ram_parts.block == wanted.ram_parts.block
    assert cost.ram_parts.stack == wanted.ram_parts.stack + more


@pytest.mark.parametrize("target", TARGETS)
def test_a_slow_adapter_with_a_large_frame_gives_the_same_figures(cipher, monkeypatch, target):
    quick = tied(target)
    monkeypatch.setattr(called, "FLAGS", ("-O0",))
    assert quick.rejected is None and measured(cipher, TIED, target).cost == quick.cost


def test_a_key_is_prepared_by_a_first_call(cipher):
    fresh, following = tied(), tied(operation="encrypt-next")
    cycles = {name: timing.cycles for name, timing in fresh.cost.by_entry.items()}
    assert cycles["encrypt"] == cycles["setup"] + cycles["encrypt_next"] == fresh.cost.cycles
    assert following.cost.cycles == cycles["encrypt_next"]
    assert following.cost.ram_parts.block == 8 + 8 + 10 + 256  # in, out, key and round keys
    without = measured(cipher, Calls(CALL, setup=SET_UP))  # the types of numbers are said: no header
    assert without.cost == fresh.cost
    at_once = measured(cipher, Calls(f"{SETUP}; {CALL}", headers=("cipher.h",)))
    assert at_once.cost.cycles == fresh.cost.cycles and at_once.cost.ram == fresh.cost.ram


STATIC = """#include "cipher.h"
static struct cipher kept;
void static_init(const uint8_t *key) { cipher_init(&kept, key); }
void static_encrypt(uint8_t *text) { cipher_encrypt(&kept, text, text); }
"""


def test_round_keys_in_static_memory(cipher):
    """The context is part of the routine: nothing ties one call to the other, and it is not re-entrant."""
    source = cipher[0].with_name("static.c")
    source.write_text(STATIC)
    calls = Calls("static_encrypt(text)", setup="static_init(key)")
    fresh = measured([source, *cipher], calls)
    assert fresh.rejected is None and not fresh.reentrant
    assert fresh.cost.ram_parts.block == 18 and fresh.cost.ram_parts.static == 256 + 16
    for name, timing in fresh.cost.by_entry.items():
        assert 0 < timing.cycles - tied().cost.by_entry[name].cycles < 100
    following = measured([source, *cipher], calls, operation="encrypt-next")
    assert following.cost.cycles == fresh.cost.by_entry["encrypt_next"].cycles


@pytest.mark.parametrize("order, index", [("swap2", "n ^ 1"), ("swap4", "n ^ 3"), ("reverse", "7 - n")])
def test_bytes_in_another_order(cipher, order, index):
    source = cipher[0].with_name("swapped.c")
    loop = "for (uint8_t n = 0; n < 8; n++) "
    source.write_text(
        '#include "cipher.h"\nvoid swapped(struct cipher *k, const uint8_t *in, uint8_t *out)\n'
        f"{{ uint8_t x[8]; {loop} x[n] = in[{index}]; cipher_encrypt(k, x, x); {loop} out[n] = x[{index}]; }}"
    )
    right, plain = (
        measured([source, *cipher], Calls(f"swapped(round_keys, {texts})", SET_UP))
        for texts in (f"{order}(in), {order}(out)", "in, out")
    )
    assert right.rejected is None
    assert plain.rejected.startswith("wrong answer")


HASH = """#include <stdint.h>
#include "reference.h"
void digest(uint8_t *out, const uint8_t *in, uint32_t bits)
{
    sha256_block b;
    uint32_t left = bits / 8;
    b.flags = 1;
    do {
        uint8_t n, full = left >= 64, length = full ? 64 : left;
        for (n = 0; n < length; n++)
            b.message[n] = *in++;
        b.length = length;
        b.flags |= full ? 0 : 2;
        sha256_hash(&b);
        left -= length;
        if (!full)
            break;
        b.flags = 0;
    } while (1);
    for (uint8_t n = 0; n < 32; n++)
        out[n] = ((uint8_t *)b.state)[n];
}
"""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", TARGETS)
def test_a_hash_whose_length_is_in_bits(tmp_path, target):
    reference = source_of(load_primitive("sha-256")).file.read_text()
    (tmp_path / "reference.h").write_text(guests.macros(load_primitive("sha-256"), "hash") + reference)
    (tmp_path / "hash.c").write_text(HASH)
    contender, wrong = (
        measured([tmp_path / "hash.c"], Calls(call), target, "hash", primitive="sha-256")
        for call in ("digest(out, in, (uint32_t)bits)", "digest(out, in, (uint32_t)length)")
    )
    assert contender.rejected is None and list(contender.cost.by_entry) == ["middle", "first", "last"]
    assert contender.cost.ram_parts.block == 32 + 64  # the digest, and a block of the message
    assert wrong.rejected.startswith("wrong answer: digest of ")


CPLUSPLUS = """#include <stdint.h>
extern "C" {
#include "cipher.h"
}
class Cipher {
    struct cipher keys;
    uint8_t used;
public:
    Cipher();
    void setKey(const uint8_t *key);
    void encrypt(const uint8_t *in, uint8_t *out) const;
};
Cipher::Cipher() : used(3) {}
void Cipher::setKey(const uint8_t *key) { cipher_init(&keys, key); }
void Cipher::encrypt(const uint8_t *in, uint8_t *out) const { if (used == 3) cipher_encrypt(&keys, in, out); }
void plain(const uint8_t *key, uint8_t *text)
{
    Cipher cipher;
    cipher.setKey(key);
    cipher.encrypt(text, text);
}
void plain(int) {}
void other(const uint8_t *key, uint8_t *text) { plain(key, text); }
"""


def test_functions_of_cplusplus_are_found(cipher):
    source = cipher[0].with_name("wrapped.cpp")
    source.write_text(CPLUSPLUS)
    setup = "Cipher::Cipher(object[260]); Cipher::setKey(object, key)"
    contender = measured([source, *cipher], Calls("Cipher::encrypt(object, in, out)", setup=setup))
    assert contender.rejected is None
    assert measured([source, *cipher], Calls("other(key, text)")).rejected is None
    with pytest.raises(UsageError, match="plain: expected one function, found _Z5plainPKhPh, _Z5plaini"):
        measured([source, *cipher], Calls("plain(key, text)"))
    assert measured([source, *cipher], Calls("_Z5plainPKhPh(key, text)")).rejected is None


@pytest.mark.parametrize("target", ["msp430", "rl78"])
def test_a_compiler_without_cplusplus_is_told(cipher, target):
    source = cipher[0].with_name("wrapped.cpp")
    source.write_text(CPLUSPLUS)
    with pytest.raises(UsageError, match="wrapped.cpp: .*-elf-gcc compiles no C"):
        measured([source, *cipher], Calls("other(key, text)"), target)


def test_c_with_assembly(cipher):
    """The preprocessor goes over assembly that has directives, whatever its suffix."""
    for suffix, register in ((".S", "R"), (".s", "R"), (".s", "r24")):
        source = cipher[0].with_name(f"entry{suffix}")
        define = "" if register == "r24" else "#define R r24\n"
        lines = "movw r20, r22", f"movw r22, {register}", f"movw {register}, r18", "jmp cipher_encrypt"
        source.write_text(f"{define} .global entry\nentry: movw r18, r20\n" + "\n".join(lines) + "\n")
        calls = Calls("entry(in, out, round_keys)", SET_UP)
        assert measured([source, *cipher], calls).rejected is None


@pytest.mark.parametrize(
    "text, kind, reason",
    [
        ("", "hash", r"call '': expected FUNCTION\(ARGUMENT, ...\), found none"),
        ("f", "hash", r"call 'f': expected FUNCTION\(ARGUMENT, ...\), found 'f'"),
        ("f(in) g(out)", "hash", "found 'in\\) g\\(out'"),
        ("f(in,)", "hash", "expected an argument such as in or 16, found ''"),
        ("f(x)", "hash", r"argument 'x': expected in, out, length, bits, a number, or a buffer .* x\[32\]"),
        ("f(x[3], x[4])", "hash", "buffer 'x': expected one size, found 3 and 4"),
        ("f(key[3])", "block-cipher", r"argument 'key': expected no size, found \[3\]"),
        ("f(swap4(in))", "hash", r"swap4\(in\): expected one of out in another order of bytes"),
        ("f(x[1;2])", "hash", "expected an argument such as in or 16, found"),
    ],
)
def test_a_call_that_is_none(text, kind, reason):
    with pytest.raises(UsageError, match=reason):
        buffers(read(text, kind), kind)


UNSUITABLE_TEXTS = {
    "cipher_encrypt(key, in)": "--call: expected out or text among the arguments, found none",
    "nothing(text)": "cipher.c: expected nothing, found cipher_encrypt, cipher_init, sbox",
    "cipher_encrypt(x[sizeof(struct y)], text, text)": "compiler: sizes.c",
    "cipher_encrypt(x[0], text, text)": "buffer 'x': expected a size of 1 to 32767 bytes, found 0",
    "cipher_encrypt(swap4(key), in, out)": r"swap4\(key\): expected words of 4 bytes, found 10",
    "cipher_encrypt((word)1, in, out)": "type 'word': expected one of C or of stdint.h, or --header",
}
UNSUITABLE = [
    *(("encrypt", Calls(text), reason) for text, reason in UNSUITABLE_TEXTS.items()),
    ("encrypt", Calls("cipher_encrypt(text)", headers=("cipher.h",)), "too few arguments"),
    ("encrypt", Calls("cipher_encrypt(text)", headers=("none.h",)), "none.h: No such file"),
    ("encrypt-next", Calls("cipher_encrypt(key, in, out)"), "expected --setup with the calls that"),
    ("encrypt+decrypt", Calls("cipher_encrypt(key, in, out)"), "expected --decrypt with the calls that"),
    ("hash", Calls("f(in)", setup="g(x[3])"), "--setup and --decrypt: SHA-256 has all its calls in --call"),
]


@pytest.mark.parametrize("operation, calls, reason", UNSUITABLE)
def test_calls_that_do_not_suit_files_and_operation(cipher, operation, calls, reason):
    primitive = "sha-256" if operation == "hash" else "present-80"
    with pytest.raises(UsageError, match=reason):
        measured(cipher, calls, operation=operation, primitive=primitive)


def test_the_operations_that_calls_compute():
    present = load_primitive("present-80")
    assert computed(present, Calls("a(text)")) == ["encrypt"]
    assert computed(present, Calls("a(text)", setup="b(key)")) == ["encrypt", "encrypt-next"]
    assert computed(present, Calls("a(text)", decrypt="c(text)")) == ["encrypt", "encrypt+decrypt"]
    both = Calls("a(text)", setup="b(key)", decrypt="c(text)")
    assert computed(load_primitive("aes-128"), both) == list(load_primitive("aes-128").operations)
    assert computed(load_primitive("sha-256"), Calls("a(out)")) == ["hash"]
