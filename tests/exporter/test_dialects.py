"""The dialects of RL78 assembly: expected text by hand, and every template written and read back."""

import re
import shutil
import subprocess
from contextlib import nullcontext
from dataclasses import replace
from io import BytesIO
from itertools import islice, product
from random import Random

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from tests.sampling import as_measured, some
from tightfit.errors import UsageError, WorkError
from tightfit.exporter.dialects import dialects
from tightfit.exporter.dialects.instructions import load_forms
from tightfit.exporter.dialects.reach import addresses
from tightfit.exporter.dialects.reader import Reader
from tightfit.exporter.dialects.roundtrip import check_round_trip
from tightfit.exporter.dialects.sections import gather
from tightfit.generator import load_space, render, spaces
from tightfit.generator.sources import sources_of_template
from tightfit.harness.bench import routine_of
from tightfit.harness.build import Builder
from tightfit.primitives import primitive_ids
from tightfit.records import Variant
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

TARGET = load_target("rl78")
PART = TARGET.part(TARGET.default_part)
DIALECTS = dialects("rl78")
NAMES = ("ccrl", "iar", "llvm")
SAMPLES = 2

# One instruction in GNU form, in that of CC-RL and LLVM, and in IAR's; _t_table is in flash, _t_state in RAM.
INSTRUCTIONS = {
    "mov     a, 0xffef7": ("mov a, 0xFFEF7", "MOV A, S:0xFFEF7"),
    "mov     a, 1048311": ("mov a, 0xFFEF7", "MOV A, S:0xFFEF7"),
    "mov     a, 0xffffd": ("mov a, 0xFFFFD", "MOV A, 0xFFFFD"),
    "mov     a, #0x1b": ("mov a, #0x1B", "MOV A, #0x1B"),
    "mov     a, [hl+16]": ("mov a, [hl+16]", "MOV A, [HL+16]"),
    "mov     [hl+b], a": ("mov [hl+b], a", "MOV [HL+B], A"),
    "movw    ax, [sp]": ("movw ax, [sp+0]", "MOVW AX, [SP+0]"),
    "mov     a, 0xfee0-0xf0[c]": ("mov a, 0xFDF0[c]", "MOV A, (0xFDF0)[C]"),
    "mov     a, _t_table[b]": ("mov a, SMRLW(_t_table)[b]", "MOV A, (_t_table)[B]"),
    "mov     a, .Llane-1[c]": ("mov a, SMRLW(.Llane-1)[c]", "MOV A, (??lane-1)[C]"),
    "mov     _t_state[b], a": ("mov LOWW(_t_state)[b], a", "MOV (_t_state)[B], A"),
    "mov     !_t_state+3, a": ("mov !LOWW(_t_state+3), a", "MOV N:_t_state+3, A"),
    "movw    de, #%lo16(_t_table)": ("movw de, #SMRLW(_t_table)", "MOVW DE, #LWRD(_t_table)"),
    "movw    hl, #_t_state+18": ("movw hl, #LOWW(_t_state+18)", "MOVW HL, #LWRD(_t_state+18)"),
    "bnz     $.Lnear": ("bnz $.Lnear", "BNZ ??near"),
    "br      $.Lnear": ("br $.Lnear", "BR S:??near"),
    "br      $!.Lnear": ("br $!.Lnear", "BR N:??near"),
    "br      !!_t_go": ("br !!_t_go", "BR F:_t_go"),
    "br      ax": ("br ax", "BR AX"),
    "call    $!_t_go": ("call $!_t_go", "CALL _t_go"),
    "call    !.Lnear": ("call !.Lnear", "CALL N:??near"),
    "bt      a.7, $.Lnear": ("bt a.7, $.Lnear", "BT A.7, ??near"),
    "bf      0xffef2.7, $.Lnear": ("bf 0xFFEF2.7, $.Lnear", "BF S:0xFFEF2.7, ??near"),
    "mov1    cy, [hl].0": ("mov1 cy, [hl].0", "MOV1 CY, [HL].0"),
    "set1    a.7": ("set1 a.7", "SET1 A.7"),
    "shlw    ax, 12": ("shlw ax, 12", "SHLW AX, 12"),
    "sel     rb1": ("sel rb1", "SEL RB1"),
    "addw    sp, #248": ("addw sp, #248", "ADDW SP, #248"),
}
PROGRAM = """
        .text
        .global _t_go
_t_go:
.Lnear:
        {instruction}
.Llane:
        .section .rodata
_t_table:
        .byte   1
        .section .bss
_t_state:
        .skip   20
"""

