"""The gate on kinds with figures of their own: C of each passes, and what is wrong in it is said."""

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import Question, measure_files
from tightfit.curve import message_cycles
from tightfit.harness.kinds.aead import calls_of
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

CBC = """
typedef struct {
    uint8_t key[16], iv[16], text[16], chain[16];
    aes128_block cipher;
} cbc_block;

void cbc_setup(cbc_block *block)
{
    copy(block->chain, block->iv);
    copy(block->cipher.key, block->key);
    aes128_setup(&block->cipher);
}

#ifdef ENCRYPT_NEXT
void cbc_encrypt_next(cbc_block *block)
{
    copy(block->cipher.text, block->text);
    add_round_key(block->cipher.text, block->chain);
    aes128_encrypt_next(&block->cipher);
    copy(block->text, block->cipher.text);
    copy(block->chain, block->text);
}
#else
void cbc_decrypt_next(cbc_block *block)
{
    copy(block->cipher.text, block->text);
    aes128_decrypt_next(&block->cipher);
    add_round_key(block->cipher.text, block->chain);
    copy(block->chain, block->text);
    copy(block->text, block->cipher.text);
}
#endif
"""
AES, CHACHA, POLY = (source_of(load_primitive(name)) for name in ("aes-128", "chacha20", "chacha20-poly1305"))
GUESTS = {
    "chacha20": ("", CHACHA.file.read_text(), CHACHA.name),
    "chacha20-poly1305": ("", POLY.file.read_text(), POLY.name),
    "aes-128-cbc": (AES.file.read_text(), CBC, "cbc"),
}
"""What stays of the text, what may be replaced, and the `NAME` of the functions."""
STREAM, SEALED, CHAINED = ("chacha20", "encrypt"), ("chacha20-poly1305", "seal+open"), ("aes-128-cbc",)
ENCRYPT, DECRYPT = (*CHAINED, "encrypt"), (*CHAINED, "decrypt")


def measured(folder, of, old="", new="", gate="search"):
    """C of a primitive and operation with a part replaced, through the gate."""
    primitive, operation = load_primitive(of[0]), of[1]
    before, text, name = GUESTS[primitive.id]
    assert old in text
    file, target = folder / "guest.c", load_target("avr")
    file.write_text(before + (text.replace(old, new) if old else text))
    asked = (target, target.part(), primitive, operation, "C baseline", file.name, ("-Os",), gate)
    return measure_files(Question(*asked, tuple(definitions(primitive, operation))), [file], name)


