"""One simulated part: its memory, registers and runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from struct import Struct
from typing import Any

from cffi import FFI

from tightfit.errors import UsageError, WorkError
from tightfit.harness.simulator.library import load
from tightfit.harness.simulator.results import Batch, Form, Handler, Node, Profile, Region, Run, Watched

KINDS = {"unmapped": 0, "flash": 1, "mirror": 2, "ram": 3, "sfr": 4, "data-flash": 5, "guard": 6}
RUN = Struct("=iIIII4x9Q")  # SimRun of sim_api.h, whose waits are the four behind `cycles` and `base`
WAITS = 4
_ANY_REGISTER = 0xFFFFFFFF  # the core keeps the bits that the register has
NO_MEMORY = "the host has no memory, or no address space, for a simulator: see `ulimit -v`"
UNINIT = {"off": 0, "warn": 1, "error": 2}


class Simulator:
    """One simulated part. Addresses are those of the core's one address space.

    Parameters
    ----------
    core : a core's name, as `cores()` lists them
    regions : memory map
    address_waits : count the wait of an instruction whose address register the one before it wrote
    uninit : what a read of never-written RAM does: "error", "warn" (counts) or "off"
    source : folder of other C sources than the package's
    """

    def __init__(
        self,
        core: str,
        *,
        regions: Sequence[Region],
        address_waits: bool = True,
        uninit: str = "error",
        source: Path | None = None,
    ):
        if uninit not in UNINIT:
            raise UsageError(f"uninit is {uninit!r}: expected one of {', '.join(UNINIT)}")
        self._ffi, self._lib = load(source)
        handle = self._lib.sim_new(core.encode(), address_waits, UNINIT[uninit])
        if handle == self._ffi.NULL:
            if core in cores():
                raise WorkError(NO_MEMORY)
            raise UsageError(f"no core {core!r}: expected one of {', '.join(cores())}")
        self._core, self._source = core, source
        self._sim = self._ffi.gc(handle, self._lib.sim_free)
        self.symbols: Mapping[int, str] = {}
        self._status = _status_names(self._ffi, self._lib)
        self._pointers = (1 << self._lib.sim_pointer_bits(self._sim)) - 1
        self.wait_kinds = _wait_kinds(self._ffi, self._lib, self._sim)
        for region in regions:
            self.map(region)

    def map(self, region: Region) -> None:
        """Add a region to the memory map; it replaces what was there."""
        kind = KINDS.get(region.kind)
        if kind is None:
            raise UsageError(f"region kind {region.kind!r}: expected one of {', '.join(KINDS)}")
        code = -1
        if 0 <= region.start <= region.end < 1 << 32:
            code = self._lib.sim_map(self._sim, kind, region.start, region.end, region.source)
        if code == -2:
            raise WorkError(NO_MEMORY)
        self._check(code, f"region {region.kind} {region.start:05X}-{region.end:05X} does not fit")

    # ---- memory ----

    def load(self, address: int, data: bytes) -> None:
        """Put code or constants into flash, or initialised data into RAM."""
        self._check_range(address, len(data))
        code = self._lib.sim_load(self._sim, address, bytes(data), len(data))
        self._check(code, f"{len(data)} bytes at {address:05X} cannot be loaded: not all is flash or RAM")

    def write(self, address: int, data: bytes) -> None:
        """Write RAM or SFRs as the host; the bytes count as written."""
        self._check_range(address, len(data))
        code = self._lib.sim_write(self._sim, address, bytes(data), len(data))
        self._check(code, f"{len(data)} bytes at {address:05X} cannot be written: not all is RAM or SFR")

    def poison(self, address: int, length: int, value: int) -> None:
        """Fill RAM with `value`; the bytes stay never-written."""
        self._check_range(address, length)
        code = self._lib.sim_poison(self._sim, address, length, value & 0xFF)
        self._check(code, f"{length} bytes at {address:05X} cannot be poisoned: not all of it is RAM")

    def guard(self, address: int, length: int) -> None:
        """Make RAM untouchable for the program until the next reset."""
        self._check_range(address, length)
        code = self._lib.sim_guard(self._sim, address, length)
        self._check(code, f"{length} bytes at {address:05X} cannot be guarded: not all of it is RAM")

    def read(self, address: int, length: int) -> bytes:
        """Bytes as the host sees them, never-written bytes too."""
        return self._fetch(self._lib.sim_read, address, length)

    def touched(self, address: int, length: int) -> bytes:
        """1 for each byte the program has written since the reset, else 0."""
        return self._fetch(self._lib.sim_touched, address, length)

    def touched_banks(self) -> frozenset[int]:
        """Register banks that were selected or written since the reset, but for bank 0, which it selects."""
        bits = self._lib.sim_touched_banks(self._sim)
        return frozenset(n for n in range(1, bits.bit_length()) if bits >> n & 1)

    def reached_registers(self) -> bool:
        """Whether the program used CPU registers through their addresses in memory since the reset."""
        return bool(self._lib.sim_reached_registers(self._sim))

    # ---- registers ----

    def reset(self) -> None:
        """Registers as after a reset, RAM never-written, flash kept."""
        self._lib.sim_reset(self._sim)

    def set_stack(self, top: int, limit: int) -> None:
        """Set SP to `top`; a run in which SP leaves `limit` .. `top` ends with an error.

        Both are addresses, or what SP holds of them.
        """
        top, limit = self.pointer(top), self.pointer(limit)
        code = self._lib.sim_set_stack(self._sim, top, limit) if limit <= top else -1
        self._check(
            code, f"stack {top:X} down to {limit:X}: expected a top that SP holds, not below the limit"
        )

    def pointer(self, address: int) -> int:
        """What a pointer in a register, or SP, holds of an address."""
        return address & self._pointers

    @property
    def registers(self) -> "Registers":
        """Registers by their names in the core: `sim.registers["sp"] = 0x1234`."""
        return Registers(self)

    def register_bits(self, name: str) -> int:
        """A number with a 1 for each bit of a register; the register keeps its value."""
        other = Simulator(self._core, regions=(), source=self._source).registers
        other[name] = _ANY_REGISTER
        return other[name]

    # ---- runs ----

    def run(self, start: int, stop: int, *, cycle_limit: int) -> Run:
        """Run from `start` until the program counter is `stop`."""
        raw = self._ffi.new("SimRun *")
        self._lib.sim_run(self._sim, start, stop, cycle_limit, raw)
        return self._run(raw)

    def step(self, instructions: int = 1) -> Run:
        """Execute that many instructions from the program counter; status "steps" if all were executed."""
        raw = self._ffi.new("SimRun *")
        self._lib.sim_step(self._sim, instructions, raw)
        return self._run(raw)

    def run_profiled(self, start: int, stop: int, *, cycle_limit: int) -> Profile:
        """As `run`, with executions and cycles by address and call path."""
        raw = self._ffi.new("SimRun *")
        self._lib.sim_run_profiled(self._sim, start, stop, cycle_limit, raw)
        return Profile(self._run(raw), self._nodes(), self._cells())

    def run_watched(
        self, start: int, stop: int, *, cycle_limit: int, handler: Handler | None = None
    ) -> Watched:
        """As `run`, with what interrupt handlers may do between instructions: they overwrite RAM below SP.

        Such RAM counts as never written, and holds noise. Handlers run only while interrupts are enabled.
        """
        raw, seen = self._ffi.new("SimRun *"), self._ffi.new("SimWatched *")
        kept = self._handler(handler)
        self._lib.sim_run_watched(self._sim, start, stop, cycle_limit, kept[0], raw, seen)
        return Watched(self._run(raw), seen.blocked, seen.blocked_at, seen.below, seen.interrupts)

    def _handler(self, handler: Handler | None):
        """The handler in C, and what it points to."""
        if handler is None:
            return (self._ffi.NULL,)
        rows = [(at, length, -1 if value is None else value) for at, length, value in handler.ranges]
        ranges = self._ffi.new("SimRange[]", rows)
        return self._ffi.new("SimHandler *", (len(rows), ranges, handler.before)), ranges

    def call_many(
        self,
        start: int,
        stop: int,
        block_address: int,
        blocks: bytes,
        *,
        block_size: int | None = None,
        pointer: int | None = None,
        pointer_register: str,
        written: bytes | None = None,
        stack_top: int,
        stack_limit: int,
        cycle_limit: int,
        registers: Mapping[str, int] | None = None,
        capture: Sequence[str],
    ) -> Batch:
        """Run a routine once over each of many parameter blocks, in one call into C.

        Before each run the registers that a call may change are as after a reset, then as `registers` says;
        `pointer` goes to `pointer_register`; the block is put at `block_address`, and its bytes where
        `written` is 0 are never-written. The rest of the RAM stays as the previous run left it.

        Parameters
        ----------
        blocks : n blocks one after the other, each `block_size` bytes (default: the length of `written`)
        """
        size = block_size or (len(written) if written else len(blocks))
        if size == 0 or len(blocks) % size or (written is not None and len(written) != size):
            raise UsageError(f"{len(blocks)} bytes of blocks do not divide into blocks of {size} bytes")
        self._check_range(block_address, size)
        values = dict(registers or {})
        if pointer is not None:
            values[pointer_register] = self.pointer(pointer)
        count = len(blocks) // size
        ffi = self._ffi
        written = bytes(written if written is not None else b"\1" * size)
        keep = (  # cffi frees what is not referenced
            ffi.new("uint32_t[]", [self._register_id(name) for name in values]),
            ffi.new("uint32_t[]", list(values.values())),
            ffi.new("uint32_t[]", [self._register_id(name) for name in capture]),
            ffi.new("uint8_t[]", written),
        )
        batch = ffi.new("SimBatch *")
        batch.start, batch.stop = start, stop
        batch.block_address, batch.block_size = block_address, size
        batch.stack_top, batch.stack_limit = self.pointer(stack_top), self.pointer(stack_limit)
        batch.register_count, batch.captured_count = len(values), len(capture)
        batch.register_ids, batch.register_values, batch.captured_ids, batch.written = keep
        batch.cycle_limit = cycle_limit
        out = ffi.new("uint8_t[]", max(1, len(blocks)))
        captured = ffi.new("uint32_t[]", max(1, count * len(capture)))
        runs = ffi.new("SimRun[]", max(1, count))
        self._lib.sim_call_many(self._sim, batch, count, bytes(blocks), out, captured, runs)
        width = len(capture)
        return Batch(
            runs=tuple(self._runs(runs, count)),
            blocks=bytes(ffi.buffer(out, len(blocks))),
            registers=tuple(
                dict(zip(capture, captured[n * width : (n + 1) * width], strict=True)) for n in range(count)
            ),
        )

    # ---- the table of forms ----

    def forms(self) -> Iterator[Form]:
        """The core's table of instruction forms, in order."""
        raw = self._ffi.new("SimForm *")
        index = 0
        while self._lib.sim_form(self._sim, index, raw) == 0:
            values = {f.name: getattr(raw, f.name) for f in fields(Form) if f.name != "index"}
            for name, value in values.items():
                if isinstance(value, self._ffi.CData):
                    values[name] = self._ffi.string(value).decode()
            yield Form(index, **values)
            index += 1

    def form_at(self, address: int) -> tuple[int, int] | None:
        """Index of the form at a code address and the instruction's length; None where there is none."""
        length = self._ffi.new("uint32_t *")
        index = self._lib.sim_form_at(self._sim, address, length)
        return None if index < 0 else (index, length[0])

    def status_names(self) -> tuple[str, ...]:
        """Every status a run can end with."""
        return self._status

    # ---- helpers ----

    def name(self, address: int) -> str:
        """The address with its symbol, as in `0123A (_tf_encrypt+2)`."""
        below = max((a for a in self.symbols if a <= address), default=None)
        if below is None:
            return f"{address:05X}"
        offset = f"+{address - below}" if address != below else ""
        return f"{address:05X} ({self.symbols[below]}{offset})"

    def _run(self, raw) -> Run:
        return self._runs(raw, 1)[0]

    def _runs(self, raw, count: int) -> list[Run]:
        rows = RUN.iter_unpack(self._ffi.buffer(raw, count * RUN.size))
        return [self._result(*row) for row in rows]

    def _result(self, status: int, pc: int, address: int, stack: int, not_verified: int, *counts: int) -> Run:
        name = self._status[status]
        message = "" if name == "ok" else self._message(name, pc, address, counts[0])
        cycles, base, *waits, instructions, path, uninit = counts
        return Run(
            status=name,
            message=message,
            pc=pc,
            address=address,
            cycles=cycles,
            base=base,
            waits={name: waits[kind] for name, kind in self.wait_kinds.items()},
            instructions=instructions,
            stack=stack,
            path_hash=path,
            uninit_reads=uninit,
            timing_not_verified=bool(not_verified),
        )

    def _message(self, status: str, pc: int, address: int, cycles: int) -> str:
        of = "" if address == pc else f" of {address:05X}"
        return f"{status}{of} at {self.name(pc)} after {cycles} cycles"

    def _nodes(self) -> tuple[Node, ...]:
        count = self._lib.sim_profile_nodes(self._sim, self._ffi.NULL, 0)
        raw = self._ffi.new("SimNode[]", max(1, count))
        self._lib.sim_profile_nodes(self._sim, raw, count)
        return tuple(
            Node(n, raw[n].parent, raw[n].call_site, raw[n].callee, raw[n].entries) for n in range(count)
        )

    def _cells(self) -> dict[int, dict[int, tuple[int, int]]]:
        count = self._lib.sim_profile_cells(self._sim, self._ffi.NULL, 0)
        raw = self._ffi.new("SimCell[]", max(1, count))
        self._lib.sim_profile_cells(self._sim, raw, count)
        cells: dict[int, dict[int, tuple[int, int]]] = {}
        for n in range(count):
            cells.setdefault(raw[n].node, {})[raw[n].address] = (raw[n].executions, raw[n].cycles)
        return {node: dict(sorted(cells[node].items())) for node in sorted(cells)}

    def _register_id(self, name: str) -> int:
        number = self._lib.sim_register_id(self._sim, name.lower().encode())
        if number < 0:
            raise UsageError(f"core {self._core} has no register {name!r}")
        return number

    def _fetch(self, function, address: int, length: int) -> bytes:
        self._check_range(address, length)
        out = self._ffi.new("uint8_t[]", max(1, length))
        function(self._sim, address, out, length)
        return bytes(self._ffi.buffer(out, length))

    def _check_range(self, address: int, length: int) -> None:
        if address < 0 or length < 0 or address + length > self._lib.sim_space(self._sim):
            raise UsageError(f"{length} bytes at {address:X} lie outside the address space")

    def _check(self, code: int, message: str) -> None:
        if code != 0:
            raise UsageError(message)