# The directives, a comment on top, and what the others have not: a common symbol, and a section that goes on
# under another name.
GNU = """; What it is.

        .text
        .global _t_go
        .type   _t_go, @function
_t_go:
        ret                             ; back. Done
        .size   _t_go, . - _t_go

; The table.
        .section .rodata
        .balign 256
_t_table:
        .byte   0x63, 5
        .short  4660
        .long   0xcafe
        .section .rodata.initial, "a"
_t_initial:
        .skip   6
        .local  _t_state
        .comm   _t_state, 18, 2
"""
EXPECTED = {
    "ccrl": """; What it is.

        .SECTION .text,TEXT
        .PUBLIC _t_go
        .STACK  _t_go=6
_t_go:
        ret                             ; back. Done
        .SECTION .const,CONST

; The table.
        .ALIGN  256
_t_table:
        .DB     0x63, 5
        .DB2    0x1234
        .DB4    0xCAFE
_t_initial:
        .DS     (6)
        .SECTION .bss,BSS
        .ALIGN  2
_t_state:
        .DS     (18)
""",
    "llvm": """; What it is.

        .text
        .global _t_go
        .type   _t_go, @function
_t_go:
        ; back. Done
        ret
        .size   _t_go, . - _t_go
        .section .rodata,"a",@progbits

; The table.
        .balign 256
_t_table:
        .byte   0x63, 5
        .short  0x1234
        .long   0xCAFE
_t_initial:
        .skip   6
        .section .bss,"aw",@nobits
        .balign 2
_t_state:
        .skip   18
        .size   _t_state, . - _t_state
""",
    "iar": """; What it is.

        SECTION .text:CODE:ROOT(0)
        PUBLIC  _t_go
_t_go:
        RET                             ; back. Done
        SECTION .const:CONST:ROOT(8)

; The table.
        ALIGN   8
_t_table:
        DC8     0x63, 5
        DC16    0x1234
        DC32    0xCAFE
_t_initial:
        DC8     0, 0, 0, 0, 0, 0
        SECTION .bss:DATA:ROOT(1)
        ALIGN   1
_t_state:
        DS8     18
        END
""",
}


@pytest.fixture(scope="module")
def builder():
    builder = Builder(TARGET, PART)
    yield builder
    builder.close()


def cases(primitive):
    """Templates and operations on RL78, and how many variants: of what is as it was measured only one."""
    if ("rl78", primitive) not in spaces():
        return
    specs = load_space("rl78", primitive).templates.values()
    same = some(filter(as_measured, specs), 1, lambda spec: str(sources_of_template(spec)))
    for spec in specs:
        if not as_measured(spec):
            yield from ((spec.name, operation, SAMPLES) for operation in spec.operations)
        elif spec in same:
            yield spec.name, some(spec.operations, 1)[0], 1


def routines(primitive, template, operation, samples=SAMPLES):
    spec = load_space("rl78", primitive).templates[template]
    for seed in range(samples):
        knobs = spec.sample(operation, Random(seed))
        variant = Variant("rl78", PART.name, primitive, operation, template, knobs)
        yield routine_of(variant, render(variant, name="t", markers=False), "t")


def lines_of(text):
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_three_are_there_and_others_have_none():
    assert tuple(DIALECTS) == NAMES
    assert not dialects("avr") and not dialects("msp430")
    for dialect in DIALECTS.values():
        assert dialect.words and dialect.command_lines and dialect.extension[0] == "."


@pytest.mark.parametrize("gnu, expected", INSTRUCTIONS.items())
def test_an_instruction_is_spelled_as_the_assembler_has_it(gnu, expected):
    ours, iar = expected
    for name, text in {"ccrl": ours, "llvm": ours, "iar": iar}.items():
        written = DIALECTS[name].source(PROGRAM.format(instruction=gnu))
        assert text in lines_of(written), name
        assert lines_of(gnu)[0].split()[0] in DIALECTS[name].back(written)


@pytest.mark.parametrize("name", NAMES)
def test_directives_sections_and_comments(name):
    assert DIALECTS[name].source(GNU, {"_t_go": 6}) == EXPECTED[name]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_written_by_hand_is_read(name):
    back = DIALECTS[name].back(EXPECTED[name])
    lines = lines_of(back)
    sections = [line for line in lines if line == ".text" or line.startswith(".section")]
    assert sections == [".text", ".section .rodata", ".section .bss"]
    zeros = ".byte 0, 0, 0, 0, 0, 0" if name == "iar" else ".skip 6"
    for line in (".byte 0x63, 5", ".short 0x1234", ".long 0xCAFE", zeros, ".balign 256", "_t_initial:"):
        assert line in lines
    assert "; back. Done" in back and "; The table." in lines


