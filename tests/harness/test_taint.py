"""Whole routines whose key, text or message is secret: what leaks, in which fragment, and that it does."""

import numpy as np
import pytest

from tightfit.generator import render
from tightfit.generator.naming import variant_named
from tightfit.harness.attribution import map_fragments
from tightfit.harness.bench import Bench, routine_of
from tightfit.harness.build import Builder
from tightfit.harness.caller import places
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.harness.simulator import Taint, simulator_of
from tightfit.harness.taint import secrets_of
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

from .routines import KEY, WORK, entry, routine

LIMIT = 2_000_000
INPUTS = 64
REGISTERS = "msp430/aes-128/registers"
# Template, knobs, operation, fragments that leak, whether there are balanced conditions and look-ups.
ROUTINES = [
    ("avr/aes-128/straight", {}, "encrypt", set(), True, True),
    ("avr/aes-128/compact", {}, "encrypt+decrypt", set(), True, True),
    ("avr/speck64-128/kept", {}, "encrypt-next", set(), False, False),
    ("msp430/aes-128/tables", {}, "encrypt", set(), False, True),
    (REGISTERS, {"xtime": "branch"}, "encrypt", {"mix_columns"}, False, True),
    (REGISTERS, {"xtime": "mask"}, "encrypt", set(), False, True),
    (REGISTERS, {"xtime": "balanced"}, "encrypt", set(), True, True),
    ("rl78/aes-128/flat", {}, "encrypt", set(), True, True),
    ("rl78/present-80/gathered", {}, "encrypt", set(), False, True),
    ("rl78/sha-256/long", {}, "hash", set(), True, False),
]


def built(name, knobs, operation):
    target, primitive, _ = name.split("/")
    variant = variant_named(name, knobs, operation)
    rendered = render(variant)
    with Bench(target, None, primitive) as bench:
        image = bench.build(rendered)
    machine = Machine(bench.target, bench.part, LIMIT)
    return machine, image, routine_of(variant, rendered), kind_of(bench.primitive)


def start(machine, image, routine):
    machine.load(image)
    machine.start(places(image, routine.layout.size)[0], machine.callers.callers[0])


def calls(machine, image, routine, kind):
    """Every entry with the gate's random inputs."""
    start(machine, image, routine)
    after = []
    filling = np.zeros((INPUTS, routine.layout.size), np.uint8)
    for turn in kind.random(routine, INPUTS):
        before = None if turn.after is None else after[turn.after].blocks
        blocks = turn.blocks(routine, before, filling)
        after.append(machine.call(turn.entry, blocks, turn.written(routine)))
    return after


@pytest.mark.parametrize("name, knobs, operation, leaking, balanced, lookups", ROUTINES)
def test_no_leak_where_all_inputs_take_the_same_cycles(name, knobs, operation, leaking, balanced, lookups):
    trial = built(name, knobs, operation)
    _, image, of, _ = trial
    secrets = secrets_of(*trial, map_fragments(image, of.emissions))
    assert {spot.fragment for spot in secrets.leaks} == leaking
    assert (bool(secrets.balanced), bool(secrets.lookups)) == (balanced, lookups)
    outcomes = calls(*trial)
    assert all(np.ptp(outcome.cycles) == 0 for outcome in outcomes) == (not leaking)
    if not leaking and not balanced:
        assert all(np.ptp(outcome.paths) == 0 for outcome in outcomes)


@pytest.mark.parametrize("name, knobs, operation", [row[:3] for row in ROUTINES if row[4]])
def test_a_run_that_follows_secrets_is_the_run(name, knobs, operation):
    machine, image, of, kind = built(name, knobs, operation)
    turn = kind.random(of, 1)[0]
    start(machine, image, of)
    filling = np.full((1, of.layout.size), machine.caller.poison, np.uint8)
    block, written = turn.blocks(of, None, filling), turn.written(of)
    expected = machine.call(turn.entry, block, written)
    masks = np.full(of.layout.size, 0xFF, np.uint8)
    for field in ("flags", "length"):
        masks[of.field(field)] = 0
    followed = machine.follow(machine.taint(), turn.entry, block[0], written, masks)
    assert followed.balanced and followed.run.cycles == expected.cycles[0]
    apart = machine.target.waits_apart
    waited = followed.run.waits[apart.wait] if apart else 0
    assert (followed.run.stack, waited) == (expected.stack, expected.waits_apart[0])
    assert machine.read(machine.place.block, of.layout.size) == expected.blocks.tobytes()


