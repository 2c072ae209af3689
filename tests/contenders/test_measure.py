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
from .guests import TARGETS, measured_present


def measured(source, target="avr", flags=("-Os",), **more):
    return measure_c(source, target, None, "present-80", "encrypt", flags=flags, gate="search", **more)


def changed(folder, target="avr", **statements):
    """PRESENT with further statements, measured."""
    return measured(guests.present(folder, **statements), target)


@pytest.mark.parametrize("target", TARGETS)
def test_c_is_measured(target):
    contender = measured_present(target)
    assert contender.rejected is None
    assert contender.origin == "external" and contender.interface == "one pointer"
    assert contender.cost.ram_parts.block == 28
    assert contender.curve.cycles[4] == 5 * contender.cost.cycles
    assert contender.compiler.endswith("gcc") and contender.flags.endswith("-Os")


def test_c_goes_through_the_full_gate():
    primitive = load_primitive("aes-128")
    source, flags = source_of(primitive), ("-O2",)
    asked = {"routine": source.name, "defines": definitions(primitive, "encrypt"), "flags": flags}
    full, quick = (
        measure_c(source.file, "avr", None, "aes-128", "encrypt", **asked, gate=gate)
        for gate in ("full", "search")
    )
    assert full.rejected is None and full.provenance["gate"] == "full"
    for figure in ("rom", "ram_parts", "cycles"):
        assert getattr(full.cost, figure) == getattr(quick.cost, figure)


def test_rom_is_what_size_says_of_the_program_that_gcc_links(tmp_path):
    """Linked by the compiler itself, with and without the call; both have the code that copies data."""
    cc = compiler(load_target("avr"), load_target("avr").part())
    sizes = []
    for call in ("", "guest_encrypt(&block);"):
        main = tmp_path / "main.c"
        program = f"guest_block block;\nint main(void) {{ {call} for (;;); }}"
        main.write_text(f'#include "{guests.PRESENT}"\n{program}')
        image = tmp_path / "image.elf"
        flags = [*cc.options, "-Os", "-fno-inline"]
        flags += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
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
    small, fast = (measured_present(flags=(level,)) for level in ("-Os", "-O3"))
    assert small.id != fast.id
    assert small.cost.rom < fast.cost.rom and small.cost.cycles > fast.cost.cycles
    assert measured(guests.PRESENT).id == small.id


def test_functions_that_nobody_calls_are_left_out(tmp_path):
    extra = "void guest_other(uint8_t *p) { for (int i = 0; i < 99; i++) p[i] *= i; }"
    assert changed(tmp_path, extra=extra).cost == measured_present().cost


@pytest.mark.parametrize("target", TARGETS)
def test_a_guest_may_have_a_memcpy_of_its_own(tmp_path, target):
    own = "#include <stddef.h>\nvoid *memcpy(void *to, const void *from, size_t n)\n{ uint8_t *t = to;"
    own += ' const uint8_t *f = from; while (n--) { *t++ = *f++; __asm__ volatile("nop"); } return to; }'
    flags = ("-Os", "-fno-builtin")
    contender = measured(guests.present(tmp_path, extra=own), target, flags)
    assert contender.rejected is None
    assert contender.cost != measured_present(target, flags).cost


STATIC = "static uint8_t count;"
DEEP = "void deep(volatile uint8_t *p) { volatile uint8_t q[64]; q[0] = *p; deep(q); *p = q[0]; }"
WRONG_DOING = [
    ("branch to itself", {"after": "for (;;)"}),
    ("cycle limit", {"after": "for (;;) ((volatile uint8_t *)block)[0]++"}),
    ("key not intact", {"after": "block->key[3]++"}),
    ("wrong answer", {"after": "block->text[0] ^= 1"}),
    ("stray write", {"after": "((uint8_t *)block)[28] = 1"}),
    ("stray write: special function register", {"after": "*(volatile uint8_t *)0x25 = 1"}),
    ("write", {"after": "*(volatile uint8_t *)0x9000 = 1"}),
    ("wrong answer", {"after": "block->text[0] ^= count++", "extra": STATIC}),
    ("stack below", {"before": "deep(block->text)", "extra": DEEP}),
    ("compiler: present.c", {"extra": "int x = ;"}),
    ("nowhere.h", {"extra": "#include <nowhere.h>"}),
    ("undefined reference to `nowhere'", {"before": "nowhere()", "extra": "void nowhere(void);"}),
]


