"""The gate for hashes: a correct routine's figures, and routines that misbehave on purpose."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tightfit.curve import LENGTHS
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Builder
from tightfit.harness.gate import Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.primitives import load_folder, load_primitive
from tightfit.targets import load_target

from . import toy_hash
from .hash_routines import LAYOUT, SIZE, routine
from .routines import Layout


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The toy as a primitive, with known answers."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "primitive.yaml").write_text(toy_hash.DEFINITION)
    (folder / "oracle.py").write_text(Path(toy_hash.__file__).read_text())
    reference = "def digest(message):\n    raise LookupError('the gate asks the oracle')\n"
    (folder / "reference.py").write_text(reference)
    messages = [bytes(range(length)) for length in (0, 1, 13, 14, 15, 16, 17, 40)]
    vectors = [{"message": m.hex(), "digest": toy_hash.digest(m).hex()} for m in messages]
    (folder / "vectors.json").write_text(json.dumps({"primitive": "Toy", "vectors": vectors}))
    return load_folder(folder)


@pytest.fixture(scope="module")
def examine(toy):
    """Sends a routine through the gate."""
    target = load_target("rl78")
    part = target.part()
    builder, gate = Builder(target, part), Gate(Machine(target, part, CYCLE_LIMIT), kind_of(toy))

    def examine(routine, full=False):
        return gate.check(routine, builder.build(routine), ("middle",), full)

    examine.gate = gate
    yield examine
    builder.close()


@pytest.fixture(scope="module")
def found(examine):
    """What the gate finds of the correct routine."""
    return examine(routine())


@pytest.fixture
def reason(examine):
    """Why a routine is rejected."""

    def rejection(routine, full=False) -> str:
        with pytest.raises(Rejected) as rejected:
            examine(routine, full)
        return str(rejected.value)

    return rejection


@pytest.mark.parametrize("full", [False, True])
def test_correct_routine_passes(examine, full):
    findings = examine(routine(), full)
    assert list(findings.by_entry) == ["middle", "first", "last"]
    assert all(timing.constant_path for timing in findings.by_entry.values())
    assert findings.reentrant and findings.static == 0
    assert findings.stack == 4 + 2 + 4
    first, middle = findings.by_entry["first"].cycles, findings.by_entry["middle"].cycles
    plain = examine(routine(first="        nop\n" * 7)).by_entry
    assert (plain["first"].cycles, plain["middle"].cycles) == (first + 7, middle)


def test_attribution_adds_up(found):
    attribution = found.attribution
    assert {share.entry for share in attribution.time} == {"first", "middle", "last"}
    for figure, timing in found.by_entry.items():
        mine = [share.cycles for share in attribution.time if share.entry == figure]
        assert sum(mine) * timing.inputs == timing.total * attribution.inputs
    assert ("entry", "compress") in {share.path for share in attribution.time}


def test_curve_is_made_of_the_calls(found):
    cycles = {figure: timing.cycles for figure, timing in found.by_entry.items()}
    curve = dict(zip(found.curve.lengths, found.curve.cycles, strict=True))
    assert found.curve.lengths == LENGTHS
    assert curve[16] == cycles["first"] + cycles["last"]
    assert curve[2048] == cycles["first"] + 127 * cycles["middle"] + cycles["last"]
    assert curve[40] - curve[8] > cycles["middle"]
    assert found.curve.slope == cycles["middle"] / 16


def test_whole_messages_take_what_the_curve_says(examine, found, toy):
    correct, kind, curve = routine(), kind_of(toy), found.curve
    assert len(set(curve.cycles)) > 8
    machine = examine.gate.machine
    for length, expected in zip(curve.lengths, curve.cycles, strict=True):
        (message,) = [d for d in kind.thorough(correct) if _bytes_in(d) == length][:1]
        left, cycles = [], 0
        for turn in message:
            before = None if turn.after is None else left[turn.after]
            blocks = turn.blocks(correct, before, np.zeros((1, SIZE), np.uint8))
            outcome = machine.call(turn.entry, blocks, turn.written(correct))
            left.append(outcome.blocks)
            cycles += int(outcome.cycles[0])
        assert cycles == expected, length


def _bytes_in(dialogue) -> int:
    return 16 * (len(dialogue) - 1) + int(dialogue[-1].given["length"][0, 0])


def test_time_that_depends_on_the_data_gives_a_mean_curve(examine):
    uneven = "        mov a, [hl]\n        bf a.0, $.Leven\n        nop\n.Leven:"
    findings = examine(routine(start=uneven.replace(".Leven", ".Leven1")), True)
    assert not findings.by_entry["middle"].constant_path
    middle = findings.by_entry["middle"]
    assert middle.minimum < middle.cycles < middle.maximum
    assert isinstance(findings.curve.cycles[-1], float)


def test_last_block_whose_time_depends_on_what_is_in_it(examine):
    """The timed last block is empty; last blocks of other lengths are shapes of the same figure."""
    uneven = "        mov     a, [hl]\n        cmp     a, #0x80\n        bz      $.Lsame\n.Lsame:"
    count = "        mov     a, [de+2]\n        bf      a.3, $.Lclear\n        nop\n.Lclear:"
    for after_last in (uneven, count):  # in the timed one padding has made the first byte 80h
        findings = examine(routine(after_last=after_last))
        assert not findings.by_entry["last"].constant_path
    assert findings.by_entry["middle"].constant_path


SPOIL = "        mov     a, [de]\n        inc     a\n        mov     [de], a"
STATIC = " .section .bss\n .type saved, @object\nsaved: .zero 2\n .size saved, 2\n"
SAVE = "        movw    ax, [de+22]\n        movw    !saved, ax"
RESTORE = "        mov a, [de+20]\n bt a.0, $.Lfresh\n movw ax, !saved\n movw [de+22], ax\n.Lfresh:"
ALWAYS_FIRST = "        mov     a, [de+20]\n        set1    a.0\n        mov     [de+20], a"
NEVER_FIRST = "        mov     a, [de+20]\n        clr1    a.0\n        mov     [de+20], a"
ALWAYS_LAST = ALWAYS_FIRST.replace("a.0", "a.1")
NEVER_LAST = NEVER_FIRST.replace("a.0", "a.1")
ADD_LENGTH = "        mov a, [de+21]\n mov x, a\n clrb a\n addw ax, [hl+18]\n movw [de+22], ax"
NO_ZERO_AT_15 = "        cmp     a, #15\n        bz      $.Lfill\n        mov     a, #0"
WRITE_BEHIND = "        mov     a, #1\n        mov     [de+26], a"
WRITE_BEFORE = "        decw    de\n        mov     a, #1\n        mov     [de], a"
SAME = "\n".join(f" mov a, [hl+{n}]\n cmp a, #0xaa\n bnz $.Lother" for n in range(16))
EQUAL_BYTES = f"        mov a, [de+20]\n bf a.0, $.Lother\n{SAME}\n xor a, #1\n mov [hl], a\n.Lother:"
NOT_KEPT = frozenset({"count"})
SMALL_STATE = Layout((("state", 0, 3), *LAYOUT.fields[1:]), SIZE)
NO_FLAGS = Layout(tuple(field for field in LAYOUT.fields if field[0] != "flags"), SIZE)

WRONG_DOING = [
    ("wrong answer: hash of ", {"after_last": SPOIL}),
    ("wrong answer: hash of 32 bytes ", {"count_block": SPOIL}),
    ("hash: read of never-written RAM", {"start": "        mov     a, [de]"}),
    ("hash: read of never-written RAM", {"first": "        mov     a, [de+22]"}),
    ("hash: read of never-written RAM", {"start": "        mov     a, [de+24]"}),
    ("hash: read of never-written RAM", {"start": NEVER_FIRST}),
    ("wrong answer: hash of 32 bytes", {"start": ALWAYS_FIRST}),
    ("wrong answer: hash of ", {"start": ALWAYS_LAST}),
    ("wrong answer: hash of ", {"start": NEVER_LAST}),
    ("wrong answer: hash of 32 bytes", {"count_block": ADD_LENGTH}),
    ("stray write: ", {"end": WRITE_BEHIND}),
    ("1 bytes before the parameter block", {"end": WRITE_BEFORE}),
    ("HL not preserved", {"end": "        pop     bc\n        push    de"}),
    ("wrong answer: hash of 14 bytes", {"zero": NO_ZERO_AT_15}),
    ("wrong answer: hash of ", {"count_at": "13"}),
    ("cycle limit", {"count_at": "17"}),
    ("expected a kept field 'state' of at least 4 bytes", {"kept": NOT_KEPT}),
    ("expected a kept field 'state' of at least 4 bytes", {"layout": SMALL_STATE}),
    ("expected a field 'flags' of 1 bytes", {"layout": NO_FLAGS}),
    ("entry 'digest': expected hash", {"entries": ("hash", "digest"), "extra":
     " .global _tf_digest\n .type _tf_digest, @function\n_tf_digest: ret\n .size _tf_digest, 1\n"}),
    ("hash: read of never-written RAM", {"kept": frozenset({"state"})}),
    # The count is kept in static data: right for one message after another, not for several in turn.
    ("^wrong answer: hash of 32 bytes", {"start": RESTORE, "end": SAVE, "extra": STATIC, "static": 2}),
    ("^wrong answer: hash of ", {"start": EQUAL_BYTES}),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "doing"), WRONG_DOING)
def test_rejected_for_what_it_does(reason, expected, doing):
    message = reason(routine(**doing))
    assert re.search(expected, message)
    assert "\n" not in message


def test_wrong_for_a_single_length(reason):
    """A last block of 11 bytes is not at an edge: only the full gate asks for every length."""
    spoil = "        mov     a, [de+21]\n        cmp     a, #11\n        bnz     $.Lgood\n"
    wrong = routine(after_last=f"{spoil}{SPOIL}\n.Lgood:")
    assert reason(wrong, full=True).startswith("wrong answer: hash of 11 bytes")


def test_count_that_loses_its_high_byte(reason, examine):
    """Right up to 255 bytes, wrong from 256: known answers and edges are shorter."""
    wrong = routine(start="        mov a, [de+20]\n bt a.0, $.Lany\n mov a, #0\n mov [de+23], a\n.Lany:")
    assert examine(wrong).by_entry
    assert reason(wrong, full=True).startswith("wrong answer: hash of ")


def test_flags_and_figures_of_the_calls(toy):
    kind = kind_of(toy)
    long = kind.random(routine(), 1)
    assert [turn.figure for turn in long] == ["first", "middle", "last"]
    assert [int(turn.given["flags"][0, 0]) for turn in long] == [1, 0, 2]
    assert int(long[-1].given["length"][0, 0]) == 0
    alone = next(iter(kind.elsewhere(routine(), 1)))
    assert alone is long  # the same for every candidate, drawn once


def test_length_is_noise_where_it_does_not_count():
    kind = kind_of(load_primitive("sha-256"))
    correct = replace(routine(), kept=frozenset({"state"}))
    (dialogue,) = [d for d in kind.elsewhere(correct, 64) if len(d) == 3]
    noise = {int(n) for turn in dialogue[:-1] for n in turn.given["length"][:, 0]}
    assert len(noise) > 64 and max(noise) > 64
    assert not dialogue[-1].given["length"].any()
    rest = dialogue[-1].given["message"]
    assert len({row.tobytes() for row in rest}) == len(rest) == 64


def test_time_that_depends_on_the_count(examine):
    """Slower from 512 bytes on: the messages of the search gate are shorter, so the full one finds it."""
    slow = "        mov a, [de+23]\n        cmp a, #2\n        bc $.Lsoon\n        nop\n.Lsoon:"
    slowed = routine(count_block=slow)
    assert examine(slowed).by_entry["middle"].constant_path
    middle = examine(slowed, full=True).by_entry["middle"]
    assert not middle.constant_path and middle.maximum == middle.minimum + 1


def test_every_order_of_flags_on_stale_blocks(toy):
    turns = kind_of(toy)._in_every_order(routine())
    flags = [int(turn.given["flags"][0, 0]) for turn in turns]
    open_ended = {(before, after) for before in (0, 1) for after in range(4)}
    assert {*zip(flags, flags[1:], strict=False)} == {*open_ended, (2, 1), (2, 3), (3, 1), (3, 3)}
    assert [row.tobytes() for row in turns[0].given["count"][:2]] == [b"\0\0", b"\xff\xff"]