def check_blocks(found, primitive, ready):
    """A message takes what makes ready, and a block for each that it has, begun or whole."""
    block_bytes = load_primitive(primitive).block_bytes
    setup, block = (found.cost.by_entry[entry].cycles for entry in ("setup", ready))
    assert found.rejected is None and found.tested_bytes == 0
    assert found.cost.cycles == setup + block
    points = dict(zip(found.curve.lengths, found.curve.cycles, strict=True))
    assert points[0] == setup and points[1] == points[block_bytes] == setup + block
    assert points[1500] == setup + -(-1500 // block_bytes) * block
    assert found.curve.slope == block / block_bytes
    return setup, block


def test_a_stream_passes_and_its_curve_is_that_of_its_calls(tmp_path):
    check_blocks(measured(tmp_path, STREAM, gate="full"), "chacha20", "next")


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
def test_each_direction_passes_and_its_curve_is_of_whole_blocks(tmp_path, way):
    found = measured(tmp_path, (*CHAINED, way), gate="full")
    setup, block = check_blocks(found, "aes-128-cbc", f"{way}_next")
    assert message_cycles(found, load_primitive("aes-128-cbc"), 4096) == setup + 256 * block
    assert measured(tmp_path, (*CHAINED, f"{way}-next")).cost.cycles == block


@pytest.mark.parametrize(
    ("sizes", "calls"),
    [
        ((0, 0), [(False, 0)]),
        ((0, 16), [(False, 16), (False, 0)]),
        ((5, 17), [(True, 5), (False, 16), (False, 1)]),
        ((32, 1), [(True, 16), (True, 16), (True, 0), (False, 1)]),
    ],
)
def test_calls_of_a_sealed_message(sizes, calls):
    found = calls_of(16, *sizes)
    assert [(call.data, call.size) for call in found] == calls
    assert [call.first for call in found] == [True] + [False] * (len(calls) - 1)
    assert [call.last for call in found] == [False] * (len(calls) - 1) + [True]


def test_sealing_passes_and_a_message_takes_the_sum_of_its_calls(tmp_path):
    found = measured(tmp_path, SEALED)
    assert found.rejected is None
    timings = {name: timing.cycles for name, timing in found.cost.by_entry.items()}
    for entry in ("seal", "open"):
        assert timings[entry] == timings[f"{entry}_first"] + timings[f"{entry}_last"]
    assert found.cost.cycles == timings["seal"] + timings["open"]
    assert dict(zip(found.curve.lengths, found.curve.with_data, strict=True))[16] == timings["seal"]
    assert found.curve.slope == timings["seal_text"] / 64
    assert found.cost.constant_time


COUNTER, COUNTED = "block->counter[i] = 0;", "if (++block->counter[i] != 0)"
END = "            break;\n    }"
VERDICT, COMPARED = "block->flags = different;", "different |= tag[i] ^ block->tag[i];"
SIZED = "block->sizes[block->flags & DATA ? 0 : 1], block->length);\n    if (block->flags & LAST)"
PART, LAST = "i < PART; i++)\n        different", "if (block->flags & LAST)"
BEGUN, KEPT = "copy(block->chain, block->iv);", "copy(block->chain, block->text);"
ADDED = "add_round_key(block->cipher.text, block->chain);"
WRONG_DOING = [
    (STREAM, COUNTED, "if (++block->counter[i] != 0 || i == 1)", "by a forged count"),
    (STREAM, "left(x[b] ^ x[c], 7)", "left(x[b] ^ x[c], 9)", "wrong answer: text from byte 0 on under key"),
    (STREAM, COUNTED, "if (block->counter[i] != 0)", "wrong answer: text from byte 64 on"),
    (STREAM, END, f"{END}\n    block->iv[11] ^= 1;", "iv not intact"),
    (STREAM, COUNTER, "block->counter[i] = block->key[0] == 0xff;", "wrong answer"),
    (STREAM, COUNTER, "block->text[i] = 0;", "wrong answer"),
    (STREAM, "uint8_t length; ", "uint16_t length; ", "expected a field 'length' of 1 bytes"),
    (SEALED, VERDICT, "block->flags = 0;", "open of a forged message"),
    (SEALED, PART, PART.replace("PART", "15"), "open of a forged message"),
    (SEALED, VERDICT, "block->flags = 1;", "open of a right tag"),
    (SEALED, SIZED, SIZED.replace("block->flags & DATA ? 0 : 1", "1"), "wrong tag: seal"),
    (SEALED, LAST, f"block->nonce[0] ^= 1; {LAST}", "nonce not intact"),
    (SEALED, "block->accumulator[i] = 0;", ";", "wrong tag"),
    (SEALED, "uint8_t tag[TAG_BYTES];", "uint8_t tag[15];", "expected a field 'tag' of 16 bytes"),
    (ENCRYPT, KEPT, "", "wrong answer: encrypt_next of text from byte 16 on under key"),
    (DECRYPT, KEPT, "", "wrong answer: decrypt_next of text from byte 16 on under key"),
    (DECRYPT, KEPT, "copy(block->chain, block->cipher.text);", "wrong answer: decrypt_next"),
    (ENCRYPT, ADDED, "", "wrong answer: encrypt_next of text from byte 0 on"),
    (ENCRYPT, BEGUN, "block->chain[0] ^= block->iv[0];", "wrong answer: encrypt_next"),
    (ENCRYPT, ADDED, f"{ADDED} block->iv[3] ^= 1;", "iv not intact"),
    (DECRYPT, ADDED, f"{ADDED} block->key[3] ^= 1;", "key not intact"),
    (ENCRYPT, "text[16],", "text[17],", "expected a field 'text' of 16 bytes"),
]


@pytest.mark.parametrize(("of", "old", "new", "reason"), WRONG_DOING)
def test_what_is_wrong_is_said(tmp_path, of, old, new, reason):
    assert reason in measured(tmp_path, of, old, new).rejected


@pytest.mark.parametrize(("of", "place", "secret"), [(STREAM, END, "key"), (ENCRYPT, ADDED, "text")])
def test_the_initial_value_is_public_and_key_and_text_are_not(tmp_path, of, place, secret):
    slow = " for (volatile uint8_t i = 0; i < (block->{}[3] & 7); i++) continue;"
    plain, public, leaking = (
        measured(tmp_path, of, place, place + changed).cost
        for changed in ("", slow.format("iv"), slow.format(secret))
    )
    assert plain.secrecy.leaks == public.secrecy.leaks < leaking.secrecy.leaks
    if of == STREAM:
        assert plain.constant_time and public.constant_time and not leaking.constant_time


def test_a_tag_compared_in_a_time_that_varies_is_seen(tmp_path):
    stops = f"{{ {COMPARED} if (different) break; }}"
    assert not measured(tmp_path, (SEALED[0], "open"), COMPARED, stops).cost.constant_time
