"""The table of forms against the assembler, and against what the core charges and changes."""

import random
import re

import pytest

from tightfit.harness.simulator import Simulator

from .assembly import assemble, examples
from .rl78 import rl78

START = 0x1000
FLAG_BITS = {"Z": 0x40, "AC": 0x10, "CY": 0x01}
ALIASES = {"EI": "SET1 PSW.bit", "DI": "CLR1 PSW.bit"}
ENDS = {"HALT": "HALT reached", "STOP": "STOP reached", "BRK": "BRK reached"}


@pytest.fixture(scope="module")
def table():
    return list(rl78("rl78-s3").forms())


@pytest.fixture(scope="module")
def ram_code(table, tmp_path_factory):
    """Every example with its data in RAM: (example, address), and the image."""
    return _assembled(list(examples(table)), tmp_path_factory.mktemp("ram"))


@pytest.fixture(scope="module")
def flash_code(table, tmp_path_factory):
    """The examples that can read flash, with their data there."""
    reading = [f for f in table if f.flash]
    return _assembled(
        list(examples(reading, address="0x3020", base="0x3000")), tmp_path_factory.mktemp("flash")
    )


def _assembled(chosen, folder):
    lines = []
    for n, example in enumerate(chosen):
        lines += [f"e{n}: {example.text}", f"n{n}: nop", "1: nop"]
    code, symbols = assemble("\n".join(lines) + "\n", folder, start=START)
    return [(e, symbols[f"e{n}"], symbols[f"n{n}"]) for n, e in enumerate(chosen)], code


def _machine(code: bytes, core: str = "rl78-s3") -> Simulator:
    sim = rl78(core, uninit="off")
    sim.load(START, code)
    return sim


def _prepare(sim, *, psw: int, fill: int, data: int, es: int) -> None:
    sim.reset()
    sim.write(0xFEF00, bytes([fill]) * 0xFE0)
    sim.write(0xFFE00, bytes([0x00, 0x20, 0x00, psw]))
    for name, value in {
        "sp": 0xFE00,
        "ax": 0x1234,
        "bc": 0x0204,
        "de": data + 0x10,
        "hl": data,
        "psw": psw,
        "es": es,
    }.items():
        sim.registers[name] = value


def test_lengths_and_decoding(table, ram_code):
    located, code = ram_code
    sim = _machine(code)
    for example, address, after in located:
        assert after - address == example.length, example.text
        index, length = sim.form_at(address)
        assert length == example.length
        assert table[index].text == ALIASES.get(example.form.text, example.form.text)


def test_table_is_whole(table):
    assert len({f.text for f in table}) == len(table) == 348
    assert sum(f.es for f in table) == 127
    assert all(f.sources and len(f.marks) == 4 for f in table)


@pytest.mark.parametrize("psw", [0x06, 0x47])
@pytest.mark.parametrize("fill", [0x00, 0xFF])
def test_clocks_with_data_in_ram(ram_code, psw, fill):
    located, code = ram_code
    sim = _machine(code)
    for example, address, after in located:
        _prepare(sim, psw=psw, fill=fill, data=0xF000, es=0x0F)
        sim.registers["pc"] = address
        run = sim.step()
        form = example.form
        ended = ENDS.get(form.text, "steps")
        assert run.status == ended, (example.text, run)
        taken = form.taken and run.pc != after
        assert run.base == (form.taken if taken else form.clocks), example.text
        assert run.waits["es_waits"] == example.es, example.text
        assert run.waits["flash_waits"] == run.waits["hazard_waits"] == 0, example.text
        skipped = form.text.startswith("SK") and run.pc != after
        assert run.waits["skip_waits"] == skipped
        assert run.cycles == run.base + run.waits["es_waits"] + run.waits["skip_waits"]


@pytest.mark.parametrize("fill", [0x00, 0xFF])
def test_clocks_with_data_in_flash(flash_code, fill):
    located, code = flash_code
    sim = _machine(code)
    sim.load(0x3000, bytes([fill]) * 0x300)
    for example, address, after in located:
        _prepare(sim, psw=0x06, fill=0, data=0x3000, es=0)
        sim.registers["pc"] = address
        run = sim.step()
        assert run.status == "steps", (example.text, run)
        taken = example.form.taken and run.pc != after
        expected = example.form.flash + example.es + (1 if taken else 0)
        assert run.cycles == expected, example.text
        assert run.waits["flash_waits"] == (2 if taken else 3), example.text
        assert run.waits["es_waits"] == example.es


def test_flags_change_only_as_the_table_says(ram_code):
    located, code = ram_code
    sim = _machine(code)
    chance = random.Random(20)
    for example, address, _ in located:
        if example.form.text in ENDS:
            continue
        for _ in range(8):
            psw = chance.choice([0x00, 0x01, 0x10, 0x11, 0x40, 0x41, 0x50, 0x51]) | 0x06
            _prepare(sim, psw=psw, fill=chance.randrange(256), data=0xF000, es=0x0F)
            for name in ("a", "x"):
                sim.registers[name] = chance.randrange(256)
            sim.registers["pc"] = address
            assert sim.step().status == "steps", example.text
            after = sim.registers["psw"]
            for (name, bit), rule in zip(FLAG_BITS.items(), example.form.flags, strict=True):
                if rule == "-":
                    assert after & bit == psw & bit, (example.text, name)
                elif rule in "01":
                    assert bool(after & bit) == (rule == "1"), (example.text, name)


def test_later_forms_are_unknown_to_smaller_cores(ram_code):
    located, code = ram_code
    rank = {"S1": 1, "S2": 2, "S3": 3}
    for core in ("rl78-s1", "rl78-s2"):
        sim = _machine(code, core)
        for example, address, _ in located:
            offered = rank[example.form.core] <= rank[core[-2:].upper()]
            assert (sim.form_at(address) is not None) == offered, (core, example.text)


def test_s1_says_its_timing_is_not_verified(tmp_path):
    code, _ = assemble("nop\nnop\n", tmp_path)
    for core in ("rl78-s1", "rl78-s2"):
        run = _machine(code, core).run(START, START + 1, cycle_limit=10)
        assert run.timing_not_verified == (core == "rl78-s1")


# Forms whose clocks the lock-step cannot judge, because the GNU simulator has others: docs/simulator.md.
RULINGS = {
    r"XCH A,(saddr|sfr|!addr16|\[.*\])": 2,
    r"(SET1|CLR1) (!addr16|saddr|sfr|\[HL\])\.bit": 2,
    r"MOV1 (saddr|sfr|\[HL\])\.bit,CY": 2,
    r"MOV PSW,(#byte|A)": 3,
    r"POP PSW": 3,
    r"(SET1|CLR1|MOV1) PSW\.bit(,CY)?": 4,
    r"EI|DI": 4,
    r"CALLT \[addr5\]|BRK": 5,
    r"RETI|RETB": 6,
    r"HALT|STOP": 3,
}


def test_clocks_that_rest_on_a_ruling(table):
    for form in table:
        told = [clocks for pattern, clocks in RULINGS.items() if re.fullmatch(pattern, form.text)]
        differs = "sim!" in form.sources.split("; flash")[0] or "sim:" in form.sources
        assert bool(told) == differs, form.text
        assert not told or told == [form.clocks], form.text


def test_flash_costs_three_more_than_ram(table):
    assert all(form.flash == form.clocks + 3 for form in table if form.flash)
    assert sum(1 for form in table if form.flash) == 79
