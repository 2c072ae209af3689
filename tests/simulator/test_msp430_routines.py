"""Routines of the MSP430 templates on mspdebug: state and clocks equal ours after every instruction."""

import random
from collections.abc import Iterator

import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected
from tightfit.harness.simulator import regions_of
from tightfit.records import Variant

from .msp430 import PARTS
from .msp430_mspdebug import Beside, Program

PART = PARTS["msp430"]
RAM = next(range(region.start, region.end) for region in PART.regions("ram"))
STACK = 0x3000
LONGEST = 12_000  # instructions


def variants(primitive: str) -> Iterator[Variant]:
    """A variant of each template and operation, its knobs at random."""
    chance = random.Random(primitive)
    space = load_space("msp430", primitive)
    for name, template in space.templates.items():
        for operation in template.operations:
            yield Variant("msp430", PART.name, primitive, operation, name, template.sample(operation, chance))


@pytest.mark.dear("every step is counted")
@pytest.mark.parametrize("primitive", ["aes-128", "present-80"])
def test_every_step_is_as_counted(primitive, tmp_path):
    chance = random.Random(11)
    stepped = 0
    with Bench("msp430", PART.name, primitive) as bench:
        for variant in variants(primitive):
            try:
                image = bench.build(render(variant))
            except Rejected:  # knobs that do not assemble together
                continue
            for start, stop in image.calls.values():
                registers = {f"r{n}": chance.randrange(65536) for n in range(4, 16)}
                registers |= {"r12": image.free + 1 & ~1, "sp": STACK, "sr": 0, "pc": start}
                pieces = (*image.flash, (RAM.start, chance.randbytes(len(RAM))))
                program = Program((*pieces, *image.static), registers, regions_of(PART))
                run = program.load().run(start, stop, cycle_limit=10**7)
                assert run.ok, (variant, run.message)
                if run.instructions <= LONGEST:
                    Beside(program, tmp_path).run(stop)
                    stepped += run.instructions
    assert stepped > 10_000
