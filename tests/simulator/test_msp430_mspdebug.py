"""Every form of the MSP430's CPU beside mspdebug's simulator: registers, flags, memory and clocks."""

import random
from pathlib import Path

import pytest

from tightfit.paths import simulator_source
from tightfit.yamlfile import load_yaml

from .msp430 import assemble
from .msp430_mspdebug import Beside, Program, forms
from .msp430_programs import CODE, END, MEMORY, NOT_RUN, RAM, STACK, every_form, random_program


def known() -> list[dict]:
    listed = load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})
    return [entry for group in ("function", "clocks") for entry in listed[f"msp430-mspdebug-{group}"]]


def beside(code: bytes, data: bytes, folder: Path) -> Beside:
    return Beside(Program(((CODE, code), (RAM.start, data)), {"pc": CODE}, MEMORY), folder)


def test_every_form(tmp_path):
    met: set[str] = set()
    seen: set[str] = set()
    for seed in range(4):
        data = random.Random(seed).randbytes(len(RAM))
        both = beside(every_form(forms(), seed, times=1), data, tmp_path)
        both.run()
        met |= both.met
        seen |= both.seen
    wanted = {form.text for form in forms()} - set(NOT_RUN)
    assert seen >= wanted, sorted(wanted - seen)
    assert met == {entry["id"] for entry in known()}


def test_long_random_program(tmp_path):
    both = beside(random_program(forms(), 77, size=0x6000), random.Random(77).randbytes(len(RAM)), tmp_path)
    both.run()
    assert both.steps > 4000


# What SR becomes from zero has CPUOFF clear; DADD, ADDC and SUBC start with a clear carry.
TO_SR = {"mov": 0x10F, "add": 0xE8, "addc": 0xE7, "subc": 0xFFFB, "sub": 0x20, "dadd": 0x101, "cmp": 0x20}
TO_SR |= {"bit": 0x0F, "bic": 0x0F, "bis": 0x10B, "xor": 0x109, "and": 0x0F}


@pytest.mark.parametrize("operation", TO_SR)
@pytest.mark.parametrize("before", [0x0000, 0x0108])
def test_status_and_stack_pointer_as_destinations(tmp_path, operation, before):
    value = TO_SR[operation]
    even = 0x35 if operation == "subc" else 0x34  # the stack pointer stays even
    source = f"""
        .text
        mov #{STACK}, sp
        mov #{RAM.start}, r6
        mov #{value}, r5
        mov #{before}, sr
        {operation} r5, sr
        mov #{before}, sr
        {operation}.b #{value & 0x7F}, sr
        mov #0, sr
        {operation} #{even}, sp
        mov #{STACK}, sp
        {"sub" if operation in ("subc", "dadd") else operation} @r6, sp
        mov sr, r7
        mov #{STACK}, sp
        push sr
        mov @sp+, sr
        .short {END}
"""
    if operation in ("add", "addc", "subc", "sub", "dadd"):
        source = source.replace(f"mov #{before}, sr", "mov #0, sr")
    code, _ = assemble(source, tmp_path, start=CODE)
    both = beside(code, b"\x02\x00" * (len(RAM) // 2), tmp_path)
    both.run()
    assert both.steps == 15
