"""Taint: which instructions of a run let its time depend on a secret."""

from dataclasses import dataclass

from tightfit.errors import UsageError, WorkError
from tightfit.harness.simulator.machine import NO_MEMORY, Simulator
from tightfit.harness.simulator.results import Run

LEAKS = ("branch", "skip", "jump", "call", "return", "address", "stack", "control")
"""What may leak: a conditional branch or skip whose two ways take different times, a computed jump or call, a
return address, an address that may reach memory of another speed, the stack pointer, bits that choose the
register bank, the memory map or sleep."""
FLASH_LOOKUP = "flash lookup"
"""An access at a secret address that may be in flash behind a prefetcher or a buffer."""
LOOKUPS = ("lookup", FLASH_LOOKUP)
KINDS = (*LEAKS, "balanced", *LOOKUPS)


@dataclass(frozen=True)
class Seen:
    """What was seen at one instruction of a run.

    `kind` is one of `KINDS`; `count` is how often the run met it, 0 if only the way not taken of a balanced
    condition has it.
    """

    address: int
    kind: str
    count: int


@dataclass(frozen=True)
class TaintedRun:
    """A run and what it shows of the secrets, each by address.

    `leaks` let the time depend on a secret. Without any, every run with the same public data that ends
    without an error takes the same cycles. `balanced` are conditions on a secret whose two ways meet again
    after the same time, `lookups` accesses at a secret address within memory of one speed; neither moves the
    time, unless flash is fetched ahead from where the kind of a look-up is `FLASH_LOOKUP`.
    """

    run: Run
    leaks: tuple[Seen, ...]
    balanced: tuple[Seen, ...]
    lookups: tuple[Seen, ...]


class Taint:
    """Secrets in a simulator's memory and registers; runs that follow them, one instruction at a time.

    A mask has a 1 for each bit that may depend on a secret. Masks stay from run to run, and they do not
    follow what the host writes: a field that the host fills anew is marked anew.

    Parameters
    ----------
    simulator : its memory, registers and code are those of the runs

    Raises
    ------
    UsageError
        The simulator's core has no rules for taint.
    """

    def __init__(self, simulator: Simulator):
        self._s, self._lib, self._ffi = simulator, simulator._lib, simulator._ffi
        handle = self._lib.taint_new(simulator._sim)
        if handle == self._ffi.NULL:
            if self._lib.taint_exists(simulator._sim):
                raise WorkError(NO_MEMORY)
            raise UsageError(f"core {simulator._core} has no rules for taint")
        self._taint = self._ffi.gc(handle, self._lib.taint_free)

    def secret(self, address: int, length: int, mask: int = 0xFF) -> None:
        """Make bytes secret, or those of their bits that `mask` has."""
        self.mark(address, bytes([mask & 0xFF]) * length)

    def public(self, address: int, length: int) -> None:
        """Make bytes public."""
        self.secret(address, length, 0)

    def secret_register(self, name: str, mask: int | None = None) -> None:
        """Make all of a register secret, or those of its bits that `mask` has; 0 makes it public."""
        number = self._s._register_id(name)
        mask = self._s.register_bits(name) if mask is None else mask
        if self._lib.taint_mark_register(self._taint, number, mask) < 0:
            raise UsageError(f"register {name!r} cannot be secret")

    def clear(self) -> None:
        """Make everything public."""
        self._lib.taint_clear(self._taint)

    def clear_registers(self) -> None:
        """Make the registers public: those of the bank that a reset selects, on a core that has banks."""
        self._lib.taint_clear_registers(self._taint)

    def mark(self, address: int, masks: bytes) -> None:
        """Give each byte its mask."""
        self._s._check_range(address, len(masks))
        if self._lib.taint_mark(self._taint, address, bytes(masks), len(masks)) < 0:
            raise WorkError(NO_MEMORY)

    def masks(self, address: int, length: int) -> bytes:
        """The mask of each byte."""
        self._s._check_range(address, length)
        out = self._ffi.new("uint8_t[]", max(1, length))
        self._lib.taint_masks(self._taint, address, out, length)
        return bytes(self._ffi.buffer(out, length))

    def register_mask(self, name: str) -> int:
        """The mask of a register; 0 for one that cannot be secret."""
        out = self._ffi.new("uint32_t *")
        self._lib.taint_register_mask(self._taint, self._s._register_id(name), out)
        return out[0]

    def run(self, start: int, stop: int, *, cycle_limit: int) -> TaintedRun:
        """Run from `start` until the program counter is `stop`, as `Simulator.run`; `path_hash` is 0."""
        raw = self._ffi.new("SimRun *")
        self._lib.taint_run(self._taint, start, stop, cycle_limit, raw)
        return self._result(raw)

    def step(self, steps: int = 1) -> TaintedRun:
        """Go on from the program counter; a balanced condition is one step, to where its two ways meet."""
        raw = self._ffi.new("SimRun *")
        self._lib.taint_step(self._taint, steps, raw)
        return self._result(raw)

    def _result(self, raw) -> TaintedRun:
        seen = self._seen()
        return TaintedRun(
            run=self._s._run(raw),
            leaks=tuple(one for one in seen if one.kind in LEAKS),
            balanced=tuple(one for one in seen if one.kind == "balanced"),
            lookups=tuple(one for one in seen if one.kind in LOOKUPS),
        )

    def _seen(self) -> list[Seen]:
        count = self._lib.taint_records(self._taint, self._ffi.NULL, 0)
        raw = self._ffi.new("TaintRecord[]", max(1, count))
        self._lib.taint_records(self._taint, raw, count)
        found = (Seen(one.address, KINDS[one.kind], one.count) for one in raw[0:count])
        return sorted(found, key=lambda one: (one.address, KINDS.index(one.kind)))
