"""How the harness calls a routine: register states and places in RAM, from the target's `callers.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tightfit.yamlfile import load_yaml

_WORDS = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
_SCHEMA = {
    "type": "object",
    "required": ["status", "kept_bytes", "callers"],
    "additionalProperties": False,
    "properties": {
        "status": {
            "type": "object",
            "required": ["register", "kept"],
            "additionalProperties": False,
            "properties": {"register": {"type": "string"}, "kept": _WORDS},
        },
        "kept_bytes": _WORDS,
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

_OTHER_FRAMES = 32  # bytes between the routine's stack and what lies above it


@dataclass(frozen=True)
class Caller:
    """What the registers hold at the call, and the byte that fills RAM which was never written."""

    poison: int
    registers: Mapping[str, int]


@dataclass(frozen=True)
class Callers:
    """The callers of a target, and what must come back as it was.

    `status_kept` names bits of the status register, `kept_bytes` addresses.
    """

    status_register: str
    status_kept: Mapping[str, int]
    kept_bytes: Mapping[str, int]
    callers: tuple[Caller, ...]


@dataclass(frozen=True)
class Place:
    """Where a caller has the parameter block, and its stack from `stack` down to `limit`."""

    block: int
    stack: int
    limit: int


@cache
def load_callers(folder: Path) -> Callers:
    """The callers of the target in `folder`; UsageError for a malformed file."""
    data = load_yaml(folder / "callers.yaml", _SCHEMA)
    callers = tuple(Caller(one["poison"], one["registers"]) for one in data["callers"])
    return Callers(data["status"]["register"], data["status"]["kept"], data["kept_bytes"], callers)


def places(free: int, end: int, size: int) -> list[Place]:
    """Blocks of `size` bytes at even addresses between `free` and `end`, the usual place first.

    The usual place, the lowest and the highest possible one, and two across a page boundary; the stack is as
    large as the block's distance to the far end allows.
    """
    middle = (free + end) // 2 & ~0xFF
    high = end - size & ~1
    top = end - _OTHER_FRAMES
    return [
        Place(middle, top, middle + size),
        Place(free + 1 & ~1, top, middle),
        Place(high, high - _OTHER_FRAMES, middle),
        Place(middle + 0x100 - (size // 2 & ~1), middle - _OTHER_FRAMES, free),
        Place(middle + 0x100 - 2, middle - _OTHER_FRAMES, free),
    ]
