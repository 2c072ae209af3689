"""Cycles and executions by address and by call path."""

import pytest


def paths(profile, labels):
    """{(names from the root): entries}."""
    names = {address: name for name, address in labels.items()}
    chain = {}
    for node in profile.nodes:
        above = chain.get(node.parent, ())
        chain[node.node] = (*above, names.get(node.callee, "root")) if node.parent >= 0 else ()
    return {chain[n.node]: n.entries for n in profile.nodes}


def total(profile):
    return sum(cycles for cells in profile.cells.values() for _, cycles in cells.values())


def test_the_same_routine_from_two_sites_is_two_paths(snippet):
    s = snippet("call !!f; call !!f; br !!end; f: nop; ret; end: nop")
    profile = s.profile()
    assert [(n.parent, n.call_site, n.callee, n.entries) for n in profile.nodes] == [
        (-1, 0x1000, 0x1000, 1),
        (0, 0x1000, s.labels["f"], 1),
        (0, 0x1004, s.labels["f"], 1),
    ]
    for node in (1, 2):
        assert profile.cells[node] == {s.labels["f"]: (1, 1), s.labels["f"] + 1: (1, 6)}
    assert profile.by_address()[s.labels["f"] + 1] == (2, 12)
    assert total(profile) == profile.run.cycles == s.run().cycles


def test_nested_and_repeated(snippet):
    s = snippet(
        "mov b, #3; loop: call !!f; dec b; bnz $loop; br !!end; f: call !!g; call !!g; ret; g: ret; end: nop"
    )
    profile = s.profile()
    assert sorted(n.entries for n in profile.nodes) == [1, 3, 3, 3]
    assert paths(profile, s.labels) == {(): 1, ("f",): 3, ("f", "g"): 3}
    assert total(profile) == profile.run.cycles
    assert profile.run == s.run()


def test_recursion_is_a_chain(snippet):
    s = snippet("mov b, #3; call !!f; br !!end; f: dec b; skz; call !!f; ret; end: nop")
    profile = s.profile()
    assert paths(profile, s.labels) == {(): 1, ("f",): 1, ("f", "f"): 1, ("f", "f", "f"): 1}
    assert total(profile) == profile.run.cycles


def test_waits_belong_to_the_instruction_that_waits(snippet):
    s = snippet("mov l, #0; mov a, [hl]", uninit="off")
    profile = s.profile(hl=0xF000)
    assert profile.cells[0] == {0x1000: (1, 1), 0x1002: (1, 2)}


def test_a_skipped_instruction_has_cycles_but_no_execution(snippet):
    s = snippet("skc; mov a, es:[hl]; nop")
    profile = s.profile(psw=0x07)
    assert profile.cells[0] == {0x1000: (1, 1), 0x1002: (0, 2), 0x1004: (1, 1)}
    assert total(profile) == profile.run.cycles


@pytest.mark.parametrize(
    "source, expected",
    [
        # the return address moved past an inline byte
        ("call !!f; .byte 0; br !!end; f: pop ax; incw ax; push ax; ret; end: nop", {(): 1, ("f",): 1}),
        # a computed jump through ret leaves the path alone
        (
            "call !!f; br !!end; f: movw bc, #0; push bc; movw bc, #g; push bc; ret; g: ret; end: nop",
            {(): 1, ("f",): 1},
        ),
        # the callee drops its own return address and returns to the caller's caller
        (
            "call !!f; call !!last; br !!end; f: call !!g; nop; g: addw sp, #4; ret; last: ret; end: nop",
            {(): 1, ("f",): 1, ("f", "g"): 1, ("last",): 1},
        ),
        # a branch in place of call and return
        ("call !!f; call !!g; br !!end; f: br !!g; g: ret; end: nop", {(): 1, ("f",): 1, ("g",): 1}),
    ],
)
def test_unusual_returns(snippet, source, expected):
    s = snippet(source)
    profile = s.profile()
    assert profile.run.ok, profile.run.message
    assert paths(profile, s.labels) == expected
    assert total(profile) == profile.run.cycles


def executed(profile, node):
    return {address for address, (count, _) in profile.cells[node].items() if count}


def test_a_jump_through_ret_stays_in_its_path(snippet):
    s = snippet(
        "call !!f; br !!end; f: movw bc, #0; push bc; movw bc, #g; push bc; ret; g: nop; ret; end: nop"
    )
    profile = s.profile()
    assert executed(profile, 0) == {0x1000, 0x1004}
    assert s.labels["g"] in executed(profile, 1)


def test_a_return_past_the_caller_leaves_both_paths(snippet):
    s = snippet("call !!f; after: nop; br !!end; f: call !!g; nop; g: addw sp, #4; ret; end: nop")
    profile = s.profile()
    assert executed(profile, 0) == {0x1000, s.labels["after"], s.labels["after"] + 1}
    assert executed(profile, 1) == {s.labels["f"]}


def test_a_frame_left_without_a_return_ends_at_the_next_call(snippet):
    s = snippet(
        "mov b, #3; loop: call !!f; back: dec b; bnz $loop; br !!end; f: addw sp, #4; br !!back; end: nop"
    )
    profile = s.profile()
    assert profile.run.ok and paths(profile, s.labels) == {(): 1, ("f",): 3}


def test_a_profile_of_a_failed_run_is_whole(snippet):
    for end in ("halt", "brk", ".byte 0xff", "mov a, !0xff000", "f: br $f"):
        profile = snippet(f"call !!g; g: nop; {end}").profile()
        assert not profile.run.ok
        assert total(profile) == profile.run.cycles
        executed = sum(n for cells in profile.cells.values() for n, _ in cells.values())
        assert executed == profile.run.instructions


def test_deep_recursion_is_bounded(snippet):
    s = snippet("f: call !!f; end: nop")
    s.sim.set_stack(0xFFFE, 0)
    profile = s.profile(cycle_limit=10**6)
    assert not profile.run.ok and len(profile.nodes) <= 8192
    assert total(profile) == profile.run.cycles
