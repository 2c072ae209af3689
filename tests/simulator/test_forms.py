"""The table of forms against assembler and disassembler, and against what the core charges and changes."""

import random
from functools import cache

import pytest

from .cores import CORES, MACHINES, every_core, msp430, rows


@cache
def images(core):
    return core.forms.images(core)


def main_image(core):
    """The one in which every form is run."""
    return next(image for image in images(core) if image.states)


def machine(core, code, **options):
    sim = core.simulator(**{"uninit": "off", **options})
    sim.load(core.tools.start, code)
    return sim


@every_core
def test_the_table_is_whole(core):
    table = list(core.simulator().forms())
    assert len({form.text for form in table}) == len(table) == core.forms.count
    assert all(form.sources for form in table)
    core.forms.check_table(table)


@every_core
def test_lengths_and_decoding(core):
    table, seen = list(core.simulator().forms()), set()
    for image in images(core):
        sim = machine(core, image.code)
        for placed in image.placed:
            index, length = sim.form_at(placed.address)
            form = placed.form
            assert length == placed.after - placed.address == form.length + placed.example.prefix
            assert table[index].text == core.forms.aliases.get(form.text, form.text), placed.text
            seen.add(form.text)
    assert seen == {form.text for form in table if core.forms.has(core.name, form)}


@pytest.mark.parametrize("core", [core for core in CORES if core.forms.against_disassembler], ids=repr)
def test_the_disassembler_sees_the_same_instructions(core, tmp_path):
    core.forms.against_disassembler(core, tmp_path)


@every_core
def test_clocks_are_the_table_s(core):
    for image in images(core):
        sim = machine(core, image.code)
        for state in image.states:
            for placed in image.placed:
                core.forms.prepare(sim, placed, state)
                sim.registers["pc"] = placed.address
                run = sim.step()
                expected = core.forms.expected(core, placed, run, state)
                told = {key: run.waits[key] if key in run.waits else getattr(run, key) for key in expected}
                assert told == expected, placed.text


@every_core
def test_flags_change_only_as_the_table_says(core):
    forms, chance = core.forms, random.Random(20)
    image = main_image(core)
    sim = machine(core, image.code)
    changed, listed = set(), set()
    for placed in image.placed:
        form = placed.form
        if form.text in (*forms.ended, *forms.no_flags):
            continue
        for _ in range(forms.repeats):
            forms.prepare(sim, placed, forms.random_state(placed, chance))
            before = sim.registers[forms.register]
            sim.registers["pc"] = placed.address
            run = sim.step()
            assert run.status == "steps" or not forms.always_steps, placed.text
            after = sim.registers[forms.register]
            for n, (name, bit) in enumerate(forms.flags.items()):
                match forms.rule(placed, n):
                    case "-":
                        assert after & bit == before & bit, (placed.text, name)
                    case "0" | "1" as value:
                        assert bool(after & bit) == (value == "1"), (placed.text, name)
                    case "c":
                        assert after & bit <= before & bit, (placed.text, name)
                if form.flags[n] != "-" and form.layout != "NONE":
                    listed.add((form.text, name))
                if (before ^ after) & bit and form.layout != "NONE":
                    changed.add((form.text, name))
    assert changed == listed or not forms.every_flag_shows


@pytest.mark.parametrize("lesser", MACHINES, ids=repr)
def test_forms_that_a_machine_lacks_are_unknown_to_it(lesser):
    core = next(core for core in (msp430.CPUX, *CORES) if core.target is lesser.target)
    image, seen = main_image(core), set()
    sim = machine(lesser, image.code[: lesser.flash_end - lesser.tools.start])
    for placed in image.placed:
        if placed.after <= lesser.flash_end:
            seen.add(placed.form.text)
            known = core.forms.has(lesser.name, placed.form)
            assert (sim.form_at(placed.address) is not None) == known, placed.text
            if not known:
                run = sim.run(placed.address, 0, cycle_limit=9)
                assert (run.status, run.pc, run.instructions) == ("unknown opcode", placed.address, 0)
    assert len(seen) == core.forms.count


@pytest.mark.parametrize("core, word", rows("no_instruction"))
def test_words_without_a_meaning(core, word):
    sim = machine(core, word.to_bytes(2, "little") * 3)
    assert sim.form_at(core.tools.start) is None
    assert sim.run(core.tools.start, 0, cycle_limit=9).status == "unknown opcode"


@pytest.mark.parametrize("core", [core for core in CORES if core.check_list], ids=repr)
def test_check_list(core):
    lines = [f"c{n}: {text}" for n, text in enumerate(core.check_list)]
    code, labels = core.tools.assemble("\n".join([*lines, "nop", "x: nop", "tab: .short 0", ""]))
    sim = machine(core, code)
    for n, (text, clocks) in enumerate(core.check_list.items()):
        core.forms.prepare(sim, None, {})
        sim.registers["pc"] = labels[f"c{n}"]
        assert sim.step().cycles == clocks, text
