"""C and assembly of guests with the one-pointer interface: counted as our variants, rejected for faults."""

import subprocess
from dataclasses import replace

import pytest

from tests.harness import routines
from tests.harness.present_routines import AROUND, correct
from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.compiler import compiler
from tightfit.contenders.measure import measure_c, offered
from tightfit.errors import UsageError
from tightfit.harness.bench import Bench
from tightfit.harness.routine import Routine
from tightfit.primitives import load_primitive
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from . import guests

TARGETS = ("avr", "msp430", "rl78")


def measured(source, target="avr", flags=("-Os",), gate="search", **more):
    return measure_c(source, target, None, "present-80", "encrypt", flags=flags, gate=gate, **more)


@pytest.mark.parametrize("target", TARGETS)
def test_c_is_measured(target):
    contender = measured(guests.PRESENT, target)
    assert contender.rejected is None
    assert contender.origin == "external" and contender.interface == "one pointer"
    assert contender.cost.ram_parts.block == 28
    assert contender.curve.cycles[4] == 5 * contender.cost.cycles
    assert contender.compiler.endswith("gcc") and contender.flags.endswith("-Os")


def test_c_goes_through_the_full_gate():
    primitive = load_primitive("aes-128")
    source = source_of(primitive)
    asked = {"routine": source.name, "defines": definitions(primitive, "encrypt"), "flags": ("-O2",)}
    full, quick = (
        measure_c(source.file, "avr", None, "aes-128", "encrypt", **asked, gate=gate)
        for gate in ("full", "search")
    )
    assert full.rejected is None
    assert (full.cost.rom, full.cost.ram_parts, full.cost.cycles) == (
        quick.cost.rom,
        quick.cost.ram_parts,
        quick.cost.cycles,
    )
    assert full.provenance["gate"] == "full"


def test_rom_is_what_size_says_of_the_program_that_gcc_links(tmp_path):
    """Linked by the compiler itself, with and without the call; both have the code that copies data."""
    cc = compiler(load_target("avr"), load_target("avr").part())
    sizes = []
    for call in ("", "guest_encrypt(&block);"):
        main = tmp_path / "main.c"
        main.write_text(
            f'#include "{guests.PRESENT}"\nguest_block block;\nint main(void) {{ {call} for (;;); }}'
        )
        image = tmp_path / "image.elf"
        flags = [
            *cc.options,
            "-Os",
            "-fno-inline",
            "-ffunction-sections",
            "-fdata-sections",
            "-Wl,--gc-sections",
        ]
        subprocess.run([cc.path, *flags, "-o", image, main], check=True)
        said = subprocess.run([tool("avr", "size"), image], capture_output=True, text=True, check=True).stdout
        sizes.append(sum(map(int, said.splitlines()[1].split()[:2])))
    loading, call = 4, 4
    contender = measured(guests.PRESENT, flags=("-Os", "-fno-inline"))
    assert sizes[1] - sizes[0] - loading - call == contender.cost.rom


@pytest.mark.parametrize("target", TARGETS)
def test_assembly_costs_what_the_bench_says(tmp_path, target):
    """Assembly that says nothing about its static data, which the harness then takes from the image."""
    if target == "rl78":
        primitive, text, layout = "aes-128", routines.CORRECT, routines.Layout()
    else:
        primitive, text, layout = "present-80", correct(target), AROUND[target].layout
    (work,) = (size for name, _, size in layout.fields if name == "work")
    source = tmp_path / "inner.s"
    source.write_text(f"        .equ    inner_work, {work}\n{text}")
    contender = measure_c(source, target, None, primitive, "encrypt", flags=(), gate="search")
    with Bench(target, None, primitive) as bench:
        routine = Routine(text, "inner", ("encrypt",), layout, static=None)
        image, findings = bench.examine(routine, ("encrypt",))
        wanted = bench.cost("encrypt", routine, image, findings)
    assert contender.rejected is None
    assert contender.cost == wanted
    assert contender.compiler.endswith("-as")


def test_a_level_is_a_contender_of_its_own():
    levels = [measured(guests.PRESENT, flags=(level,)) for level in ("-Os", "-O3")]
    assert levels[0].id != levels[1].id
    assert levels[0].cost.rom < levels[1].cost.rom and levels[0].cost.cycles > levels[1].cost.cycles
    assert measured(guests.PRESENT).id == levels[0].id


def test_functions_that_nobody_calls_are_left_out(tmp_path):
    extra = "void guest_other(uint8_t *p) { for (int i = 0; i < 99; i++) p[i] *= i; }"
    assert measured(guests.present(tmp_path, extra=extra)).cost == measured(guests.PRESENT).cost


