"""NIST's Monte Carlo tests: chains of calls on their own answers, in groups, each from the group before it.

A group starts from what the reference says that the one before ends with. So groups can be run in any order,
by several threads, and some of them today and others tomorrow: where all are right, so is the whole chain.
"""

from collections.abc import Iterator, Sequence
from threading import Event

import numpy as np

from tightfit.errors import UsageError
from tightfit.harness.aeadchain import Seals
from tightfit.harness.build import Image
from tightfit.harness.caller import places
from tightfit.harness.chain import ChainMachine, Phase, Step
from tightfit.harness.groups import Group, Repeated, Test, agree, row, xor
from tightfit.harness.keyedchains import Chains, Macs, Streams
from tightfit.harness.kinds import Turn
from tightfit.harness.kinds.block_cipher import DIRECTIONS
from tightfit.harness.kinds.counting import FIRST, LAST
from tightfit.harness.onhost import fast
from tightfit.harness.routine import Routine
from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED

_CIPHER_CALLS, _CIPHER_GROUPS = 10_000, 400
_HASH_CALLS, _HASH_GROUPS = 1_000, 100
_CONTEST_BYTES = 128


def tests_of(primitive: Primitive, functions: Sequence[str] = ()) -> list[Test]:
    """The tests of a primitive; `functions` are those wanted, all it has if there are none.

    Ciphers start from zeros, as the submissions to AES did, hashes from a seed of zeros.

    Raises
    ------
    UsageError
        There is no chain for such primitives.
    """
    if primitive.form not in _RULES:
        raise UsageError(f"{primitive.id}: no Monte Carlo chain; expected one of {', '.join(_RULES)}")
    rule = _RULES[primitive.form]
    return [rule.test(primitive, function) for function in functions or rule.functions(primitive)]


def functions_of(routine: Routine) -> list[str]:
    """The functions that a routine has."""
    for function, entry in {"digest": "hash", "tag": "mac", "keystream": "next"}.items():
        if entry in routine.entries:
            return [function]
    entries = {entry.removesuffix("_next") for entry in routine.entries}
    return [function for function in (*DIRECTIONS, "seal", "open") if function in entries]


def run(
    machine: ChainMachine,
    image: Image,
    routine: Routine,
    test: Test,
    group: Group,
    stop: Event | None = None,
) -> tuple[int, int]:
    """Run a group on the simulator: the least and the most cycles of an answer.

    Raises
    ------
    Rejected
        The answer is wrong, or a call does not return.
    Stopped
        `stop` was set meanwhile.
    """
    machine.load(image)
    machine.start(places(image, routine.layout.size)[0], machine.callers.callers[0])
    return test.rule.run(machine, routine, test, group, stop)


