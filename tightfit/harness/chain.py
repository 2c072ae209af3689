"""A routine called again and again on what it answered, in C: millions of calls without a stop."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tightfit.harness.batch import pointer
from tightfit.harness.kinds import Turn
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Bytes, Rejected, Routine


@dataclass(frozen=True)
class Step:
    """One of the calls that make an answer: its turn, and the bytes of the tape that come into a field."""

    turn: Turn
    field: str = ""
    start: int = 0
    length: int = 0


@dataclass(frozen=True)
class Phase:
    """Steps that are repeated `times`; the first `size` bytes of the field `answer` go onto the tape.

    They enter it behind, or in `front`; as many bytes leave it at the other end.
    """

    steps: tuple[Step, ...]
    times: int
    answer: str = ""
    size: int = 0
    front: bool = False


@dataclass(frozen=True)
class Chained:
    """What a chain leaves: the tape, the parameter block, and the cycles of an answer."""

    tape: bytes
    left: Bytes
    least: int
    most: int


class ChainMachine(Machine):
    """A machine that repeats calls on their own answers."""

    def chain(self, routine: Routine, phase: Phase, tape: bytes, left: Bytes | None = None) -> Chained:
        """Run a phase from a tape, after a call that left the block `left`.

        Raises
        ------
        Rejected
            A call ended without a return.
        """
        simulator = self._simulator
        ffi = simulator._ffi
        size = routine.layout.size
        left = np.zeros(size, np.uint8) if left is None else left.copy()
        spare, tape_bytes = np.zeros(size, np.uint8), np.frombuffer(bytearray(tape), np.uint8)
        made = [self._step(routine, step) for step in phase.steps]
        steps = ffi.new("SimStep[]", [raw for raw, _ in made])
        chain = ffi.new("SimChain *")
        chain.steps, chain.step_count, chain.block_size = steps, len(made), size
        chain.tape_size = len(tape)
        chain.answer, chain.answer_size = routine.field(phase.answer).start, phase.size
        chain.front, chain.times = phase.front, phase.times
        chained = ffi.new("SimChained *")
        bytes_of = [pointer(ffi, "uint8_t *", array) for array in (tape_bytes, left, spare)]
        simulator._lib.sim_chain(simulator._sim, chain, *bytes_of, chained)
        if chained.times < phase.times:
            run = simulator._run(ffi.addressof(chained.run))
            entry = phase.steps[chained.step].turn.entry
            raise Rejected(f"{entry}: {run.message}, in call {chained.times + 1} of a chain", run.pc)
        return Chained(tape_bytes.tobytes(), left, chained.least, chained.most)

    def _step(self, routine: Routine, step: Step) -> tuple[dict, Sequence]:
        """A step as C reads it, and what it points to."""
        simulator, turn = self._simulator, step.turn
        ffi, address = simulator._ffi, self.place.block
        filling = np.full((1, routine.layout.size), self.caller.poison, np.uint8)
        block, written = turn.blocks(routine, None, filling)[0], turn.written(routine)
        carried = np.zeros(routine.layout.size, np.uint8)
        for name in turn.carried if turn.after is not None else ():
            carried[routine.field(name)] = 1
        batch, caller = ffi.new("SimBatch *"), replace(self._caller(address), capture=())
        values = simulator.fill(batch, caller, *self.image.calls[turn.entry], written)
        raw = {
            "batch": batch,
            "block": pointer(ffi, "uint8_t *", block),
            "carried": pointer(ffi, "uint8_t *", carried),
            "from": step.start,
            "to": routine.field(step.field).start,
            "length": step.length,
        }
        return raw, (batch, values, written, block, carried)
