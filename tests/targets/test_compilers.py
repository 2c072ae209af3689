"""The C compilers: a program that needs all of their library routines links, and runs on our simulators."""

import subprocess
from dataclasses import replace

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.harness.elf import read_elf
from tightfit.harness.simulator import run_elf
from tightfit.targets import FOLDER, load_target, target_ids, toolchain
from tightfit.targets.recipes import load_toolchain

RUNTIME = FOLDER / "runtime"
PROGRAM = r"""
#include <stdint.h>
#include <string.h>

static volatile uint32_t big, small;
static volatile uint64_t wide;
static volatile uint8_t by;
static const char text[] = "constants are in flash";
static char area[32];

static int whole(void)
{
    uint32_t a = big, b = small;
    return a * b == PRODUCT && a / b == QUOTIENT && a % b == REST && a << by == SHIFTED;
}

static int wider(void)
{
    uint64_t a = wide;
    return (a << by | a >> (64 - by)) == ROTATED && a * 3 == TRIPLE;
}

static int moved(void)
{
    memset(area, '.', sizeof area);
    memcpy(area + 2, text, sizeof text);
    memmove(area + 4, area + 2, 9);
    memmove(area + 1, area + 4, 9);
    return memcmp(area, ".constantsntsre in", 18) == 0 && memcmp("b", "a", 1) > 0 && memcmp(text, "d", 1) < 0;
}

static int sizes(void)
{
    return sizeof(uint8_t) == 1 && sizeof(uint16_t) == 2 && sizeof(uint32_t) == 4
        && sizeof(uintptr_t) == POINTER;
}

int main(void)
{
    big = BIG, small = SMALL, wide = WIDE, by = BY;
    if (whole() && wider() && moved() && sizes())
        __asm__ volatile(HALT);
    for (;;)
        ;
}
"""
BIG, SMALL, WIDE, BY = 0x12345678, 1000, 0x0123456789ABCDEF, 9
NUMBERS = {
    "BIG": BIG,
    "SMALL": SMALL,
    "WIDE": WIDE,
    "BY": BY,
    "PRODUCT": BIG * SMALL % 2**32,
    "QUOTIENT": BIG // SMALL,
    "REST": BIG % SMALL,
    "SHIFTED": (BIG << BY) % 2**32,
    "ROTATED": (WIDE << BY) % 2**64 | WIDE >> 64 - BY,
    "TRIPLE": WIDE * 3 % 2**64,
}
HALT = {"armv6m": "wfi", "avr": "sleep", "msp430": "bis #16, r2", "rl78": "halt", "rv32e": "ecall"}
START = {
    "armv6m": "        .syntax unified\n        .global _start\n        .type _start, %function\n"
    "_start: ldr     r0, =0x20001000\n        mov     sp, r0\n        bl      main\n",
    "msp430": "        .global _start\n_start: mov     #0x3900, r1\n        call    #main\n",
    "rl78": "        .global _start\n_start: movw    sp, #0xfee0\n        call    !!_main\n",
    "rv32e": "        .global _start\n_start: li      sp, 0x20000800\n        jal     main\n",
}
PLACES = {
    "armv6m": (0x8000000, 0x20000000),
    "msp430": (0x4000, 0x1C00),
    "rl78": (0x2000, 0xFF000),
    "rv32e": (0x0100, 0x20000000),
}
SCRIPT = """
ENTRY(_start)
SECTIONS {{
  .text {flash:#x} : {{ *(.text* .rodata* .lower.text* .lower.rodata*) }}
  .bss {ram:#x} (NOLOAD) : {{ *(.data* .bss* .lower.bss* COMMON) }}
}}
"""
LEVELS = ["-O0", "-Os", "-O2", "-O3"]