BRANCH = """
        movw    hl, ax
        mov     a, [hl+{offset}]
        cmp     a, #3
_tf_here:
        bz      $.Lthere
        nop
.Lthere:
"""


@pytest.fixture(scope="module")
def rl78():
    target = load_target("rl78")
    builder = Builder(target, target.part(None))
    yield builder, Machine(target, target.part(None), LIMIT), kind_of(load_primitive("aes-128"))
    builder.close()


def found(rl78, source, entries, **promises):
    builder, machine, kind = rl78
    wrong = routine(entries=entries, **promises).with_source(source)
    image = builder.build(wrong)
    return secrets_of(machine, image, wrong, kind), image.symbols["_tf_here"].address


def test_a_planted_branch_is_named(rl78):
    secrets, here = found(rl78, entry("encrypt", BRANCH.format(offset=KEY)), ("encrypt",))
    (leak,) = secrets.leaks
    assert (leak.address, leak.kind, leak.entries, leak.fragment) == (here, "branch", ("encrypt",), "")
    assert (secrets.secrecy.leaks, secrets.secrecy.balanced, secrets.secrecy.lookups) == (1, 0, 0)


SETUP = "        movw hl, ax\n        mov a, {value}\n        mov [hl+{work}], a\n"


@pytest.mark.parametrize("value, leaks", [(f"[hl+{KEY + 1}]", True), ("#7", False)])
def test_what_one_call_keeps_is_secret_in_the_next(rl78, value, leaks):
    setup = entry("setup", SETUP.format(value=value, work=WORK))
    source = setup + entry("encrypt_next", BRANCH.format(offset=WORK))
    secrets, here = found(rl78, source, ("setup", "encrypt_next"), kept=frozenset({"work"}))
    expected = [(here, ("encrypt_next",))] if leaks else []
    assert [(leak.address, leak.entries) for leak in secrets.leaks] == expected


def test_a_call_that_does_not_return_is_rejected(rl78):
    source = entry("encrypt", "_tf_here:\n        halt")
    with pytest.raises(Rejected, match="encrypt: HALT reached"):
        found(rl78, source, ("encrypt",))


@pytest.mark.parametrize(
    "target, name, bits", [("avr", "r26", 0xFF), ("msp430", "r5", 0xFFFF), ("rl78", "es", 0xF)]
)
def test_a_register_is_secret_in_all_its_bits(target, name, bits):
    simulator = simulator_of(load_target(target).part())
    simulator.registers[name] = before = 5
    taint = Taint(simulator)
    taint.secret_register(name)
    assert (taint.register_mask(name), simulator.registers[name]) == (bits, before)


@pytest.mark.parametrize("place", ["flash", "ram"])
def test_look_ups_behind_a_prefetcher_are_told_apart(place):
    variant = variant_named("armv6m/aes-128/compact", {"sbox": place, "gather": "looped"}, "encrypt")
    with Bench(variant.target, variant.part, variant.primitive) as bench:
        measured = bench.measure(variant)
    secrecy, shares = measured.cost.secrecy, measured.attribution.flash_lookups
    assert (secrecy.leaks, secrecy.lookups > 0, secrecy.flash_lookups > 0) == (0, True, place == "flash")
    assert {share.fragment for share in shares} == ({"gather"} if place == "flash" else set())
    assert measured.cost.constant_time == (place == "ram")
    assert measured.cost.constant_time_without_prefetch
