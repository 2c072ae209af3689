"""What skips, branches, calls and memory cost on an AVR core, and what distinguishes paths."""

import pytest

from .avr_parts import DATA, TINY
from .avr_snippet import snippet

SKIPPED = [("nop", 1), ("lds r16, 0x0200", 2), ("sts 0x0200, r16", 2), ("jmp 0", 2), ("call 0", 2)]


@pytest.mark.parametrize("skip", ["cpse r0, r1", "sbrc r0, 3", "sbrs r1, 3", "sbic 0x1e, 0", "sbis 0x1e, 1"])
@pytest.mark.parametrize("skipped, words", SKIPPED)
def test_a_skip_costs_a_clock_a_word(skip, skipped, words, tmp_path):
    s = snippet(f"{skip}; {skipped}", tmp_path)
    s.sim.write(DATA + 0x3E, b"\x02")
    skips = {"r0": 0, "r1": 0 if "cpse" in skip else 8}
    run = s.run(**skips)
    assert run.ok and (run.base, run.waits["skip_waits"], run.cycles, run.instructions) == (
        1,
        words,
        1 + words,
        1,
    )


def test_a_skip_that_does_not_skip_costs_one(tmp_path):
    for skip in ("cpse r0, r1", "sbrc r1, 0", "sbrs r0, 0", "sbic 0x1e, 1", "sbis 0x1e, 0"):
        s = snippet(f"{skip}; nop", tmp_path)
        s.sim.write(DATA + 0x3E, b"\x02")
        run = s.run(r0=0, r1=1)
        assert run.ok and (run.base, run.waits["skip_waits"], run.instructions) == (2, 0, 2)


CLOCKS = [
    ("ldi r16, 1; mov r0, r16; movw r2, r0; eor r0, r2; swap r0; bst r0, 1; bld r0, 2", 7),
    ("adiw r24, 1; sbiw r30, 1", 4),
    ("mul r2, r3; muls r16, r17; mulsu r16, r17; fmul r16, r17", 8),
    ("in r0, 0x3e; out 0x1e, r0; sbi 0x1e, 1; cbi 0x1e, 1", 6),
    ("sts 0x0200, r0; lds r0, 0x0200; push r0; pop r0", 8),
    ("lpm; lpm r0, Z; lpm r0, Z+; elpm r0, Z", 12),
    ("rjmp f; f: rcall g; jmp end; g: ret; end: nop", 2 + 3 + 4 + 3),
    ("call g; jmp end; g: reti; end: nop", 4 + 4 + 3),
    ("sec; brcs f; f: brcc f; brcs end; end: nop", 1 + 2 + 1 + 2),
    ("ldi r30, lo8(gs(f)); ldi r31, hi8(gs(f)); icall; rjmp end; f: ret; end: nop", 2 + 3 + 4 + 2),
    ("ldi r30, lo8(gs(end)); ldi r31, hi8(gs(end)); ijmp; end: nop", 2 + 2),
]


@pytest.mark.parametrize("source, cycles", CLOCKS)
def test_clocks(source, cycles, tmp_path):
    run = snippet(source, tmp_path).run()
    assert run.ok and run.cycles == run.base == cycles


def test_rcall_and_ret_on_a_small_part(tmp_path):
    run = snippet("rcall f; rjmp end; f: ret; end: nop", tmp_path, part=TINY).run()
    assert run.ok and run.cycles == 3 + 4 + 2 and run.stack == 2
    assert not run.timing_not_verified


def test_path_hash_follows_outcomes_not_data(tmp_path):
    s = snippet("tst r16; breq f; nop; f: sbrs r16, 7; inc r17", tmp_path)
    zero, one, two, high = (s.run(r16=value).path_hash for value in (0, 1, 2, 0x80))
    assert one == two and len({zero, one, high}) == 3


def test_path_hash_follows_computed_targets(tmp_path):
    s = snippet("ijmp; f: nop; g: nop; end: nop", tmp_path)
    assert s.run(z=s.labels["f"] // 2).path_hash != s.run(z=s.labels["g"] // 2).path_hash
    s = snippet("push r16; push r17; ret; f: nop; g: nop; end: nop", tmp_path)
    assert s.run(r16=s.labels["f"] // 2).path_hash != s.run(r16=s.labels["g"] // 2).path_hash
