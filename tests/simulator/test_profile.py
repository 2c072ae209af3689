"""Cycles and executions by address and by call path."""

import pytest

from .cores import every_core, rows


def total(profile):
    return sum(cycles for cells in profile.cells.values() for _, cycles in cells.values())


def paths(profile, labels):
    """The nodes after the root as a path of names and the entries."""
    names = {address: name for name, address in labels.items()}
    chain = {}
    for node in profile.nodes:
        chain[node.node] = [*chain[node.parent], names[node.callee]] if node.parent >= 0 else []
    return [f"{'/'.join(chain[node.node])} {node.entries}" for node in profile.nodes if chain[node.node]]


@pytest.mark.parametrize("core, calls", rows("calls"))
def test_call_paths(core, calls):
    s = core.snippet(calls.source)
    s.set(calls.given)
    plain = s.run()
    s.set({"sp": core.stack[0], **core.flags, **calls.given})
    profile = s.profile()
    s.told(profile.run, {"status": "ok", **calls.told})
    assert paths(profile, s.labels) == calls.nodes
    root = profile.nodes[0]
    assert (root.parent, root.call_site, root.callee, root.entries) == (-1, s.start, s.start, 1)
    assert total(profile) == profile.run.cycles == plain.cycles
    for node, expected in calls.cells.items():
        cells = profile.cells[node]
        if isinstance(expected, str):
            executed = {address for address, (count, _) in cells.items() if count}
            assert executed == {s.labels[label] for label in expected.split()}
        else:
            assert cells == {s.labels[label]: cell for label, cell in expected.items()}


@every_core
def test_the_same_routine_from_two_sites_is_two_paths(core):
    s = core.snippet(core.calls[0].source)
    profile = s.profile()
    sites = [s.start, s.labels["t"]]
    assert [(n.parent, n.call_site, n.callee) for n in profile.nodes[1:]] == [
        (0, at, s.labels["f"]) for at in sites
    ]
    executions, cycles = profile.cells[1][s.labels["r"]]
    assert profile.by_address()[s.labels["r"]] == (2 * executions, 2 * cycles)
    s.set({"sp": core.stack[0]})
    assert profile.run == s.run()


@pytest.mark.parametrize("core, end", rows("failing"))
def test_a_profile_of_a_failed_run_is_whole(core, end):
    profile = core.snippet(f"{core.call_g}; g: nop; {end}").profile()
    assert not profile.run.ok
    assert total(profile) == profile.run.cycles
    executed = sum(count for cells in profile.cells.values() for count, _ in cells.values())
    assert executed == profile.run.instructions


@pytest.mark.parametrize("core, source, top, limit, status", rows("recursion"))
def test_deep_recursion_is_bounded(core, source, top, limit, status):
    s = core.snippet(source)
    s.sim.set_stack(top, limit)
    profile = s.profile(cycle_limit=10**6)
    assert profile.run.status == status and len(profile.nodes) <= 8192
    assert total(profile) == profile.run.cycles
