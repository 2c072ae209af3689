"""The AVR's data space: allowed accesses, what is remembered, aliases; many runs in one call."""

import pytest

from tightfit.errors import UsageError

from .avr_parts import DATA, LARGE, MEGA, TINY
from .avr_snippet import STACK_LIMIT, STACK_TOP, snippet

ERRORS = [  # source, status, address
    ("lds r16, 0x4100", "unmapped read", 0x4100),
    ("ld r16, X", "unmapped read", 0xFFF0),
    ("ldd r16, Y+1", "read of never-written RAM", 0x0203),
    ("ld r16, -Z", "read of never-written RAM", 0x02FF),
    ("st -X, r16", "unmapped write", 0xFFEF),
    ("pop r16", "read of never-written RAM", 0x0380),
    ("ret", "read of never-written RAM", 0x0380),
]


@pytest.mark.parametrize("source, status, address", ERRORS)
def test_errors_name_the_place(source, status, address, tmp_path):
    s = snippet(f"nop; bad: {source}", tmp_path)
    s.sim.write(DATA + 0x0202, b"\0")
    run = s.run(x=0xFFF0, y=0x0202, z=0x0300, sp=0x037F)
    assert (run.status, run.pc, run.address) == (status, 2, DATA + address)
    assert run.message.startswith(f"{status} of {DATA + address:05X} at 00002 (bad)")


def test_never_written_ram_is_kept_byte_by_byte(tmp_path):
    s = snippet("st X+, r16; st X, r16; ld r17, -X; lds r18, 0x0200; lds r19, 0x0201", tmp_path)
    assert s.run(x=0x0200, r16=7).ok
    s = snippet("sts 0x0200, r16; lds r19, 0x0201", tmp_path)
    assert s.run().address == DATA + 0x0201
    s = snippet("lds r19, 0x0201; lds r19, 0x0202", tmp_path, uninit="warn")
    run = s.run()
    assert run.ok and run.uninit_reads == 2
    assert snippet("lds r19, 0x0201", tmp_path, uninit="off").run().uninit_reads == 0


def test_registers_lie_in_the_data_space(tmp_path):
    s = snippet("sts 0x0010, r20; lds r2, 0x0014; ldi r30, 3; ldi r31, 0; st Z+, r20; ld r5, Z", tmp_path)
    assert s.run(r20=0x5A, r4=0xC3).ok
    registers = s.sim.registers
    assert [registers[name] for name in ("r16", "r2", "r3", "r5", "z")] == [0x5A, 0x5A, 0x5A, 0xC3, 4]
    assert s.sim.read(DATA, 32)[20] == 0x5A
    s.sim.write(DATA + 20, b"\x11")
    assert registers["r20"] == 0x11


def test_registers_have_names_for_pairs(tmp_path):
    s = snippet("nop", tmp_path)
    registers = s.sim.registers
    for n in range(32):
        registers[f"r{n}"] = n
    assert {name: registers[name] for name in "wxyz"} == {"w": 0x1918, "x": 0x1B1A, "y": 0x1D1C, "z": 0x1F1E}
    registers["w"] = 0xABCD
    assert (registers["r24"], registers["r25"]) == (0xCD, 0xAB)
    for unknown in ("r32", "r", "r01", "r100", "hl", "r-1", "xx"):
        with pytest.raises(UsageError, match=f"no register '{unknown}'"):
            registers[unknown]


def test_rampz_is_where_the_part_has_it():
    with pytest.raises(UsageError, match="no register 'rampz'"):
        TINY.simulator().registers["rampz"]
    sim = LARGE.simulator()
    sim.registers["rampz"] = 1
    assert sim.read(DATA + 0x5B, 1) == b"\1"
    sim.reset()
    assert sim.registers["rampz"] == 0


def test_special_registers_are_real(tmp_path):
    source = "ldi r16, 0xc3; out 0x3f, r16; in r17, 0x3f; lds r18, 0x5f; in r19, 0x3d; lds r20, 0x5e"
    s = snippet(source, tmp_path)
    assert s.run().ok
    read = [s.sim.registers[f"r{n}"] for n in (17, 18, 19, 20)]
    assert read == [0xC3, 0xC3, STACK_TOP & 0xFF, STACK_TOP >> 8]
    assert s.sim.registers["sreg"] == 0xC3 == s.sim.read(DATA + 0x5F, 1)[0]
    s.sim.write(DATA + 0x5D, b"\x34\x12\x81")
    assert (s.sim.registers["sp"], s.sim.registers["sreg"]) == (0x1234, 0x81)


