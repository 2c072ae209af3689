"""Building: tools that fail are told apart from candidates that are wrong."""

import os

import pytest

from tightfit.errors import WorkError
from tightfit.harness.build import Builder
from tightfit.harness.routine import Rejected, Routine
from tightfit.records import Padding
from tightfit.targets import load_target

from .routines import Layout, routine


@pytest.fixture
def builder():
    target = load_target("rl78")
    builder = Builder(target, target.part())
    yield builder
    builder.close()


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("echo x.s:1: Error: bad register >&2; exit 1", Rejected, "assembler: x.s:1: Error: bad register"),
        ("echo Fatal error: No space left on device >&2; exit 1", WorkError, "assembler: .*No space left"),
        ("exit 3", Rejected, "assembler: no message"),
        ("kill -9 $$", WorkError, "the assembler was ended by SIGKILL"),
        (None, WorkError, "rl78-elf-as: the assembler does not start: No such file"),
    ],
)
def test_failing_tool(builder, tmp_path, script, error, message):
    """None: it is not there."""
    tool = tmp_path / "rl78-elf-as"
    if script is not None:
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)
    builder._as = str(tool)
    with pytest.raises(error, match=message):
        builder.build(routine())


def test_folder_is_removed(builder):
    folder = builder._folder
    builder.build(routine())
    assert os.listdir(folder)
    builder.close()
    assert not folder.exists()
    with pytest.raises(WorkError, match="the source cannot be written: No such file"):
        builder.build(routine())


def test_routine_must_not_hide_in_the_caller(builder):
    with pytest.raises(Rejected, match="ROM counts disagree"):
        builder.build(routine(extra='        .section .stub, "ax"\n        nop\n'))


TABLE = """        .section {section}
        .balign 64
        .type   table, @object
table:  .skip   64
        .size   table, 64
"""
CODE = """        .text
        {align}
        .global {entry}
        .type   {entry}, @function
{entry}:
        ret
        .size   {entry}, . - {entry}
"""


@pytest.mark.parametrize(
    ("target", "align", "section", "padding"),
    [
        ("rl78", "", None, Padding()),
        ("rl78", ".balign 4", None, Padding(rom=3)),
        ("msp430", ".balign 4", None, Padding(rom=2)),
        ("avr", ".balign 4", None, Padding(rom=2)),
        ("avr", "", '.progmem.data, "a", @progbits', Padding(rom=63)),
        ("msp430", ".balign 8", ".rodata", Padding(rom=63 + 6)),
        ("avr", "", ".data", Padding(rom=63, ram=63)),
        ("rl78", "", ".data", Padding(rom=63, ram=63)),
        ("msp430", "", ".bss", Padding(ram=63)),
        ("rl78", "", ".bss", Padding(ram=63)),
    ],
)
def test_padding_is_what_alignment_may_cost(target, align, section, padding):
    place = load_target(target)
    source = CODE.format(align=align, entry=place.abi.symbol("tf_encrypt"))
    if section:
        source += TABLE.format(section=section)
    builder = Builder(place, place.part())
    try:
        image = builder.build(Routine(source, "tf", ("encrypt",), Layout(), static=None))
    finally:
        builder.close()
    assert image.padding == padding
