"""The notes of the templates: every emitted fragment has a note, and every note has a fragment."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.families import heads
from tests.sampling import as_measured, is_its_turn
from tightfit.errors import UsageError
from tightfit.generator import Rendered, Space, TemplateSpec, load_space, render
from tightfit.generator.notes import WIDTH, load_notes
from tightfit.records import Variant

from .toyspace import variant

SAMPLE = 6
MANY = 400
TURNS = 8
"""Of templates that are as they were measured, one in so many is tested."""
FAMILIES = pytest.mark.parametrize(("target", "primitive"), heads(), ids=map("-".join, heads()))
POINTERS = {"X": (26, 27), "Y": (28, 29), "Z": (30, 31)}


def _noted(target: str, primitive: str) -> Iterator[tuple[Space, TemplateSpec]]:
    """The templates of a family that have notes, without those of constructions.

    Of those that are as they were measured a usual run has some, others with each commit.
    """
    space = load_space(target, primitive)
    for name in load_notes(target, primitive).templates:
        spec = space.templates[name]
        if spec.inner is None and _wanted(spec):  # else it has the notes of what it calls
            yield space, spec


def _wanted(spec: TemplateSpec) -> bool:
    return not as_measured(spec) or is_its_turn(f"{spec.target} {spec.primitive} {spec.name}", TURNS)


def _rendered(space: Space, spec: TemplateSpec) -> list[tuple[Variant, Rendered]]:
    """Variants of every operation that together hold every value of every knob, and some more."""
    rendered = []
    for operation in spec.operations:
        rng = random.Random(f"{spec.target} {spec.primitive} {spec.name} {operation}")
        fixed = [{}] * SAMPLE
        fixed += [{knob.name: value} for knob in spec.knobs.values() for value in knob.values]
        for values in fixed:
            if (knobs := spec.sample(operation, rng, values)) is not None:
                sampled = Variant(spec.target, "any", spec.primitive, operation, spec.name, knobs)
                rendered.append((sampled, render(sampled, markers=False, space=space)))
    return rendered


def _written(target: str, source: str) -> set[int | str]:
    """Registers that the instructions of a source name, by number, or by letter on RL78."""
    registers: set[int | str] = set()
    for line in source.splitlines():
        words = line.split(";")[0].split(None, 1)
        if not line.startswith(" ") or len(words) < 2 or words[0].startswith("."):
            continue
        mnemonic, operands = words
        if target == "rl78":
            for name in re.findall(r"(?<![\w._$#])([abcdehlx]|ax|bc|de|hl)(?![\w(])", operands):
                registers |= set(name)
            continue
        pair = mnemonic in ("movw", "adiw", "sbiw")
        for number in map(int, re.findall(r"\br(\d+)\b", operands)):
            registers |= {number, number + 1} if target == "avr" and pair else {number}
        if target == "avr":
            for pointer in re.findall(r"\b[XYZ]\b", operands):
                registers |= set(POINTERS[pointer])
    return registers


def _named(target: str, registers: tuple[tuple[str, str], ...]) -> set[int | str]:
    """Registers that a register map names; on RL78 by its keys alone, as `a` is a word."""
    numbers: set[int | str] = set()
    for name, meaning in registers:
        if target == "rl78":
            for word in re.findall(r"\b(?:[abcdehlx]|ax|bc|de|hl)\b", name):
                numbers |= set(word)
            continue
        for first, _, last in re.findall(r"\br(\d+)((?:-| to )r(\d+))?", f"{name} {meaning}"):
            numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


@FAMILIES
def test_notes_and_templates_agree(target, primitive):
    for space, spec in _noted(target, primitive):
        _check_agreement(space, spec)


def _check_agreement(space: Space, spec: TemplateSpec) -> None:
    notes = load_notes(space.target, space.primitive)
    told = notes.templates[spec.name]
    noted, missing, named, used = set(), Counter(), set(), set()
    for sampled, rendered in _rendered(space, spec):
        for fragment in {emission.fragment for emission in rendered.emissions}:
            assert 0 < len(notes.step(sampled, fragment)) <= WIDTH
            noted.add(told.pattern(fragment))
        registers = notes.registers(sampled)
        mine, there = _named(space.target, registers), _written(space.target, rendered.source)
        missing.update(there - mine)
        named, used = named | mine, used | there
        assert not _empty_fields(rendered, registers)
    assert not set(told.fragments) - noted, "notes of fragments that are not there"
    assert not missing, "registers that are used and not in the map"
    assert not named - used, "registers in the map that are never used"


@FAMILIES
def test_every_fragment_of_a_construction_has_a_note(target, primitive):
    space = load_space(target, primitive)
    for spec in {spec.folder: spec for spec in space.templates.values() if spec.inner}.values():
        if _wanted(spec):
            _check_construction(space, spec)


def _check_construction(space: Space, spec: TemplateSpec) -> None:
    notes = load_notes(space.target, space.primitive)
    called = load_notes(space.target, spec.calls.primitive).templates[spec.inner.spec.name]
    noted = set()
    for sampled, rendered in _rendered(space, spec):
        assert notes.registers(sampled)
        for fragment in {emission.fragment for emission in rendered.emissions}:
            assert 0 < len(notes.step(sampled, fragment)) <= WIDTH
            noted.add(notes.templates[spec.name].pattern(fragment))
    assert not set(notes.templates[spec.name].fragments) - set(called.fragments) - noted


@FAMILIES
def test_every_text_is_said_of_some_variant(target, primitive):
    for space, spec in _noted(target, primitive):
        _check_texts(space, spec)


def _check_texts(space: Space, spec: TemplateSpec) -> None:
    notes = load_notes(space.target, space.primitive).templates[spec.name]
    entries = {**notes.registers, **{f"fragment {name}": cases for name, cases in notes.fragments.items()}}
    unsaid = {(name, case.text) for name, cases in entries.items() for case in cases}
    for operation in spec.operations:
        rng = random.Random(f"{spec.name} {operation}")
        for _ in range(MANY):
            if not unsaid:
                return
            knobs = spec.sample(operation, rng)
            sampled = Variant(spec.target, "any", spec.primitive, operation, spec.name, knobs)
            for name, cases in entries.items():
                unsaid -= {(name, case.text) for case in [c for c in cases if c.holds(sampled)][:1]}
    assert not unsaid


def _empty_fields(rendered: Rendered, registers: tuple[tuple[str, str], ...]) -> list[str]:
    """Entries of the map for fields of the block that the variant does not have."""
    sizes = {name: size for name, _, size in rendered.block.fields}
    return [name for name, _ in registers if not any(sizes.get(word, 1) for word in name.split(", "))]


def test_families_share_their_notes():
    told = [load_notes("rl78", primitive) for primitive in ("keccak-256", "sha3-512")]
    assert [notes.templates["fast"].path.parts[-3:] for notes in told] == [
        ("keccak", "fast", "notes.yaml")
    ] * 2
    spec = load_space("rl78", "sha3-512").templates["fast"]
    knobs = next(spec.variants("hash"))
    variant = Variant("rl78", "any", "sha3-512", "hash", "fast", knobs)
    assert "3.2.1" in told[1].step(variant, "sum")


DECLARED = """\
doc: one
operations: [encrypt, encrypt+decrypt]
knobs:
  a: {values: [x, y, z]}
