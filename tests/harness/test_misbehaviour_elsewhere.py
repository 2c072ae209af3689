"""Proof of the checkers on AVR and MSP430: routines that misbehave on purpose, rejected for what they do."""

from functools import cache

import pytest

from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected

from . import wrong_avr, wrong_msp430
from .present_routines import AROUND, correct, entry, routine

WRONG = {"avr": wrong_avr.WRONG_DOING, "msp430": wrong_msp430.WRONG_DOING}
CASES = [(target, *case) for target, cases in WRONG.items() for case in cases]
INTERRUPTED = [
    *[("avr", *case) for case in wrong_avr.WHILE_INTERRUPTED],
    *[("msp430", *case) for case in wrong_msp430.WHILE_INTERRUPTED],
]
ALLOWED = {"avr": wrong_avr.ALLOWED, "msp430": wrong_msp430.ALLOWED}
PARTS = [("avr", "ATmega1284P"), ("avr", "ATmega328P"), ("avr", "ATtiny85"), ("avr", "ATtiny45"),
         ("msp430", "MSP430F1611"), ("msp430", "MSP430FG4618")]  # fmt: skip


@cache
def bench(target: str, part: str | None = None) -> Bench:
    return Bench(target, part, "present-80")


def reason(candidate, *of: str) -> str:
    with pytest.raises(Rejected) as rejected:
        bench(*of).examine(candidate, ("encrypt",))
    return str(rejected.value)


@pytest.mark.parametrize(("target", "expected", "doing"), CASES)
def test_rejected_for_what_it_does(target, expected, doing):
    message = reason(routine(target, **doing), target)
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(("target", "expected", "after"), INTERRUPTED)
def test_what_an_interrupt_handler_spoils(target, expected, after):
    """These pass where no interrupt comes."""
    assert reason(routine(target, after=after), target).startswith(expected)


@pytest.mark.parametrize("target", WRONG)
def test_what_an_interrupt_handler_leaves_alone(target):
    bench(target).examine(routine(target, after=ALLOWED[target]), ("encrypt",), "full")


@pytest.mark.parametrize("target", WRONG)
@pytest.mark.parametrize("byte", [0xAA, 0x55, 0x7F])
def test_wrong_for_a_key_of_equal_bytes(target, byte):
    wrong = {"avr": wrong_avr, "msp430": wrong_msp430}[target].SPOILED_KEY.format(byte)
    message = reason(routine(target, after=wrong), target)
    assert (
        message.startswith("wrong answer: encrypt of text") and f"under key {byte:02x}{byte:02x}" in message
    )


@pytest.mark.parametrize(("after", "marked"), [("lds r18, 0x0012", True), ("mov r18, r24", False)])
def test_registers_as_memory_are_a_mark(after, marked):
    findings = bench("avr").examine(routine("avr", after=after), ("encrypt",))[1]
    assert findings.registers_as_memory is marked


@pytest.mark.parametrize(("target", "part"), PARTS)
def test_what_is_right_passes_on_every_part(target, part):
    mine = bench(target, part)
    gate = "full" if mine.part.name == mine.target.default_part else "search"
    image, findings = mine.examine(routine(target), ("encrypt",), gate)
    assert findings.static == 0 and findings.reentrant
    timing = findings.by_entry["encrypt"]
    assert timing.constant_path and timing.minimum == timing.maximum
    assert image.rom == sum(section.stored for section in image.elf.sections if section.name != ".stub")


@pytest.mark.parametrize(("target", "part"), PARTS)
def test_the_call_costs_what_the_core_says(target, part):
    source = entry("setup", "nop") + entry("encrypt", AROUND[target].call) + correct(target)
    candidate = routine(target, entries=("encrypt", "setup"))
    object.__setattr__(candidate, "source", source)
    findings = bench(target, part).examine(candidate, ("encrypt",))[1]
    returns = {"avr": 4, "msp430": 3}[target]
    core = bench(target, part).part.core
    assert findings.by_entry["setup"].cycles == core.call_cycles + 1 + returns
    assert findings.attribution.time and findings.stack > bench(target, part).target.abi.return_address


def test_a_part_without_the_instruction():
    multiplies = routine("avr", after="mul r18, r19\n clr r1")
    bench("avr", "ATmega328P").examine(multiplies, ("encrypt",))
    assert "assembler: " in reason(multiplies, "avr", "ATtiny85")
    by_number = routine("avr", after=".word 0x9f23\n clr r1")
    bench("avr", "ATmega328P").examine(by_number, ("encrypt",))
    assert "encrypt: unknown opcode" in reason(by_number, "avr", "ATtiny85")


def static(size: int) -> dict:
    text = f' .section .bss, "aw", @nobits\n .type room, @object\nroom: .skip {size}\n .size room, {size}\n'
    return {"extra": text, "static": size}


def test_a_part_with_too_little_memory_is_one_clear_line():
    small = "ATtiny45"
    assert "ATtiny45 has 4096 bytes of ROM, 256 of RAM" in reason(routine("avr", **static(300)), "avr", small)
    assert reason(routine("avr", **static(240)), "avr", small) == (
        "needs at least 264 bytes of RAM, ATtiny45 has 256"
    )
    message = reason(routine("avr", **static(216)), "avr", small)
    assert (
        "stack below its region" in message
        and "ATtiny45 has 256 bytes of RAM, of which 18 are left" in message
    )
    table = " .section .progmem.data\n .type table, @object\ntable: .skip 4000\n .size table, 4000\n"
    assert "ATtiny45 has 4096 bytes of ROM" in reason(routine("avr", extra=table), "avr", small)


def test_a_routine_that_takes_all_ram_passes():
    """All but the byte that keeps the block even."""
    left = 255 - AROUND["avr"].size - 23
    findings = bench("avr", "ATtiny45").examine(routine("avr", **static(left)), ("encrypt",))[1]
    assert findings.static + findings.stack + AROUND["avr"].size == 255
    assert "stack below" in reason(routine("avr", **static(left + 2)), "avr", "ATtiny45")
