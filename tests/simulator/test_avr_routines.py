"""Routines of the AVR templates take the clocks that we count on simavr too, and leave the same state."""

import random
from collections.abc import Iterator

import pytest

from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.harness.build import Image
from tightfit.records import Variant

from .avr_parts import DATA, LARGE, SPL, SREG
from .avr_simavr import Simavr

PRIMITIVES = ("aes-128", "present-80")
STACK = LARGE.ram.stop - 1
IO = 0x20


def variants(primitive: str) -> Iterator[Variant]:
    """Three variants of each template and operation, their knobs at random."""
    chance = random.Random(primitive)
    space = load_space("avr", primitive)
    for name, template in space.templates.items():
        for operation in template.operations:
            for _ in range(3):
                knobs = template.sample(operation, chance)
                yield Variant("avr", LARGE.name, primitive, operation, name, knobs)


class Both:
    """One image on both simulators, in the same state."""

    def __init__(self, image: Image, chance: random.Random):
        self.ours, self.other = LARGE.simulator(uninit="off"), Simavr(LARGE.mcu)
        for address, data in image.flash:
            self.ours.load(address, data)
            self.other.load(address, data)
        self.ours.reset()
        self.write(LARGE.ram.start, chance.randbytes(len(LARGE.ram)))
        for address, data in image.static:
            self.write(address - DATA, data)

    def write(self, address: int, data: bytes) -> None:
        self.ours.write(DATA + address, data)
        self.other.data[address : address + len(data)] = data

    def call(self, start: int, stop: int, pointer: int, chance: random.Random) -> tuple[int, int]:
        """Clocks of a call, up to the instruction after it: ours, simavr's."""
        registers = bytearray(chance.randbytes(32))
        registers[1] = 0
        registers[24:26] = pointer.to_bytes(2, "little")
        self.write(0, bytes(registers))
        self.write(IO + SPL, STACK.to_bytes(2, "little"))
        sreg = chance.randrange(256)
        self.ours.registers["sreg"] = sreg
        run = self.ours.run(start, stop, cycle_limit=10**7)
        assert run.ok, run.message
        self.other.start(start, sreg)
        return run.cycles, self.other.until(stop, run.cycles)

    def states(self) -> tuple[bytes, bytes]:
        """Registers, SP and RAM."""
        ram = LARGE.ram
        parts = ((0, 32), (IO + SPL, IO + SREG), (ram.start, ram.stop))
        return tuple(b"".join(read(*part) for part in parts) for read in (self._ours, self._other))

    def _ours(self, start: int, stop: int) -> bytes:
        return self.ours.read(DATA + start, stop - start)

    def _other(self, start: int, stop: int) -> bytes:
        return bytes(self.other.data[start:stop])


@pytest.mark.parametrize("primitive", PRIMITIVES)
def test_clocks_and_states_are_simavr_s(primitive):
    chance = random.Random(7)
    with Bench("avr", LARGE.name, primitive) as bench:
        for variant in variants(primitive):
            rendered = render(variant)
            image = bench.build(rendered)
            both = Both(image, chance)
            block = image.free - DATA + 1 & ~1
            for entry in rendered.entries * 2:
                ours, other = both.call(*image.calls[entry], block, chance)
                assert ours == other, (variant, entry)
                mine, its = both.states()
                assert mine == its, (variant, entry)
