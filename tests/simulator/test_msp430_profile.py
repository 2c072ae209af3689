"""Cycles by call path on an MSP430, paths as hashes, and many runs in one call."""

import pytest

from .msp430 import CORES, START, snippet


def total(profile) -> int:
    return sum(cycles for cells in profile.cells.values() for _, cycles in cells.values())


def shape(profile, labels) -> list[tuple[int, int, str, int]]:
    names = {address: name for name, address in labels.items()}
    return [(n.parent, n.call_site, names.get(n.callee, "root"), n.entries) for n in profile.nodes]


def test_the_same_routine_from_two_sites_is_two_paths(tmp_path):
    s = snippet(tmp_path, "call #f; call #f; jmp end; f: nop; ret; end: nop")
    profile = s.profile()
    assert shape(profile, s.labels)[1:] == [(0, START, "f", 1), (0, START + 4, "f", 1)]
    for node in (1, 2):
        assert profile.cells[node] == {s.labels["f"]: (1, 1), s.labels["f"] + 2: (1, 3)}
    assert total(profile) == profile.run.cycles == 2 * (5 + 1 + 3) + 2
    assert profile.run == s.run()


def test_the_clocks_of_the_cpux_are_not_verified(tmp_path):
    for core in CORES:
        assert snippet(tmp_path, "nop", core).run().timing_not_verified == (core == "msp430x")


@pytest.mark.parametrize("core", CORES)
def test_nested_calls_of_every_kind(tmp_path, core):
    s = snippet(
        tmp_path,
        "mov #f, r5; mov #table, r6; call r5; call @r6; call @r6+; call 0(r6); jmp end;"
        "f: call #g; ret; g: ret; table: .short f, g; end: nop",
        core,
    )
    profile = s.profile()
    assert profile.run.ok
    assert [name for _, _, name, _ in shape(profile, s.labels)] == ["root", *("f", "g") * 3, "g"]
    assert total(profile) == profile.run.cycles == s.run().cycles
    assert profile.run.stack == 4


def test_calls_of_the_cpux(tmp_path):
    s = snippet(tmp_path, "calla #f; jmp end; f: call #g; reta; g: ret; end: nop", "msp430x")
    profile = s.profile()
    assert profile.run.ok and profile.run.stack == 6
    assert [(parent, name) for parent, _, name, _ in shape(profile, s.labels)[1:]] == [(0, "f"), (1, "g")]
    assert total(profile) == profile.run.cycles == 5 + 4 + 3 + 5 + 2


def test_recursion_is_a_chain(tmp_path):
    s = snippet(tmp_path, "mov #3, r5; call #f; jmp end; f: dec r5; jz g; call #f; g: ret; end: nop")
    profile = s.profile()
    assert [parent for parent, *_ in shape(profile, s.labels)] == [-1, 0, 1, 2]
    assert total(profile) == profile.run.cycles


def test_a_jump_to_another_routine_stays_in_the_path(tmp_path):
    s = snippet(tmp_path, "call #f; jmp end; f: mov #g, r0; g: ret; end: nop")
    profile = s.profile()
    assert len(profile.nodes) == 2 and s.labels["g"] in profile.cells[1]


def test_push_and_return_is_a_jump(tmp_path):
    s = snippet(tmp_path, "call #f; after: jmp end; f: push #g; ret; g: ret; end: nop")
    profile = s.profile()
    assert profile.run.ok and len(profile.nodes) == 2
    assert set(profile.cells[1]) == {s.labels["f"], s.labels["f"] + 4, s.labels["g"]}
    assert s.labels["after"] in profile.cells[0]


def test_a_dropped_frame_is_left(tmp_path):
    s = snippet(tmp_path, "call #f; after: jmp end; f: call #g; nop; g: incd sp; ret; end: nop")
    profile = s.profile()
    assert set(profile.cells[0]) == {START, s.labels["after"]}
    assert set(profile.cells[1]) == {s.labels["f"]}