def test_a_return_address_is_two_bytes_of_words_the_high_one_below(tmp_path):
    s = snippet(".org 0x246; start: rcall f; end: nop; f: ret", tmp_path)
    s.sim.set_stack(STACK_TOP, STACK_LIMIT)
    assert s.sim.run(s.labels["start"], s.labels["end"], cycle_limit=99).ok
    assert s.sim.read(DATA + STACK_TOP - 1, 2) == (0x248 // 2).to_bytes(2, "big")
    assert s.sim.registers["sp"] == STACK_TOP


def test_touched_is_what_the_program_wrote(tmp_path):
    plain = "push r0; pop r0; sts 0x0200, r0; out 0x1e, r0; sbi 0x1e, 3"
    s = snippet(f"{plain}; out 0x3f, r0; out 0x3b, r0; sts 9, r0", tmp_path)
    s.sim.write(DATA + 0x0210, b"\1")
    assert s.run().ok
    touched = s.sim.touched(DATA, 0x4100)
    assert [n for n, flag in enumerate(touched) if flag] == [0x3E, 0x0200, STACK_TOP]
    s.sim.reset()
    assert not any(s.sim.touched(DATA, 0x4100))


def test_guards(tmp_path):
    for source, status in (("lds r16, 0x0200", "guard read"), ("sts 0x0200, r16", "guard written")):
        s = snippet(source, tmp_path)
        s.sim.guard(DATA + 0x0200, 1)
        assert s.run().status == status
    with pytest.raises(UsageError, match="cannot be guarded"):
        s.sim.guard(DATA + 0x5F, 1)


def test_far_tables_need_elpm(tmp_path):
    s = snippet("ldi r16, 1; out 0x3b, r16; lpm r17, Z; elpm r18, Z+; in r19, 0x3b; elpm r20, Z", tmp_path)
    s.sim.load(0xFFFF, b"\x11")
    s.sim.load(0x1FFFF, b"\x22")
    run = s.run(z=0xFFFF)
    assert (run.status, run.address) == ("unmapped read", 0x20000)
    assert [s.sim.registers[name] for name in ("r17", "r18", "r19", "z", "rampz")] == [0x11, 0x22, 2, 0, 2]


def test_small_parts_have_less(tmp_path):
    assert snippet("sts 0x0060, r0; lds r0, 0x025f", tmp_path, part=TINY, uninit="off").run().ok
    assert snippet("sts 0x0260, r0", tmp_path, part=TINY).run().status == "unmapped write"
    assert snippet("sts 0x0900, r0", tmp_path, part=MEGA).run().status == "unmapped write"


XOR = """rcall f; end: nop
    f: movw r30, r24; ld r0, Z; ldd r1, Z+1; eor r0, r1; std Z+2, r0; breq g; nop; g: ret"""


def call(s, blocks: bytes, **options):
    options = {
        "pointer": 0x0200,
        "pointer_register": "w",
        "capture": ("r0", "sreg", "sp", "pc"),
        "written": b"\1\1\0",
        "stack_top": STACK_TOP,
        "stack_limit": STACK_LIMIT,
        "cycle_limit": 1000,
        **options,
    }
    return s.sim.call_many(0, s.labels["end"], DATA + 0x0200, blocks, **options)


def test_each_block_is_its_own_run(tmp_path):
    s = snippet(XOR, tmp_path)
    batch = call(s, bytes([1, 2, 0, 7, 7, 0, 255, 1, 0]))
    assert batch.blocks == bytes([1, 2, 3, 7, 7, 0, 255, 1, 254])
    assert (batch.status, batch.stack, batch.cycles) == (("ok",) * 3, (2,) * 3, (17, 17, 17))
    assert batch.path_hash[0] == batch.path_hash[2] != batch.path_hash[1]
    assert [r["r0"] for r in batch.registers] == [3, 0, 254]
    assert {r["sp"] for r in batch.registers} == {STACK_TOP}
    for n in range(3):
        s.sim.write(DATA + 0x0200, batch.blocks[3 * n : 3 * n + 3])
        assert s.run(w=0x0200, sp=STACK_TOP, sreg=0) == batch.runs[n]
    assert call(s, bytes(3), written=b"\1\0\0").status == ("read of never-written RAM",)


def test_registers_are_fresh_each_time(tmp_path):
    s = snippet("rcall f; end: nop; f: inc r2; sec; set; ret", tmp_path)
    batch = call(s, bytes(9), capture=("r2", "sreg"), written=b"\1\1\1")
    assert list(batch.registers) == [{"r2": 1, "sreg": 0x41}] * 3