@pytest.mark.parametrize("reason, statements", WRONG_DOING)
def test_what_it_does_wrong_is_the_reason(tmp_path, reason, statements):
    contender = changed(tmp_path, **statements)
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
    alive = changed(tmp_path, target, after="assert(block); if (!block) exit(1)", extra=head)
    assert alive.rejected is None
    for end in ("abort()", "exit(2)", "assert(!block)"):
        assert "branch to itself" in changed(tmp_path, target, after=end, extra=head).rejected


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


def test_the_operations_that_a_file_offers(tmp_path):
    assert offered([guests.PRESENT], "avr", None, "present-80") == ["encrypt"]
    both = guests.present(tmp_path, extra="struct guest_block;")
    more = "void {}crypt(guest_block *block) {{ block->text[0]++; }}\n"
    alone = both.read_text()
    both.write_text(alone + more.format("guest_de"))
    assert offered([both], "avr", None, "present-80") == ["encrypt", "encrypt+decrypt"]
    both.write_text(alone + more.format("b_en") + more.format("b_de"))
    with pytest.raises(UsageError, match="has several routines: b, guest; say --name with one of them"):
        offered([both], "avr", None, "present-80")
    assert offered([both], "avr", None, "present-80", routine="b") == ["encrypt", "encrypt+decrypt"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_section_that_no_count_would_see_is_refused(tmp_path, target):
    extra = '__attribute__((section(".apart"))) volatile uint8_t apart[64];'
    contender = changed(tmp_path, target, extra=extra, after="apart[0] = 1")
    assert contender.rejected.startswith("linker: error: unplaced orphan section `.apart'")


def test_a_block_without_the_fields_is_told(tmp_path):
    source = tmp_path / "odd.c"
    text = "typedef struct { char text[8]%s; } odd_block;\nvoid odd_encrypt(odd_block *b) { b->text[0]++; }"
    source.write_text(text % "")
    assert "expected a struct odd_block with text, key" in measured(source).rejected
    source.write_text(text % ", key[9]")
    assert measured(source).rejected == "parameter block: expected a field 'key' of 10 bytes"


def test_the_wrong_question(tmp_path):
    with pytest.raises(UsageError, match="c: expected NAME_encrypt and NAME_decrypt, found guest_encrypt"):
        measure_c(guests.PRESENT, "avr", None, "present-80", "encrypt+decrypt")
    with pytest.raises(UsageError, match="no operation 'hash'"):
        measure_c(guests.PRESENT, "avr", None, "present-80", "hash")
    with pytest.raises(UsageError, match="expected a file of C or assembly, found none"):
        measured(tmp_path / "none.c")
    for flag, words in (
        ("-o", "flag '-o': expected one that says how C is compiled"),
        ("-fsyntax-only", "flags '-fsyntax-only': avr-gcc makes no object with them"),
    ):
        with pytest.raises(UsageError, match=words):
            measured(guests.PRESENT, flags=(flag,))
    twice = guests.present(tmp_path)
    twice.write_text(twice.read_text() + "void twin_encrypt(guest_block *block) { guest_encrypt(block); }\n")
    with pytest.raises(UsageError, match="has several routines: guest, twin; say --name with one of them"):
        measured(twice)


def test_an_id_is_what_it_is_and_what_made_it():
    contender = measured_present()
    assert replace(contender, cost=None, rejected="no").id == contender.id
    for name in "target part primitive operation origin name compiler version flags".split():
        assert replace(contender, **{name: "other"}).id != contender.id
