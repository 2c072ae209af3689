"""The gate on authenticated encryption: ChaCha20-Poly1305 in C passes, and what is wrong in it is said."""

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import Question, measure_files
from tightfit.harness.kinds.aead import calls_of
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

PRIMITIVE = load_primitive("chacha20-poly1305")
SOURCE = source_of(PRIMITIVE)
COMPARED = "different |= tag[i] ^ block->tag[i];"


def measured(tmp_path, old="", new="", operation="seal+open"):
    """The reference in C with a part replaced, through the search gate."""
    text = SOURCE.file.read_text()
    assert old in text
    file = tmp_path / "aead.c"
    file.write_text(text.replace(old, new, 1))
    target = load_target("avr")
    defines = tuple(definitions(PRIMITIVE, operation))
    asked = Question(
        target, target.part(), PRIMITIVE, operation, "C baseline", file.name, ("-Os",), "search", defines
    )
    return measure_files(asked, [file], SOURCE.name)


@pytest.mark.parametrize(
    ("sizes", "calls"),
    [
        ((0, 0), [(False, 0)]),
        ((0, 16), [(False, 16), (False, 0)]),
        ((5, 17), [(True, 5), (False, 16), (False, 1)]),
        ((32, 1), [(True, 16), (True, 16), (True, 0), (False, 1)]),
    ],
)
def test_calls_of_a_message(sizes, calls):
    found = calls_of(16, *sizes)
    assert [(call.data, call.size) for call in found] == calls
    assert [call.first for call in found] == [True] + [False] * (len(calls) - 1)
    assert [call.last for call in found] == [False] * (len(calls) - 1) + [True]


def test_the_reference_passes_and_a_message_takes_the_sum_of_its_calls(tmp_path):
    found = measured(tmp_path)
    assert found.rejected is None
    timings = {name: timing.cycles for name, timing in found.cost.by_entry.items()}
    for entry in ("seal", "open"):
        assert timings[entry] == timings[f"{entry}_first"] + timings[f"{entry}_last"]
    assert found.cost.cycles == timings["seal"] + timings["open"]
    assert dict(zip(found.curve.lengths, found.curve.with_data, strict=True))[16] == timings["seal"]
    assert found.curve.slope == timings["seal_text"] / 64
    assert found.cost.constant_time


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("block->flags = different;", "block->flags = 0;", "open of a forged message"),
        ("i < PART; i++)\n        different", "i < 15; i++)\n        different", "open of a forged message"),
        ("block->flags = different;", "block->flags = 1;", "open of a right tag"),
        ("block->flags & DATA ? 0 : 1]", "1]", "wrong tag: seal"),
        ("if (block->flags & LAST)", "block->nonce[0] ^= 1; if (block->flags & LAST)", "nonce not intact"),
        ("block->accumulator[i] = 0;", ";", "wrong tag"),
        ("uint8_t tag[TAG_BYTES];", "uint8_t tag[15];", "expected a field 'tag' of 16 bytes"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, old, new, reason):
    assert reason in measured(tmp_path, old, new).rejected


def test_a_tag_compared_in_a_time_that_varies_is_seen(tmp_path):
    stops = f"{{ {COMPARED} if (different) break; }}"
    assert not measured(tmp_path, COMPARED, stops, "open").cost.constant_time