@pytest.mark.parametrize(
    "name, text, gnu",
    [
        ("ccrl", "\tmovw\tax, [hl+0x0004]", "movw ax, [hl+0x04]"),
        ("ccrl", "\tMOV A, !LOWW(_t_state+0x00002)", "mov a, !_t_state+2"),
        ("ccrl", "\tbr $!.Lnear", "br $!.Lnear"),
        ("iar", "        MOVW      AX, #LWRD(_t_state+8)  ;; 1 cycle", "movw ax, #%lo16(_t_state+8)"),
        ("iar", "        MOV       A, (_t_table-1)[BC]", "mov a, _t_table-1[bc]"),
        ("iar", "        BR        S:??near", "br $.Lnear"),
        ("iar", "        CALL      N:??near", "call !.Lnear"),
        ("iar", "        SET1      S:0xFFF03.2", "set1 0xFFF03.2"),
        ("llvm", "\tmovw ax, es:x", None),
        ("llvm", "\tbz\t$.Lnear", "bz $.Lnear"),
    ],
)
def test_other_peoples_text_is_read(name, text, gnu):
    """Lines as they are in published output of the compilers."""
    written = DIALECTS[name].source(PROGRAM.format(instruction="nop"))
    written = re.sub(r"(?im)^ +nop$", lambda _: text, written)
    if gnu is None:
        with pytest.raises(UsageError, match="is no operand"):
            DIALECTS[name].back(written)
    else:
        assert gnu in [line.split(" ;")[0] for line in lines_of(DIALECTS[name].back(written))]


@pytest.mark.in_turn(4)
@pytest.mark.dear("every template of a primitive")
@pytest.mark.parametrize("primitive", primitive_ids())
def test_every_template_is_written_and_read_back(builder, tmp_path, primitive):
    for case in cases(primitive):
        for routine, dialect in product(routines(primitive, *case), DIALECTS.values()):
            text = dialect.source(routine.source)
            check_round_trip(dialect, routine, text, builder)
            if assembler := installed(dialect):
                same_objects(dialect, assembler, text, tmp_path)


def test_a_text_with_another_byte_does_not_pass(builder):
    routine = next(routines("aes-128", "flat", "encrypt"))
    for dialect in DIALECTS.values():
        text = dialect.source(routine.source)
        changed = re.sub(r"(?i)(xor +a, )\[hl\+7\]", r"\1[hl+8]", text, count=1)
        assert changed != text
        with pytest.raises(WorkError, match="has other bytes: .text"):
            check_round_trip(dialect, routine, changed, builder)
        with pytest.raises(WorkError, match="does not build"):
            check_round_trip(dialect, replace(routine, entries=("nothing",)), text, builder)


def test_every_length_is_the_assemblers(tmp_path):
    forms = load_forms(TARGET.folder / "dialects" / "instructions.yaml")
    samples = {
        **{"r": "b", "rp": "de", "rbn": "rb1", "#": "#1", "saddr": "0xffe40", "sfr": "0xfff30", "n": "1"},
        **{"!": "!0xfe00", "!!": "!!0x1000", "$": "$.", "$!": "$!.", "n[b]": "0x100[b]", "n[c]": "0x100[c]"},
        **{"n[bc]": "0x100[bc]", "[de+n]": "[de+4]", "[hl+n]": "[hl+4]", "[sp+n]": "[sp+4]", "[n]": "[0x90]"},
    }

    def sample(operand):
        plain = operand.removesuffix(".n")
        return samples.get(plain, plain) + (".3" if operand != plain else "")

    rows = [(mnemonic, form, size) for mnemonic, of in forms.items() for form, size in of.items()]
    source = [".text"]
    for number, (mnemonic, form, _) in enumerate(rows):
        source += [f"at{number}:", f"{mnemonic} {', '.join(map(sample, form.split(', '))) if form else ''}"]
    labels = assembled_labels("\n".join([*source, f"at{len(rows)}:\n"]), tmp_path, TARGET.cores["rl78-s3"])
    for number, (mnemonic, form, size) in enumerate(rows):
        assert labels[f"at{number + 1}"] - labels[f"at{number}"] == size, f"{mnemonic} {form}"


