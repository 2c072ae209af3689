"""The self-test's timing mode, compiled by avr-gcc and run on simavr: the clocks are those claimed."""

import re
from pathlib import Path
from random import Random

import pytest

from tests import answers
from tests.coverings import covering
from tests.exporter.firmware.boards import on_simavr
from tests.exporter.firmware.winners import OPERATIONS, form, forms, primitives
from tests.sampling import exhaustive
from tightfit.exporter import Prepared
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.records import Measurement, Variant
from tightfit.targets import load_target

from .libraries import exported, run, timing

HEAD = "#include <avr/interrupt.h>\n#include <avr/sleep.h>\n"
PART = load_target("avr").default_part


def timed(folder: Path, name: str, part: str, options: list[str], room: int = 400) -> tuple[str, int, int]:
    """What the timing mode prints on simavr, what the self-test returned, and what the timing did."""
    text = timing(name, room, HEAD, "sei();", "cli(); sleep_enable(); sleep_cpu();")
    (folder / "timing.c").write_text(text)
    sources = [folder / "timing.c", *(folder / "src").glob("*.[cS]")]
    flags = [f"-mmcu={part.lower()}", "-std=c11", "-Wall", "-Wextra", "-Werror", *options]
    command = ["avr-gcc", *flags, "-I", folder / "src", "-o", folder / "timing.elf", *sources]
    run(*command)
    elf, data = on_simavr(folder / "timing.elf", part)
    at = {name: elf.named[name].address & 0xFFFF for name in ("out", "right", "other")}
    text = data[at["out"] :][:room].split(b"\0")[0].decode()
    right, other = (int.from_bytes(data[at[name] :][:2], "little") for name in ("right", "other"))
    return text, right, other


def by_cycles(primitive: str, operation: str) -> list[Measurement]:
    """The winners of a primitive and operation, fastest first."""
    return [each for each in answers.winning("avr", primitive, operation) if each.variant.part == PART]


def cases() -> list[tuple[str, str, int]]:
    """Each operation of each form, and the fastest and the slowest winner of some primitive of each."""
    every = [
        (of, operation, end) for of in forms("avr") for operation in OPERATIONS[form(of)] for end in (0, -1)
    ]
    return covering(every)


def check(prepared: Prepared, printed: tuple[str, int, int]) -> None:
    """Every function's clocks are those claimed, or within their span where they depend on the input."""
    text, right, other = printed
    assert (right, other) == (0, 0), text
    timings = prepared.cost.by_entry
    entries = prepared.rendered.entries
    texts = {f"{entry}_text" for entry in entries} & set(timings)
    functions = texts or set(timings) & set(entries) or set(timings)
    lines = re.findall(r"^(\S+?)(?:, (\w+))?: (\d+) clocks, claimed (\d+)(?: to (\d+))?$", text, re.MULTILINE)
    assert len(lines) == len(functions) == text.count("\n"), text
    for name, figure, clocks, least, most in lines:
        entry = figure or name.removeprefix("it_")
        assert entry in functions and name.removeprefix("it_") in entries
        assert int(least) == timings[entry].minimum and int(most or least) == timings[entry].maximum
        assert int(least) <= int(clocks) <= int(most or least), text


@pytest.mark.parametrize("of, operation, end", cases())
def test_the_clocks_are_those_claimed(of, operation, end, tmp_path):
    ranked = (by_cycles(primitive, operation) for primitive in primitives("avr", of, (operation, end)))
    winners = next(filter(None, ranked), [])
    assert winners or exhaustive()
    for measurement in winners[end:][:1]:
        library = exported(measurement, tmp_path / "it")
        check(library.prepared, timed(library.folder, "it", measurement.variant.part, ["-O2"]))


@pytest.mark.parametrize("primitive, operation", [("aes-128", "encrypt"), ("present-80", "encrypt")])
def test_with_a_timer_of_eight_bits(primitive, operation, tmp_path):
    part, chance = "ATtiny85", Random(3)
    space = load_space("avr", primitive, part=part)
    specs = [spec for spec in space.of(operation) if spec.count(operation)]
    with Bench("avr", part, primitive) as bench:
        drawn = (
            Variant("avr", part, primitive, operation, spec.name, spec.sample(operation, chance))
            for spec in specs
        )
        measured = [each for each in map(bench.measure, drawn) if each.cost and each.cost.ram < 100]
    for pick in (min, max):
        fastest = pick(measured, key=lambda measurement: measurement.cost.cycles)
        library = exported(fastest, tmp_path / fastest.variant.id)
        text, right, other = timed(library.folder, "it", part, ["-Os"], room=100)
        clocks = {name: int(figure) for name, figure in re.findall(r"it_(\w+): (\d+) clocks", text)}
        assert (right, other) == (0, 0) and clocks, text
        for entry, figure in clocks.items():
            timing = fastest.cost.by_entry[entry]
            assert timing.minimum != timing.maximum or figure == timing.minimum, text


@pytest.mark.parametrize("level", ["-O0", "-Os", "-O3", "-flto"])
def test_at_any_level_of_the_compiler(level, tmp_path):
    library = exported(by_cycles("present-80", "encrypt+decrypt")[-1], tmp_path / "it")
    assert library.cost.cycles > 2**17
    check(library.prepared, timed(library.folder, "it", PART, ["-O2", level]))


def test_a_routine_that_takes_a_clock_more_is_noticed(tmp_path):
    constant = (each for each in by_cycles("present-80", "encrypt") if each.cost.constant_path)
    library = exported(next(constant), tmp_path / "it")
    source, prepared = library.folder / "src" / "it.S", library.prepared
    entries = "|".join(prepared.rendered.entries)
    slower = re.sub(rf"^(it_({entries}):)$", r"\1\n        nop", source.read_text(), flags=re.MULTILINE)
    source.write_text(slower)
    text, right, other = timed(library.folder, "it", PART, ["-O2"])
    timed_entries = set(prepared.rendered.entries) & set(prepared.cost.by_entry)
    assert (right, other) == (0, len(timed_entries or prepared.cost.by_entry)), text
