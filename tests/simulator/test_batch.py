"""Many runs in one call."""

import pytest

from .cores import every_core


def call(s, blocks, **options):
    core = s.core
    options = {
        "pointer": core.symbol,
        "pointer_register": core.pointer,
        "capture": (core.xor[1], "sp"),
        "written": b"\1\1\0",
        "stack_top": core.stack[0],
        "stack_limit": core.stack[1],
        "cycle_limit": 1000,
        **options,
    }
    return s.sim.call_many(s.start, s.labels["end"], core.data, blocks, **options)


@every_core
def test_each_block_is_its_own_run(core):
    source, register, stack, cycles = core.xor
    s = core.snippet(source)
    left = {**core.xor_given, **core.xor_left, "sp": core.stack[0]}
    blocks = bytes([1, 2, 0, 7, 7, 0, 255, 1, 0])
    batch = call(s, blocks, registers=core.xor_given, capture=(*left, register))
    assert batch.blocks == bytes([1, 2, 3, 7, 7, 0, 255, 1, 254])
    assert (batch.status, batch.stack, batch.cycles) == (("ok",) * 3, (stack,) * 3, cycles)
    assert batch.path_hash[0] == batch.path_hash[2] != batch.path_hash[1]
    assert [each.pop(register) for each in batch.registers] == [3, 0, 254]
    assert list(batch.registers) == [left] * 3
    for run in batch.runs:
        assert run.waits == {**dict.fromkeys(run.waits, 0), **core.xor_waits}


@every_core
def test_a_batch_is_as_single_runs(core):
    s = core.snippet(core.xor[0])
    batch = call(s, bytes(range(30)))
    for n in range(10):
        s.sim.write(core.data, bytes(range(3 * n, 3 * n + 3)))
        s.sim.set_stack(*core.stack)
        s.set({core.pointer: core.symbol})
        assert s.run() == batch.runs[n]


@every_core
def test_bytes_not_written_stay_never_written(core):
    s = core.snippet(core.xor[0])
    assert call(s, bytes(3), written=b"\1\0\0").status == ("read of never-written RAM",)


@every_core
def test_a_failed_run_does_not_disturb_the_next(core):
    source, status = core.fails_on_zero
    assert call(core.snippet(source), b"\0\0\0\1\0\0").status == (status, "ok")


@every_core
def test_registers_are_fresh_each_time(core):
    source, left = core.fresh
    s = core.snippet(source)
    batch = call(s, bytes(9), capture=tuple(left))
    assert list(batch.registers) == [{name: s.labels.get(value, value) for name, value in left.items()}] * 3


@every_core
@pytest.mark.parametrize("count", [0, 1, 257])
def test_any_number(core, count):
    assert len(call(core.snippet(core.xor[0]), bytes(3 * count)).runs) == count
