"""The linker script: where sections go, and that no other section gets in."""

import subprocess

import pytest

from tightfit.targets import load_target, target_ids
from tightfit.targets.toolchain import tool

DATA = """\
        .section .rodata
table:  .byte   1, 2, 3
        .data
kept:   .byte   9, 8
        .section .bss
scratch: .space 5
        .section .stub, "ax"
"""
SOURCES = {
    "armv6m": f"""
        .syntax unified
        .section .text
        .global tf_encrypt
        .type tf_encrypt, %function
tf_encrypt:
        ldr     r1, =table
        bx      lr
        .pool
{DATA}        bl      tf_encrypt
""",
    "rl78": f"""
        .section .text
        .global _tf_encrypt
_tf_encrypt:
        mov     a, !table
        movw    ax, #%lo16(scratch)
        ret
{DATA}        call    !!_tf_encrypt
""",
    "avr": """
        .section .text
        .global tf_encrypt
tf_encrypt:
        ldi     r30, lo8(table)
        lds     r18, scratch
        .balign 2
        ret
        .section .progmem.data, "a", @progbits
table:  .byte   1, 2, 3
        .data
kept:   .byte   9, 8
        .section .bss, "aw", @nobits
scratch: .space 5
        .section .stub, "ax"
        rcall   tf_encrypt
""",
    "msp430": f"""
        .section .text
        .global tf_encrypt
tf_encrypt:
        mov     &table, r13
        ret
{DATA}        call    #tf_encrypt
""",
    "rv32e": f"""
        .section .text
        .global tf_encrypt
tf_encrypt:
        lui     a1, %hi(table)
        lbu     a1, %lo(table)(a1)
        ret
{DATA}        jal     tf_encrypt
""",
}
WORDS = ("stub", "text_start", "text_end", "rodata_start", "rodata_end", "data_start", "data_end",
         "data_load", "bss_start", "bss_end", "ram_free", "ram_end")  # fmt: skip
PLACES = {
    ("rl78", "R5F100xE"): (0xD8, 0x2000, 0x2007, 0x9000, 0x9003, 0xFEF00, 0xFEF02, 0xF000,
                           0xFF000, 0xFF005, 0xFF006, 0xFFEE0),
    ("rl78", "R5F104xE"): (0xD8, 0x2000, 0x2007, 0x9000, 0x9003, 0xFE900, 0xFE902, 0xF000,
                           0xFEA00, 0xFEA05, 0xFEA06, 0xFFEE0),
    ("armv6m", "STM32C011F4"): (0x80000C0, 0x8000200, 0x8000208, 0x8000300, 0x8000303, 0x20000000,
                                0x20000002, 0x8000303, 0x20000002, 0x20000007, 0x20000008, 0x20001800),
    ("armv6m", "MSPM0C1104"): (0xC0, 0x200, 0x208, 0x300, 0x303, 0x20000000,
                               0x20000002, 0x303, 0x20000002, 0x20000007, 0x20000008, 0x20000400),
    ("armv6m", "LPC810M021"): (0xC0, 0x200, 0x208, 0x300, 0x303, 0x10000000,
                               0x10000002, 0x303, 0x10000002, 0x10000007, 0x10000008, 0x10000400),
    ("armv6m", "RP2040"): (0x200000C0, 0x20000200, 0x20000208, 0x20000300, 0x20000303, 0x20020000,
                           0x20020002, 0x20000303, 0x20020002, 0x20020007, 0x20020008, 0x20042000),
    ("armv6m", "STM32F030F4"): (0x80000C0, 0x8000200, 0x8000208, 0x8000300, 0x8000303, 0x20000000,
                                0x20000002, 0x8000303, 0x20000002, 0x20000007, 0x20000008, 0x20001000),
    ("avr", "ATmega1284P"): (0xC0, 0x100, 0x108, 0x200, 0x203, 0x800100, 0x800102, 0x203,
                             0x800102, 0x800107, 0x800107, 0x804100),
    ("avr", "ATtiny45"): (0xC0, 0x100, 0x108, 0x200, 0x203, 0x800060, 0x800062, 0x203,
                          0x800062, 0x800067, 0x800067, 0x800160),
    ("avr", "ATtiny402"): (0xC0, 0x100, 0x108, 0x200, 0x203, 0x803F00, 0x803F02, 0x203,
                           0x803F02, 0x803F07, 0x803F07, 0x804000),
    ("msp430", "MSP430F1611"): (0x4000, 0x4100, 0x4106, 0x4200, 0x4203, 0x1100, 0x1102, 0x4203,
                                0x1102, 0x1107, 0x1108, 0x3900),
    ("msp430", "MSP430FG4618"): (0x3100, 0x3200, 0x3206, 0x3300, 0x3303, 0x1100, 0x1102, 0x3303,
                                 0x1102, 0x1107, 0x1108, 0x3100),
    ("msp430", "MSP430FR5994"): (0x4000, 0x4100, 0x4106, 0x4200, 0x4203, 0x1C00, 0x1C02, 0x4203,
                                 0x1C02, 0x1C07, 0x1C08, 0x3C00),
    ("rv32e", "Ibex-16K-2K"): (0, 0x100, 0x10A, 0x200, 0x203, 0x20000000, 0x20000002, 0x203,
                               0x20000002, 0x20000007, 0x20000008, 0x20000800),
    ("rv32e", "CH32V003F4"): (0, 0x100, 0x10A, 0x200, 0x203, 0x20000000, 0x20000002, 0x203,
                              0x20000002, 0x20000007, 0x20000008, 0x20000800),
}  # fmt: skip


