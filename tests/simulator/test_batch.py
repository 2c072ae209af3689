"""Many runs in one call."""

import pytest

from .rl78 import CAPTURED, POINTER

XOR = "call !!f; end: nop; f: movw hl, ax; mov a, [hl]; xor a, [hl+1]; mov [hl+2], a; bz $z; nop; z: ret"


def call(s, blocks, **options):
    options = {
        "pointer": 0xF000,
        "pointer_register": POINTER,
        "capture": CAPTURED,
        "written": b"\1\1\0",
        "stack_top": 0xFE00,
        "stack_limit": 0xFD00,
        "cycle_limit": 1000,
        **options,
    }
    return s.sim.call_many(0x1000, s.labels["end"], 0xFF000, blocks, **options)


def test_each_block_is_its_own_run(snippet):
    s = snippet(XOR)
    batch = call(s, bytes([1, 2, 0, 7, 7, 0, 255, 1, 0]), registers={"bc": 0x1234})
    assert batch.blocks == bytes([1, 2, 3, 7, 7, 0, 255, 1, 254])
    assert batch.status == ("ok",) * 3
    assert batch.stack == (4,) * 3
    assert batch.cycles == (17, 18, 17)
    assert [run.waits["hazard_waits"] for run in batch.runs] == [1, 1, 1]
    assert batch.path_hash[0] == batch.path_hash[2] != batch.path_hash[1]
    assert [r["bc"] for r in batch.registers] == [0x1234] * 3
    assert [r["sp"] for r in batch.registers] == [0xFE00] * 3
    assert [r["hl"] for r in batch.registers] == [0xF000] * 3


def test_a_batch_is_as_single_runs(snippet):
    s = snippet(XOR)
    batch = call(s, bytes(range(30)))
    for n in range(10):
        s.sim.write(0xFF000, bytes(range(3 * n, 3 * n + 3)))
        s.sim.set_stack(0xFE00, 0xFD00)
        assert s.run(ax=0xF000) == batch.runs[n]


def test_bytes_not_written_stay_never_written(snippet):
    s = snippet(XOR)
    assert call(s, bytes(3), written=b"\1\0\0").status == ("read of never-written RAM",)


def test_a_failed_run_does_not_disturb_the_next(snippet):
    s = snippet("call !!f; end: nop; f: movw hl, ax; mov a, [hl]; cmp0 a; bz $bad; ret; bad: brk")
    batch = call(s, b"\0\0\0\1\0\0")
    assert batch.status == ("BRK reached", "ok")


def test_registers_are_fresh_each_time(snippet):
    s = snippet("call !!f; end: nop; f: inc c; mov es, #1; set1 cy; ret")
    batch = call(s, bytes(9), capture=("c", "es", "psw", "pc"))
    assert list(batch.registers) == [{"c": 1, "es": 1, "psw": 0x07, "pc": s.labels["end"]}] * 3


@pytest.mark.parametrize("count", [0, 1, 257])
def test_any_number(snippet, count):
    assert len(call(snippet(XOR), bytes(3 * count)).runs) == count
