"""The parts of a core class share their figures: what is simulated on one costs the same on the others."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice

import pytest

from tests.families import DIFFERING
from tests.sampling import exhaustive
from tightfit.generator import load_space, spaces
from tightfit.harness.bench import Bench
from tightfit.records import Variant
from tightfit.targets import Part, load_target, target_ids

EACH = 3 if exhaustive() else 1
FLASH_SHOWN = 0x02000, 0x10000
"""Where RL78's linker script puts what a mirror must show; parts with less are not simulated themselves."""
TOO_SMALL = r"needs at least \d+ bytes of RAM, {0} has|{0} has \d+ bytes of (RAM|ROM)"
MISSING = r"illegal opcode \w+ for mcu|reaches registers by address"


def _parts(target: str) -> list[str]:
    return [part.name for part in load_target(target).parts.values() if _can_be_simulated(part)]


def _can_be_simulated(part: Part) -> bool:
    begin, end = FLASH_SHOWN
    mirrors = part.regions("mirror") if part.core.name.startswith("rl78") else ()
    return all(mirror.shows <= begin and part.rom >= end for mirror in mirrors)


def _cases() -> Iterator[tuple[str, str, str]]:
    """Every part with `EACH` primitives by turns: what a part changes is the same for all of them."""
    for target in target_ids():
        own = [primitive for place, primitive in spaces() if place == target]
        turn = cycle(own if exhaustive() else [primitive for primitive in own if primitive in DIFFERING])
        yield from ((target, part, primitive) for part in _parts(target) for primitive in islice(turn, EACH))


@cache
def measured(target: str, part: str, primitive: str):
    """A variant of the first template that has a cost on the part that is simulated for the class."""
    simulated = load_target(target).part(part).simulated
    space = load_space(target, primitive, part=simulated)
    specs = [spec for spec in space.templates.values() if spec.count(spec.operations[0])]
    if part != simulated:
        name = measured(target, simulated, primitive).variant.template
        specs = [spec for spec in specs if spec.name == name]
    with Bench(target, part, primitive) as bench:
        for spec in specs:
            knobs = next(spec.variants(spec.operations[0]))
            found = bench.measure(Variant(target, part, primitive, spec.operations[0], spec.name, knobs))
            if found.cost:
                break
    return found


@pytest.mark.parametrize(("target", "part", "primitive"), list(_cases()))
def test_a_part_costs_what_its_class_costs(target, part, primitive):
    its_part = load_target(target).part(part)
    own, simulated = measured(target, part, primitive), measured(target, its_part.simulated, primitive)
    if own.cost is None:
        reason = TOO_SMALL if simulated.cost else f"{TOO_SMALL}|{MISSING}"
        assert re.search(reason.format(part), own.rejected), own.rejected
    else:
        assert (own.cost, own.curve) == (simulated.cost, simulated.curve)
        assert own.source_sha256 == simulated.source_sha256
    assert (own.provenance.get("timing") == "not verified") != its_part.core.timing_tested


@pytest.mark.parametrize("target", target_ids())
def test_a_class_is_simulated_on_a_part_of_its_own(target):
    place = load_target(target)
    for part in place.parts.values():
        assert place.part(part.simulated).core == part.core
        assert part in place.class_of(place.part(part.simulated))
    assert not place.shipped or place.shipped[0].name == place.default_part