@pytest.mark.parametrize("primitive", some(primitive_ids(), 15))
def test_labels_are_where_the_assembler_puts_them(tmp_path, primitive):
    dialect = DIALECTS["llvm"]
    for template, operation, _ in islice(cases(primitive), 0, None, 3):
        for routine in routines(primitive, template, operation, samples=1):
            back = dialect.back(dialect.source(routine.source))
            lines = gather(Reader(dialect.base, dialect.sizes).read(back)).blocks[".text"]
            computed = addresses(lines, dialect.sizes)
            labels = assembled_labels(back, tmp_path)
            wrong = {label for label, place in computed.items() if labels[label] != place}
            assert computed and not wrong, (template, operation)


BRANCHES = {"bz      $.Lto": 2, "bnh     $.Lto": 3, "bt      a.7, $.Lto": 3, "bf      0xffef2.1, $.Lto": 4}


@pytest.mark.parametrize("branch, size", BRANCHES.items())
def test_a_branch_out_of_reach_becomes_what_the_assembler_makes_of_it(tmp_path, branch, size):
    turned = set()
    for gap in range(118, 134):
        for source in (
            f"        .text\n        {branch}\n        .skip {gap}\n.Lto:\n        nop\n",
            f"        .text\n.Lto:\n        .skip {gap}\n        {branch}\n        nop\n",
        ):
            forward = source.index("skip") > source.index("$")
            text = DIALECTS["ccrl"].source(source)
            back = DIALECTS["ccrl"].back(text)
            if not forward and 128 - size < gap <= 128:
                assert ".Lpast1" in text  # GNU as lets the byte wrap round: a wrong branch
                continue
            assert text_of(assembled(back, tmp_path)) == text_of(assembled(source, tmp_path))
            turned.add((forward, ".Lpast1" in text))
    assert turned == {(True, True), (True, False), (False, True), (False, False)}


def test_a_branch_out_of_reach_is_written_out():
    text = DIALECTS["ccrl"].source("        .text\n        bz $.Lto\n        .skip 200\n.Lto:\n        ret\n")
    assert lines_of(text)[1:4] == ["bnz $.Lpast1", "br $!.Lto", ".Lpast1:"]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_relies_on_relaxation_is_refused(name):
    nops = "        nop\n" * 100
    text = DIALECTS[name].source(f"        .text\n        bz $.Lto\n{nops}.Lto:\n        ret\n")
    far = re.sub(r"(?i)( +nop\n)", r"\1\1", text)
    with pytest.raises(UsageError, match=r"line 2: 'bz ... .Lto': its target is 200 bytes off: out of reach"):
        DIALECTS[name].back(far)


@pytest.mark.parametrize("sum_, value", [("0xf0^0x0f", "0xFF"), ("2 + 6 ^ 3", "7"), ("9-1^3", "7")])
def test_numbers_are_joined_as_gnu_as_joins_them(sum_, value):
    for dialect in DIALECTS.values():
        text = dialect.back(dialect.source(f"        .text\n        .byte {sum_}\n"))
        assert re.search(rf"\.byte\s+{value}\b", text)


WRONG = {
    "frob a": "line 2: 'frob a': neither an instruction nor a directive that",
    "mov b, [hl]": r"line 2: 'mov b, \[hl\]': no form of an RL78 instruction",
    "mov a, es:[hl]": r"line 2: 'mov a, es:\[hl\]': 'es:\[hl\]' is no operand",
    ".macro twice": "line 2: '.macro twice': neither",
    '.section .stack, "aw"': "line 2: '.section .stack, .*': no known section; there are: .text, .rodata",
    ".byte _t_go": "line 2: '.byte _t_go': '_t_go' is no number",
    "bz $_t_elsewhere": "line 2: 'bz ... _t_elsewhere': _t_elsewhere is not in the section",
    "btclr a.1, $.Lfar\n .skip 200\n.Lfar: nop": "line 2: 'btclr ... .Lfar': .* it has no inverse",
}


@pytest.mark.parametrize("line, message", WRONG.items())
def test_what_is_not_known_is_named_by_its_line(line, message):
    for dialect in DIALECTS.values():
        with pytest.raises(UsageError, match=message):
            dialect.source(f"        .text\n        {line}\n")


