"""The gate on stream ciphers: ChaCha20 in C passes, and what is wrong in it is said."""

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import Question, measure_files
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

PRIMITIVE = load_primitive("chacha20")
SOURCE = source_of(PRIMITIVE)
BEGUN, COUNTED = "block->counter[i] = 0;", "if (++block->counter[i] != 0)"
END = "            break;\n    }"


def measured(tmp_path, old="", new="", gate="search"):
    """The reference in C with a part replaced, through the gate."""
    text = SOURCE.file.read_text()
    assert old in text
    file = tmp_path / "chacha20.c"
    file.write_text(text.replace(old, new, 1))
    target = load_target("avr")
    defines = tuple(definitions(PRIMITIVE, "encrypt"))
    asked = Question(
        target, target.part(), PRIMITIVE, "encrypt", "C baseline", file.name, ("-Os",), gate, defines
    )
    return measure_files(asked, [file], SOURCE.name)


def test_the_reference_passes_and_its_curve_is_that_of_its_calls(tmp_path):
    found = measured(tmp_path, gate="full")
    setup, block = (found.cost.by_entry[entry].cycles for entry in ("setup", "next"))
    assert found.rejected is None and found.tested_bytes == 0
    assert found.cost.cycles == setup + block
    points = dict(zip(found.curve.lengths, found.curve.cycles, strict=True))
    assert points[0] == setup and points[1] == points[64] == setup + block
    assert points[1500] == setup + 24 * block
    assert found.curve.slope == block / 64


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (COUNTED, "if (++block->counter[i] != 0 || i == 1)", "by a forged count"),
        ("left(x[b] ^ x[c], 7)", "left(x[b] ^ x[c], 9)", "wrong answer: text from byte 0 on under key"),
        (COUNTED, "if (block->counter[i] != 0)", "wrong answer: text from byte 64 on"),
        (END, f"{END}\n    block->iv[11] ^= 1;", "iv not intact"),
        (BEGUN, "block->counter[i] = block->key[0] == 0xff;", "wrong answer"),
        (BEGUN, "block->text[i] = 0;", "wrong answer"),
        ("uint8_t length; ", "uint16_t length; ", "expected a field 'length' of 1 bytes"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, old, new, reason):
    assert reason in measured(tmp_path, old, new).rejected


def test_the_initial_value_is_public_and_the_key_is_not(tmp_path):
    slow = END + "\n    for (volatile uint8_t i = 0; i < (WHAT & 7); i++) continue;"
    assert measured(tmp_path).cost.constant_time
    assert not measured(tmp_path, END, slow.replace("WHAT", "block->key[3]")).cost.constant_time
    assert measured(tmp_path, END, slow.replace("WHAT", "block->iv[3]")).cost.constant_time