@pytest.mark.parametrize("target", TARGETS)
def test_a_guest_may_have_a_memcpy_of_its_own(tmp_path, target):
    own = "#include <stddef.h>\nvoid *memcpy(void *to, const void *from, size_t n)\n{ uint8_t *t = to;"
    own += ' const uint8_t *f = from; while (n--) { *t++ = *f++; __asm__ volatile("nop"); } return to; }'
    flags = ("-Os", "-fno-builtin")
    contender = measured(guests.present(tmp_path, extra=own), target, flags)
    assert contender.rejected is None
    assert contender.cost != measured(guests.PRESENT, target, flags).cost


def test_the_operations_that_a_file_offers(tmp_path):
    assert offered([guests.PRESENT], "avr", None, "present-80") == ["encrypt"]
    both = guests.present(tmp_path, extra="struct guest_block;")
    both.write_text(both.read_text() + "void guest_decrypt(guest_block *block) { block->text[0]++; }\n")
    assert offered([both], "avr", None, "present-80") == ["encrypt", "encrypt+decrypt"]


STATIC = "static uint8_t count;"
WRONG_DOING = {
    "for (;;)": "branch to itself",
    "for (;;) ((volatile uint8_t *)block)[0]++": "cycle limit",
    "block->key[3]++": "key not intact",
    "block->text[0] ^= 1": "wrong answer",
    "((uint8_t *)block)[28] = 1": "stray write",
    "*(volatile uint8_t *)0x25 = 1": "stray write: special function register",
    "*(volatile uint8_t *)0x9000 = 1": "write",
    "block->text[0] ^= count++": "wrong answer",
}


@pytest.mark.parametrize("doing, reason", WRONG_DOING.items())
def test_what_it_does_wrong_is_the_reason(tmp_path, doing, reason):
    contender = measured(guests.present(tmp_path, after=doing, extra=STATIC))
    assert contender.cost is None
    assert reason in contender.rejected
    assert "\n" not in contender.rejected


@pytest.mark.parametrize(
    "target, doing, reason",
    [
        ("avr", "nop", None),
        ("avr", "inc r2", "R2 not preserved"),
        ("avr", "ldi r28, 1", "R28 not preserved"),
        ("avr", "inc r1", "R1 not preserved"),
        ("avr", "sei", "interrupt enable flag not preserved"),
        ("avr", "pop r0", "encrypt: "),
        ("msp430", "nop", None),
        ("msp430", "inc r9", "R9 not preserved"),
        ("msp430", "pop r15", "encrypt: "),
        ("rl78", "nop", None),
        ("rl78", "movw hl, #1", None),
        ("rl78", "incw 0xffeea", "r16-r23 not preserved"),
        ("rl78", "incw 0xffef2", None),
        ("rl78", "mov es, #3", "ES not preserved"),
        ("rl78", "sel rb1", "register bank not preserved"),
    ],
)
def test_the_calling_convention_of_the_compiler_is_checked(tmp_path, target, doing, reason):
    contender = measured(guests.wrapped(tmp_path, target, doing), target)
    assert contender.rejected is None if reason is None else reason in contender.rejected


BELOW = {
    "avr": "in r30, 0x3d\nin r31, 0x3e\nst Z, r0\n{}ld r0, Z",
    "msp430": "mov r12, -2(r1)\n{}mov -2(r1), r12",
    "rl78": "movw ax, sp\ndecw ax\ndecw ax\nmovw de, ax\nmov a, #1\nmov [de], a\n{}mov a, [de]",
}


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_kept_below_the_stack_pointer_may_be_overwritten(tmp_path, target):
    """Also where the stack was deeper before. What is written there and never read harms nothing."""
    contender = measured(guests.wrapped(tmp_path, target, BELOW[target].format("")), target)
    assert contender.rejected.startswith("encrypt: reads RAM below the stack pointer")
    only_written = BELOW[target].rpartition("{}")[0]
    assert measured(guests.wrapped(tmp_path, target, only_written), target).rejected is None


@pytest.mark.parametrize("target", TARGETS)
def test_ends_of_a_program_never_end(tmp_path, target):
    head = "#include <assert.h>\n#include <stdlib.h>"
    alive = guests.present(tmp_path, after="assert(block); if (!block) exit(1)", extra=head)
    assert measured(alive, target).rejected is None
    for end in ("abort()", "exit(2)", "assert(!block)"):
        ended = measured(guests.present(tmp_path, after=end, extra=head), target)
        assert "branch to itself" in ended.rejected


