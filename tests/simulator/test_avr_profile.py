"""Cycles and executions by address and by call path on an AVR core."""

import pytest

from .avr_parts import DATA
from .avr_snippet import snippet


def paths(profile, labels):
    """{(names from the root): entries}; the sites of a call are not told apart."""
    names = {address: name for name, address in labels.items()}
    chain, entries = {}, {}
    for node in profile.nodes:
        chain[node.node] = (*chain[node.parent], names[node.callee]) if node.parent >= 0 else ()
        entries[chain[node.node]] = entries.get(chain[node.node], 0) + node.entries
    return entries


def total(profile):
    return sum(cycles for cells in profile.cells.values() for _, cycles in cells.values())


def test_the_same_routine_from_two_sites_is_two_paths(tmp_path):
    s = snippet("rcall f; call f; rjmp end; f: nop; ret; end: nop", tmp_path)
    profile = s.profile()
    f = s.labels["f"]
    assert [(n.parent, n.call_site, n.callee, n.entries) for n in profile.nodes] == [
        (-1, 0, 0, 1), (0, 0, f, 1), (0, 2, f, 1),
    ]  # fmt: skip
    assert profile.cells[0] == {0: (1, 3), 2: (1, 4), 6: (1, 2)}
    for node in (1, 2):
        assert profile.cells[node] == {f: (1, 1), f + 2: (1, 4)}
    assert total(profile) == profile.run.cycles == s.run().cycles


CALLS = [
    ("ldi r16, 3; loop: rcall f; dec r16; brne loop; rjmp end; f: rcall g; rcall g; ret; g: ret; end: nop",
     {(): 1, ("f",): 3, ("f", "g"): 6}),
    ("ldi r16, 3; rcall f; rjmp end; f: dec r16; breq out; rcall f; out: ret; end: nop",
     {(): 1, ("f",): 1, ("f", "f"): 1, ("f", "f", "f"): 1}),
    ("ldi r30, lo8(gs(f)); ldi r31, hi8(gs(f)); icall; rjmp end; f: ret; end: nop", {(): 1, ("f",): 1}),
    # a jump through ret leaves the path alone
    ("rcall f; rjmp end; f: ldi r16, lo8(gs(g)); push r16; ldi r16, hi8(gs(g)); push r16; ret; g: ret;"
     "end: nop", {(): 1, ("f",): 1}),
    # the callee drops its own return address and returns to the caller's caller
    ("rcall f; rcall last; rjmp end; f: rcall g; nop; g: pop r0; pop r0; ret; last: ret; end: nop",
     {(): 1, ("f",): 1, ("f", "g"): 1, ("last",): 1}),
    # a jump in place of call and return
    ("rcall f; rcall g; rjmp end; f: rjmp g; g: ret; end: nop", {(): 1, ("f",): 1, ("g",): 1}),
    # room on the stack by a call to the next instruction, and one to a routine from there
    ("rcall .+0; next: rcall f; pop r0; pop r0; rjmp end; f: ret; end: nop",
     {(): 1, ("next",): 1, ("next", "f"): 1}),
]  # fmt: skip


@pytest.mark.parametrize("source, expected", CALLS)
def test_call_paths(source, expected, tmp_path):
    s = snippet(source, tmp_path)
    profile = s.profile()
    assert profile.run.ok, profile.run.message
    assert paths(profile, s.labels) == expected
    assert total(profile) == profile.run.cycles == s.run().cycles


def test_a_skipped_instruction_has_cycles_but_no_execution(tmp_path):
    s = snippet("sbrs r0, 0; lds r16, 0x0200; nop", tmp_path)
    profile = s.profile(r0=1)
    assert profile.cells[0] == {0: (1, 1), 2: (0, 2), 6: (1, 1)}
    assert total(profile) == profile.run.cycles


def test_a_profile_of_a_failed_run_is_whole(tmp_path):
    for end in ("sleep", "break", ".word 0xffff", "lds r16, 0x4100", "f: rjmp f", "push r0; rjmp g"):
        profile = snippet(f"rcall g; g: nop; {end}", tmp_path).profile()
        assert not profile.run.ok
        assert total(profile) == profile.run.cycles
        executed = sum(n for cells in profile.cells.values() for n, _ in cells.values())
        assert executed == profile.run.instructions


def test_deep_recursion_is_bounded(tmp_path):
    s = snippet("f: rcall f", tmp_path)
    s.sim.set_stack(0x40FF, 0)
    profile = s.profile(cycle_limit=10**6)
    assert profile.run.status == "unmapped write"
    assert len(profile.nodes) <= 8192 and total(profile) == profile.run.cycles
    assert s.sim.read(DATA + 0x40FF, 1) == b"\1"
