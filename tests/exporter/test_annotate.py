"""The assembly that people read: its comments account for the whole cost, and change nothing."""

import re
from collections import Counter
from random import Random

import pytest

from tests import answers
from tests.coverings import covering
from tests.exporter.firmware.winners import FILES, form
from tightfit.exporter import export, prepare, toolchains
from tightfit.exporter.annotate import annotated
from tightfit.exporter.texts import suffix
from tightfit.generator.notes import load_notes
from tightfit.primitives import load_primitive
from tightfit.targets import load_target

COST = re.compile(r"^\S+ (?:the \d+ stretches together: )?(\d+) B(?:; (.*))?$")
SPENT = re.compile(r"([\w, ]+): ([\d,.]+) cycles in ([\d,.]+) runs?")


def cases():
    """Each primitive, and each form on each target."""
    return covering(FILES, lambda case: (case[1], (case[0], form(case[1]))))


@pytest.fixture(scope="module", params=cases(), ids=" ".join)
def routines(request):
    """A few winners as routines, on RL78 without the shim, which would be measured; with annotated texts."""
    file = FILES[request.param]
    winners, toolchain = answers.winners(file), toolchains(request.param[0])[-1]
    chosen = Random(file.read_bytes()).sample(winners, min(2, len(winners)))
    prepared = [prepare(each, "it", toolchain) for each in answers.measurements_of(file, chosen)]
    return [(routine, annotated(routine)) for routine in prepared]


def sign(routine) -> str:
    """What begins a comment of its target."""
    return load_target(routine.measurement.variant.target).comment


def joined(text: str, begin: str) -> list[str]:
    """The lines of a text, with comments of several lines joined."""
    lines: list[str] = []
    for line in text.splitlines():
        more = lines and re.match(rf"{begin} (?!--|the |\d+ B)\S", line) and COST.match(lines[-1])
        lines[-1:] = [f"{lines[-1]} {line[len(begin) + 1 :]}"] if more else [*lines[-1:], line]
    return lines


def code(text: str, begin: str) -> list[str]:
    """The code that the assembler reads, without spaces and comments."""
    lines = (" ".join(line.split(begin)[0].split()) for line in text.splitlines())
    return [line for line in lines if line]


def test_the_stretches_add_up_to_the_cost(routines):
    for routine, text in routines:
        add_up(routine, text)


def add_up(routine, text):
    """The bytes in the comments are the routine's, the cycles those of its entries without the call."""
    measurement = routine.measurement
    where = measurement.variant.id
    begin = sign(routine)
    assert code(text, begin) == code(routine.source, begin), where
    costs = [match for line in joined(text, begin) if (match := COST.match(line))]
    assert sum(int(match[1]) for match in costs) == measurement.cost.rom, where
    spent: Counter[str] = Counter()
    for match in costs:
        for entries, cycles, _ in SPENT.findall(match[2] or ""):
            spent += {name.strip(): float(cycles.replace(",", "")) for name in entries.split(",")}
    call = {
        share.entry: share.cycles / measurement.attribution.inputs
        for share in measurement.attribution.time
        if not share.path
    }
    for entry, cycles in spent.items():
        timing, slack = measurement.cost.by_entry[entry], 0.05 * len(costs)
        assert cycles + call[entry] == pytest.approx(timing.total / timing.inputs, abs=slack), where
    figures = set(measurement.cost.by_entry)
    whole = load_primitive(measurement.variant.primitive).kind == "aead"  # entries are figures beside others
    assert set(spent) == (figures if whole else figures & set(routine.rendered.entries) or figures), where


def test_every_stretch_is_said_to_be_a_step_of_the_standard(routines):
    for routine, text in routines:
        variant, lines = routine.measurement.variant, text.splitlines()
        notes = load_notes(variant.target, variant.primitive)
        for register, meaning in notes.registers(variant):
            said = rf"{sign(routine)}   {re.escape(register)} .*{re.escape(meaning.split()[0])}"
            assert any(re.match(said, line) for line in lines), (variant.id, register)
        emitted = {each.fragment for each in routine.rendered.emissions if each.text.strip()}
        for fragment in emitted:
            step = notes.step(variant, fragment)
            assert step, (variant.id, fragment)
            said = rf"{sign(routine)} -- {fragment}(, \d+ of \d+)?: {re.escape(step)}$"
            assert any(re.match(said, line) for line in lines), (variant.id, fragment)


def test_the_file_is_laid_out(routines, tmp_path):
    for routine, _ in routines[:1]:
        export(routine, tmp_path / "out", command="tightfit export ...")
        text = (tmp_path / "out" / "src" / f"it{suffix(routine)}").read_text()
        variant = routine.measurement.variant.id
        assert "Do not edit" in text and variant in text and "tightfit export ..." in text
        for line in text.splitlines():
            assert line == line.rstrip() and "\t" not in line, (variant, line)
            laid_out = rf"({sign(routine)}|#|\S+:( +{sign(routine)}|$)|(\d:      |        )\S|$)"
            assert re.match(laid_out, line), (variant, line)
        assert "\n\n\n" not in text and "__tf_" not in text, variant
