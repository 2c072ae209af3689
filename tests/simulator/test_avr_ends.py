"""How a run on an AVR core can end."""

import pytest

from .avr_parts import DATA, LARGE, MEGA, TINY
from .avr_snippet import STACK_LIMIT, STACK_TOP, snippet

ENDS = [
    (".word 0x9409 | 0x10", "unknown opcode"),  # eijmp
    (".word 0x95e8", "unknown opcode"),  # spm
    (".word 0x91ad", "unknown opcode"),  # ld r26, X+
    (".word 0xffff", "unknown opcode"),
    ("sleep", "HALT reached"),
    ("break", "BRK reached"),
    ("f: rjmp f", "branch to itself"),
    ("f: jmp f", "branch to itself"),
    ("f: nop; rjmp f", "cycle limit"),
    ("f: brcc g; rjmp f; g: brcc f", "cycle limit"),
    ("f: breq f; rjmp f", "cycle limit"),
    ("ldi r30, 0xff; ldi r31, 0xff; ijmp; end: nop", "unknown opcode"),
    (".word 0x940d, 0", "fetch from non-executable"),  # jmp 0x20000
    ("lds r16, 0x4100", "unmapped read"),
    ("sts 0x4100, r16", "unmapped write"),
    ("lds r16, 0x0100", "read of never-written RAM"),
    ("pop r16", "read of never-written RAM"),
    ("ret", "read of never-written RAM"),
    ("ldi r16, 2; out 0x3b, r16; elpm r16, Z", "unmapped read"),
    ("ldi r16, 0xff; out 0x3b, r16; elpm r16, Z+", "unmapped read"),
    ("f: push r0; rjmp f", "stack below its region"),
    ("f: rcall f", "stack below its region"),
    ("ldi r16, 2; out 0x3e, r16; ldi r16, 0xfe; out 0x3d, r16", "stack below its region"),
    ("ldi r16, 0xfe; out 0x3d, r16; ldi r16, 2; out 0x3e, r16", "stack below its region"),
    ("ldi r16, 4; out 0x3e, r16; ldi r16, 0; out 0x3d, r16", "stack above its region"),
    ("ldi r16, 2; out 0x3e, r16; ldi r16, 0xfe; sts 0x5d, r16", "stack below its region"),
    ("ldi r16, 4; out 0x3e, r16", "stack above its region"),
    ("ldi r16, 4; out 0x3e, r16; push r16", "stack above its region"),
    ("ldi r16, 4; out 0x3e, r16; ldi r16, 3; out 0x3e, r16", "stack above its region"),
    ("ldi r16, 1; out 0x3e, r16; pop r16", "stack below its region"),
]


@pytest.mark.parametrize("source, status", ENDS)
def test_errors(source, status, tmp_path):
    s = snippet(source, tmp_path)
    assert s.run().status == status
    profiled = s.profile(sp=STACK_TOP, sreg=0)
    assert profiled.run.status == status


def test_stack_above_its_region(tmp_path):
    for source in ("pop r16", "ret", "reti"):
        s = snippet(source, tmp_path)
        s.sim.write(DATA + STACK_TOP, b"\0" * 4)
        run = s.run()
        assert run.status == "stack above its region" and run.address == DATA + run_end(source)


def run_end(source: str) -> int:
    return STACK_TOP + (1 if source == "pop r16" else 2)


def test_a_stack_pointer_counts_when_both_halves_are_written(tmp_path):
    s = snippet("ldi r16, 1; out 0x3e, r16; ldi r16, 3; out 0x3e, r16; push r0", tmp_path)
    assert s.run().status == "stack below its region"
    up = "ldi r16, 5; ldi r17, 0x80; out 0x3e, r16; out 0x3d, r17"
    s = snippet(f"{up}; ldi r16, 3; out 0x3e, r16", tmp_path)
    assert s.run().status == "stack above its region"
    down = "ldi r16, 2; ldi r17, 0xff; out 0x3e, r16; out 0x3d, r17"
    s = snippet(f"{down}; out 0x3e, r16; out 0x3d, r17", tmp_path)
    run = s.run()
    assert run.ok and run.stack == STACK_TOP - STACK_LIMIT


@pytest.mark.parametrize("part", [TINY, MEGA])
def test_falling_off_the_flash(part):
    sim = part.simulator()
    sim.load(part.flash - 2, b"\0\0")
    run = sim.run(part.flash - 2, 0, cycle_limit=9)
    assert (run.status, run.pc, run.instructions) == ("fetch from non-executable", part.flash, 1)
    sim.load(part.flash - 2, b"\x00\x90")  # lds without its second word
    assert sim.run(part.flash - 2, 0, cycle_limit=9).status == "fetch from non-executable"


