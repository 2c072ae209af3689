"""The memory map: allowed accesses, what is remembered, aliases."""

import resource

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.harness.simulator import Region, Simulator, regions_of
from tightfit.targets import load_target

from .rl78 import rl78

ERRORS = [  # source, status, address
    ("mov a, !0xf0800", "unmapped read", 0xF0800),
    ("mov a, es:!0x0000", "unmapped read", 0x50000),
    ("mov !0xf0800, a", "unmapped write", 0xF0800),
    ("mov !0xf3000, a", "write to flash", 0xF3000),
    ("mov es:!0x3000, a", "unmapped write", 0x53000),
    ("inc !0xf1000", "write to flash", 0xF1000),
    ("mov a, !0xff000", "read of never-written RAM", 0xFF000),
    ("movw ax, !0xff000", "read of never-written RAM", 0xFF000),
    ("inc !0xff000", "read of never-written RAM", 0xFF000),
    ("set1 !0xff000.3", "read of never-written RAM", 0xFF000),
    ("pop ax", "read of never-written RAM", 0xFFE00),
    ("movw ax, [hl]", "odd word access", 0xFF001),
    ("movw [hl], ax", "odd word access", 0xFF001),
    ("incw [hl+2]", "odd word access", 0xFF003),
]


@pytest.mark.parametrize("source, status, address", ERRORS)
def test_errors_name_the_place(snippet, source, status, address):
    s = snippet(f"nop; bad: {source}")
    s.sim.write(0xFF002, b"\0\0")
    run = s.run(es=5, hl=0xF001, sp=0xFE00)
    s.sim.set_stack(0xFE10, 0xFD00)
    assert run.status == status
    assert run.pc == 0x1001 and run.address == address
    assert run.message.startswith(f"{status} of {address:05X} at 01001 (bad)")


def test_data_without_es_lies_in_the_last_64k_and_wraps(snippet):
    s = snippet("mov a, [hl+0x10]; mov b, #0x20; mov a, 0xfff0[b]; end: nop", uninit="off")
    assert s.run(hl=0xFFF8).status == "unmapped read"
    assert s.sim.run(0x1000, s.labels["end"], cycle_limit=99).address == 0xF0008


def test_short_addresses(snippet):
    s = snippet("mov 0xffe20, #1; mov 0xffeff, #2; mov 0xfff1f, #3")
    s.run()
    assert s.sim.read(0xFFE20, 1) + s.sim.read(0xFFEFF, 1) + s.sim.read(0xFFF1F, 1) == b"\1\2\3"
    assert s.sim.registers["h"] == 2


def test_register_banks_are_ram(snippet):
    s = snippet("movw ax, #0x1234; sel rb2; movw hl, #0x5678; sel rb0; mov 0xffef2, #9")
    assert s.run().ok
    assert s.sim.read(0xFFEF8, 2) == b"\x34\x12"
    assert s.sim.read(0xFFEEE, 2) == b"\x78\x56"
    assert s.sim.registers["hl2"] == 0x5678 and s.sim.registers["c1"] == 9
    assert s.sim.touched_banks() == {1, 2}
    s.sim.reset()
    assert s.sim.touched_banks() == frozenset()


def test_bank_zero_is_not_among_the_touched(snippet):
    s = snippet("mov a, #1; mov 0xffefa, #1; sel rb0")
    s.run()
    assert s.sim.touched_banks() == frozenset()
    s.sim.write(0xFFEF0, b"\1")
    assert s.sim.touched_banks() == frozenset()


def test_register_banks_may_be_read_before_they_are_written(snippet):
    assert snippet("mov a, 0xffee0; sel rb3; mov a, h").run().ok


def test_special_registers_are_real(snippet):
    s = snippet(
        "mov es, #3; mov cs, #5; mov a, es; mov b, a; mov a, cs; movw de, sp; mov psw, #0x41; push psw;pop hl"
    )
    assert s.run().ok
    r = s.sim.registers
    assert (r["b"], r["a"], r["de"], r["psw"], r["hl"]) == (3, 5, 0xFE00, 0x41, 0x4100)
    assert (r["es"], r["cs"]) == (3, 5)


def test_upper_bits_of_es_do_not_exist(snippet):
    s = snippet("mov es, #0xf5; mov a, es")
    s.run()
    assert s.sim.registers["a"] == 5


def test_bit_zero_of_sp_does_not_exist(snippet):
    s = snippet("movw ax, #0xfd81; movw sp, ax; movw bc, sp")
    s.run()
    assert s.sim.registers["bc"] == 0xFD80


def test_mirror_shows_the_flash(snippet):
    s = snippet("mov a, !0xf2345")
    s.sim.load(0x2345, b"\x77")
    s.run()
    assert s.sim.registers["a"] == 0x77
    assert s.sim.read(0xF2345, 1) == b"\x77"


