"""A simulated part with one image in its flash, called as a C caller would."""

import numpy as np

from tightfit.harness.batch import BatchSimulator, Called, Calling, Profiled, Turns
from tightfit.harness.build import Image
from tightfit.harness.caller import Caller, Place, load_callers
from tightfit.harness.routine import Bytes, Cycles, Rejected
from tightfit.harness.script import Outcome, Script, Spoken
from tightfit.harness.simulator import Handler, Run, Taint, TaintedRun, regions_of
from tightfit.targets import BANK_BYTES, Part, Target

BELOW_STACK = "reads RAM below the stack pointer, which an interrupt handler overwrites"
_ERASED = b"\xff"


class Machine:
    """One part; `load` an image, `start` at a place, then `call` entries.

    `uninit` says what a read of never-written RAM does: `error`, or `off` where it counts for nothing.
    `handler` is an interrupt handler for watched calls, None for one that uses nothing but the stack.
    """

    def __init__(self, target: Target, part: Part, cycle_limit: int, uninit: str = "error"):
        self.target, self.part, self.cycle_limit = target, part, cycle_limit
        self.callers = load_callers(target.folder, part.core.name)
        self._simulator = BatchSimulator(part.core.name, regions=regions_of(part), uninit=uninit)
        self.handler: Handler | None = None
        self.image: Image | None = None
        self._captured = (*target.abi.preserved, self.callers.status_register)
        (self._ram,) = part.regions("ram")

    def load(self, image: Image) -> None:
        """Put an image into the flash, unless it is there; the image before it is erased."""
        if image is self.image:
            return
        for address, data in self.image.flash if self.image else ():
            self._simulator.load(address, _ERASED * len(data))
        for address, data in image.flash:
            self._simulator.load(address, data)
        self.image = image
        self._simulator.symbols = {s.address: s.name for s in image.elf.symbols if s.section and s.size}

    def start(self, place: Place, caller: Caller) -> None:
        """RAM as after start-up: only static data is written."""
        self.place, self.caller = place, caller
        self._simulator.reset()
        self._simulator.poison(self._ram.start, self.image.end - self._ram.start, caller.poison)
        for bank in (self.target.abi.scratch_banks or {}).values():
            self._simulator.write(bank, bytes([caller.poison]) * BANK_BYTES)
        for address, data in self.image.static:
            self._simulator.write(address, data)
        gap = self.target.abi.stack_gap
        self._stack = place.stack - gap, place.limit - gap
        self._simulator.set_stack(*self._stack)
        self.stack_pointer = self._simulator.registers["sp"]
        self._kept = self._kept_bytes()

    def call(
        self,
        entry: str,
        blocks: Bytes,
        written: Bytes,
        address: int | None = None,
        watch: bool = False,
        carried: Bytes | None = None,
    ) -> Outcome:
        """Call an entry once for each block (a row of bytes); `written` is 0 for bytes left never-written.

        `carried` has a 1 for each byte that a call finds as the one before left it, the first call apart.
        `watch` runs with what interrupt handlers may do between instructions, `handler` included.

        Raises
        ------
        Rejected
            A run ended without a return; the message names entry, PC, address and symbol.
        """
        start, stop = self.image.calls[entry]
        called = self._simulator.call_blocks(
            start,
            stop,
            self._caller(self.place.block if address is None else address),
            blocks,
            written,
            carried=carried,
            watch=watch,
            handler=self.handler if watch else None,
        )
        self._check_registers_apart(entry)
        if watch:
            self._check_watched(entry, called)
        self._check_return(entry, called.failure)
        return Outcome(
            cycles=called.runs["cycles"].astype(np.int64),
            waits_apart=self._waits_apart(called),
            paths=called.runs["path_hash"].copy(),
            blocks=called.blocks,
            registers=called.registers,
            stack=int(called.runs["stack"].max()),
        )

    def converse(self, script: Script) -> Spoken:
        """Every turn of a script, each in all contexts; they end behind a turn that does not return."""
        ways = [(*self.image.calls[entry], written) for entry, written in script.ways]
        blocks = script.blocks.copy()
        turns = Turns(ways, script.found, script.way, script.mask, script.after)
        called = self._simulator.call_turns(turns, self._caller(self.place.block), blocks)
        return Spoken(
            script=script,
            given=blocks,
            cycles=called.runs["cycles"].astype(np.int64),
            waits_apart=self._waits_apart(called),
            paths=called.runs["path_hash"],
            blocks=called.blocks,
            registers=called.registers,
            stack=called.runs["stack"],
            instructions=int(called.runs["instructions"].sum()),
            reached=called.reached,
            failure=called.failure,
        )

    def _caller(self, address: int) -> Calling:
        return Calling(address, self._stack, self.cycle_limit, self._registers(address), self._captured)

    def _registers(self, address: int) -> dict[str, int]:
        """The registers before a call on the block at an address."""
        return {**self.caller.registers, self.target.abi.pointer: self._simulator.pointer(address)}

    def check_turn(self, entry: str, reached: bool, failure: Run | None) -> None:
        """Raise `Rejected` for a turn of a script that used registers by address, or did not return."""
        if reached:
            self._check_registers_apart(entry)
        self._check_return(entry, failure)

    def _check_return(self, entry: str, failure: Run | None) -> None:
        if failure:
            why = failure.message
            raise Rejected(f"{entry}: {why}{self._room_left(why)}{self._lacks(why)}", failure.pc)

    def _waits_apart(self, called: Called) -> Cycles:
        apart = self.target.waits_apart
        return called.waits[apart.wait].astype(np.int64) if apart else np.zeros(called.runs.shape, np.int64)

    def _check_registers_apart(self, entry: str) -> None:
        """No address of a register was used where registers have none."""
        if self.part.core.registers_apart and self.reached_registers():
            raise Rejected(
                f"{entry}: reaches registers by address, which they do not have on {self.part.name}"
            )

    def _check_watched(self, entry: str, called: Called) -> None:
        """Nothing below the stack pointer was read, and interrupts were disabled no longer than allowed."""
        below = np.flatnonzero(called.watched["below"])
        if len(below):
            end = called.failure
            where = f": {end.message}" if end else ""
            raise Rejected(f"{entry}: {BELOW_STACK}{where}", end and end.pc)
        worst = called.watched[called.watched["blocked"].argmax()]
        if worst["blocked"] > self.callers.interrupts_off:
            where = self._simulator.name(int(worst["blocked_at"]))
            allowed = self.callers.interrupts_off
            most = f"at most {allowed} are allowed" if allowed else "none is allowed"
            raise Rejected(
                f"{entry}: interrupts are disabled for {worst['blocked']} cycles from {where} on; {most}"
            )

    def _room_left(self, failure: str) -> str:
        if not failure.startswith("stack below"):
            return ""
        return (
            f"; {self.part.name} has {self.part.ram} bytes of RAM, of which {self.place.room} are left for it"
        )

    def _lacks(self, failure: str) -> str:
        return f"; {self.part.name} has no such instruction" if failure.startswith("unknown opcode") else ""

    def profile(self, entry: str, block: Bytes, written: Bytes) -> Profiled:
        """One call of an entry, with executions and cycles by call path and address."""
        self._prepare(block, written)
        start, stop = self.image.calls[entry]
        profile = self._simulator.profile_cells(start, stop, cycle_limit=self.cycle_limit)
        if not profile.run.ok:
            raise Rejected(f"{entry}: {profile.run.message}", profile.run.pc)
        return profile

    def taint(self) -> Taint:
        """Secrets of the part's memory and registers, none so far."""
        return Taint(self._simulator)

    def follow(self, taint: Taint, entry: str, block: Bytes, written: Bytes, masks: Bytes) -> TaintedRun:
        """One call of an entry that follows the secrets; `masks` has a 1 for each secret bit of the block."""
        self._prepare(block, written)
        taint.clear_registers()
        taint.mark(self.place.block, masks.tobytes())
        start, stop = self.image.calls[entry]
        tainted = taint.run(start, stop, cycle_limit=self.cycle_limit)
        if not tainted.run.ok:
            raise Rejected(f"{entry}: {tainted.run.message}", tainted.run.pc)
        return tainted

    def _prepare(self, block: Bytes, written: Bytes) -> None:
        """Parameter block, registers and stack as for a call."""
        simulator, address = self._simulator, self.place.block
        simulator.poison(address, len(block), self.caller.poison)
        for begin, end in _spans(written):
            simulator.write(address + begin, block[begin:end].tobytes())
        for name, value in self._registers(address).items():
            simulator.registers[name] = value
        simulator.set_stack(*self._stack)

    def read(self, address: int, length: int) -> bytes:
        """RAM as it is now."""
        return self._simulator.read(address, length)

    def touched(self) -> Bytes:
        """1 for each byte of RAM, register banks left out, that was written since `start`."""
        length = self.image.end - self._ram.start
        return np.frombuffer(self._simulator.touched(self._ram.start, length), np.uint8)

    def peripherals(self) -> int | None:
        """The first special function register, CPU registers left out, that was written since `start`."""
        for region in self.part.regions("sfr"):
            first = self._simulator.touched(region.start, region.size).find(1)
            if first >= 0:
                return region.start + first
        return None

    def changed_bytes(self) -> list[str]:
        """Names of the bytes that a call must preserve and did not."""
        now = self._kept_bytes()
        return [name for name, value in self._kept.items() if now[name] != value]

    def _kept_bytes(self) -> dict[str, bytes]:
        return {name: self.read(address, 1) for name, address in self.callers.kept_bytes.items()}

    def reached_registers(self) -> bool:
        """Whether CPU registers were used through their addresses in memory since `start`."""
        return self._simulator.reached_registers()

    def banks(self) -> frozenset[int]:
        """Register banks other than the caller's that were used since `start`."""
        return self._simulator.touched_banks()

    @property
    def ram_start(self) -> int:
        """First address of RAM."""
        return self._ram.start

    def offset(self, address: int) -> int:
        """Index of an address in `touched()`."""
        return address - self._ram.start


def _spans(written: Bytes) -> list[tuple[int, int]]:
    """(begin, end) of the stretches of ones."""
    edges = np.flatnonzero(np.diff(written, prepend=0, append=0)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
