"""A chain in the spirit of NIST's for authenticated encryption, for which NIST has none.

The messages of a group follow from what the reference says, so those of a group are sealed, and opened, side
by side: where all are right, so is the chain.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from threading import Event

import numpy as np

from tightfit.harness import checks
from tightfit.harness.chain import ChainMachine
from tightfit.harness.groups import Group, Stopped, Test, agree, first_key, xor
from tightfit.harness.kinds.aead import OPEN, SEAL, Aead, Sealed
from tightfit.harness.kinds.turns import Dialogue, rows_of
from tightfit.harness.onhost import fast
from tightfit.harness.routine import Cycles, Rejected, Routine
from tightfit.primitives import Primitive

_CALLS, _GROUPS = 100, 100
Message = tuple[bytes, bytes, bytes]
"""Nonce, associated data and text."""


class Seals:
    """Nonce, associated data and text are made of what came before: ciphertexts with their tags.

    They go onto the tape; its last bytes are the nonce, those before it the associated data, those before
    these the text. Between groups the last bytes go into the key.
    """

    def functions(self, primitive: Primitive) -> tuple[str, ...]:
        entries = {entry for operation in primitive.operations.values() for entry in operation.entries}
        return tuple(entry for entry in (SEAL, OPEN) if entry in entries)

    def test(self, primitive: Primitive, function: str) -> Test:
        tape = bytes(max(primitive.nonce_bytes + 4 * primitive.block_bytes, primitive.key_bytes))
        return Test(primitive, function, _CALLS, _GROUPS, (first_key(primitive), tape), self)

    def groups(self, test: Test) -> Iterator[Group]:
        key, tape = test.start
        for number in range(test.groups):
            before = tape
            messages = list(_sealed(test, Group(number, before, b"", key)))
            for _, sealed in messages:
                tape = (tape + sealed)[-len(tape) :]
            message, sealed = messages[-1]
            agree(test, number, sealed, test.primitive.oracle.seal(key, *message))
            yield Group(number, before, tape, key)
            key = xor(key, tape[-len(key) :])

    def result(self, test: Test, tape: bytes) -> bytes:
        return tape

    def run(
        self, machine: ChainMachine, routine: Routine, test: Test, group: Group, stop: Event | None
    ) -> tuple[int, int]:
        """Seal or open the messages of a group; after those to open, one with a wrong tag."""
        kind, messages = _kind(test.primitive), _rows(test, group)
        try:
            cycles = _speak(machine, routine, kind.dialogue(routine, test.function, messages), stop)
            if test.function == OPEN:
                forged = _forged(messages, group.number)
                _speak(machine, routine, kind.dialogue(routine, OPEN, forged, forged=True), stop)
        except Rejected as reason:
            raise Rejected(
                f"group {group.number} of {test.calls} messages: {reason}", reason.address
            ) from None
        return int(cycles.min()), int(cycles.max())


_kind = cache(Aead)


def _sealed(test: Test, group: Group) -> Iterator[tuple[Message, bytes]]:
    """The messages of a group, each with its ciphertext and tag, by the reference."""
    seal, tape = fast(test.primitive, SEAL), group.tape
    data, text = lengths(test.primitive, group.number)
    nonce_at = len(tape) - test.primitive.nonce_bytes
    for _ in range(test.calls):
        message = (tape[nonce_at:], tape[nonce_at - data : nonce_at], tape[nonce_at - data - text :][:text])
        sealed = seal(group.key, *message)
        yield message, sealed
        tape = (tape + sealed)[-len(tape) :]


def lengths(primitive: Primitive, number: int) -> tuple[int, int]:
    """Bytes of associated data and of text of the messages of a group, each up to two blocks."""
    most = 2 * primitive.block_bytes + 1
    return number % most, 7 * number % most


def _rows(test: Test, group: Group) -> Sealed:
    messages, answers = zip(*_sealed(test, group), strict=True)
    nonces, data, texts = zip(*messages, strict=True)
    end = len(texts[0])
    columns = nonces, data, texts, [each[:end] for each in answers], [each[end:] for each in answers]
    return Sealed(rows_of([group.key] * len(texts)), *map(rows_of, columns))


def _forged(messages: Sealed, number: int) -> Sealed:
    """The last message, with a bit of its tag changed: another one in each group."""
    last = Sealed(*(getattr(messages, name)[-1:] for name in Sealed.__dataclass_fields__))
    tags = last.tags.copy()
    tags[0, number // 8 % tags.shape[1]] ^= 1 << number % 8
    return replace(last, tags=tags)


def _speak(machine: ChainMachine, routine: Routine, dialogue: Dialogue, stop: Event | None) -> Cycles:
    """The calls of a dialogue, whose answers must be right; the cycles of each of its messages."""
    before, cycles = None, np.zeros(len(dialogue[0]), np.int64)
    for turn in dialogue:
        if stop and stop.is_set():
            raise Stopped
        filling = np.full((len(turn), routine.layout.size), machine.caller.poison, np.uint8)
        blocks, written = turn.blocks(routine, before, filling), turn.written(routine)
        outcome = machine.call(turn.entry, blocks, written)
        checks.check_answers(routine, turn, outcome)
        before = outcome.blocks
        cycles += outcome.cycles
    return cycles
