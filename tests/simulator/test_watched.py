"""Watched runs: what an interrupt handler may do between instructions, and what is seen of it."""

import random

import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.harness.simulator import Handler
from tightfit.harness.simulator.machine import Simulator
from tightfit.harness.simulator.part import regions_of
from tightfit.records import Variant

from .cores import CORES, avr, every_core, rl78

PRIMITIVES = [("rl78", "aes-128"), ("avr", "present-80"), ("msp430", "present-80"), ("avr", "sha-256")]


def watched(machine, registers, handler=None):
    machine.set(registers)
    return machine.sim.run_watched(machine.start, machine.labels["end"], cycle_limit=1000, handler=handler)


@every_core
def test_what_keeps_to_its_stack_runs_as_ever(core):
    machine = core.snippet(core.uses_stack)
    seen = watched(machine, core.enabled)
    assert seen.run.ok and seen.below == 0 and seen.blocked == 0 and seen.interrupts == 4
    fresh = core.snippet(core.uses_stack)
    assert fresh.run(**core.enabled) == seen.run


@every_core
@pytest.mark.parametrize("reads", ["reads_below", "stores_below"])
def test_what_is_below_the_stack_pointer_is_gone(core, reads):
    assert core.snippet(getattr(core, reads)).run(**core.enabled).ok
    seen = watched(core.snippet(getattr(core, reads)), core.enabled)
    assert seen.run.status == "read of never-written RAM" and seen.below == 1


@every_core
def test_it_is_noise_where_any_read_is_allowed(core):
    seen = watched(core.snippet(core.reads_below, uninit="off"), core.enabled)
    assert seen.run.ok and seen.below >= 1


@every_core
@pytest.mark.parametrize("reads", ["reads_below", "stores_below"])
def test_no_handler_runs_while_interrupts_are_disabled(core, reads):
    seen = watched(core.snippet(getattr(core, reads)), core.disabled)
    assert seen.run.ok and seen.below == seen.interrupts == seen.blocked == 0


@every_core
def test_how_long_interrupts_are_disabled(core):
    source, cycles = core.blocks
    seen = watched(core.snippet(source), core.enabled)
    assert seen.run.ok and seen.blocked == cycles
    assert watched(core.snippet(source), core.disabled).blocked == 0


def test_the_frame_of_avr_gcc_is_no_false_alarm():
    """SP changes in two halves, between a cleared flag and the instruction behind the one that sets it."""
    moved = "in r28, 0x3d\n in r29, 0x3e\n {}\n in r0, 0x3f\n cli\n out 0x3e, r29\n"
    moved += " out 0x3f, r0\n out 0x3d, r28\n"
    source = moved.format("sbiw r28, 0x11") + "std Y+1, r16\n ldd r16, Y+1\n"
    source += moved.format("adiw r28, 0x11")
    machine = avr.CORE.snippet(source)
    machine.sim.registers["sp"] = 0x0310
    seen = watched(machine, avr.CORE.enabled)
    assert seen.run.ok and seen.blocked == 3


def test_a_stack_pointer_in_two_halves_is_no_place_for_a_handler():
    source = "in r28, 0x3d\n in r29, 0x3e\n ldi r29, 0x02\n ldi r28, 0xff\n out 0x3e, r29\n out 0x3d, r28"
    machine = avr.CORE.snippet(source)
    machine.sim.registers["sp"] = 0x0310
    assert machine.run(**avr.CORE.enabled).ok
    machine.sim.registers["sp"] = 0x0310
    assert watched(machine, avr.CORE.enabled).run.status == "stack below its region"


@pytest.mark.parametrize("before", [0, 3])
def test_a_handler_writes_before_each_instruction_or_one(before):
    """Data in a register bank that a handler uses as well."""
    machine = rl78.CORE.snippet("mov 0xffef3, a\n nop\n nop\n mov a, 0xffef3")
    machine.sim.registers["a"] = 0x11
    handler = Handler(((0xFFEF0, 8, 0x77),), before)
    assert watched(machine, rl78.CORE.enabled, handler).run.ok
    assert machine.sim.registers["a"] == 0x77
    machine.sim.registers["a"] = 0x11
    assert watched(machine, rl78.CORE.disabled, handler).run.ok
    assert machine.sim.registers["a"] == 0x11


def test_noise_of_a_handler():
    machine = rl78.CORE.snippet("mov a, !0xf100\n mov x, a\n mov a, !0xf101")
    machine.sim.write(0xFF100, b"\0\0")
    watched(machine, rl78.CORE.enabled, Handler(((0xFF100, 2, None),)))
    assert machine.sim.registers["ax"] not in (0x0000, 0xFFFF)


@pytest.mark.parametrize("store", ["st X, r16", "ld r17, X", "sts 0x0010, r16", "lds r17, 0x0010"])
def test_registers_through_memory(store):
    machine = avr.CORE.snippet(f"ldi r26, 16\n ldi r27, 0\n {store}")
    assert machine.run().ok and machine.sim.reached_registers()
    plain = avr.CORE.snippet("ldi r26, 16\n ldi r27, 3\n st X, r16\n in r0, 0x3f\n mov r0, r16")
    assert plain.run().ok and not plain.sim.reached_registers()


@pytest.mark.parametrize(
    ("source", "banks"),
    [
        ("sel rb1\n sel rb0", {1}),
        ("mov 0xffeea, a", {2}),
        ("movw de, #0xfee0\n movw [de], ax", {3}),
        ("nop", set()),
    ],
)
def test_register_banks_in_use(source, banks):
    machine = rl78.CORE.snippet(source)
    assert machine.run().ok and machine.sim.touched_banks() == banks


@pytest.mark.parametrize(("target", "primitive"), PRIMITIVES)
def test_watched_runs_of_routines_are_as_fast_ones(target, primitive):
    """Cycles, stack, path and memory, over variants with random knobs."""
    chance = random.Random(primitive)
    space = load_space(target, primitive)
    with Bench(target, None, primitive) as bench:
        for name, template in space.templates.items():
            operation = template.operations[0]
            knobs = template.sample(operation, chance)
            rendered = render(Variant(target, bench.part.name, primitive, operation, name, knobs))
            image = bench.build(rendered)
            results = [_called(bench, image, rendered, watch) for watch in (False, True)]
            assert results[0] == results[1], (name, knobs)


def core_of(target):
    return next(core for core in CORES if core.target.id == target.id)


def _called(bench, image, rendered, watch: bool):
    sim = Simulator(bench.part.core.name, regions=regions_of(bench.part))
    for address, data in image.flash:
        sim.load(address, data)
    sim.reset()
    for address, data in image.static:
        sim.write(address, data)
    block = image.free + 1 & ~1
    sim.write(block, bytes(rendered.block.size))
    results = []
    for entry in rendered.entries:
        for register, value in {
            **core_of(bench.target).enabled,
            bench.target.abi.pointer: block & 0xFFFF,
        }.items():
            sim.registers[register] = value
        gap = bench.target.abi.stack_gap
        sim.set_stack(image.end - gap, image.free + rendered.block.size + 2)
        run = (sim.run_watched if watch else sim.run)(*image.calls[entry], cycle_limit=10**7)
        results += [run.run if watch else run, sim.read(block, rendered.block.size)]
        if watch:
            assert run.blocked == 0 and run.below == 0 and run.interrupts == run.run.instructions
    return results
