"""Messages whose count of bits carries far: 64 KiB in full, or 2 MiB; 2^38 bytes by a forged count."""

import numpy as np
import pytest

from tests.sampling import exhaustive
from tightfit.generator import load_space, render, spaces
from tightfit.harness.bench import Bench, routine_of
from tightfit.harness.caller import places
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target

KIB = 64
"""A count of bytes carries twice; what is beyond is the forged count's, and 2 MiB take half a minute."""
FIRST, LAST = 1, 2
SHA = load_primitive("sha-256")
SIZE = SHA.block_bytes
SPECS = [
    pytest.param(spec, id=f"{target}-{spec.name}")
    for target, primitive in spaces()
    if primitive == SHA.id
    for spec in load_space(target, primitive).templates.values()
]
ONE_A_TARGET = list({case.values[0].target: case for case in SPECS}.values())


class Context:
    """A parameter block of the first variant of a template, all of it kept from call to call."""

    def __init__(self, bench: Bench, spec):
        part, knobs = load_target(spec.target).default_part, next(spec.variants("hash"))
        variant = Variant(spec.target, part, spec.primitive, "hash", spec.name, knobs)
        rendered = render(variant)
        self.routine, image = routine_of(variant, rendered), bench.build(rendered)
        self._machine = bench._gate.machine
        self._machine.load(image)
        place = places(image, self.routine.layout.size)[0]
        self._machine.start(place, self._machine.callers.callers[0])
        self.block = np.zeros((1, self.routine.layout.size), np.uint8)

    def field(self, name: str) -> np.ndarray:
        return self.block[0, self.routine.field(name)]

    @property
    def count(self) -> bytes:
        """The count of the message, whose upper half may be a field of its own."""
        return b"".join(self.field(name).tobytes() for name in self._counts())

    @count.setter
    def count(self, value: bytes) -> None:
        for name in self._counts():
            size = len(self.field(name))
            self.field(name)[:] = np.frombuffer(value[:size], np.uint8)
            value = value[size:]

    def _counts(self) -> list[str]:
        names = {name for name, _, _ in self.routine.layout.fields}
        return [name for name in ("count", "count_high") if name in names]

    def feed(self, text: bytes, flags: int) -> None:
        self.block = self.block.copy()
        self.field("message")[: len(text)] = np.frombuffer(text, np.uint8)
        self.field("flags")[0], self.field("length")[0] = flags, len(text) % SIZE
        written = np.ones(self.routine.layout.size, np.uint8)
        self.block = self._machine.call("hash", self.block, written).blocks

    @property
    def digest(self) -> bytes:
        return self.field("state")[: SHA.digest_bytes].tobytes()


@pytest.mark.parametrize("spec", ONE_A_TARGET)
def test_a_long_message(spec):
    message = bytes(range(256)) * 4 * (2048 if exhaustive() else KIB) + b"the end"
    last = len(message) // SIZE
    with Bench(spec.target, None, spec.primitive) as bench:
        context = Context(bench, spec)
        for n in range(last + 1):
            context.feed(message[n * SIZE : (n + 1) * SIZE], FIRST * (n == 0) + LAST * (n == last))
    assert context.digest == SHA.oracle.digest(message)


@pytest.mark.parametrize("spec", SPECS)
def test_carries_of_the_count(spec):
    """The kept count is set to that of a long message, then a middle and a last block follow."""
    blocks = [bytes(64), bytes(range(64)), b"\xa5" * 64]
    with Bench(spec.target, None, spec.primitive) as bench:
        for before in (2**8 - 1, 2**13 - 1, 2**15 - 1, 2**16 - 1, 2**23 - 1, 2**24 - 1, 2**29 - 1, 2**32 - 2):
            context = Context(bench, spec)
            context.feed(blocks[0], FIRST)
            first = context.count
            context.feed(blocks[1], 0)
            context.count = _counted(first, context.count, before)
            context.feed(blocks[2], 0)
            context.feed(b"end", LAST)
            assert context.digest == _digest(blocks, b"end", SIZE * (before + 1) + 3), before


def _counted(after_one: bytes, after_two: bytes, blocks: int) -> bytes:
    """The count after some blocks, in the unit and byte order by which two counts differ."""
    for order in ("little", "big"):
        first = int.from_bytes(after_one, order)
        unit = int.from_bytes(after_two, order) - first
        if unit in (1, 8, SIZE, 8 * SIZE):
            return (first + (blocks - 1) * unit).to_bytes(len(after_one), order)
    raise AssertionError(
        f"expected a count of blocks, bytes or bits: {after_one.hex()} then {after_two.hex()}"
    )


def _digest(blocks: list[bytes], rest: bytes, length: int) -> bytes:
    """What SHA-256 makes of these blocks and the rest of a message of `length` bytes in all."""
    state = SHA.reference.INITIAL
    tail = rest + b"\x80" + bytes(SIZE - 9 - len(rest)) + (8 * length).to_bytes(8)
    for block in (*blocks, tail):
        state = SHA.reference.compress(state, block)
    return b"".join(word.to_bytes(4) for word in state)