def test_several_files_of_one_routine(tmp_path):
    """The block is declared where the functions are, or in a header."""
    source = guests.present(tmp_path)
    text = source.read_text()
    head, _, rest = text.partition("static void add_round_key")
    at = text.index("typedef struct")
    (tmp_path / "block.h").write_text(f"#include <stdint.h>\n{text[at : text.index('static const')]}")
    table = head[head.index("static const") :]
    (tmp_path / "table.c").write_text(f"#include <stdint.h>\n{table.replace('static ', '')}")
    body = f"extern const uint8_t sbox[16];\nstatic void add_round_key{rest}"
    source.write_text(f'#include <string.h>\n#include "block.h"\n#define BEFORE\n#define AFTER\n{body}')
    files = [tmp_path / "table.c", source]
    for headers in ((), ("block.h",)):
        contender = measured(files, headers=headers)
        assert contender.rejected is None and contender.name == "table.c present.c"
        assert contender.cost.ram_parts.block == 28


def test_several_routines_are_told_where_operations_are_offered(tmp_path):
    both = guests.present(tmp_path)
    more = "".join(
        f"void {name}(guest_block *block) {{ block->text[0]++; }}\n" for name in ("b_encrypt", "b_decrypt")
    )
    both.write_text(both.read_text() + more)
    with pytest.raises(UsageError, match="has several routines: b, guest; say --name with one of them"):
        offered([both], "avr", None, "present-80")
    assert offered([both], "avr", None, "present-80", routine="b") == ["encrypt", "encrypt+decrypt"]


def test_a_stack_that_grows_without_end_is_told(tmp_path):
    extra = "void deep(volatile uint8_t *p) { volatile uint8_t q[64]; q[0] = *p; deep(q); *p = q[0]; }"
    contender = measured(guests.present(tmp_path, before="deep(block->text)", extra=extra))
    assert "stack below" in contender.rejected


@pytest.mark.parametrize(
    "text, reason",
    [
        ("int x = ;", "compiler: present.c"),
        ("#include <nowhere.h>", "nowhere.h"),
        ("void nowhere(void);", None),
    ],
)
def test_what_does_not_build_is_told(tmp_path, text, reason):
    before = "nowhere()" if reason is None else ""
    contender = measured(guests.present(tmp_path, before=before, extra=text))
    assert (reason or "undefined reference to `nowhere'") in contender.rejected


@pytest.mark.parametrize("target", TARGETS)
def test_a_section_that_no_count_would_see_is_refused(tmp_path, target):
    extra = '__attribute__((section(".apart"))) volatile uint8_t apart[64];'
    contender = measured(guests.present(tmp_path, extra=extra, after="apart[0] = 1"), target)
    assert contender.rejected.startswith("linker: error: unplaced orphan section `.apart'")


def test_a_block_without_the_fields_is_told(tmp_path):
    source = tmp_path / "odd.c"
    source.write_text(
        "typedef struct { char text[8]; } odd_block;\nvoid odd_encrypt(odd_block *b) { b->text[0]++; }"
    )
    assert "expected a struct odd_block with text, key" in measured(source).rejected
    source.write_text(
        "typedef struct { char text[8], key[9]; } odd_block;\nvoid odd_encrypt(odd_block *b) {}"
    )
    assert measured(source).rejected == "parameter block: expected a field 'key' of 10 bytes"


def test_the_wrong_question(tmp_path):
    with pytest.raises(UsageError, match="c: expected NAME_encrypt and NAME_decrypt, found guest_encrypt"):
        measure_c(guests.PRESENT, "avr", None, "present-80", "encrypt+decrypt")
    with pytest.raises(UsageError, match="expected a file of C or assembly, found none"):
        measured(tmp_path / "none.c")
    with pytest.raises(UsageError, match="flag '-o': expected one that says how C is compiled"):
        measured(guests.PRESENT, flags=("-o",))
    with pytest.raises(UsageError, match="flags '-fsyntax-only': avr-gcc makes no object with them"):
        measured(guests.PRESENT, flags=("-fsyntax-only",))
    with pytest.raises(UsageError, match="no operation 'hash'"):
        measure_c(guests.PRESENT, "avr", None, "present-80", "hash")
    twice = guests.present(tmp_path)
    twice.write_text(twice.read_text() + "void twin_encrypt(guest_block *block) { guest_encrypt(block); }\n")
    with pytest.raises(UsageError, match="has several routines: guest, twin; say --name with one of them"):
        measured(twice)


def test_an_id_is_what_it_is_and_what_made_it():
    contender = measured(guests.PRESENT)
    assert replace(contender, cost=None, rejected="no").id == contender.id
    for name in (
        "target",
        "part",
        "primitive",
        "operation",
        "origin",
        "name",
        "compiler",
        "version",
        "flags",
    ):
        assert replace(contender, **{name: "other"}).id != contender.id
