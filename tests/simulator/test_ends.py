"""How a run can end, and what is told of its end."""

import pytest

from .cores import MACHINES, every_core, rows


@pytest.mark.parametrize("core, source, status", rows("ends"))
def test_ends(core, source, status):
    s = core.snippet(source)
    assert s.run(**core.flags).status == status
    assert s.profile(sp=core.stack[0], **core.flags).run.status == status


@pytest.mark.parametrize("core, source, address", rows("ends_above"))
def test_a_stack_that_is_read_above_its_region(core, source, address):
    s = core.snippet(source)
    s.sim.write(core.above, b"\0" * 8)
    run = s.run()
    assert (run.status, run.address) == ("stack above its region", address)


@pytest.mark.parametrize("core, source, depth", rows("deepest"))
def test_deepest_stack(core, source, depth):
    s = core.snippet(source)
    run = s.run()
    assert run.ok and run.stack == depth
    assert s.profile(sp=core.stack[0]).run.stack == depth


@pytest.mark.parametrize("core", MACHINES, ids=repr)
def test_run_off_the_end_of_the_flash(core):
    sim, end = core.simulator(), core.flash_end
    sim.load(end - len(core.nop), core.nop)
    run = sim.run(end - len(core.nop), 0, cycle_limit=9)
    assert (run.status, run.pc, run.instructions) == ("fetch from non-executable", end, 1)
    sim.load(end - len(core.cut), core.cut)
    assert sim.run(end - len(core.cut), 0, cycle_limit=9).status == "fetch from non-executable"


@every_core
def test_what_is_no_code_does_not_run(core):
    sim = core.simulator()
    for address in core.not_code:
        run = sim.run(address, 0, cycle_limit=9)
        assert (run.status, run.pc) == ("fetch from non-executable", address)


@pytest.mark.parametrize("core, source, stop", rows("return_outside"))
def test_a_stop_outside_the_flash_is_reached_by_a_return(core, source, stop):
    s = core.snippet(source)
    assert s.sim.run(s.start, stop, cycle_limit=99).ok


@every_core
def test_the_cycle_limit_is_exact_at_branches(core):
    source, cycles, instructions = core.loop
    s = core.snippet(source)
    run = s.run(cycle_limit=1001)
    assert (run.status, run.cycles, run.instructions) == ("cycle limit", cycles, instructions)
    assert s.profile(cycle_limit=1001).run == run


@pytest.mark.parametrize("core, source, given, count, told, left", rows("steps"))
def test_steps_stop_where_they_should(core, source, given, count, told, left):
    s = core.snippet(source)
    s.set(given)
    s.sim.registers["pc"] = s.start
    s.told(s.sim.step(count), {"status": "steps", **told})
    s.shows(left)
    assert s.sim.step(9).status == "HALT reached"


@pytest.mark.parametrize("core, source, message", rows("message"))
def test_messages_name_the_symbol(core, source, message):
    assert core.snippet(source).run().message == message
