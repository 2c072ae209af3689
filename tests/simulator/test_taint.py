"""How instructions move secrets, bit by bit; which instructions leak, and where."""

from collections.abc import Mapping

import pytest

from tightfit.errors import UsageError
from tightfit.harness.simulator import LOOKUPS, Taint, TaintedRun

from .cores import Core, Snippet, avr, msp430, rl78, rows

BYTES = 32
CYCLES = 10_000


def snippet(core: Core, source: str) -> Snippet:
    """A snippet in which the data is there."""
    s = core.snippet(source)
    s.sim.write(core.data, b"\x5a" * BYTES)
    return s


def follow(
    s: Snippet, secret: Mapping[str, int], at: Mapping[int, int] | None = None
) -> tuple[Taint, TaintedRun]:
    """Run a snippet with bits of registers secret, and of bytes of the data by offset."""
    taint = Taint(s.sim)
    for name, mask in secret.items():
        taint.secret_register(name, mask)
    for offset, mask in (at or {}).items():
        taint.secret(s.core.data + offset, 1, mask)
    run = taint.run(s.start, s.labels["end"], cycle_limit=CYCLES)
    assert run.run.ok, run.run.message
    return taint, run


@pytest.mark.parametrize("core, source, before, after", rows("moves"))
def test_bits_move_as_the_data_does(core, source, before, after):
    taint, run = follow(snippet(core, source), before, {0: 0x3C})
    assert {name: taint.register_mask(name) for name in after} == after
    assert not run.leaks


@pytest.mark.parametrize("core, source, secret, kind", rows("leaks"))
def test_what_is_seen_has_its_address(core, source, secret, kind):
    s = snippet(core, source)
    _, run = follow(s, secret)
    seen = {one.kind for one in (*run.leaks, *run.balanced, *run.lookups) if one.address == s.labels["here"]}
    assert seen == ({kind} if kind else set())
    if kind in ("", "balanced", *LOOKUPS):
        assert not run.leaks


@pytest.mark.parametrize("core, source, secret, after", rows("merged"))
def test_behind_balanced_ways_what_differs_is_secret(core, source, secret, after):
    s = snippet(core, source)
    taint, run = follow(s, secret)
    assert len(run.balanced) == 1 and not run.leaks
    assert {name: taint.register_mask(name) for name in after} == after


@pytest.mark.parametrize("core, source, secret, after", rows("merged"))
def test_ways_that_were_tried_leave_no_trace(core, source, secret, after):
    plain = snippet(core, source)
    expected = plain.run()
    s = snippet(core, source)
    _, run = follow(s, secret)
    assert (run.run.cycles, run.run.instructions) == (expected.cycles, expected.instructions)
    assert s.sim.read(core.data, 32) == plain.sim.read(core.data, 32)
    assert all(s.sim.registers[name] == plain.sim.registers[name] for name in after)


def test_every_meeting_counts():
    loop = "ldi r18, 5; l: lsl r16; here: brcs f; nop; nop; f: dec r18; brne l"
    s = snippet(avr.CORE, loop)
    _, run = follow(s, {"r16": 0x70})
    assert [(one.address, one.kind, one.count) for one in run.leaks] == [(s.labels["here"], "branch", 3)]


def test_secrets_stay_from_run_to_run_until_they_are_cleared():
    s = snippet(avr.CORE, "sts data+4, r16; ldi r16, 0")
    taint, _ = follow(s, {"r16": 0x0F})
    taint.run(s.labels["end"], s.labels["end"], cycle_limit=10)
    assert taint.masks(avr.CORE.data + 3, 3) == b"\0\x0f\0"
    taint.public(avr.CORE.data + 4, 1)
    taint.secret_register("x", 0x1234)
    assert taint.register_mask("r26") == 0x34 and taint.register_mask("r27") == 0x12
    taint.clear()
    assert taint.masks(avr.CORE.data, 32) == bytes(32) and taint.register_mask("x") == 0


def test_banks_of_registers_are_memory():
    s = snippet(rl78.CORE, "nop")
    taint = Taint(s.sim)
    taint.secret_register("hl2", 0xBEEF)
    assert taint.masks(0xFFEE8 + 6, 2) == b"\xef\xbe"
    taint.clear_registers()
    assert taint.register_mask("h2") == 0xBE
    taint.secret_register("a", 0x11)
    taint.clear_registers()
    assert taint.register_mask("a0") == 0


def test_bad_places():
    s = snippet(msp430.CORE, "nop")
    taint = Taint(s.sim)
    with pytest.raises(UsageError, match="2 bytes at FFFF lie outside the address space"):
        taint.secret(0xFFFF, 2)
    with pytest.raises(UsageError, match="has no register 'ax'"):
        taint.secret_register("ax")
    with pytest.raises(UsageError, match="register 'pc' cannot be secret"):
        taint.secret_register("pc")


def test_errors_end_the_run_where_they_end_any_other():
    for core, source in ((avr.CORE, "ret"), (rl78.CORE, "halt"), (msp430.CORE, "mov &0x1301, r5")):
        s = snippet(core, source)
        expected = s.run()
        run = Taint(s.sim).run(s.start, s.labels["end"], cycle_limit=100).run
        assert not run.ok and (run.status, run.pc, run.address) == (
            expected.status,
            expected.pc,
            expected.address,
        )
    s = snippet(avr.CORE, "f: nop; rjmp f")
    assert Taint(s.sim).run(s.start, s.labels["end"], cycle_limit=100).run.status == "cycle limit"
