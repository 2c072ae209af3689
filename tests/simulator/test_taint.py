"""How instructions move secrets, bit by bit; which instructions leak, and where."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness.simulator import Taint

from .taint_snippets import DATA, follow, snippet

# Source, masks of registers and of data before it, masks after it.
EXACT = {
    "rl78": [
        ("xor a, a", {"a": 0xFF}, {"a": 0, "psw": 0}),
        ("sub a, a", {"a": 0xFF}, {"a": 0, "psw": 0}),
        ("subc a, a", {"a": 0xFF, "psw": 1}, {"a": 0xFF}),
        ("clrb a", {"a": 0xFF}, {"a": 0}),
        ("and a, #0x0f", {"a": 0x3C}, {"a": 0x0C, "psw": 0x40}),
        ("or a, #0x0f", {"a": 0x3C}, {"a": 0x30, "psw": 0}),
        ("xor a, x", {"a": 0x01, "x": 0x80}, {"a": 0x81}),
        ("xch a, x", {"a": 0x12, "x": 0x34}, {"a": 0x34, "x": 0x12}),
        ("mov b, #0x10; mov a, b; add a, x", {"x": 0x08}, {"a": 0x08, "psw": 0}),
        ("mov a, #0x0f; add a, x", {"x": 0x02}, {"a": 0xFE - 0xE0, "psw": 0x10}),
        ("shl a, 3", {"a": 0x21}, {"a": 0x08, "psw": 0x01}),
        ("shlw ax, 3", {"a": 0x01, "x": 0x81}, {"ax": 0x0C08, "psw": 0}),
        ("sar a, 2", {"a": 0x80}, {"a": 0xE0, "psw": 0}),
        ("rolwc ax, 1", {"a": 0x80, "x": 0x01}, {"ax": 0x0002, "psw": 0x01}),
        ("mov a, #8; mulu x", {"x": 0x03}, {"ax": 0x0018}),
        ("mov a, !data; mov !data+1, a; movw ax, !data", {}, {"ax": 0x3C3C}),
        ("movw hl, #data; mov1 cy, [hl].2; mov1 a.7, cy", {"a": 0xFF}, {"a": 0xFF, "psw": 0x01}),
        ("movw hl, #data; mov1 cy, [hl].0; mov1 a.7, cy", {"a": 0xFF}, {"a": 0x7F, "psw": 0}),
        ("push ax; pop bc", {"ax": 0x1234}, {"bc": 0x1234}),
        ("sel rb1; mov a, 0xffef9", {"a": 0x3C}, {"a1": 0x3C}),
        ("mov 0xffef8, #0", {"x": 0xFF}, {"x": 0}),
        ("cmp a, #0x10; mov a, psw", {"a": 0x01}, {"psw": 0, "a": 0}),
    ],
    "avr": [
        ("eor r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
        ("sub r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
        ("sbc r16, r16", {"r16": 0xFF, "sreg": 1}, {"r16": 0xFF}),
        ("sbc r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
        ("andi r16, 0x0f", {"r16": 0x3C}, {"r16": 0x0C, "sreg": 0x02}),
        ("ori r16, 0x0f", {"r16": 0x3C}, {"r16": 0x30, "sreg": 0}),
        ("eor r16, r17", {"r16": 0x01, "r17": 0x80}, {"r16": 0x81}),
        ("com r16", {"r16": 0x11}, {"r16": 0x11}),
        ("swap r16", {"r16": 0x12}, {"r16": 0x21}),
        ("movw r18, r16", {"r16": 0x12, "r17": 0x34}, {"r18": 0x12, "r19": 0x34}),
        ("ldi r16, 0x10; add r16, r17", {"r17": 0x08}, {"r16": 0x08, "sreg": 0}),
        ("lsl r16; rol r17", {"r16": 0x81}, {"r16": 0x02, "r17": 0x01}),
        ("ldi r18, 0x1b; lsl r16; sbc r17, r17; and r17, r18; eor r16, r17", {"r16": 0x80}, {"r16": 0x1B}),
        ("asr r16", {"r16": 0x80}, {"r16": 0xC0}),
        ("ldi r17, 16; mul r16, r17", {"r16": 0x03}, {"r0": 0x30, "r1": 0}),
        ("bst r16, 3; bld r17, 5", {"r16": 0x08, "r17": 0xFF}, {"r17": 0xFF, "sreg": 0x40}),
        ("bst r16, 2; bld r17, 5", {"r16": 0x08, "r17": 0xFF}, {"r17": 0xDF, "sreg": 0}),
        ("lds r16, data; sts data+1, r16; lds r17, data+1", {}, {"r17": 0x3C}),
        ("push r16; pop r17", {"r16": 0x34}, {"r17": 0x34}),
        ("ldi r30, 16; ldi r31, 0; ld r17, Z", {"r16": 0x34}, {"r17": 0x34}),
        ("cpi r16, 1; in r17, 0x3f", {"r16": 0x10}, {"r17": 0x15, "sreg": 0x15}),
        ("out 0x3f, r16; clc", {"r16": 0xFF}, {"sreg": 0xFE}),
        ("ldi r16, 0", {"r16": 0xFF}, {"r16": 0}),
    ],
    "msp430": [
        ("xor r5, r5", {"r5": 0xFFFF}, {"r5": 0, "sr": 0x100}),
        ("sub r5, r5", {"r5": 0xFFFF}, {"r5": 0, "sr": 0}),
        ("subc r5, r5", {"r5": 0xFFFF, "sr": 1}, {"r5": 0xFFFF}),
        ("clr r5", {"r5": 0xFFFF}, {"r5": 0}),
        ("and #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x0C00, "sr": 3}),
        ("bis #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x3000}),
        ("bic #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x3000}),
        ("mov.b r5, r6", {"r5": 0x3CFF}, {"r6": 0x00FF}),
        ("swpb r5", {"r5": 0x1234}, {"r5": 0x3412}),
        ("sxt r5", {"r5": 0x0080}, {"r5": 0xFF80}),
        ("rra r5", {"r5": 0x8000}, {"r5": 0xC000}),
        ("rla r5; rlc r6", {"r5": 0x8001}, {"r5": 2, "r6": 1}),
        ("clrc; rrc r5", {"r5": 0x0003}, {"r5": 1, "sr": 3}),
        ("mov #0x10, r5; add r6, r5", {"r6": 8}, {"r5": 8, "sr": 0}),
        ("mov.b &data, &data+1; mov &data, r5", {}, {"r5": 0x3C3C}),
        ("push r5; pop r6", {"r5": 0x1234}, {"r6": 0x1234}),
        ("mov sr, r5", {"sr": 3}, {"r5": 3}),
        ("mov #0, r5", {"r5": 0xFFFF}, {"r5": 0}),
        ("inv r5", {"r5": 0x1234}, {"r5": 0x1234}),
    ],
}


@pytest.mark.parametrize(
    "target, source, before, after", [(target, *row) for target, rows in EXACT.items() for row in rows]
)
def test_bits_move_as_the_data_does(target, source, before, after, tmp_path):
    taint, run = follow(snippet(target, source, tmp_path), before, target, {0: 0x3C})
    assert {name: taint.register_mask(name) for name in after} == after
    assert not run.leaks


# Source with the instruction at the label `here`, secret registers, what is seen there.
SEEN = {
    "rl78": [
        ("cmp a, #3; here: bz $f; nop; f: nop", {"a": 0xFF}, "branch"),
        ("cmp a, #3; here: bz $f; nop; nop; f: nop", {"a": 0xFF}, "balanced"),
        ("xor a, a; here: bnh $f; nop; f: nop", {"psw": 0x01}, ""),  # Z is known
        ("here: bt a.1, $f; nop; f: nop", {"a": 0x02}, "branch"),
        ("here: bt a.1, $f; nop; nop; f: nop", {"a": 0x02}, "balanced"),
        ("here: bt a.1, $f; nop; f: nop", {"a": 0xFD}, ""),
        ("here: btclr a.1, $f; nop; nop; f: nop", {"a": 0x02}, "branch"),
        ("here: skc; inc !data; nop", {"psw": 0x01}, "skip"),
        ("here: skc; inc x; nop", {"psw": 0x01}, "balanced"),
        ("movw hl, #data; here: skc; inc l; mov a, [hl]", {"psw": 0x01}, "skip"),  # the address hazard
        ("movw hl, #data; here: skc; inc l; nop; mov a, [hl]", {"psw": 0x01}, "balanced"),
        ("movw ax, #end; here: br ax", {"cs": 0x01}, "jump"),
        ("movw hl, #f; here: call hl; br $end; f: ret; end: nop", {"cs": 0x01}, "call"),
        ("movw ax, #end; push bc; push ax; here: ret", {"c": 0x01}, "return"),
        ("or a, #0xd0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x20}, "address"),  # mirror or RAM
        ("or a, #0xd0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x01}, "lookup"),
        ("or a, #0xf0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x04}, "lookup"),
        ("movw hl, #0xfee0; mov c, a; here: mov [hl+c], a", {"a": 0x10}, "address"),  # a register perhaps
        ("here: mov psw, a", {"a": 0x08}, "control"),
        ("here: mov !0xfffe, a", {"a": 0x01}, "control"),
        ("here: push ax; pop ax", {"sp": 0x04}, "stack"),
    ],
    "avr": [
        ("cpi r16, 3; here: breq f; nop; nop; f: nop", {"r16": 0xFF}, "branch"),
        ("cpi r16, 3; here: breq f; nop; f: nop", {"r16": 0xFF}, "balanced"),
        ("cpi r16, 3; here: breq f; nop; nop; f: nop", {"r16": 0xF0}, ""),  # bits 0 and 1 say that it differs
        ("here: brts f; nop; nop; f: nop", {"sreg": 0xBF}, ""),
        ("here: sbrc r16, 0; inc r17; nop", {"r16": 0x01}, "balanced"),
        ("here: sbrc r16, 0; inc r17; nop", {"r16": 0xFE}, ""),
        ("here: sbrc r16, 0; lds r17, data; nop", {"r16": 0x01}, "balanced"),
        ("here: sbrc r16, 0; adiw r24, 1; nop", {"r16": 0x01}, "skip"),
        ("here: cpse r16, r17; inc r18; nop", {"r16": 0x01}, "balanced"),
        ("here: cpse r16, r17; adiw r24, 1; nop", {"r16": 0x01}, "skip"),
        ("here: cpse r16, r16; adiw r24, 1; nop", {"r16": 0xFF}, ""),
        ("ldi r30, pm_lo8(end); ldi r31, pm_hi8(end); eor r30, r16; here: ijmp", {"r16": 0x01}, "jump"),
        ("ldi r30, pm_lo8(f); eor r30, r16; here: icall; rjmp end; f: ret; end: nop", {"r16": 1}, "call"),
        ("ldi r17, pm_lo8(end); push r17; push r16; here: ret", {"r16": 0x01}, "return"),
        (
            "ldi r30, lo8(t); add r30, r16; here: lpm r17, Z; rjmp end; t: .word 1; end: nop",
            {"r16": 1},
            "lookup",
        ),
        ("ldi r28, lo8(data); ldi r29, hi8(data); add r28, r16; here: st Y, r17", {"r16": 0x01}, "lookup"),
        ("here: push r16; pop r16", {"sp": 0x04}, "stack"),
    ],
    "msp430": [
        ("here: jz f; nop; f: nop", {"sr": 0x02}, "branch"),
        ("here: jz f; nop; f: nop", {"sr": 0x101}, ""),
        ("here: jl f; nop; f: nop", {"sr": 0x04}, "branch"),
        ("here: jz f; inc r5; jmp g; f: dec r6; nop; nop; g: nop", {"sr": 0x02}, "balanced"),
        ("mov #end, r5; xor r6, r5; here: br r5", {"r6": 0x02}, "jump"),
        ("mov #f, r5; xor r6, r5; here: call r5; jmp end; f: ret; end: nop", {"r6": 0x02}, "call"),
        ("mov #end, r5; xor r6, r5; push r5; here: ret", {"r6": 0x02}, "return"),
        ("here: mov.b t(r5), r6; jmp end; t: .word 1; end: nop", {"r5": 0x01}, "lookup"),
        ("here: mov.b r6, data(r5)", {"r5": 0x01}, "lookup"),
        ("here: bis r5, sr", {"r5": 0x10}, "control"),
        ("here: push r5; pop r5", {"sp": 0x04}, "stack"),
    ],
}


@pytest.mark.parametrize(
    "target, source, secret, kind", [(target, *row) for target, rows in SEEN.items() for row in rows]
)
def test_what_is_seen_has_its_address(target, source, secret, kind, tmp_path):
    s = snippet(target, source, tmp_path)
    _, run = follow(s, secret, target)
    seen = {one.kind for one in (*run.leaks, *run.balanced, *run.lookups) if one.address == s.labels["here"]}
    assert seen == ({kind} if kind else set())
    if kind in ("", "balanced", "lookup"):
        assert not run.leaks


MERGED = [
    ("avr", "ldi r18, 0x1b; sbrc r16, 0; eor r17, r18", {"r16": 1}, {"r17": 0x1B, "r18": 0}),
    ("avr", "sbrc r16, 0; sts data, r17; lds r18, data", {"r16": 1}, {"r18": 0x5A}),
    ("rl78", "oneb x; clrb a; skc; mov x, a; nop", {"psw": 0x01}, {"x": 0x01, "a": 0}),
    ("msp430", "jz f; inc r5; jmp g; f: dec r6; nop; nop; g: nop", {"sr": 2}, {"r5": 1, "r6": 0xFFFF}),
]


@pytest.mark.parametrize("target, source, secret, after", MERGED)
def test_behind_balanced_ways_what_differs_is_secret(target, source, secret, after, tmp_path):
    s = snippet(target, source, tmp_path)
    taint, run = follow(s, secret, target)
    assert len(run.balanced) == 1 and not run.leaks
    assert {name: taint.register_mask(name) for name in after} == after


@pytest.mark.parametrize("target, source, secret, after", MERGED)
def test_ways_that_were_tried_leave_no_trace(target, source, secret, after, tmp_path):
    plain = snippet(target, source, tmp_path)
    expected = plain.run()
    s = snippet(target, source, tmp_path)
    _, run = follow(s, secret, target)
    assert (run.run.cycles, run.run.instructions) == (expected.cycles, expected.instructions)
    assert s.sim.read(DATA[target], 32) == plain.sim.read(DATA[target], 32)
    assert all(s.sim.registers[name] == plain.sim.registers[name] for name in after)


def test_every_meeting_counts(tmp_path):
    loop = "ldi r18, 5; l: lsl r16; here: brcs f; nop; nop; f: dec r18; brne l"
    s = snippet("avr", loop, tmp_path)
    _, run = follow(s, {"r16": 0x70}, "avr")
    assert [(one.address, one.kind, one.count) for one in run.leaks] == [(s.labels["here"], "branch", 3)]


def test_secrets_stay_from_run_to_run_until_they_are_cleared(tmp_path):
    s = snippet("avr", "sts data+4, r16; ldi r16, 0", tmp_path)
    taint, _ = follow(s, {"r16": 0x0F}, "avr")
    taint.run(s.labels["end"], s.labels["end"], cycle_limit=10)
    assert taint.masks(DATA["avr"] + 3, 3) == b"\0\x0f\0"
    taint.public(DATA["avr"] + 4, 1)
    taint.secret_register("x", 0x1234)
    assert taint.register_mask("r26") == 0x34 and taint.register_mask("r27") == 0x12
    taint.clear()
    assert taint.masks(DATA["avr"], 32) == bytes(32) and taint.register_mask("x") == 0


def test_banks_of_registers_are_memory(tmp_path):
    s = snippet("rl78", "nop", tmp_path)
    taint = Taint(s.sim)
    taint.secret_register("hl2", 0xBEEF)
    assert taint.masks(0xFFEE8 + 6, 2) == b"\xef\xbe"
    taint.clear_registers()
    assert taint.register_mask("h2") == 0xBE
    taint.secret_register("a", 0x11)
    taint.clear_registers()
    assert taint.register_mask("a0") == 0


def test_bad_places(tmp_path):
    s = snippet("msp430", "nop", tmp_path)
    taint = Taint(s.sim)
    with pytest.raises(UsageError, match="2 bytes at FFFF lie outside the address space"):
        taint.secret(0xFFFF, 2)
    with pytest.raises(UsageError, match="has no register 'ax'"):
        taint.secret_register("ax")
    with pytest.raises(UsageError, match="register 'pc' cannot be secret"):
        taint.secret_register("pc")


def test_errors_end_the_run_where_they_end_any_other(tmp_path):
    for target, source in (("avr", "ret"), ("rl78", "halt"), ("msp430", "mov &0x1301, r5")):
        s = snippet(target, source, tmp_path)
        expected = s.run()
        run = Taint(s.sim).run(s.start, s.labels["end"], cycle_limit=100).run
        assert not run.ok and (run.status, run.pc, run.address) == (
            expected.status,
            expected.pc,
            expected.address,
        )
    s = snippet("avr", "f: nop; rjmp f", tmp_path)
    assert Taint(s.sim).run(s.start, s.labels["end"], cycle_limit=100).run.status == "cycle limit"
