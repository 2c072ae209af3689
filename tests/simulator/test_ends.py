"""How a run can end."""

import pytest

from .rl78 import rl78

ENDS = [
    (".byte 0xff", "unknown opcode"),
    (".byte 0x11, 0x50, 0x00", "unknown opcode"),
    (".byte 0xce, 0xfb, 0x7f", "unknown opcode"),
    ("halt", "HALT reached"),
    ("stop", "STOP reached"),
    ("brk", "BRK reached"),
    ("f: br $f", "branch to itself"),
    ("f: nop; br $f", "cycle limit"),
    ("f: bz $g; br $f; g: bz $f", "cycle limit"),
    ("br !!0xff000", "fetch from non-executable"),
    ("br !!0xf3000", "fetch from non-executable"),
    ("br !!0x20000", "fetch from non-executable"),
    ("f: push ax; br $f", "stack below its region"),
    ("f: call !!f", "stack below its region"),
    ("movw sp, #0xfc00; push ax", "stack below its region"),
    ("subw sp, #0xff; subw sp, #0xff", "stack below its region"),
    ("movw sp, #0xfe02", "stack above its region"),
    ("addw sp, #2", "stack above its region"),
    ("push ax; addw sp, #4", "stack above its region"),
]


@pytest.mark.parametrize("source, status", ENDS)
def test_errors(snippet, source, status):
    s = snippet(source)
    run = s.run(psw=0x46)
    assert run.status == status
    profiled = s.profile(psw=0x46, sp=0xFE00)
    assert profiled.run.status == status


def test_reading_above_the_stack_is_allowed_popping_is_not(snippet):
    s = snippet("mov a, [sp+2]; pop ax")
    s.sim.write(0xFFE00, b"\0" * 8)
    assert s.run().status == "stack above its region"


def test_run_off_the_end_of_flash():
    sim = rl78()
    sim.load(0xFFFE, b"\x00\x00")
    run = sim.run(0xFFFE, 0, cycle_limit=9)
    assert run.status == "fetch from non-executable" and run.pc == 0x10000
    sim.load(0xFFFF, b"\xec")
    assert sim.run(0xFFFE, 0, cycle_limit=9).status == "fetch from non-executable"


def test_stop_outside_the_flash_is_reached_by_a_return(snippet):
    s = snippet("movw ax, #0x0000; push ax; movw ax, #0x4321; push ax; ret")
    s.sim.write(0xFFDFE, b"\x0e\x00")
    assert s.sim.run(0x1000, 0x04321, cycle_limit=99).ok


def test_cycle_limit_is_exact_at_branches(snippet):
    s = snippet("f: nop; br $f")
    run = s.run(cycle_limit=1001)
    assert run.cycles == 1004 and run.instructions == 502
    assert s.profile(cycle_limit=1001).run == run


def test_steps_stop_where_they_should(snippet):
    s = snippet("inc a; skc; inc a; inc a; halt")
    s.sim.registers["pc"] = 0x1000
    s.sim.registers["psw"] = 0x01
    run = s.sim.step(2)
    assert (run.status, run.instructions, s.sim.registers["a"], run.pc) == (
        "steps",
        2,
        1,
        s.labels["end"] - 3,
    )
    assert s.sim.step(5).status == "HALT reached"


def test_messages_name_the_symbol(snippet):
    s = snippet("nop; nop; inner: nop; brk")
    assert s.run().message == "BRK reached at 01003 (inner+1) after 8 cycles"


@pytest.mark.parametrize(
    "source, depth",
    [
        ("subw sp, #6; addw sp, #6", 6),
        ("movw ax, sp; addw ax, #-20; movw sp, ax; push ax", 22),
        ("push ax; pop bc; push ax; push bc; pop de", 4),
        ("subw sp, #8; call !!f; br !!end; f: push ax; ret; end: nop", 14),
        ("nop", 0),
    ],
)
def test_deepest_stack(snippet, source, depth):
    assert snippet(source.replace("push ax; ret", "push ax; pop ax; ret")).run().stack == depth
