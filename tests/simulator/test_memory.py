"""The memory map: allowed accesses, what is remembered, aliases."""

import resource

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.harness.simulator import Region, Simulator

from .cores import avr, every_core, rows


@pytest.mark.parametrize("core, source, status, address", rows("errors"))
def test_errors_name_the_place(core, source, status, address):
    s = core.snippet(f"nop; bad: {source}")
    s.set(core.errors_given)
    run = s.run()
    assert (run.status, run.pc, run.address) == (status, s.labels["bad"], address)
    assert run.pc == core.tools.start + len(core.nop)
    assert run.message.startswith(f"{status} of {address:05X} at {run.pc:05X} (bad)")


@pytest.mark.parametrize("core, case", rows("memory"))
def test_what_is_where(core, case):
    core.check(case)


@every_core
@pytest.mark.parametrize("uninit, ok, count", [("error", False, 0), ("warn", True, 3), ("off", True, 0)])
def test_reads_of_never_written_ram(core, uninit, ok, count):
    run = core.snippet(core.never_written, uninit=uninit).run()
    assert run.ok == ok and run.uninit_reads == count


@every_core
def test_poison_stays_never_written(core):
    s = core.snippet(core.load.format(0), uninit="warn")
    s.sim.write(core.data, b"\1")
    assert s.run().uninit_reads == 0
    s.sim.poison(core.data, 4, 0xA5)
    assert s.run().uninit_reads == 1
    assert s.sim.registers[core.loaded] == 0xA5


@every_core
def test_reset_forgets_ram_and_keeps_flash(core):
    s = core.snippet(core.load.format(0))
    s.sim.write(core.data, b"\1")
    assert s.run().ok
    s.sim.reset()
    assert s.run().status == "read of never-written RAM"


@every_core
def test_touched_is_what_the_program_wrote(core):
    source, places, addresses = core.touched
    s = core.snippet(source)
    s.sim.write(core.data + 0x10, b"\1")
    assert s.run().ok
    written = s.sim.touched(places.start, len(places))
    assert {address for address, flag in zip(places, written, strict=True) if flag} == addresses
    s.sim.reset()
    assert not any(s.sim.touched(places.start, len(places)))


@every_core
def test_guards(core):
    s = core.snippet(f"{core.load.format(0)}; end: nop; w: {core.store.format(1)}")
    s.sim.guard(core.data, 2)
    assert s.run().status == "guard read"
    assert s.sim.run(s.labels["w"], 0, cycle_limit=9).status == "guard written"
    with pytest.raises(UsageError, match="cannot be guarded"):
        s.sim.guard(core.region("sfr").start, 1)


@every_core
def test_code_loaded_over_code_replaces_it(core):
    source, register, value, offset, patch, patched, other, last = core.replaced
    s = core.snippet(source)
    s.run()
    assert s.sim.registers[register] == value
    s.sim.load(s.start + offset, patch)
    s.run()
    assert s.sim.registers[register] == patched
    s.sim.load(s.start, other)
    s.run()
    assert s.sim.registers[register] == last


@every_core
def test_other_memory_maps(core):
    start = core.tools.start
    sim = core.simulator(regions=[Region("flash", start, start + 0x100), core.region("ram")])
    sim.load(start, core.nop)
    assert sim.run(start, start + len(core.nop), cycle_limit=9).ok
    assert sim.run(start + 0x100, start, cycle_limit=9).status == "fetch from non-executable"


@pytest.mark.parametrize("core, name", rows("no_registers"))
def test_registers_that_there_are_not(core, name):
    with pytest.raises(UsageError, match=f"no register '{name}'"):
        core.simulator().registers[name]


MISUSE = [
    lambda core, sim: sim.load(core.region("sfr").start, b"\0"),
    lambda core, sim: sim.load(core.space - 1, b"\0\0"),
    lambda core, sim: sim.write(core.tools.start, b"\0"),
    lambda core, sim: sim.write(-1, b"\0"),
    lambda core, sim: sim.read(core.space, 1),
    lambda core, sim: sim.set_stack(core.stack[1], core.stack[0]),
    lambda core, sim: sim.registers.__setitem__(core.no_registers[0], 0),
    lambda core, sim: sim.map(Region("rom", 0, 1)),
    lambda core, sim: sim.map(Region("ram", 5, 1)),
    lambda core, sim: sim.call_many(
        *(core.tools.start, core.tools.start + len(core.nop), core.data, b"123"),
        **{"block_size": 2, "pointer_register": core.pointer, "capture": ("pc",), "cycle_limit": 1},
        **{"stack_top": core.stack[0], "stack_limit": core.stack[1]},
    ),
    lambda core, sim: Simulator("no core", regions=core.regions),
    lambda core, sim: core.simulator(uninit="maybe"),
]


@every_core
def test_misuse_is_one_clear_line(core):
    for misuse in MISUSE:
        refused(lambda misuse=misuse: misuse(core, core.simulator()))
    for misuse in core.misuse:
        refused(lambda misuse=misuse: misuse(core.simulator()))


def refused(misuse):
    with pytest.raises(UsageError) as caught:
        misuse()
    assert "\n" not in str(caught.value) and len(str(caught.value)) > 10


def test_a_host_without_room_for_a_simulator():
    avr.CORE.simulator()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 20, before[1]))
    try:
        with pytest.raises(WorkError, match="no address space, for a simulator: see `ulimit -v`"):
            avr.CORE.simulator()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