block:
  - {name: text, bytes: 16}
"""
NOTES = """\
registers:
  r1: "counter"
  r2:
    - {when: "k.a == 'x'", is: "mask"}
    - {when: "operation == 'encrypt+decrypt'", is: "direction"}
fragments:
  lane_*: "a lane turned by *"
  lane_00: "a lane that stays"
  step:
    - {when: "k.a == 'x'", is: "step of x"}
    - {when: "k.a == 'y'", is: "step of y"}
"""


@pytest.fixture
def told(declare):
    def write(notes: str | None):
        space = declare(DECLARED)
        load_notes.cache_clear()
        if notes is not None:
            (space.folder / "one" / "notes.yaml").write_text(notes)
        return load_notes("rl78", "toy", space.folder.parents[1])

    yield write
    load_notes.cache_clear()


def test_registers_depend_on_knobs_and_operation(told):
    notes = told(NOTES)
    assert notes.registers(variant("one", a="x")) == (("r1", "counter"), ("r2", "mask"))
    assert notes.registers(variant("one", a="y")) == (("r1", "counter"),)
    assert notes.registers(variant("one", "encrypt+decrypt", a="y"))[1] == ("r2", "direction")


def test_steps_by_name_before_globs(told):
    notes = told(NOTES)
    steps = [notes.step(variant("one", a="y"), name) for name in ("lane_00", "lane_07", "lane_x", "step")]
    assert steps == ["a lane that stays", "a lane turned by 7", "a lane turned by x", "step of y"]


@pytest.mark.parametrize(("fragment", "knob"), [("other", "x"), ("step", "z")])
def test_a_fragment_without_a_note_is_named(told, fragment, knob):
    with pytest.raises(
        UsageError, match=f"one/notes.yaml: expected a note of fragment '{fragment}', found none"
    ):
        told(NOTES).step(variant("one", a=knob), fragment)


def test_a_template_may_go_without_notes(told):
    notes = told(None)
    assert notes.registers(variant("one", a="x")) == () and notes.step(variant("one", a="x"), "any") == ""


@pytest.mark.parametrize(
    ("old", "new", "line", "found"),
    [
        ("k.a == 'x'", "k.b == 'x'", 4, "k.b"),
        ("k.a == 'y'", "k.a == 'w'", 11, "'w'"),
        ('r1: "counter"', "r1: 1", 2, "expected"),
        ('"counter"', f'"{"x" * (WIDTH + 1)}"', 2, f"at most {WIDTH} characters"),
        (
            '{when: "k.a == \'x\'", is: "step of x"}',
            '{is: "step of x"}',
            10,
            "a `when` for all texts but the last",
        ),
        ('is: "step of x"', "says: x", 10, "expected"),
        ("registers:", "register:", 1, "expected a key 'registers'"),
    ],
)
def test_wrong_notes_are_one_clear_line(told, old, new, line, found):
    with pytest.raises(UsageError) as error:
        told(NOTES.replace(old, new, 1))
    message = str(error.value)
    assert f"notes.yaml:{line}: " in message and found in message and "\n" not in message