def test_what_a_dialect_has_no_spelling_for():
    for name, text, said in (
        ("iar", ".Lto:\n        br !.Lto", r"line 3: 'br !.Lto': IAR .* has no spelling for it"),
        ("iar", "_t.go:\n        ret", "line 2: '_t.go': '_t.go' is no symbol of IAR"),
        ("ccrl", ".Line:\n        ret", "'.Line' is no symbol of Renesas CC-RL"),
    ):
        with pytest.raises(UsageError, match=said):
            DIALECTS[name].source(f"        .text\n{text}\n")


@pytest.mark.parametrize("name", ["ccrl", "llvm"])
def test_an_address_in_the_wrong_memory_is_found_out(name):
    text = DIALECTS[name].source(PROGRAM.format(instruction="mov a, _t_table[b]"))
    with pytest.raises(UsageError, match="'_t_table': is taken for an address in ram, and is not there"):
        DIALECTS[name].back(text.replace("SMRLW", "LOWW"))


def assembled(source, folder, core=PART.core):
    file, output = folder / "t.s", folder / "t.o"
    file.write_text(source)
    command = [tool("rl78", "as"), *core.assemble, "-L", "-o", output, file]
    subprocess.run(command, check=True, capture_output=True)
    return output.read_bytes()


def assembled_labels(source, folder, core=PART.core):
    symbols = ELFFile(BytesIO(assembled(source, folder, core))).get_section_by_name(".symtab")
    return {symbol.name: symbol["st_value"] for symbol in symbols.iter_symbols() if symbol.name}


def text_of(data):
    return ELFFile(BytesIO(data)).get_section_by_name(".text").data()


def installed(dialect):
    """The dialect's own assembler where it is on PATH, run with the command in `command_lines`."""
    if not all(shutil.which(name) for name in dialect.tools):
        return None
    if dialect.name == "llvm":
        targets = subprocess.run(["clang", "-print-targets"], capture_output=True, text=True).stdout
        return dialect.command_lines[0] if "rl78" in targets else None
    return dialect.command_lines[0]


def same_objects(dialect, assembler, text, folder):
    """The dialect's own assembler gives the same bytes as GNU as, except those that the linkers fill in."""
    (folder / f"t{dialect.extension}").write_text(text)
    command = assembler.format(name="t").split()
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    assembly = (folder / command[command.index("-o") + 1]).read_bytes()
    gnu = dialect.back(text)
    if dialect.name == "llvm":  # it takes the shorter form
        gnu = re.sub(r"(movw? +(?:a|ax), \[(?:de|hl))\+0\]|(movw? +\[(?:de|hl))\+0\]", r"\1\2]", gnu)
    assert unlinked(assembly, dialect) == unlinked(assembled(gnu, folder), dialect)


def unlinked(data, dialect):
    """The bytes of each section under GNU's names, without relocated bytes and zeros at the end."""
    names = {} if dialect.name == "llvm" else {".const": ".rodata"}
    elf, sections = ELFFile(BytesIO(data)), {}
    holes = [table for table in elf.iter_sections() if isinstance(table, RelocationSection)]
    for section in elf.iter_sections():
        name = names.get(section.name, section.name)
        if name in (".text", ".rodata", ".data"):
            sections[name] = bytearray(section.data())
            own = [table for table in holes if elf.get_section(table["sh_info"]).name == section.name]
            for relocation in (one for table in own for one in table.iter_relocations()):
                at = relocation["r_offset"]
                sections[name][at : at + 2] = bytes(2)
    return {name: bytes(data).rstrip(b"\0") for name, data in sections.items() if data.strip(b"\0")}


CLANG = """#!/bin/sh
if [ "$1" = -print-targets ]; then echo "    rl78 - Renesas RL78"; exit; fi
sed -E 's/(SMRLW|LOWW)\\(([^)]*)\\)/\\2/; {slip}' t.s > gnu.s
exec {assembler} -o t.o gnu.s
"""


@pytest.mark.parametrize("slip", ["", "s/xor /or  /"])
def test_an_assembler_on_path_is_held_to_the_bytes(tmp_path, monkeypatch, slip):
    """GNU as in place of a clang with RL78: its objects pass; with a deliberate slip they do not."""
    script = tmp_path / "clang"
    script.write_text(CLANG.format(slip=slip, assembler=tool("rl78", "as")))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    dialect, routine = DIALECTS["llvm"], next(routines("sha-256", "small", "hash"))
    command = installed(dialect)
    assert command == "clang --target=rl78 -mcpu=s2 -c {name}.s -o {name}.o"
    with pytest.raises(AssertionError) if slip else nullcontext():
        same_objects(dialect, command, dialect.source(routine.source), tmp_path)
