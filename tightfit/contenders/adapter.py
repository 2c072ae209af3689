"""Routines that take several arguments: a small C function in between has the one-pointer interface.

What the adapter adds is measured and taken off: its bytes in an image with an empty routine, its cycles and
its stack with a routine that returns at once. No branch of it depends on an input: every call takes the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tightfit.contenders.interface import Block
from tightfit.contenders.linking import ContenderBuilder
from tightfit.harness.build import Image
from tightfit.harness.caller import places
from tightfit.harness.machine import Machine, Outcome
from tightfit.harness.routine import Routine

NAME = "tf"
FLAGS = ("-O2", "-fno-builtin", "-fno-tree-loop-distribute-patterns")


@dataclass(frozen=True)
class Adapter:
    """A C function `tf_<entry>` in between, and the block that it is called with.

    `calls` is the function that it calls, `text` its C source.
    """

    entry: str
    calls: str
    block: Block
    text: str

    @property
    def routine(self) -> Routine:
        """What the gate calls."""
        return Routine("", NAME, (self.entry,), self.block, static=None)


@dataclass(frozen=True)
class Overhead:
    """What the adapter adds: bytes of ROM and of stack, cycles, and how many of these are hazard waits."""

    rom: int
    stack: int
    cycles: int
    hazard: int


def overhead(builder: ContenderBuilder, machine: Machine, adapter: Adapter, made: Path) -> Overhead:
    """What the adapter, the object `made`, adds to the routine that it calls."""
    symbol = builder.target.abi.symbol(adapter.calls)
    empty = builder.assemble(f"        .text\n        .global {symbol}\n{symbol}:\n", "none")
    ending = builder.assemble(f"        .text\n        .global {symbol}\n{symbol}: ret\n", "ending")
    entry = builder.target.abi.symbol(f"{NAME}_{adapter.entry}")
    alone = builder.assemble(f"        .text\n        .global {entry}\n{entry}: ret\n", "alone")
    rom = builder.link(adapter.routine, (made, empty)).rom
    through = _one_call(machine, adapter, builder.link(adapter.routine, (made, ending)))
    directly = _one_call(machine, adapter, builder.link(adapter.routine, (alone,)))
    return Overhead(
        rom=rom,
        stack=through.stack - directly.stack,
        cycles=int(through.cycles[0] - directly.cycles[0]),
        hazard=int(through.hazard[0] - directly.hazard[0]),
    )


def _one_call(machine: Machine, adapter: Adapter, image: Image) -> Outcome:
    machine.load(image)
    size = adapter.block.size
    machine.start(places(image.free, image.end, size)[0], machine.callers.callers[0])
    return machine.call(adapter.entry, np.zeros((1, size), np.uint8), np.ones(size, np.uint8))


def packed(fields: Sequence[tuple[str, int]]) -> Block:
    """A block of fields (name, bytes), one behind the other."""
    placed, offset = [], 0
    for name, size in fields:
        placed.append((name, offset, size))
        offset += size
    return Block(tuple(placed), offset)
