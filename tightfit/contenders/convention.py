"""How compiled C is linked and called on a target: what its `gnu.yaml` says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tightfit.harness.batch import Profiled
from tightfit.harness.caller import Caller, Place
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Bytes, Rejected
from tightfit.harness.script import Outcome, Script, Spoken
from tightfit.harness.simulator import Taint, TaintedRun
from tightfit.targets import Part, Target
from tightfit.yamlfile import load_yaml, mapping

_WORDS = {"type": "array", "items": {"type": "string"}}
_NUMBER = {"type": "integer", "minimum": 0}
_SCHEMA = mapping(
    {"libraries": _WORDS, "startup": _WORDS},
    {
        "pointer": {"enum": ["stack"]},
        "preserved": _WORDS,
        "kept_memory": {
            "type": "object",
            "additionalProperties": mapping({"start": _NUMBER, "size": _NUMBER}),
        },
    },
)


@dataclass(frozen=True)
class Convention:
    """What compiled C asks of a target.

    Attributes
    ----------
    libraries : archives that the compiler looks for; those that it lacks are left out.
    startup : symbols of the start-up code that object files refer to.
    pushed : whether the pointer is passed on the stack.
    preserved : the registers that a function keeps; None for those of the counted interface.
    kept_memory : (start, size) of memory that it keeps, by name.
    """

    libraries: tuple[str, ...]
    startup: tuple[str, ...]
    pushed: bool
    preserved: tuple[str, ...] | None
    kept_memory: Mapping[str, tuple[int, int]]

    def argument_bytes(self, target: Target) -> int:
        """Bytes of stack that the pointer takes."""
        return target.pointer_bytes if self.pushed else 0

    def machine(self, target: Target, part: Part, cycle_limit: int) -> Machine:
        """A part whose caller calls as compiled C does.

        It may read RAM that was never written, because compilers copy bytes of the stack that nobody uses.
        What is there differs from call to call, and no answer may depend on it.
        """
        if self.preserved is not None:
            target = replace(target, abi=replace(target.abi, preserved=self.preserved))
        if self.pushed:
            return StackMachine(target, part, cycle_limit, self.kept_memory, uninit="off")
        return Machine(target, part, cycle_limit, uninit="off")


@cache
def load_convention(folder: Path) -> Convention:
    """The convention of the C compiler of the target in `folder`; UsageError for a malformed file."""
    data = load_yaml(folder / "gnu.yaml", _SCHEMA)
    preserved = data.get("preserved")
    memory = data.get("kept_memory", {})
    return Convention(
        libraries=tuple(data["libraries"]),
        startup=tuple(data["startup"]),
        pushed="pointer" in data,
        preserved=None if preserved is None else tuple(preserved),
        kept_memory={name: (place["start"], place["size"]) for name, place in memory.items()},
    )


class StackMachine(Machine):
    """A machine whose caller pushes the pointer and wants some memory back as it was."""

    def __init__(
        self,
        target: Target,
        part: Part,
        cycle_limit: int,
        kept_memory: Mapping[str, tuple[int, int]],
        uninit: str = "error",
    ):
        used = (target.abi.pointer, *target.abi.preserved)
        free = next(name for name in target.registers if name not in used)
        super().__init__(replace(target, abi=replace(target.abi, pointer=free)), part, cycle_limit, uninit)
        self._kept_memory = kept_memory

    def start(self, place: Place, caller: Caller) -> None:
        """As `Machine.start`, with room for the argument above the stack."""
        super().start(replace(place, stack=place.stack - self.target.pointer_bytes), caller)

    def call(self, entry: str, blocks: Bytes, written: Bytes, address: int | None = None, *more) -> Outcome:
        """As `Machine.call`, and the kept memory must come back."""
        self._push(self.place.block if address is None else address)
        before = self._kept_now()
        outcome = super().call(entry, blocks, written, address, *more)
        self._check_kept(before, entry)
        return outcome

    def converse(self, script: Script) -> Spoken:
        """As `Machine.converse`, and the kept memory must come back."""
        self._push(self.place.block)
        before = self._kept_now()
        spoken = super().converse(script)
        if not spoken.failure:
            self._check_kept(before, " or ".join(dict.fromkeys(entry for entry, _ in script.ways)))
        return spoken

    def profile(self, entry: str, block: Bytes, written: Bytes) -> Profiled:
        """As `Machine.profile`."""
        self._push(self.place.block)
        return super().profile(entry, block, written)

    def follow(self, taint: Taint, entry: str, block: Bytes, written: Bytes, masks: Bytes) -> TaintedRun:
        """As `Machine.follow`."""
        self._push(self.place.block)
        return super().follow(taint, entry, block, written, masks)

    def _check_kept(self, before: Mapping[str, bytes], entry: str) -> None:
        for name, data in self._kept_now().items():
            if data != before[name]:
                raise Rejected(f"{name} not preserved: {entry} returns with other values")

    def _kept_now(self) -> dict[str, bytes]:
        return {name: self.read(*place) for name, place in self._kept_memory.items()}

    def _push(self, pointer: int) -> None:
        held = self._simulator.pointer(pointer)
        self._simulator.write(self.place.stack, held.to_bytes(self.target.pointer_bytes, "little"))
