"""NIST's chain for ciphers in CBC mode, and chains in its spirit for stream ciphers and MACs, without any."""

from collections.abc import Iterator

import numpy as np

from tightfit.harness.chain import Phase, Step
from tightfit.harness.groups import Group, Repeated, Test, agree, first_key, row, xor
from tightfit.harness.kinds import Turn
from tightfit.harness.kinds.counting import FIRST, LAST
from tightfit.harness.kinds.stream_cipher import NEXT, SETUP
from tightfit.harness.onhost import fast
from tightfit.harness.routine import Routine
from tightfit.primitives import Primitive

_CALLS, _GROUPS = 1_000, 100


class Macs(Repeated):
    """Messages made of tags: as many of the last bytes of the tape as the number of the group says.

    Tags go onto the tape; the bytes that went there last go into the key between groups.
    """

    def test(self, primitive: Primitive, function: str) -> Test:
        tape = bytes(max(2 * primitive.block_bytes, primitive.key_bytes))
        return Test(primitive, function, _CALLS, _GROUPS, (first_key(primitive), tape), self)

    def groups(self, test: Test) -> Iterator[Group]:
        call, oracle = fast(test.primitive, "tag"), test.primitive.oracle.tag
        key, tape = test.start
        for number in range(test.groups):
            before, length = tape, _length(test, number)
            for _ in range(test.calls):
                message = tape[-length:]
                tag = call(key, message)
                tape = (tape + tag)[-len(tape) :]
            agree(test, number, tag, oracle(key, message))
            yield Group(number, before, tape, key)
            key = xor(key, tape[-len(key) :])

    def result(self, test: Test, tape: bytes) -> bytes:
        return tape

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        block, length = test.primitive.block_bytes, _length(test, group.number)
        full, rest = test.primitive.split(length)
        behind, steps = len(group.tape) - length, []
        for n in range(full + 1):
            flags, size = FIRST * (n == 0) | LAST * (n == full), rest if n == full else block
            given = {
                "key": row(group.key),
                "message": np.zeros((1, block), np.uint8),
                "flags": row(bytes([flags])),
                "length": row(bytes([size])),
            }
            turn = Turn("mac", None, given, (), n - 1 if n else None, routine.kept if n else frozenset())
            steps.append(Step(turn, "message", behind + n * block, size))
        yield Phase(tuple(steps), test.calls, "tag", test.primitive.tag_bytes)


def _length(test: Test, number: int) -> int:
    """Bytes of the messages of a group: 1 to two blocks."""
    return 1 + number % (2 * test.primitive.block_bytes)


class Chains(Repeated):
    """AESAVS, CBC: each text is the answer before the last, the second text the initial value.

    The tape is the text and the initial value, then the last two answers; these also go into the key between
    groups, as many of their bytes as it has.
    """

    def test(self, primitive: Primitive, function: str) -> Test:
        start = bytes(primitive.key_bytes), bytes(primitive.block_bytes + primitive.iv_bytes)
        return Test(primitive, function, _CALLS, _GROUPS, start, self)

    def groups(self, test: Test) -> Iterator[Group]:
        primitive, function = test.primitive, test.function
        call, reference = fast(primitive, function), getattr(primitive.reference, function)
        block, encrypts = primitive.block_bytes, function == "encrypt"
        key, tape = test.start
        for number in range(test.groups):
            before, linked = tape, tape[block:]
            for _ in range(test.calls):
                text, iv = tape[:block], linked
                answer = call(key, iv, text)
                linked, tape = answer if encrypts else text, tape[block:] + answer
            agree(test, number, answer, reference(key, iv, text))
            yield Group(number, before, tape, key)
            key = xor(key, tape[-len(key) :].rjust(len(key), b"\0"))

    def result(self, test: Test, tape: bytes) -> bytes:
        return tape[-test.primitive.block_bytes :]

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        block, iv_bytes = test.primitive.block_bytes, test.primitive.iv_bytes
        key, entry = row(group.key), f"{test.function}_next"
        start = Turn(SETUP, None, {"key": key, "iv": row(group.tape[block:])})
        given = {"key": key, "iv": row(group.tape[block:]), "text": np.zeros((1, block), np.uint8)}
        following = Turn(entry, None, given, (), 0, routine.kept)
        yield Phase((Step(start, "iv", block, iv_bytes),), 1)
        yield Phase((Step(following, "text", 0, block),), test.calls, "text", block)


class Streams(Repeated):
    """Half of the answers begin a stream, each with an initial value made of what came before, and half of
    them go on with one stream.

    Each text is the answer before it. Answers go onto the tape; its last bytes are the initial value, and go
    into the key between groups.
    """

    def test(self, primitive: Primitive, function: str) -> Test:
        tape = bytes(max(primitive.block_bytes, primitive.key_bytes, primitive.iv_bytes))
        return Test(primitive, function, _CALLS, _GROUPS, (first_key(primitive), tape), self)

    def groups(self, test: Test) -> Iterator[Group]:
        call, oracle = fast(test.primitive, "keystream"), test.primitive.oracle.keystream
        block, iv_bytes = test.primitive.block_bytes, test.primitive.iv_bytes
        begun, rest = _halves(test)
        key, tape = test.start
        for number in range(test.groups):
            before = tape
            for _ in range(begun):
                stream = call(key, tape[-iv_bytes:], 0, block)
                tape = _answered(tape, stream)
            iv = tape[-iv_bytes:]
            stream = call(key, iv, 0, rest * block)
            agree(test, number, stream[-block:], oracle(key, iv, (rest - 1) * block, block))
            for start in range(0, len(stream), block):
                tape = _answered(tape, stream[start : start + block])
            yield Group(number, before, tape, key)
            key = xor(key, tape[-len(key) :])

    def result(self, test: Test, tape: bytes) -> bytes:
        return tape

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        primitive, tape = test.primitive, len(group.tape)
        block, iv_bytes = primitive.block_bytes, primitive.iv_bytes
        begun, rest = _halves(test)
        fixed = {"key": row(group.key)}
        asked = {"text": np.zeros((1, block), np.uint8), "length": row(bytes([block]))}
        start = Turn(SETUP, None, {**fixed, "iv": np.zeros((1, iv_bytes), np.uint8)})
        following = Turn(NEXT, None, {**fixed, **asked}, (), 0, routine.kept | {"iv"})
        set_up = Step(start, "iv", tape - iv_bytes, iv_bytes)
        encrypt = Step(following, "text", tape - block, block)
        yield Phase((set_up, encrypt), begun, "text", block)
        yield Phase((set_up,), 1)
        yield Phase((encrypt,), rest, "text", block)


def _halves(test: Test) -> tuple[int, int]:
    """Answers of a group that begin a stream, and those that go on with one."""
    return test.calls // 2, test.calls - test.calls // 2


def _answered(tape: bytes, stream: bytes) -> bytes:
    """The tape after a text, its last bytes, was encrypted."""
    return (tape + xor(tape[-len(stream) :], stream))[-len(tape) :]
