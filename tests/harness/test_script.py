"""Dialogues laid out as arrays: made and compared at once as one by one, and in part."""

import random

import numpy as np
import pytest

from tests.sampling import some
from tests.shipped import PRIMITIVES
from tightfit.generator import render
from tightfit.harness import portfolio
from tightfit.harness.bench import Bench, routine_of
from tightfit.harness.caller import places
from tightfit.harness.portfolio import file_of
from tightfit.harness.script import Chain, Scripts, noise
from tightfit.paths import portfolio_dir

from .mutants import budget, caught, mutants, winners
from .routines import ENCRYPT, of_entries, routine

QUESTIONS = (("quick",), ("random", 9), ("known",), ("elsewhere", 4), ("shapes", 2))


def shipped(target: str, primitive: str):
    """A variant that ships, as a routine, with the operation that it is measured for."""
    variant = portfolio.read(file_of(portfolio_dir(), target, primitive))[0][0].variant
    return variant, routine_of(variant, render(variant))


@pytest.mark.parametrize(
    "target, primitive",
    [
        ("avr", "aes-128"),
        ("msp430", "sha-256"),
        ("rl78", "aes-128-ccm"),
        ("rv32e", "aes-128-ctr"),
        ("armv6m", "aes-128-cbc"),
    ],
)
def test_turns_made_at_once_do_what_they_do_one_by_one(target, primitive):
    variant, candidate = shipped(target, primitive)
    with Bench(target, variant.part, primitive) as bench:
        machine, image = bench._gate.machine, bench._builder.build(candidate)
        machine.load(image)
        caller = machine.callers.callers[0]
        scripts = Scripts(bench._gate.kind)
        for question in QUESTIONS:
            for script in scripts.of(candidate, caller.poison, *question).values():
                machine.start(places(image, candidate.layout.size)[0], caller)
                spoken = machine.converse(script)
                machine.start(places(image, candidate.layout.size)[0], caller)
                alone = one_by_one(machine, candidate, script)
                assert spoken.failure is None
                for n, (given, outcome) in enumerate(alone):
                    assert (spoken.given[n] == given).all()
                    together = spoken.outcome(n)
                    assert together.stack == outcome.stack
                    for name in ("cycles", "waits_apart", "paths", "blocks", "registers"):
                        assert (getattr(together, name) == getattr(outcome, name)).all(), name


def one_by_one(machine, candidate, script):
    done = []
    for turn in script.turns:
        before = None if turn.after is None else done[turn.after][1].blocks
        filling = noise(machine.caller.poison, len(turn), candidate.layout.size)
        blocks = turn.blocks(candidate, before, filling)
        done.append((blocks, machine.call(turn.entry, blocks, turn.written(candidate))))
    return done


def test_calls_end_behind_the_turn_that_fails(bench):
    """The second entry does not return for a text that begins with zero."""
    hangs = " push ax\n movw de, ax\n mov a, [de]\n cmp0 a\n pop ax\n.Lhang: bz $.Lhang\n"
    candidate = of_entries(encrypt=ENCRYPT, encrypt_next=f"{hangs}{ENCRYPT}", setup="        nop\n")
    machine, image = bench._gate.machine, bench._builder.build(candidate)
    machine.load(image)
    caller = machine.callers.callers[0]
    machine.start(places(image, candidate.layout.size)[0], caller)
    (script,) = Scripts(bench._gate.kind).of(candidate, caller.poison, "random", 9).values()
    script.blocks[2, 4, 0] = 0
    spoken = machine.converse(script)
    assert script.turns[2].entry == "encrypt_next"
    assert len(spoken.cycles) == len(spoken.blocks) == 3
    assert spoken.failure.message.startswith("cycle limit")


def test_a_part_of_the_contexts_names_the_inputs_that_it_has(bench):
    """Spread from the first to the last, and what is said of a wrong answer is said of its input."""
    kind, candidate = bench._gate.kind, routine()
    (whole,) = Scripts(kind).of(candidate, 7, "random", 60).values()
    part = whole.some(4)
    rows = [0, 19, 39, 59]
    assert (part.blocks == whole.blocks[:, rows]).all() and (part.answers == whole.answers[:, rows]).all()
    assert whole.some(60) is whole.some(1000) is whole
    answer = part.turns[0].answers[0]
    right = kind.inputs("encrypt", 60)
    assert right.texts[39].tobytes().hex() in answer.complaint(2, b"")


def test_a_chain_is_cut_behind_some_calls(bench):
    candidate = of_entries(setup="        nop\n", encrypt_next=ENCRYPT)
    kind = bench._gate.kind
    scripts = Scripts(kind).of(candidate, 7, "iterated").values()
    chain, *_ = (each for each in scripts if isinstance(each, Chain))
    first, turn = chain.some(10).turns
    assert (len(first), len(turn)) == (1, 10) and turn.chain
    assert (turn.answers[0].rows == chain.turns[1].answers[0].rows[:10]).all()


def test_a_slow_routine_is_asked_fewer_inputs_and_never_less_than_the_floor(bench, monkeypatch):
    asked = []
    monkeypatch.setattr(
        bench._gate.machine,
        "converse",
        lambda script, as_ever=bench._gate.machine.converse: asked.append(script) or as_ever(script),
    )
    counts = {}
    for instructions in (0, 1 << 20, 1 << 62):
        asked.clear()
        with budget(instructions):
            bench.examine(routine(), ("encrypt",), "full")
        counts[instructions] = sorted(script.contexts for script in asked)
    few, some_more, all_of_them = (counts[instructions] for instructions in sorted(counts))
    assert all_of_them[-1] == bench._gate.kind.full_inputs
    assert few[-1] == 64 and few.count(64) >= 2 and few.count(32) >= 2
    assert sum(few) < sum(some_more) < sum(all_of_them)


SHIPPED = [
    (target, primitive)
    for target in ("avr", "msp430", "rl78", "armv6m", "rv32e")
    for primitive in (*PRIMITIVES, "aes-128-ccm", "aes-128-cbc", "hmac-sha-256")
    if file_of(portfolio_dir(), target, primitive).is_file()
]


@pytest.mark.dear("mutants of three winners")
@pytest.mark.parametrize("target, primitive", some(SHIPPED, 3))
def test_mutants_that_every_input_catches_the_floors_catch(target, primitive):
    source = random.Random(f"{target} {primitive}")
    (winner,) = winners(target, primitive, 1, source)
    variant, found = winner.variant, 0
    with Bench(target, variant.part, primitive) as bench:
        candidate = routine_of(variant, render(variant))
        assert caught(bench, candidate, variant.operation) is None
        for mutant in mutants(candidate, 8, source):
            with budget(1 << 62):
                wrong = caught(bench, mutant.routine, variant.operation)
            with budget(0):
                assert bool(caught(bench, mutant.routine, variant.operation)) == bool(wrong), mutant.what
            found += wrong is not None
    assert found > 3


def test_an_answer_that_must_differ_is_looked_at_apart():
    variant, candidate = shipped("rl78", "aes-128-ccm")
    with Bench("rl78", variant.part, "aes-128-ccm") as bench:
        kind = bench._gate.kind
        forged = [each for each in Scripts(kind).of(candidate, 7, "known").values() if each.apart]
        assert bool(forged) == ("open" in candidate.entries)
        assert not any(np.ptp(script.apart) for script in forged)
