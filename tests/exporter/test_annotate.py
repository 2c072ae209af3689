"""The assembly that people read: its comments account for the whole cost, and change nothing."""

import re
from collections import Counter
from random import Random

import pytest

from tests import answers
from tightfit.exporter import export, prepare, toolchains
from tightfit.exporter.annotate import annotated
from tightfit.exporter.texts import suffix
from tightfit.generator.notes import load_notes
from tightfit.primitives import load_primitive

COST = re.compile(r"^; (?:the \d+ stretches together: )?(\d+) B(?:; (.*))?$")
SPENT = re.compile(r"([\w, ]+): ([\d,.]+) cycles in ([\d,.]+) runs?")


def some():
    """A few winners of every target and primitive."""
    chance = Random(6)
    for file in answers.FILES:
        winners = answers.winners(file)
        chosen = chance.sample(winners, min(2, len(winners)))
        yield from answers.measurements_of(file, chosen)


CASES = list(some())


def prepared(measurement):
    """The variant as a routine, on RL78 without the shim, which would have to be measured."""
    return prepare(measurement, "it", toolchains(measurement.variant.target)[-1])


def joined(text: str) -> list[str]:
    """The lines of a text, with comments of several lines joined."""
    lines: list[str] = []
    for line in text.splitlines():
        more = lines and re.match(r"; (?!--|the |\d+ B)\S", line) and COST.match(lines[-1])
        lines[-1:] = [f"{lines[-1]} {line[2:]}"] if more else [*lines[-1:], line]
    return lines


def code(text: str) -> list[str]:
    """The code that the assembler reads, without spaces and comments."""
    lines = (" ".join(line.split(";")[0].split()) for line in text.splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize(
    "measurement", CASES, ids=lambda measurement: f"{measurement.variant.target}-{measurement.variant.id}"
)
def test_the_stretches_add_up_to_the_cost(measurement):
    routine = prepared(measurement)
    text = annotated(routine)
    assert code(text) == code(routine.source)
    costs = [match for line in joined(text) if (match := COST.match(line))]
    assert sum(int(match[1]) for match in costs) == measurement.cost.rom
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
        timing = measurement.cost.by_entry[entry]
        assert cycles + call[entry] == pytest.approx(timing.total / timing.inputs, abs=0.05 * len(costs))
    figures = set(measurement.cost.by_entry)
    whole = load_primitive(measurement.variant.primitive).kind == "aead"  # entries are figures beside others
    assert set(spent) == (figures if whole else figures & set(routine.rendered.entries) or figures)


@pytest.mark.parametrize(
    "measurement", CASES, ids=lambda measurement: f"{measurement.variant.target}-{measurement.variant.id}"
)
def test_every_stretch_is_said_to_be_a_step_of_the_standard(measurement):
    routine = prepared(measurement)
    notes, text = load_notes(measurement.variant.target, measurement.variant.primitive), annotated(routine)
    for register, meaning in notes.registers(measurement.variant):
        assert re.search(rf"^;   {re.escape(register)} .*{re.escape(meaning.split()[0])}", text, re.MULTILINE)
    for emission in routine.rendered.emissions:
        if emission.text.strip():
            step = notes.step(measurement.variant, emission.fragment)
            assert step and re.search(
                rf"^; -- {emission.fragment}(, \d+ of \d+)?: {re.escape(step)}$", text, re.M
            )


@pytest.mark.parametrize(
    "measurement",
    CASES[::2],
    ids=lambda measurement: f"{measurement.variant.target}-{measurement.variant.primitive}",
)
def test_the_file_is_laid_out(measurement, tmp_path):
    routine = prepared(measurement)
    export(routine, tmp_path / "out", command="tightfit export ...")
    text = (tmp_path / "out" / "src" / f"it{suffix(routine)}").read_text()
    assert "Do not edit" in text and measurement.variant.id in text and "tightfit export ..." in text
    for line in text.splitlines():
        assert line == line.rstrip() and "\t" not in line
        assert re.match(r"(;|#|\S+:( +;|$)|        \S|$)", line), line
    assert "\n\n\n" not in text and "__tf_" not in text
