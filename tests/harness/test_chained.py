"""The gate on chained blocks: CBC in C passes in both directions, and what is wrong in it is said."""

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import Question, measure_files
from tightfit.curve import message_cycles
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

PRIMITIVE = load_primitive("aes-128-cbc")
CIPHER = source_of(load_primitive("aes-128")).file
SOURCE = """
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
BEGUN, KEPT, ADDED = (
    "copy(block->chain, block->iv);",
    "copy(block->chain, block->text);",
    "add_round_key(block->cipher.text, block->chain);",
)


def measured(tmp_path, operation, old="", new="", gate="search"):
    """CBC in C with a part replaced, through the gate."""
    assert old in SOURCE
    file = tmp_path / "cbc.c"
    file.write_text(CIPHER.read_text() + (SOURCE.replace(old, new) if old else SOURCE))
    target = load_target("avr")
    defines = tuple(definitions(PRIMITIVE, operation))
    asked = Question(
        target, target.part(), PRIMITIVE, operation, "C baseline", file.name, ("-Os",), gate, defines
    )
    return measure_files(asked, [file], "cbc")


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
def test_each_direction_passes_and_its_curve_is_of_whole_blocks(tmp_path, way):
    found = measured(tmp_path, way, gate="full")
    assert found.rejected is None and found.tested_bytes == 0
    setup, block = (found.cost.by_entry[entry].cycles for entry in ("setup", f"{way}_next"))
    assert found.cost.cycles == setup + block
    points = dict(zip(found.curve.lengths, found.curve.cycles, strict=True))
    assert points[0] == setup and points[1] == points[16] == setup + block
    assert points[1500] == setup + 94 * block
    assert found.curve.slope == block / 16
    assert message_cycles(found, PRIMITIVE, 4096) == setup + 256 * block
    assert measured(tmp_path, f"{way}-next").cost.cycles == block


@pytest.mark.parametrize(
    ("way", "old", "new", "reason"),
    [
        ("encrypt", KEPT, "", "wrong answer: encrypt_next of text from byte 16 on under key"),
        ("decrypt", KEPT, "", "wrong answer: decrypt_next of text from byte 16 on under key"),
        ("decrypt", KEPT, "copy(block->chain, block->cipher.text);", "wrong answer: decrypt_next"),
        ("encrypt", ADDED, "", "wrong answer: encrypt_next of text from byte 0 on"),
        ("encrypt", BEGUN, "block->chain[0] ^= block->iv[0];", "wrong answer: encrypt_next"),
        ("encrypt", ADDED, ADDED + " block->iv[3] ^= 1;", "iv not intact"),
        ("decrypt", ADDED, ADDED + " block->key[3] ^= 1;", "key not intact"),
        ("encrypt", "text[16],", "text[17],", "expected a field 'text' of 16 bytes"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, way, old, new, reason):
    assert reason in measured(tmp_path, way, old, new).rejected


def test_the_initial_value_is_public_and_the_text_is_not(tmp_path):
    slow = ADDED + " for (volatile uint8_t i = 0; i < (WHAT & 7); i++) continue;"
    plain, iv, text = (
        measured(tmp_path, "encrypt", ADDED, changed).cost.secrecy.leaks
        for changed in (ADDED, slow.replace("WHAT", "block->iv[3]"), slow.replace("WHAT", "block->text[3]"))
    )
    assert plain == iv < text
