"""Proof of the checkers: routines that misbehave on purpose, rejected for what they do, on every target."""

from functools import cache

import pytest

from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected

from . import wrong_armv6m, wrong_avr, wrong_msp430, wrong_rl78, wrong_rv32e
from .present_routines import AROUND, correct, entry, routine

TARGETS = {
    "armv6m": wrong_armv6m,
    "avr": wrong_avr,
    "msp430": wrong_msp430,
    "rl78": wrong_rl78,
    "rv32e": wrong_rv32e,
}
CASES = [(target, *case) for target, wrong in TARGETS.items() for case in wrong.WRONG_DOING]
INTERRUPTED = [(target, *case) for target, wrong in TARGETS.items() for case in wrong.WHILE_INTERRUPTED]
PARTS = [("armv6m", "STM32C011F4"), ("armv6m", "MSPM0C1104"), ("armv6m", "LPC810M021"),
         ("armv6m", "STM32F030F4"), ("armv6m", "CORTEX-M0-SMALL"),
         ("avr", "ATmega1284P"), ("avr", "ATmega328P"), ("avr", "ATtiny85"), ("avr", "ATtiny45"),
         ("avr", "ATtiny1614"), ("avr", "ATtiny402"), ("avr", "AVR128DA28"),
         ("msp430", "MSP430F1611"), ("msp430", "MSP430FG4618"),
         ("msp430", "MSP430FR5994"), ("rv32e", "Ibex-16K-2K"), ("rv32e", "CH32V003F4")]  # fmt: skip
# Cycles of the instruction that returns.
RETURNS = {"cortex-m0+": 2, "cortex-m0": 3, "cortex-m0-mul32": 3, "avre": 4, "avre+": 4, "avrxt": 4,
           "avrxt-8k": 4, "msp430": 3, "msp430x": 3, "msp430xv2": 4, "ibex": 2, "qingke-v2": 3}  # fmt: skip


@cache
def bench(target: str, part: str | None = None) -> Bench:
    return Bench(target, part, "aes-128" if target == "rl78" else "present-80")


def doing(target: str, **what):
    return wrong_rl78.doing_wrong(**what) if target == "rl78" else routine(target, **what)


def reason(candidate, *of: str) -> str:
    with pytest.raises(Rejected) as rejected:
        bench(*of).examine(candidate, ("encrypt",))
    return str(rejected.value)


@pytest.mark.parametrize(("target", "expected", "wrong"), CASES)
def test_rejected_for_what_it_does(target, expected, wrong):
    message = reason(doing(target, **wrong), target)
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(("target", "expected", "after"), INTERRUPTED)
def test_what_an_interrupt_handler_spoils(target, expected, after):
    """These pass where no interrupt comes."""
    message = reason(doing(target, after=after), target)
    assert message.startswith(expected) and "\n" not in message


@pytest.mark.parametrize("target", AROUND)
def test_what_an_interrupt_handler_leaves_alone(target):
    bench(target).examine(routine(target, after=TARGETS[target].ALLOWED), ("encrypt",), "full")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("byte", [0xAA, 0x55, 0x7F, 0x01])
def test_wrong_for_a_key_of_equal_bytes(target, byte):
    message = reason(doing(target, after=TARGETS[target].SPOILED_KEY.format(byte)), target)
    assert message.startswith("wrong answer: encrypt of text")
    assert f"under key {byte:02x}{byte:02x}" in message


@pytest.mark.parametrize(("after", "marked"), [("lds r18, 0x0012", True), ("mov r18, r24", False)])
def test_registers_as_memory_are_a_mark(after, marked):
    findings = bench("avr").examine(routine("avr", after=after), ("encrypt",))[1]
    assert findings.registers_as_memory is marked


@pytest.mark.parametrize(
    "after", ["lds r18, 0x0012", "sts 0x0012, r18", "ldi r30, 18; ldi r31, 0; ld r18, Z"]
)
def test_registers_without_addresses(after):
    """By a read that changes no answer, and by a write to what is a peripheral there."""
    expected = "encrypt: reaches registers by address, which they do not have on ATtiny1614"
    assert reason(routine("avr", after=after.replace("; ", "\n")), "avr", "ATtiny1614") == expected


def test_rampz_of_avrxt_is_kept():
    changed = reason(routine("avr", after="ldi r18, 1\n out 0x3b, r18"), "avr", "AVR128DA28")
    assert "RAMPZ" in changed


@pytest.mark.parametrize(
    "before", ["call .Lnext\n.Lnext:\n pop r0\n pop r0", "jmp .Lnext\n.Lnext:\n nop"], ids=["call", "jmp"]
)
def test_a_small_avrxt_without_the_instruction(before):
    bench("avr", "ATtiny1614").examine(routine("avr", before=before), ("encrypt",))
    message = reason(routine("avr", before=before), "avr", "ATtiny402")
    assert message.startswith("encrypt: unknown opcode at ")
    assert message.endswith("; ATtiny402 has no such instruction")


def test_a_small_avrxt_multiplies():
    bench("avr", "ATtiny402").examine(routine("avr", after="mul r18, r19\n clr r1"), ("encrypt",))


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
    entries = entry(target, "setup", "nop") + entry(target, "encrypt", AROUND[target].call)
    candidate = routine(target, entries=("encrypt", "setup"))
    object.__setattr__(candidate, "source", entries + correct(target))
    findings = bench(target, part).examine(candidate, ("encrypt",))[1]
    core = bench(target, part).part.core
    assert findings.by_entry["setup"].cycles == core.call_cycles + 1 + RETURNS[core.name]
    assert findings.attribution.time and findings.stack > bench(target, part).target.abi.return_address


def test_a_part_without_the_instruction():
    for doing, said in (("mul r18, r19", "assembler: "), (".word 0x9f23", "encrypt: unknown opcode")):
        multiplies = routine("avr", after=f"{doing}\n clr r1")
        bench("avr", "ATmega328P").examine(multiplies, ("encrypt",))
        assert said in reason(multiplies, "avr", "ATtiny85")


def static(size: int) -> dict:
    text = f' .section .bss, "aw", @nobits\n .type room, @object\nroom: .skip {size}\n .size room, {size}\n'
    return {"extra": text, "static": size}


def test_a_part_with_too_little_memory_is_one_clear_line():
    table = " .section .progmem.data\n .type table, @object\ntable: .skip 4000\n .size table, 4000\n"
    for promises, said in (
        (static(300), "ATtiny45 has 4096 bytes of ROM, 256 of RAM"),
        (static(216), "stack below its region"),
        (static(216), "ATtiny45 has 256 bytes of RAM, of which 18 are left"),
        ({"extra": table}, "ATtiny45 has 4096 bytes of ROM"),
    ):
        assert said in reason(routine("avr", **promises), "avr", "ATtiny45")
    exact = reason(routine("avr", **static(240)), "avr", "ATtiny45")
    assert exact == "needs at least 264 bytes of RAM, ATtiny45 has 256"


def test_a_routine_that_takes_all_ram_passes():
    """All but the byte that keeps the block even."""
    left = 255 - AROUND["avr"].size - 23
    findings = bench("avr", "ATtiny45").examine(routine("avr", **static(left)), ("encrypt",))[1]
    assert findings.static + findings.stack + AROUND["avr"].size == 255
    assert "stack below" in reason(routine("avr", **static(left + 2)), "avr", "ATtiny45")
