"""Many calls of a routine in one call into C, results as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightfit.harness.simulator import Handler, Node, Run, Simulator


@dataclass(frozen=True)
class Called:
    """One row for each call: fields of C's `SimRun`, blocks and registers; and the first run that failed.

    `waits` has those of all calls by the names that the core gives them.
    `watched` has the fields of C's `SimWatched`, None where the runs were not watched.
    Of calls in turn, arrays are by turn, then by context, and `reached` has a 1 for each turn by whose end
    registers were used through their addresses.
    """

    runs: NDArray[Any]
    blocks: NDArray[np.uint8]
    registers: NDArray[np.uint32]
    failure: Run | None
    waits: Mapping[str, NDArray[np.uint64]]
    watched: NDArray[Any] | None = None
    reached: NDArray[np.uint32] | None = None


@dataclass(frozen=True)
class Profiled:
    """A run, its call paths, and a row for each address on each path: the fields of C's `SimCell`."""

    run: Run
    nodes: tuple[Node, ...]
    cells: NDArray[Any]

    def by_address(self) -> dict[int, tuple[int, int]]:
        """Executions and cycles of each address over all call paths."""
        total: dict[int, tuple[int, int]] = {}
        for _, address, executions, cycles in self.cells.tolist():
            before = total.get(address, (0, 0))
            total[address] = before[0] + executions, before[1] + cycles
        return total


@dataclass(frozen=True)
class Calling:
    """How calls are made: the block's address, the stack's top and limit, and what is set and read.

    `registers` are set before each call, those of `capture` are read behind it; a call that takes more than
    `cycle_limit` cycles has failed.
    """

    address: int
    stack: tuple[int, int]
    cycle_limit: int
    registers: Mapping[str, int]
    capture: tuple[str, ...]


@dataclass(frozen=True)
class Turns:
    """Calls that follow one another, in contexts side by side.

    `ways` are the ways in which a call is made: its address, that behind it, and a 1 for each byte of the
    block that is defined before it. A row of `found` has a 1 for each byte that a call finds as the call
    `after` left it. `way`, `mask` (a row of `found`) and `after` (-1: none) are those of each call.
    """

    ways: Sequence[tuple[int, int, NDArray[np.uint8]]]
    found: NDArray[np.uint8]
    way: NDArray[np.int64]
    mask: NDArray[np.int64]
    after: NDArray[np.int32]