def compile_and_link(folder, target_id, part, flags, libraries, program=PROGRAM):
    """The image of a program for a part, with a start-up of our own where there is no C library."""
    compiler = toolchain.tool(target_id, "cc")
    options = [*load_toolchain(target_id).compile_options(part), "-std=c11", "-Wall", "-Wextra", *flags]
    (folder / "program.c").write_text(program)
    sources = ["program.c"]
    if target_id in START:
        (folder / "start.s").write_text(START[target_id])
        flash, ram = PLACES[target_id]
        (folder / "place.ld").write_text(SCRIPT.format(flash=flash, ram=ram))
        options += ["-nostdlib", "-T", "place.ld", "-I", str(RUNTIME)]
        sources = ["start.s", "program.c", str(RUNTIME / "string.c")]
    numbers = {**NUMBERS, "POINTER": load_target(target_id).pointer_bytes}
    options += [f'-DHALT="{HALT[target_id]}"', *(f"-D{name}={value}ull" for name, value in numbers.items())]
    command = [compiler, *options, *sources, *libraries, "-o", "program.elf"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


LIBRARIES = {
    "armv6m": ("-lgcc",),
    "avr": (),
    "msp430": ("-lgcc", "-lmul_none"),
    "rl78": ("-lgcc",),
    "rv32e": ("-lgcc",),
}
PARTS = [
    (target, part.name)
    for target in target_ids()
    for part in load_target(target).parts.values()
    if part.core.timing_tested
    and part.core.name in load_toolchain(target).compiling
    and (target not in START or part.name == part.simulated)
]
"""Where START has a start-up of our own, it is for the part that stands for its core class."""


@pytest.mark.parametrize(("target_id", "part_name"), PARTS)
@pytest.mark.parametrize("level", LEVELS)
def test_compiled_c_runs(tmp_path, target_id, part_name, level):
    part = load_target(target_id).part(part_name)
    done = compile_and_link(tmp_path, target_id, part, [level], LIBRARIES[target_id])
    assert done.returncode == 0, done.stderr
    assert "program.c" not in done.stderr and "string.c" not in done.stderr
    target = load_target(target_id)
    outcome = run_elf(tmp_path / "program.elf", target, part, uninit="off", cycle_limit=2_000_000)
    assert outcome.run.status == "HALT reached"


@pytest.mark.parametrize("target_id", target_ids())
def test_assembler_and_preprocessor_know_the_comment(tmp_path, target_id):
    """Exported sources are preprocessed: no comment may be taken for a directive."""
    target, options = load_target(target_id), {}
    options["as"] = target.part().assemble
    options["cc"] = (*load_toolchain(target_id).compile_options(target.part()), "-c")
    comments = [f"{target.comment} {text}" for text in ("if it's so", "define", "error", '12 "file"', "")]
    code = "\n".join([*comments, *target.head, f"it: {target.returns} {target.comment} the end", ""])
    made = []
    for name, source in (("as", tmp_path / "plain.s"), ("cc", tmp_path / "preprocessed.S")):
        source.write_text(code)
        command = [toolchain.tool(target_id, name), *options[name], "-o", source.with_suffix(".o"), source]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        sections = read_elf(source.with_suffix(".o").read_bytes()).sections
        made.append([section.data for section in sections if section.name == ".text"])
    assert made[0] == made[1] != [b""]


def test_each_core_of_msp430_has_a_library_of_its_own(tmp_path):
    """The CPU and the CPUX of MSP430 have a library each, found by the options that select the core."""
    for part in load_target("msp430").parts.values():
        done = compile_and_link(tmp_path, "msp430", part, ["-Os"], LIBRARIES["msp430"])
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target_id", target_ids())
def test_what_is_missing_comes_with_the_step_that_gets_it(target_id, tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(f"TIGHTFIT_{target_id.upper()}_BIN", raising=False)
    command = f"`tightfit setup --compilers {target_id}` gets it"
    with pytest.raises(WorkError, match=f"gcc is missing; {command}"):
        toolchain.tool(target_id, "cc")


def test_a_core_that_no_compiler_is_known_for():
    target = load_target("rl78")
    part = replace(target.part(), core=target.cores["rl78-s1"])
    with pytest.raises(UsageError, match="core rl78-s1 of R5F100xE, only for rl78-s2, rl78-s3"):
        load_toolchain("rl78").compile_options(part)
    with pytest.raises(UsageError, match=r"core avrxt of ATtiny1614, only for avre\+, avre"):
        load_toolchain("avr").compile_options(load_target("avr").part("ATtiny1614"))


def test_other_compilers_are_known_by_name():
    with pytest.raises(UsageError, match="target rl78 knows no compiler 'icc'; it knows: ccrl, clang"):
        toolchain.other_compiler("rl78", "icc")
