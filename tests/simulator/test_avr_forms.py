"""The table of forms against assembler and disassembler, and against what the core charges and changes."""

import random

import pytest

from .avr_encoding import ENDS, Operands, choose, encode, examples, text
from .avr_parts import DATA, EVERY, LARGE, MEGA, SMALLEST, TINY
from .avr_tools import assemble, disassemble

START = 0x0800
FLAGS = "ITHSVNZC"
ALIASES = {
    "lsl": "add", "rol": "adc", "tst": "and", "clr": "eor", "ser": "ldi", "sbr": "ori", "cbr": "andi",
    "brlo": "brcs", "brsh": "brcc", "std": "st", "ldd": "ld",
    **{f"se{flag.lower()}": "bset" for flag in FLAGS}, **{f"cl{flag.lower()}": "bclr" for flag in FLAGS},
}  # fmt: skip
NOT_MODELLED = ("spm", "eijmp", "eicall", "des", "xch", "las", "lac", "lat")
ENDED = {"SLEEP": "HALT reached", "BREAK": "BRK reached"}


def plain(mnemonic: str) -> str:
    mnemonic = mnemonic.lower()
    return ALIASES.get(mnemonic, mnemonic)


@pytest.fixture(scope="module")
def table():
    return list(LARGE.simulator().forms())


def test_table_is_whole(table):
    assert len({form.text for form in table}) == len(table) == 102
    assert all(form.sources and form.marks in ("C", "M") and len(form.flags) == 8 for form in table)
    assert [form.text for form in table if form.marks == "M"] == list(ENDS)


def test_every_first_word_decodes_as_the_disassembler_has_it(table, tmp_path):
    sim = LARGE.simulator()
    told = {}
    for high in range(0, 0x10000, 0x4000):
        code = b"".join(word.to_bytes(2, "little") + b"\0\0" for word in range(high, high + 0x4000))
        told |= {
            high + at // 4: disassembled for at, disassembled in disassemble(code, tmp_path) if at % 4 == 0
        }
    assert len(told) == 0x10000
    for word, disassembled in told.items():
        sim.load(START, word.to_bytes(2, "little") + b"\0\0")
        form = sim.form_at(START)
        mnemonic = plain(disassembled.split()[0]) if disassembled else ".word"
        if mnemonic in NOT_MODELLED:
            mnemonic = ".word"
        ours = plain(table[form[0]].text.split()[0]) if form else ".word"
        assert ours == mnemonic, f"{word:04X} {disassembled}"


def test_assembled_text_is_the_encoding(table, tmp_path):
    """Operands go where the assembler puts them, and lengths are its lengths."""
    chance = random.Random(3)
    chosen = [(form, operands) for form in table for operands in examples(form, 40, chance)]
    chosen = [(f, o) for f, o in chosen if f.layout != "K22" or o.k < 0x10000]
    lines = [f"e{n}: {text(form, o)}" for n, (form, o) in enumerate(chosen)]
    code, symbols = assemble("\n".join(lines) + "\n", tmp_path)
    sim = LARGE.simulator()
    sim.load(0, code)
    for n, (form, operands) in enumerate(chosen):
        at = symbols[f"e{n}"]
        assert code[at : at + form.length] == encode(form, operands), text(form, operands)
        index, length = sim.form_at(at)
        assert (table[index].text.split()[0], length) == (form.text.split()[0], form.length)


@pytest.mark.parametrize("part", EVERY, ids=lambda part: part.name)
def test_parts_have_the_forms_they_should(part, table):
    sim = part.simulator()
    missing = set()
    for form in table:
        sim.load(START, encode(form, choose(form, random.Random(1))))
        if sim.form_at(START) is None:
            missing.add(form.text.split()[0])
            run = sim.run(START, 0, cycle_limit=9)
            assert (run.status, run.pc, run.instructions) == ("unknown opcode", START, 0)
    small = {"MUL", "MULS", "MULSU", "FMUL", "FMULS", "FMULSU", "JMP", "CALL", "ELPM"}
    absent = {SMALLEST: small, TINY: small, MEGA: {"ELPM"}, LARGE: set()}
    assert missing == absent[part]


def _harmless(form, o: Operands) -> Operands:
    """Operands with an address in RAM and a target elsewhere in the flash."""
    fixed = {"D5_K16": 0x0200, "K7": 5, "K12": 5, "K22": 0x1234}
    return Operands(o.d, o.r, fixed.get(form.layout, o.k), o.b)


def _prepare(sim, sreg: int, fill: int) -> None:
    sim.reset()
    sim.write(DATA, bytes([fill]) * 26 + b"\x00\x02" * 3)
    sim.write(DATA + 0x100, bytes([fill]) * 0x400)
    sim.registers["sp"] = 0x0300
    sim.registers["sreg"] = sreg


@pytest.mark.parametrize("sreg", [0x00, 0xFF])
@pytest.mark.parametrize("fill", [0x00, 0x7F])
def test_clocks_are_the_table_s(table, sreg, fill):
    sim = LARGE.simulator(uninit="off")
    chance = random.Random(4)
    skips = ("CPSE", "SBRC", "SBRS", "SBIC", "SBIS")
    for form in table:
        for operands in examples(form, 6, chance):
            code = encode(form, _harmless(form, operands))
            sim.load(START, code + b"\x00\x00\x00\x00")
            _prepare(sim, sreg, fill)
            sim.registers["pc"] = START
            run = sim.step()
            assert run.status == ENDED.get(form.text, "steps"), (form.text, run)
            after = START + len(code)
            skipped = form.text.startswith(skips) and run.pc == after + 2
            taken = form.taken and run.pc != after
            assert run.base == (form.taken if taken else form.clocks), form.text
            assert run.waits["skip_waits"] == skipped and run.cycles == run.base + skipped, form.text
            assert run.waits == {"skip_waits": skipped}


def test_flags_change_only_as_the_table_says(table):
    sim = LARGE.simulator(uninit="off")
    chance = random.Random(5)
    for form in table:
        if form.text in ENDS or form.text == "OUT A,Rr":
            continue
        changed: set[str] = set()
        for operands in examples(form, 60, chance):
            sim.load(START, encode(form, _harmless(form, operands)) + b"\x00\x00\x00\x00")
            before = chance.randrange(256)
            _prepare(sim, before, chance.randrange(256))
            for register in ("r16", "r24", f"r{operands.r}"):
                sim.registers[register] = chance.choice((0, 0x7F, 0x80, chance.randrange(256)))
            for pair in "xyz":
                sim.registers[pair] = 0x0200
            sim.registers["pc"] = START
            sim.step()
            after = sim.registers["sreg"]
            for n, rule in enumerate(form.flags):
                bit = 0x80 >> n
                if form.layout == "S" and 0x80 >> n != 1 << operands.b:
                    rule = "-"
                if rule == "-":
                    assert not (before ^ after) & bit, (form.text, FLAGS[n])
                elif rule in "01":
                    assert bool(after & bit) == (rule == "1"), (form.text, FLAGS[n])
                elif rule == "c":
                    assert after & bit <= before & bit, (form.text, FLAGS[n])
                if (before ^ after) & bit:
                    changed.add(FLAGS[n])
        listed = {flag for flag, rule in zip(FLAGS, form.flags, strict=True) if rule != "-"}
        assert form.layout == "NONE" or changed == listed, form.text