class _Ciphers(Repeated):
    """ECB: each text is the answer before it; between groups the last answers go into the key.

    A key takes in as many of the last bytes as it has, those of answers before the last one in front: of a
    key of 192 bits and blocks of 128, the second half of the last but one and the last.
    """

    def test(self, primitive: Primitive, function: str) -> Test:
        start = bytes(primitive.key_bytes), bytes(primitive.block_bytes)
        return Test(primitive, function, _CIPHER_CALLS, _CIPHER_GROUPS, start, self)

    def groups(self, test: Test) -> Iterator[Group]:
        call, oracle = fast(test.primitive, test.function), getattr(test.primitive.oracle, test.function)
        key, text = test.start
        block = len(text)
        blocks = max(1, -(-len(key) // block))
        for number in range(test.groups):
            last = [bytes(block)] * (blocks - 1) + [text]
            before = b"".join(last)
            for _ in range(test.calls):
                given, text = text, call(key, text)
                last = [*last[1:], text]
            agree(test, number, text, oracle(key, given))
            answer = b"".join(last)
            yield Group(number, before, answer, key)
            key = xor(key, answer[-len(key) :])

    def result(self, test: Test, tape: bytes) -> bytes:
        return tape[-test.primitive.block_bytes :]

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        size, entry, following = test.primitive.block_bytes, test.function, f"{test.function}_next"
        behind = len(group.tape) - size

        def phase(entry: str, times: int, carried: frozenset[str] | None = None) -> Phase:
            keeps = carried is None or "key" not in carried
            given = {"text": row(group.tape[behind:])} | ({"key": row(group.key)} if keeps else {})
            turn = Turn(entry, None, given, (), None if carried is None else 0, carried or frozenset())
            answer = () if entry == "setup" else ("text", size)
            return Phase((Step(turn, "text", behind, size),), times, *answer)

        if following not in routine.entries:
            yield phase(entry, test.calls)
            return
        carried = routine.kept | ({"key"} if routine.destroys_key else frozenset())
        if "setup" in routine.entries:
            yield phase("setup", 1)
        else:
            yield phase(entry, 1)
        rest = test.calls - ("setup" not in routine.entries)
        yield phase(following, rest, carried)


class _Hashes(Repeated):
    """Messages made of digests, by the rule of the standard that defines the hash.

    FIPS 180: a message is the last three digests, and a group starts from three times the last one. FIPS
    202: a message is the last digest. Others, as in the contest for SHA-3: a message is 128 bytes, the last
    digest and what there is room for of the message before it.
    """

    def test(self, primitive: Primitive, function: str) -> Test:
        contest = _rule_of(primitive) == "contest"
        seed = bytes(_CONTEST_BYTES if contest else primitive.digest_bytes)
        return Test(primitive, function, _HASH_CALLS, _HASH_GROUPS, (seed,), self)

    def groups(self, test: Test) -> Iterator[Group]:
        call, oracle = fast(test.primitive, "digest"), test.primitive.oracle.digest
        rule, (seed,) = _rule_of(test.primitive), test.start
        size = test.primitive.digest_bytes
        for number in range(test.groups):
            before = tape = 3 * seed if rule == "three" else seed
            for _ in range(test.calls):
                given, digest = tape, call(tape)
                tape = digest + tape[:-size] if rule == "contest" else tape[size:] + digest
            agree(test, number, digest, oracle(given))
            yield Group(number, before, tape)
            seed = tape if rule == "contest" else digest

    def result(self, test: Test, tape: bytes) -> bytes:
        size = test.primitive.digest_bytes
        return tape[:size] if _rule_of(test.primitive) == "contest" else tape[-size:]

    def phases(self, test: Test, routine: Routine, group: Group) -> Iterator[Phase]:
        block = test.primitive.block_bytes
        full, rest = test.primitive.split(len(group.tape))
        steps = []
        for n in range(full + 1):
            flags, length = FIRST * (n == 0) | LAST * (n == full), rest if n == full else block
            given = {
                "message": np.zeros((1, block), np.uint8),
                "flags": row(bytes([flags])),
                "length": row(bytes([length & 0xFF])),
            }
            turn = Turn("hash", None, given, (), n - 1 if n else None, routine.kept if n else frozenset())
            steps.append(Step(turn, "message", n * block, length))
        front = _rule_of(test.primitive) == "contest"
        yield Phase(tuple(steps), test.calls, "state", test.primitive.digest_bytes, front)


_RULES: dict[str, Repeated | Seals] = {
    "block-cipher": _Ciphers(),
    "hash": _Hashes(),
    "stream-cipher": Streams(),
    CHAINED: Chains(),
    "mac": Macs(),
    "aead": Seals(),
}
_STANDARDS = {"FIPS 180": "three", "FIPS 202": "one"}


def _rule_of(primitive: Primitive) -> str:
    """How the messages of a hash are made: of `three` digests, of `one`, or as in the `contest`."""
    return next((rule for name, rule in _STANDARDS.items() if primitive.standard.startswith(name)), "contest")
