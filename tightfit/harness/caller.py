"""How the harness calls a routine: register states and places in RAM, from the target's `callers.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tightfit.errors import UsageError
from tightfit.yamlfile import load_yaml

if TYPE_CHECKING:
    from tightfit.harness.build import Image

_WORDS = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
_SCHEMA = {
    "type": "object",
    "required": ["status", "interrupts_off", "kept_bytes", "callers"],
    "additionalProperties": False,
    "properties": {
        "status": {
            "type": "object",
            "required": ["register", "kept"],
            "additionalProperties": False,
            "properties": {"register": {"type": "string"}, "kept": _WORDS},
        },
        "interrupts_off": {"type": "integer", "minimum": 0},
        "kept_bytes": _WORDS,
        "kept_bytes_of": {"type": "object", "additionalProperties": _WORDS},
        "callers": {
            "type": "array",
            "minItems": 2,
            "items": {
                "type": "object",
                "required": ["poison", "registers"],
                "additionalProperties": False,
                "properties": {
                    "poison": {"type": "integer", "minimum": 0, "maximum": 255},
                    "registers": _WORDS,
                },
            },
        },
    },
}

# The status bit that is set where interrupts are on, and the one that is set where they are not.
_ENABLED, _DISABLED = "interrupt enable flag", "interrupt disable flag"
_OTHER_FRAMES = 32  # bytes between the routine's stack and what lies above it
_ROOMY = 1536  # bytes of RAM that have room for other frames, and for blocks far from the stack


@dataclass(frozen=True)
class Caller:
    """What the registers hold at the call, and the byte that fills RAM which was never written."""

    poison: int
    registers: Mapping[str, int]


@dataclass(frozen=True)
class Callers:
    """The callers of a target, and what must come back as it was.

    `status_kept` names bits of the status register, `kept_bytes` addresses. `interrupts_off` are the cycles
    for which a routine may disable interrupts at a time.
    """

    status_register: str
    status_kept: Mapping[str, int]
    interrupts_off: int
    kept_bytes: Mapping[str, int]
    callers: tuple[Caller, ...]

    @property
    def interrupted(self) -> Caller:
        """A caller that has interrupts enabled."""
        return next(
            caller
            for caller in self.callers
            if _interruptible(caller.registers[self.status_register], self.status_kept)
        )


@dataclass(frozen=True)
class Place:
    """Where a caller has the parameter block, and its stack from `stack` down to `limit`.

    `beside` is where a second block can lie, None where no second block is called for.
    """

    block: int
    stack: int
    limit: int
    beside: int | None = None

    @property
    def room(self) -> int:
        """Bytes of stack."""
        return self.stack - self.limit


@cache
def load_callers(folder: Path, core: str = "") -> Callers:
    """The callers of the target in `folder`; UsageError for a malformed file.

    `core` is the name of a core, which may have kept bytes of its own.
    """
    file = folder / "callers.yaml"
    data = load_yaml(file, _SCHEMA)
    register, kept = data["status"]["register"], data["status"]["kept"]
    callers = tuple(Caller(caller["poison"], caller["registers"]) for caller in data["callers"])
    if not any(_interruptible(caller.registers[register], kept) for caller in callers):
        said = f"does not have the {_DISABLED}" if _DISABLED in kept else f"has the {_ENABLED}"
        raise UsageError(f"{file}: callers: expected one whose {register} {said}, found none")
    kept_bytes = data.get("kept_bytes_of", {}).get(core, data["kept_bytes"])
    return Callers(register, kept, data["interrupts_off"], kept_bytes, callers)


def _interruptible(status: int, kept: Mapping[str, int]) -> bool:
    if _DISABLED in kept:
        return not status & kept[_DISABLED]
    return bool(status & kept.get(_ENABLED, 0))


def places(image: "Image", size: int) -> list[Place]:
    """Blocks of `size` bytes in the free RAM of an image, aligned as its target wants, the usual place first.

    After the usual place come the lowest, the highest, and two across a page boundary; the stack is as large
    as the block's distance to the far end allows.

    Raises
    ------
    Rejected
        A block of that size does not fit.
    """
    from tightfit.harness.routine import Rejected

    free, end, unit = image.free, image.end, image.block_alignment
    if size > end - free:
        raise Rejected(f"RAM: {end - free} bytes are left for a parameter block of {size}")
    roomy = end - free >= max(_ROOMY, 4 * size)
    return (_roomy_places if roomy else _tight_places)(free, end, size, unit)


def _roomy_places(free: int, end: int, size: int, unit: int) -> list[Place]:
    middle = (free + end) // 2 & ~0xFF
    low, high = _up(free, unit), end - size & -unit
    top = end - _OTHER_FRAMES
    across = middle + 0x100 - (size // 2 & -unit)
    return [
        Place(middle, top, middle + size, beside=low),
        Place(low, top, middle),
        Place(high, high - _OTHER_FRAMES, middle),
        Place(across, min(middle, across) - _OTHER_FRAMES, free),
        Place(middle + 0x100 - unit, middle - _OTHER_FRAMES, free),
    ]


def _tight_places(free: int, end: int, size: int, unit: int) -> list[Place]:
    """Places where every byte of RAM counts: block and stack share it, nothing lies above the stack."""
    low, high = _up(free, unit), end - size & -unit
    page = low + 0xFF & ~0xFF
    tight = [Place(low, end, low + size, beside=_up(low + size, unit)), Place(high, high, free)]
    for start in (page - (size // 2 & -unit), page - unit):
        if low < start < high:
            above = end - start - size > start - free
            tight.append(Place(start, end, start + size) if above else Place(start, start, free))
    return tight


def _up(address: int, unit: int) -> int:
    return address + unit - 1 & -unit