def test_an_interrupt_return_ends_a_path(tmp_path):
    s = snippet(tmp_path, "call #f; after: jmp end; f: push sr; reti; end: nop")
    profile = s.profile()
    assert profile.run.ok and s.labels["after"] in profile.cells[0]
    assert profile.run.cycles == 5 + 3 + 5 + 2


def test_a_profile_of_a_failed_run_is_whole(tmp_path):
    for end in ("bis #16, sr", ".short 0", "mov &0x1200, r5", "f: jmp f", "mov #0x10, sp", "push &0x1200"):
        profile = snippet(tmp_path, f"call #g; g: nop; {end}").profile()
        assert not profile.run.ok
        assert total(profile) == profile.run.cycles
        assert (
            sum(n for cells in profile.cells.values() for n, _ in cells.values()) == profile.run.instructions
        )


def test_path_hash_follows_outcomes_not_data(tmp_path):
    s = snippet(tmp_path, "tst r5; jz f; nop; f: cmp #2, r6; jge end; nop")
    zero, one, two = (s.run(r5=n, r6=5).path_hash for n in (0, 1, 2))
    assert one == two != zero
    assert s.run(r5=1, r6=1).path_hash != one


@pytest.mark.parametrize("jump", ["add r5, r0", "mov table(r5), r0", "push table(r5); ret", "call table(r5)"])
def test_path_hash_follows_computed_targets(tmp_path, jump):
    s = snippet(tmp_path, f"{jump}; nop; nop; f: nop; g: nop; jmp end; table: .short f, g; end: nop")
    assert len({s.run(r5=n).path_hash for n in (0, 2)}) == 2
    assert len({s.run(r5=0, r6=n).path_hash for n in (0, 2)}) == 1


XOR = "call #f; end: nop; f: mov.b @r12+, r13; xor.b @r12+, r13; mov.b r13, 0(r12); jz z; nop; z: ret"


def call(s, blocks, **options):
    options = {
        "pointer": 0x1200,
        "pointer_register": "r12",
        "written": b"\1\1\0",
        "stack_top": 0x3000,
        "stack_limit": 0x2F00,
        "cycle_limit": 1000,
        "capture": ("r4", "r12", "r13", "sp", "sr", "pc"),
        **options,
    }
    return s.sim.call_many(START, s.labels["end"], 0x1200, blocks, **options)


@pytest.mark.parametrize("core", CORES)
def test_each_block_of_a_batch_is_its_own_run(tmp_path, core):
    s = snippet(tmp_path, XOR, core)
    batch = call(s, bytes([1, 2, 0, 7, 7, 0, 255, 1, 0]), registers={"r4": 0x1234})
    assert batch.blocks == bytes([1, 2, 3, 7, 7, 0, 255, 1, 254])
    assert batch.status == ("ok",) * 3 and batch.stack == (2,) * 3
    ours = 17 if core == "msp430x" else 19
    assert batch.cycles == (ours, ours - 1, ours)
    assert batch.path_hash[0] == batch.path_hash[2] != batch.path_hash[1]
    assert [(r["r4"], r["sp"], r["r12"]) for r in batch.registers] == [(0x1234, 0x3000, 0x1202)] * 3
    for n, run in enumerate(batch.runs):
        s.sim.write(0x1200, bytes([1, 2, 0, 7, 7, 0, 255, 1, 0])[3 * n : 3 * n + 3])
        s.sim.set_stack(0x3000, 0x2F00)
        assert s.run(r12=0x1200) == run


def test_a_failed_run_of_a_batch_does_not_disturb_the_next(tmp_path):
    s = snippet(tmp_path, "call #f; end: nop; f: mov.b @r12, r5; tst.b r5; jz bad; ret; bad: bis #16, sr")
    assert call(s, b"\0\0\0\1\0\0").status == ("HALT reached", "ok")
    assert call(s, bytes(3), written=b"\0\0\0").status == ("read of never-written RAM",)