def test_code_in_ram_or_at_an_odd_address_does_not_run():
    sim = LARGE.simulator()
    for address in (DATA + 0x200, 1, 0x20000, 0xFFFFFFFF):
        run = sim.run(address, 0, cycle_limit=9)
        assert (run.status, run.pc) == ("fetch from non-executable", address)


def test_relative_jumps_wrap_on_a_small_flash_only():
    back = b"\xff\xcf"  # rjmp .-2
    forward = (0xC000 | 0x7FF).to_bytes(2, "little")
    sim = TINY.simulator()
    sim.load(0x1000, forward)
    assert sim.run(0x1000, 0, cycle_limit=9).ok
    sim.load(0, (0xC000 | 0xFFE).to_bytes(2, "little"))
    assert sim.run(0, TINY.flash - 2, cycle_limit=9).ok
    sim.load(0, back)
    assert sim.run(0, 2, cycle_limit=9).status == "branch to itself"
    sim = MEGA.simulator()
    sim.load(MEGA.flash - 0x1000, forward)
    run = sim.run(MEGA.flash - 0x1000, 0, cycle_limit=9)
    assert (run.status, run.pc) == ("fetch from non-executable", MEGA.flash)


def test_tables_beyond_the_flash_are_not_read(tmp_path):
    s = snippet("ldi r31, 0x20; lpm r16, Z", tmp_path, part=TINY)
    assert s.run().status == "unmapped read"
    s = snippet("ldi r31, 0x80; lpm r16, Z", tmp_path, part=MEGA)
    assert s.run().status == "unmapped read"


def test_writing_flash_is_not_possible(tmp_path):
    s = snippet("ldi r30, 0; ldi r31, 0x10; st Z, r30", tmp_path)
    before = s.sim.read(0, 0x2000)
    assert s.run().ok and s.sim.read(0, 0x2000) == before
    assert s.sim.touched(DATA + 0x1000, 1) == b"\1"


def test_cycle_limit_is_exact_at_branches(tmp_path):
    s = snippet("f: nop; rjmp f", tmp_path)
    run = s.run(cycle_limit=1001)
    assert run.cycles == 1002 and run.instructions == 668
    assert s.profile(cycle_limit=1001).run == run


def test_steps_stop_where_they_should(tmp_path):
    s = snippet("inc r16; sbrc r16, 0; inc r16; inc r16; sleep", tmp_path)
    s.sim.registers["pc"] = 0
    run = s.sim.step(3)
    assert (run.status, run.instructions, run.pc, s.sim.registers["r16"]) == ("steps", 3, 6, 2)
    s.sim.registers["pc"], s.sim.registers["r16"] = 0, 1
    run = s.sim.step(2)
    assert (run.pc, run.waits["skip_waits"], run.cycles) == (6, 1, 3)
    assert s.sim.step(5).status == "HALT reached"


def test_messages_name_the_symbol(tmp_path):
    s = snippet("nop; nop; inner: nop; break", tmp_path)
    assert s.run().message == "BRK reached at 00006 (inner+2) after 4 cycles"


@pytest.mark.parametrize(
    "source, depth",
    [
        ("nop", 0),
        ("push r0; push r1; pop r16; push r0; pop r16; pop r16", 2),
        ("rcall f; rjmp end; f: push r0; pop r0; ret; end: nop", 3),
        ("call f; rjmp end; f: ret; end: nop", 2),
        ("rcall .+0; rcall .+0; pop r16; pop r16; pop r16; pop r16", 4),
        ("in r28, 0x3d; in r29, 0x3e; sbiw r28, 20; out 0x3e, r29; out 0x3d, r28; push r0; adiw r28, 20; "
         "out 0x3e, r29; out 0x3d, r28", 21),
        ("in r28, 0x3d; subi r28, 20; out 0x3d, r28; subi r28, -20; out 0x3d, r28", 20),
    ],
)  # fmt: skip
def test_deepest_stack(source, depth, tmp_path):
    s = snippet(source, tmp_path)
    run = s.run()
    assert run.ok and run.stack == depth
    assert s.profile(sp=STACK_TOP).run.stack == depth


def test_stack_after_a_reset_is_at_the_end_of_ram():
    for part in (TINY, MEGA, LARGE):
        sim = part.simulator()
        sim.reset()
        assert sim.registers["sp"] == part.ram.stop - 1