def link(folder, source, target_id, part=None):
    target = load_target(target_id)
    part = target.part(part)
    (folder / "routine.s").write_text(source)
    assemble = [tool(target_id, "as"), *part.assemble, "routine.s", "-o", "routine.o"]
    subprocess.run(assemble, cwd=folder, check=True)
    command = [tool(target_id, "ld"), *target.link_options(part), "routine.o", "-o", "routine.elf"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def symbols(folder, target_id):
    listing = subprocess.check_output([tool(target_id, "nm"), "routine.elf"], cwd=folder, text=True)
    return {name: int(value, 16) for value, _, name in map(str.split, listing.splitlines())}


@pytest.mark.parametrize(("target_id", "part"), PLACES)
def test_every_section_has_its_place(tmp_path, target_id, part):
    done = link(tmp_path, SOURCES[target_id], target_id, part)
    assert done.returncode == 0, done.stderr
    at = symbols(tmp_path, target_id)
    assert tuple(at[f"__tf_{word}"] for word in WORDS) == PLACES[target_id, part]
    assert at["table"] == at["__tf_rodata_start"]


def test_the_mirror_shows_constants_and_text():
    (mirror,) = load_target("rl78").part().regions("mirror")
    text = load_target("rl78").link_script.read_text()
    for place in ("TEXT", "RODATA"):
        line = next(line for line in text.splitlines() if line.split()[:1] == [place])
        start, length = (int(word.strip(" ,"), 16) for word in line.replace("LENGTH", "").split("=")[1:])
        assert mirror.shows <= start
        assert start + length <= mirror.shows + mirror.size


@pytest.mark.parametrize("target_id", target_ids())
@pytest.mark.parametrize("section", [".hidden", ".vectors", ".frodata"])
def test_bytes_in_other_sections_do_not_link(tmp_path, target_id, section):
    done = link(tmp_path, f'        .section {section}, "a"\n        .byte 1\n', target_id)
    assert done.returncode != 0
    assert section in done.stderr


@pytest.mark.parametrize(
    ("target_id", "size", "region"),
    [
        ("rl78", 0x7001, "TEXT"),
        ("avr", 0xFF01, "FLASH"),
        ("msp430", 0xBEC1, "FLASH"),
        ("armv6m", 0x3E01, "FLASH"),
        ("rv32e", 0x3F01, "FLASH"),
    ],
)
def test_a_routine_that_is_too_long_does_not_link(tmp_path, target_id, size, region):
    done = link(tmp_path, f"        .section .text\n        .space {size}\n", target_id)
    assert done.returncode != 0
    assert f"will not fit in region `{region}'" in done.stderr