class BatchSimulator(Simulator):
    """The simulator with `Simulator.call_many` on arrays: it makes no Python object for each run."""

    def call_blocks(
        self,
        start: int,
        stop: int,
        caller: Calling,
        blocks: NDArray[np.uint8],
        written: NDArray[np.uint8],
        *,
        carried: NDArray[np.uint8] | None = None,
        watch: bool = False,
        handler: Handler | None = None,
    ) -> Called:
        """As `call_many`, for an array with one block in each row.

        `carried` has a 1 for each byte that a call finds as the one before left it, the first call apart.
        `watch` runs as `run_watched` does, with `handler`.
        """
        ffi, count = self._ffi, len(blocks)
        runs, after, captured = self._room(blocks, caller)
        batch, kept = ffi.new("SimBatch *"), self._handler(handler)
        values = self.fill(batch, caller, start, stop, written)
        if carried is not None:
            batch.carried = pointer(ffi, "uint8_t *", carried)
        watched = np.zeros(count, _layout(ffi, "SimWatched")) if watch else None
        if watched is not None:
            batch.watched = pointer(ffi, "SimWatched *", watched)
        batch.handler = kept[0]
        self._lib.sim_call_many(
            self._sim,
            batch,
            count,
            pointer(ffi, "uint8_t *", blocks),
            pointer(ffi, "uint8_t *", after),
            pointer(ffi, "uint32_t *", captured),
            pointer(ffi, "SimRun *", runs),
        )
        del values  # C has read them
        return Called(runs, after, captured, self._failure(runs), self._waits(runs), watched)

    def call_turns(self, turns: Turns, caller: Calling, blocks: NDArray[np.uint8]) -> Called:
        """Calls in turn; arrays are by turn, then by context, and `blocks` takes up what each call finds.

        They end behind a turn in which a run failed.
        """
        ffi, (count, contexts, size) = self._ffi, blocks.shape
        runs, after, captured = self._room(blocks, caller)
        batches = ffi.new("SimBatch[]", len(turns.ways))
        values = [self.fill(batches + n, caller, *way) for n, way in enumerate(turns.ways)]
        raw = np.zeros(count, _layout(ffi, "SimTurn"))
        raw["batch"] = _address(ffi, batches) + ffi.sizeof("SimBatch") * turns.way
        raw["found"] = turns.found.ctypes.data + size * turns.mask
        raw["after"] = turns.after
        made = self._lib.sim_call_turns(
            self._sim,
            pointer(ffi, "SimTurn *", raw),
            count,
            contexts,
            pointer(ffi, "uint8_t *", blocks),
            pointer(ffi, "uint8_t *", after),
            pointer(ffi, "uint32_t *", captured),
            pointer(ffi, "SimRun *", runs),
        )
        del values, batches  # C has read them
        runs = runs[:made]
        failure = self._failure(runs.reshape(-1))
        return Called(
            runs, after[:made], captured[:made], failure, self._waits(runs), reached=raw["reached"][:made]
        )

    def _room(self, blocks: NDArray[np.uint8], caller: Calling) -> tuple[NDArray[Any], ...]:
        """Arrays for the run, the block and the registers that each call leaves."""
        calls = blocks.shape[:-1]
        captured = np.zeros((*calls, len(caller.capture)), np.uint32)
        return np.zeros(calls, _layout(self._ffi, "SimRun")), np.empty_like(blocks), captured

    def fill(self, batch, caller: Calling, start: int, stop: int, written: NDArray[np.uint8]):
        """Say in a C structure how to call; what it points to must be kept."""
        ffi = self._ffi
        batch.start, batch.stop = start, stop
        batch.block_address, batch.block_size = caller.address, len(written)
        batch.stack_top, batch.stack_limit = map(self.pointer, caller.stack)
        values = ffi.new("uint32_t[]", list(caller.registers.values()))
        batch.register_count, batch.register_values = len(caller.registers), values
        batch.register_ids = self._ids(tuple(caller.registers))
        batch.captured_count, batch.captured_ids = len(caller.capture), self._ids(caller.capture)
        batch.cycle_limit = caller.cycle_limit
        batch.written = pointer(ffi, "uint8_t *", written)
        return values

    def _waits(self, runs: NDArray[Any]) -> dict[str, NDArray[np.uint64]]:
        return {name: runs["waits"][..., kind] for name, kind in self.wait_kinds.items()}

    def profile_cells(self, start: int, stop: int, *, cycle_limit: int) -> Profiled:
        """As `run_profiled`, the figures by call path and address as an array."""
        ffi = self._ffi
        raw = ffi.new("SimRun *")
        self._lib.sim_run_profiled(self._sim, start, stop, cycle_limit, raw)
        cells = np.zeros(self._lib.sim_profile_cells(self._sim, ffi.NULL, 0), _layout(ffi, "SimCell"))
        self._lib.sim_profile_cells(self._sim, pointer(ffi, "SimCell *", cells), len(cells))
        return Profiled(self._run(raw), self._nodes(), cells)

    def _failure(self, runs: NDArray[Any]) -> Run | None:
        failed = np.flatnonzero(runs["status"])
        if not len(failed):
            return None
        return self._run(pointer(self._ffi, "SimRun *", runs) + int(failed[0]))

    def _ids(self, names: tuple[str, ...]):
        ids = self.__dict__.setdefault("_known_ids", {})
        if names not in ids:
            ids[names] = self._ffi.new("uint32_t[]", [self._register_id(name) for name in names])
        return ids[names]


def _address(ffi, pointer) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def pointer(ffi, kind: str, array: NDArray[Any]):
    """The address of an array, as C has it."""
    return ffi.cast(kind, ffi.from_buffer(array))


@cache
def _layout(ffi, name: str) -> np.dtype:
    """A structure of C as a numpy record."""
    fields = ffi.typeof(name).fields
    return np.dtype(
        {
            "names": [name for name, _ in fields],
            "formats": [_format(field.type) for _, field in fields],
            "offsets": [field.offset for _, field in fields],
            "itemsize": ffi.sizeof(name),
        }
    )


def _format(kind):
    """A number of C, or an array of numbers, as numpy calls it."""
    if kind.kind == "array":
        return _format(kind.item), (kind.length,)
    if kind.kind == "pointer":
        return "uintp"
    return kind.cname.removesuffix("_t")