def test_pmc_moves_the_mirror(snippet):
    s = snippet(
        "mov 0xffffe, #1; mov a, !0xf3000; end: nop",
        regions=(
            Region("flash", 0, 0x20000),
            Region("mirror", 0xF2000, 0xFEF00, 0x2000),
            Region("ram", 0xFEF00, 0xFFF00),
            Region("sfr", 0xFFF00, 0x100000),
        ),
    )
    s.sim.load(0x3000, b"\x11")
    s.sim.load(0x13000, b"\x22")
    run = s.run()
    assert run.ok and s.sim.registers["a"] == 0x22 and run.waits["flash_waits"] == 3
    s.sim.reset()
    assert s.sim.read(0xF3000, 1) == b"\x11"


@pytest.mark.parametrize("uninit, ok, count", [("error", False, 0), ("warn", True, 3), ("off", True, 0)])
def test_reads_of_never_written_ram(snippet, uninit, ok, count):
    s = snippet("mov a, !0xff000; movw ax, !0xff002; mov !0xff004, a; mov a, !0xff004", uninit=uninit)
    run = s.run()
    assert run.ok == ok and run.uninit_reads == count


def test_poison_stays_never_written(snippet):
    s = snippet("mov a, !0xff000", uninit="warn")
    s.sim.write(0xFF000, b"\1")
    assert s.run().uninit_reads == 0
    s.sim.poison(0xFF000, 4, 0xA5)
    assert s.run().uninit_reads == 1
    assert s.sim.registers["a"] == 0xA5


def test_reset_forgets_ram_and_keeps_flash(snippet):
    s = snippet("mov a, !0xff000")
    s.sim.write(0xFF000, b"\1")
    assert s.run().ok
    s.sim.reset()
    assert s.run().status == "read of never-written RAM"


def test_spare_byte_of_a_return_address_may_be_read(snippet):
    s = snippet("call !!f; end: nop; f: mov a, [sp+3]; ret")
    assert s.run().ok


def test_touched_counts_what_the_program_wrote(snippet):
    s = snippet("mov !0xff000, a; push ax; call !!f; pop bc; end: nop; f: ret")
    s.sim.write(0xFF010, b"\1")
    s.run()
    touched = s.sim.touched(0xFEF00, 0x1000)
    assert {0xFEF00 + n for n, t in enumerate(touched) if t} == {0xFF000, *range(0xFFDFA, 0xFFE00)}


def test_guard(snippet):
    s = snippet("mov a, !0xff000; end: nop; w: mov !0xff001, a")
    s.sim.guard(0xFF000, 2)
    assert s.run().status == "guard read"
    assert s.sim.run(s.labels["w"], 0, cycle_limit=9).status == "guard written"


def test_other_memory_maps():
    sim = rl78(regions=[Region("flash", 0, 0x100), Region("ram", 0xFE000, 0xFFF00)])
    sim.load(0, b"\x00\xff")
    assert sim.run(0, 1, cycle_limit=9).ok
    assert sim.run(0x100, 1, cycle_limit=9).status == "fetch from non-executable"


def test_code_loaded_over_code_replaces_it(snippet):
    s = snippet("movw ax, #0x1234")
    s.run()
    s.sim.load(0x1002, b"\x55")
    s.run()
    assert s.sim.registers["ax"] == 0x5534
    s.sim.load(0x1000, b"\xf6\x00\x00")
    s.run()
    assert s.sim.registers["ax"] == 0


@pytest.mark.parametrize(
    "misuse",
    [
        lambda s: s.load(0xFFF00, b"\0"),
        lambda s: s.load(0xFFFFF, b"\0\0"),
        lambda s: s.write(0x1000, b"\0"),
        lambda s: s.write(-1, b"\0"),
        lambda s: s.poison(0xFFEF8, 1, 0),
        lambda s: s.read(0x100000, 1),
        lambda s: s.set_stack(0xFD00, 0xFE00),
        lambda s: s.set_stack(0xFD01, 0xFC00),
        lambda s: s.registers["r7"],
        lambda s: s.registers.__setitem__("ip", 0),
        lambda s: s.map(Region("rom", 0, 1)),
        lambda s: s.map(Region("ram", 5, 1)),
        lambda s: s.call_many(
            0,
            1,
            0xFF000,
            b"123",
            block_size=2,
            pointer_register="ax",
            stack_top=0xFE00,
            stack_limit=0,
            cycle_limit=1,
            capture=("ax",),
        ),
        lambda s: rl78("rl79"),
        lambda s: rl78(uninit="maybe"),
    ],
)
def test_misuse_is_one_clear_line(misuse):
    with pytest.raises(UsageError) as caught:
        misuse(rl78())
    assert "\n" not in str(caught.value) and len(str(caught.value)) > 10


def test_a_host_without_room_for_a_simulator():
    regions = regions_of(load_target("avr").part())
    Simulator("avre+", regions=regions)
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 20, before[1]))
    try:
        with pytest.raises(WorkError, match="no address space, for a simulator: see `ulimit -v`"):
            Simulator("avre+", regions=regions)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