class Registers:
    """Mapping-like view of a simulator's registers."""

    def __init__(self, simulator: Simulator):
        self._s = simulator

    def __getitem__(self, name: str) -> int:
        value = self._s._ffi.new("uint32_t *")
        self._s._lib.sim_get_register(self._s._sim, self._s._register_id(name), value)
        return value[0]

    def __setitem__(self, name: str, value: int) -> None:
        self._s._lib.sim_set_register(self._s._sim, self._s._register_id(name), value & _ANY_REGISTER)


def cores() -> tuple[str, ...]:
    """The names of all cores."""
    ffi, library = load()
    names = []
    while (name := library.sim_core_name(len(names))) != ffi.NULL:
        names.append(ffi.string(name).decode())
    return tuple(names)


def _status_names(ffi: FFI, library: Any) -> tuple[str, ...]:
    names = []
    while (name := ffi.string(library.sim_status_name(len(names))).decode()) != "?":
        names.append(name)
    return tuple(names)


def _wait_kinds(ffi: FFI, library: Any, sim: Any) -> dict[str, int]:
    """The names of a core's waits, and the place of each in C's `SimRun.waits`."""
    names = [library.sim_wait_name(sim, kind) for kind in range(WAITS)]
    return {ffi.string(name).decode(): kind for kind, name in enumerate(names) if name != ffi.NULL}
