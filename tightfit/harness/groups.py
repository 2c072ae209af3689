"""Groups of Monte Carlo tests, and how a routine repeats calls on its own answers in one of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Protocol

import numpy as np

from tightfit.errors import WorkError
from tightfit.harness.chain import ChainMachine, Phase
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.primitives import Primitive

_PIECE = 1_000
"""Calls after which a run looks whether it was told to stop."""
_NAMES = {"digest": "hash", "tag": "mac"}


class Stopped(Exception):
    """A run was told to stop."""


@dataclass(frozen=True)
class Group:
    """A stretch of a chain: the key that it has, if any, and the tape before and after it."""

    number: int
    tape: bytes
    answer: bytes
    key: bytes = b""


@dataclass(frozen=True)
class Test:
    """A chain: what is called, how often in a group, and how many groups there are.

    `start` is the key and the text, or the seed, of the first group. `expected` are answers of groups from a
    file; where there are none the reference in C says them.
    """

    primitive: Primitive
    function: str
    calls: int
    groups: int
    start: tuple[bytes, ...]
    rule: "Rule" = field(compare=False)
    expected: tuple[bytes, ...] = field(default=())

    @property
    def name(self) -> str:
        """The function, as readers know it."""
        return _NAMES.get(self.function, self.function)

    def answers(self) -> Iterator[Group]:
        """The groups in order, as the reference has them; the oracle repeats the last call of each."""
        return self.rule.groups(self)

    def expected_of(self, group: Group) -> bytes:
        """The answer of a group: that of the file where there is one."""
        if group.number < len(self.expected):
            return self.expected[group.number]
        return self.rule.result(self, group.answer)


class Rule(Protocol):
    """How the chains of a kind of primitive go."""

    def functions(self, primitive: Primitive) -> tuple[str, ...]:
        """The functions that have a chain."""

    def test(self, primitive: Primitive, function: str) -> Test:
        """The chain of a function."""

    def groups(self, test: Test) -> Iterator[Group]:
        """Its groups, as the reference has them."""

    def result(self, test: Test, tape: bytes) -> bytes:
        """The part of a tape that is the last answer."""

    def run(
        self, machine: ChainMachine, routine: Routine, test: Test, group: Group, stop: Event | None
    ) -> tuple[int, int]:
        """Run a group: the least and the most cycles of an answer."""


class Repeated:
    """A rule that repeats the same calls again and again, in C."""

    def functions(self, primitive: Primitive) -> tuple[str, ...]:
        return primitive.functions

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        """What is repeated, one after the other."""
        raise NotImplementedError

    def run(
        self, machine: ChainMachine, routine: Routine, test: Test, group: Group, stop: Event | None
    ) -> tuple[int, int]:
        tape, left, cycles = group.tape, None, []
        for phase in self.phases(test, routine, group):
            for done in range(0, phase.times, _PIECE):
                if stop and stop.is_set():
                    raise Stopped
                piece = replace(phase, times=min(_PIECE, phase.times - done))
                chained = machine.chain(routine, piece, tape, left)
                tape, left = chained.tape, chained.left
                if phase.size:
                    cycles += [chained.least, chained.most]
        found, expected = self.result(test, tape), test.expected_of(group)
        if found != expected:
            raise Rejected(
                f"wrong answer: {test.name}, group {group.number} of {test.calls} calls: "
                f"expected {expected.hex()}, found {found.hex()}"
            )
        if group.key and not routine.destroys_key and left[routine.field("key")].tobytes() != group.key:
            raise Rejected(f"key not intact: {test.name} changes it without saying so (destroys_key)")
        return min(cycles), max(cycles)


def agree(test: Test, number: int, found: bytes, said: bytes) -> None:
    """Raise WorkError unless the last answer of a group is the same in C and in the oracle."""
    if found != said:
        raise WorkError(
            f"{test.primitive.id}: {test.name}, group {number}: reference.c says {found.hex()}, "
            f"oracle.py {said.hex()}"
        )


def row(data: bytes) -> Bytes:
    """Bytes as the only row of an array."""
    return np.frombuffer(data, np.uint8).reshape(1, -1)


def xor(one: bytes, other: bytes) -> bytes:
    """The XOR of byte strings of one length."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def first_key(primitive: Primitive) -> bytes:
    """The key of the first group of chains that are ours: 0, 1, 2 and so on."""
    return bytes(range(primitive.key_bytes))
