"""How a run of an MSP430 can end, and what memory and stack allow."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness.simulator import Region

from .msp430 import CORES, START, msp430, snippet

ENDS = [
    (".short 0x1301", "unknown opcode"),
    (".short 0x1800, 0x4305", "unknown opcode"),
    ("bis #0x10, sr", "HALT reached"),
    ("mov #0xf0, sr", "HALT reached"),
    ("push #0; push #0x10; reti", "HALT reached"),
    ("f: jmp f", "branch to itself"),
    ("f: .short 0x4030, f", "branch to itself"),
    ("f: nop; jmp f", "cycle limit"),
    ("f: jz g; jmp f; g: jz f", "cycle limit"),
    ("mov #0x1200, r0", "fetch from non-executable"),
    ("mov #0x1000, r0", "fetch from non-executable"),
    ("mov #0x0a00, r0", "fetch from non-executable"),
    ("f: push r5; jmp f", "stack below its region"),
    ("f: call #f", "stack below its region"),
    ("mov #0x2f00, sp; push r5", "stack below its region"),
    ("sub #0x102, sp", "stack below its region"),
    ("mov #0x3002, sp", "stack above its region"),
    ("incd sp", "stack above its region"),
    ("push r5; add #4, sp", "stack above its region"),
    ("push r5; push r5; pop r5; pop r5; pop r5", "stack above its region"),
]


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("source, status", ENDS)
def test_ends(tmp_path, source, status, core):
    s = snippet(tmp_path, source, core)
    s.sim.write(0x3000, b"\0" * 8)
    run = s.run(sr=2)
    assert run.status == status
    assert s.profile(sr=2, sp=0x3000).run.status == status


ERRORS = [  # source, status, address
    ("mov &0x0a00, r5", "unmapped read", 0x0A00),
    ("mov r5, &0x0a00", "unmapped write", 0x0A00),
    ("mov.b r5, &0x4000", "write to flash", 0x4000),
    ("mov r5, &0x1000", "write to flash", 0x1000),
    ("inc &0x5000", "write to flash", 0x5000),
    ("mov &0x1200, r5", "read of never-written RAM", 0x1200),
    ("mov.b &0x1201, r5", "read of never-written RAM", 0x1201),
    ("mov &0x1300, r5", "read of never-written RAM", 0x1301),
    ("xor r5, &0x1200", "read of never-written RAM", 0x1200),
    ("cmp #1, 2(r6)", "read of never-written RAM", 0x1202),
    ("rrc @r6", "read of never-written RAM", 0x1200),
    ("swpb 0(r6)", "read of never-written RAM", 0x1200),
    ("mov @r7, r5", "odd word access", 0x1201),
    ("mov @r7+, r5", "odd word access", 0x1201),
    ("mov r5, 2(r7)", "odd word access", 0x1203),
    ("add r5, 0(r7)", "odd word access", 0x1201),
    ("call @r7", "odd word access", 0x1201),
]


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("source, status, address", ERRORS)
def test_errors_name_the_place(tmp_path, source, status, address, core):
    s = snippet(tmp_path, f"nop; bad: {source}", core)
    s.sim.write(0x1300, b"\0")
    run = s.run(r5=0x1111, r6=0x1200, r7=0x1201)
    assert run.status == status
    assert run.pc == START + 2 and run.address == address
    assert run.message.startswith(f"{status} of {address:05X} at 04002 (bad)")


def test_popping_what_nobody_pushed_is_a_read_of_never_written_ram(tmp_path):
    assert snippet(tmp_path, "pop r5").run(sp=0x2FF0).address == 0x2FF0


@pytest.mark.parametrize("core, last", [("msp430", 0xFFFE), ("msp430x", 0x1FFFE)])
def test_run_off_the_end_of_flash(core, last):
    sim = msp430(core)
    sim.load(last, b"\x03\x43")
    run = sim.run(last, 0, cycle_limit=9)
    assert run.status == "fetch from non-executable" and run.pc == last + 2
    sim.load(last, b"\x35\x40")
    assert sim.run(last, 0, cycle_limit=9).status == "fetch from non-executable"


def test_stop_outside_the_flash_is_reached_by_a_return(tmp_path):
    s = snippet(tmp_path, "push #0x0100; ret")
    assert s.sim.run(START, 0x0100, cycle_limit=99).ok


def test_cycle_limit_is_exact_at_jumps(tmp_path):
    s = snippet(tmp_path, "f: nop; jmp f")
    run = s.run(cycle_limit=1001)
    assert run.cycles == 1002 and run.instructions == 668
    assert s.profile(cycle_limit=1001).run == run


def test_steps_stop_where_they_should(tmp_path):
    s = snippet(tmp_path, "inc r5; jc f; inc r5; f: inc r5; bis #0x10, sr")
    s.sim.registers["pc"] = START
    run = s.sim.step(3)
    assert (run.status, run.instructions, run.cycles, s.sim.registers["r5"]) == ("steps", 3, 4, 2)
    assert s.sim.step(9).status == "HALT reached"
    assert s.sim.registers["r5"] == 3


def test_flash_reads_cost_nothing_more(tmp_path):
    s = snippet(tmp_path, "mov &0x5000, r5; mov.b &0x5001, r6; mov @r7+, r8")
    run = s.run(r7=0x5000)
    assert run.ok and (run.cycles, run.base) == (8, 8)
    assert run.waits == {}


def test_special_function_registers_hold_what_was_written(tmp_path):
    s = snippet(tmp_path, "mov #0x5a80, &0x0120; mov &0x0120, r5; mov.b &0x0021, r6")
    assert s.run().ok
    assert (s.sim.registers["r5"], s.sim.registers["r6"]) == (0x5A80, 0)


@pytest.mark.parametrize("uninit, ok, count", [("error", False, 0), ("warn", True, 3), ("off", True, 0)])
def test_reads_of_never_written_ram(tmp_path, uninit, ok, count):
    s = snippet(
        tmp_path, "mov.b &0x1200, r5; mov &0x1202, r6; mov r6, &0x1204; mov &0x1204, r7", uninit=uninit
    )
    run = s.run()
    assert run.ok == ok and run.uninit_reads == count


def test_poison_stays_never_written(tmp_path):
    s = snippet(tmp_path, "mov.b &0x1200, r5", uninit="warn")
    s.sim.write(0x1200, b"\1")
    assert s.run().uninit_reads == 0
    s.sim.poison(0x1200, 4, 0xA5)
    assert s.run().uninit_reads == 1 and s.sim.registers["r5"] == 0xA5


def test_guard(tmp_path):
    s = snippet(tmp_path, "mov &0x1200, r5; end: nop; w: mov.b r5, &0x1201")
    s.sim.guard(0x1200, 2)
    assert s.run().status == "guard read"
    assert s.sim.run(s.labels["w"], 0, cycle_limit=9).status == "guard written"


def test_touched_counts_what_the_program_wrote(tmp_path):
    s = snippet(tmp_path, "mov.b r5, &0x1201; push r5; call #f; pop r6; jmp end; f: ret; end: nop")
    s.sim.write(0x1210, b"\1")
    run = s.run()
    assert run.ok and run.stack == 4
    touched = s.sim.touched(0x1100, 0x2000)
    assert {0x1100 + n for n, t in enumerate(touched) if t} == {0x1201, *range(0x2FFC, 0x3000)}


@pytest.mark.parametrize(
    "source, depth",
    [
        ("sub #6, sp; add #6, sp", 6),
        ("mov sp, r5; sub #20, r5; mov r5, sp; push r5", 22),
        ("push r5; pop r6; push r5; push r6; pop r7", 4),
        ("sub #8, sp; call #f; jmp end; f: push r5; pop r5; ret; end: nop", 12),
        ("push.b r5", 2),
        ("nop", 0),
    ],
)
def test_deepest_stack(tmp_path, source, depth):
    assert snippet(tmp_path, source).run().stack == depth


@pytest.mark.parametrize(
    "source, depth", [("calla #f; jmp end; f: pushm.a #3, r10; popm.a #3, r10; reta; end: nop", 16)]
)
def test_deepest_stack_of_the_cpux(tmp_path, source, depth):
    run = snippet(tmp_path, source, "msp430x").run()
    assert run.ok and run.stack == depth
    assert run.cycles == 5 + 8 + 8 + 5 + 2


def test_the_cpux_runs_above_64_kb():
    sim = msp430("msp430x")
    sim.load(0x10000, bytes.fromhex("0541 1541 0343 1001".replace(" ", ""))[4:])  # nop; reta
    sim.load(START, bytes.fromhex("b1130000"))  # calla #10000h
    sim.reset()
    sim.set_stack(0x3000, 0x2F00)
    run = sim.run(START, START + 4, cycle_limit=99)
    assert run.ok and run.cycles == 5 + 1 + 5 and run.stack == 4
    assert sim.read(0x2FFC, 4) == (START + 4).to_bytes(4, "little")


def test_code_loaded_over_code_replaces_it(tmp_path):
    s = snippet(tmp_path, "mov #0x1234, r5; mov r5, &0x1200")
    s.run()
    s.sim.load(START + 3, b"\x55")
    s.run()
    assert s.sim.registers["r5"] == 0x5534
    s.sim.load(START, bytes.fromhex("35430343"))
    s.run()
    assert s.sim.registers["r5"] == 0xFFFF


@pytest.mark.parametrize(
    "misuse",
    [
        lambda s: s.load(0, b"\0"),
        lambda s: s.load(0xFFFF, b"\0\0"),
        lambda s: s.write(0x4000, b"\0"),
        lambda s: s.poison(0x0100, 1, 0),
        lambda s: s.read(0x10000, 1),
        lambda s: s.set_stack(0x2F00, 0x3000),
        lambda s: s.set_stack(0x2F01, 0x2E00),
        lambda s: s.registers["r16"],
        lambda s: s.registers.__setitem__("hl", 0),
        lambda s: s.map(Region("ram", 0x8000, 0x10001)),
    ],
)
def test_misuse_is_one_clear_line(misuse):
    with pytest.raises(UsageError) as caught:
        misuse(msp430())
    assert "\n" not in str(caught.value) and len(str(caught.value)) > 10
