"""What instructions, neighbours, prefixes and memory cost; which runs take the same path."""

import pytest

from .cores import MACHINES, rows


@pytest.mark.parametrize("core, source, cycles", rows("clocks"))
def test_clocks(core, source, cycles):
    run = core.snippet(source).run()
    assert run.ok and run.cycles == run.base == cycles


@pytest.mark.parametrize("core, case", rows("timing"))
def test_waits_and_skips(core, case):
    core.check(case)


@pytest.mark.parametrize("core, source, states, expected", rows("path_hashes"))
def test_path_hash_follows_outcomes_not_data(core, source, states, expected):
    s = core.snippet(source)
    hashes = []
    for state in states:
        s.set(state)
        hashes.append(s.run().path_hash)
    assert [hashes.index(each) for each in hashes] == [expected.index(letter) for letter in expected]


@pytest.mark.parametrize("core", MACHINES, ids=repr)
def test_whether_clocks_are_verified(core):
    sim = core.simulator()
    sim.load(core.tools.start, core.nop)
    run = sim.run(core.tools.start, core.tools.start + len(core.nop), cycle_limit=9)
    assert run.ok and run.timing_not_verified == (not core.verified)
