"""Winners whose fields end at an odd address: block, struct, data sheet and RAM say one padded size."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.answers import BY_NAME, winning
from tests.coverings import covering
from tests.exporter.firmware.winners import form
from tightfit.exporter import GNU, Export
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.records import Measurement, Variant
from tightfit.targets import load_target

from .libraries import STRICT, exported, run

COUNTED = {"armv6m": GNU, "rl78": "ccrl", "avr": GNU, "msp430": GNU, "rv32e": GNU}
"""A toolchain that calls as the portfolio counts, so that nothing is measured for it."""


def end(variant: Variant) -> int:
    """Where the last field of a variant's block ends."""
    spec = load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
    return spec.block_layout(variant.knobs, variant.operation).end


def padded(variant: Variant) -> int:
    """The size of a block whose last field ends there."""
    unit = load_target(variant.target).block_alignment
    return -(-end(variant) // unit) * unit


@cache
def odd_winners() -> tuple[Measurement, ...]:
    """The winners with an odd end, fastest first."""
    known = (one for named in BY_NAME for one in winning(*named))
    return tuple(sorted((one for one in known if end(one.variant) % 2), key=lambda one: one.cost.cycles))


def odd(measurement: Measurement, toolchain: str, folder: Path) -> Export:
    """The library, whose header and data sheet give the block an even size."""
    done, size = exported(measurement, folder, toolchain, "odd"), padded(measurement.variant)
    assert f"The parameter block is {size} bytes" in (folder / "README.md").read_text()
    header = folder / "src" / "odd.h"
    assert re.search(rf"sizeof\(odd_\w+\) == {size},", header.read_text())
    run(*STRICT, "-std=c11", "-fsyntax-only", "-x", "c", header)
    return done


def alike(winner: Measurement) -> tuple[tuple[str, str, str]]:
    """What the text of a library goes by."""
    return ((winner.variant.target, form(winner.variant.primitive), winner.variant.operation),)


@pytest.mark.dear("a library of every form")
def test_the_struct_has_the_size_of_the_block(tmp_path):
    chosen = covering(odd_winners(), alike, lambda winner: winner.source_sha256)
    assert {winner.variant.target for winner in chosen} == set(COUNTED)
    for winner in chosen:
        odd(winner, COUNTED[winner.variant.target], tmp_path / winner.variant.id)


@pytest.mark.parametrize("target", ["rl78", "avr"])
def test_what_is_measured_is_what_the_data_sheet_says(tmp_path, target):
    variant = next(winner.variant for winner in odd_winners() if winner.variant.target == target)
    with Bench(target, variant.part, variant.primitive) as bench:
        measurement = bench.measure(variant)
    done, size = odd(measurement, COUNTED[target], tmp_path), padded(variant)
    assert measurement.cost.ram_parts.block == done.cost.ram_parts.block == size
    assert f"| RAM | {done.cost.ram} B: block {size}, " in (tmp_path / "README.md").read_text()
