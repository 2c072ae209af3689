"""What an adapter adds to the routine that it calls, measured.

Its bytes are those of an image in which the functions are empty. Its cycles and its stack are those of
functions that return at once, less these calls and returns. What arguments take of the stack stays with the
routine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tightfit.contenders.adapter import FLAGS, NAME, Adapter
from tightfit.contenders.linking import ContenderBuilder
from tightfit.harness.build import Image, functions
from tightfit.harness.caller import places
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Routine
from tightfit.harness.script import Outcome

_PUSHING = "-fno-optimize-sibling-calls"
_BYTES = 2


@dataclass(frozen=True)
class Added:
    """What one entry of an adapter adds: cycles, how many are the wait told apart, and bytes of stack."""

    cycles: int
    waits_apart: int
    stack: int


@dataclass(frozen=True)
class Overhead:
    """What an adapter adds: bytes of ROM, and what each entry adds."""

    rom: int
    entries: Mapping[str, Added] = field(hash=False)


class Through:
    """A machine whose calls go through an adapter: it knows the deepest stack of the routine behind it."""

    def __init__(self, machine: Machine, added: Overhead):
        self._machine, self._added = machine, added.entries
        self.stack = 0

    def __getattr__(self, name: str):
        return getattr(self._machine, name)

    def call(self, entry: str, *given) -> Outcome:
        """As `Machine.call`."""
        outcome = self._machine.call(entry, *given)
        self.stack = max(self.stack, outcome.stack - self._added[entry].stack)
        return outcome


def overhead(
    builder: ContenderBuilder,
    machine: Machine,
    adapter: Adapter,
    made: Path,
    flags: Sequence[str] = (),
    include: Sequence[Path] = (),
) -> Overhead:
    """What the adapter, the object `made`, adds to the routine; flags and folders are for the compiler."""
    target = builder.target
    empty = builder.assemble(functions(target, adapter.symbols), "nothing")
    ending = builder.assemble(functions(target, adapter.symbols, target.returns), "ending")
    entries = (target.abi.symbol(f"{NAME}_{entry}") for entry in adapter.entries)
    alone = builder.assemble(functions(target, entries, target.returns), "alone")
    rom = builder.link(adapter.routine, (made, empty)).rom
    through, directly = (builder.link(adapter.routine, objects) for objects in ((made, ending), (alone,)))
    probed = builder.compile_text(adapter.probe, "probe", (*flags, *FLAGS, _PUSHING), include)
    size, arguments = adapter.block.size, pushed(builder, machine, adapter, (probed, ending))
    added = {}
    for entry, calls in adapter.calls.items():
        one, other = (_one_call(machine, image, entry, size) for image in (through, directly))
        most = max(arguments[number] for number in calls)
        added[entry] = Added(
            cycles=int(one.cycles[0] - len(calls) * other.cycles[0]),
            waits_apart=int(one.waits_apart[0] - len(calls) * other.waits_apart[0]),
            stack=one.stack - other.stack - most,
        )
    return Overhead(rom, added)


def pushed(
    builder: ContenderBuilder, machine: Machine, adapter: Adapter, objects: Sequence[Path]
) -> list[int]:
    """Bytes of stack that the arguments of each call take."""
    count = 1 + max(number for calls in adapter.calls.values() for number in calls)
    names = ("none", *(f"push{number}" for number in range(count)))
    image = builder.link(Routine("", NAME, names, adapter.block, static=None), objects)
    none, *each = (_one_call(machine, image, name, _BYTES).stack for name in names)
    return [stack - none for stack in each]


def _one_call(machine: Machine, image: Image, entry: str, size: int) -> Outcome:
    machine.load(image)
    machine.start(places(image, size)[0], machine.callers.callers[0])
    return machine.call(entry, np.zeros((1, size), np.uint8), np.ones(size, np.uint8))
