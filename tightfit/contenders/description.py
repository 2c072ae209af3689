"""A routine described in a small file: its sources, what it computes, how it is called."""

from dataclasses import dataclass
from pathlib import Path

from tightfit.contenders.candidates import INTERFACES
from tightfit.contenders.plans import Calls
from tightfit.errors import UsageError
from tightfit.yamlfile import load_yaml, mapping

SUFFIXES = (".yaml", ".yml")
_WORD = {"type": "string", "minLength": 1}
_WORDS = {"type": "array", "minItems": 1, "items": _WORD}
_SCHEMA = mapping(
    {"sources": _WORDS, "primitive": _WORD},
    {
        "operation": _WORD,
        "name": _WORD,
        "call": _WORD,
        "setup": _WORD,
        "decrypt": _WORD,
        "headers": _WORDS,
        "interface": {"enum": list(INTERFACES)},
    },
)


@dataclass(frozen=True)
class Description:
    """The files of a routine and what it computes; without `calls` and `interface` one pointer is passed."""

    sources: tuple[Path, ...]
    primitive: str
    operation: str | None
    name: str | None
    headers: tuple[str, ...]
    calls: Calls | None
    interface: str | None = None


def read(file: Path) -> Description:
    """The description in a file, whose sources are named from its folder.

    Raises
    ------
    UsageError
        It is malformed; the message says where.
    """
    data = load_yaml(file, _SCHEMA)
    return Description(
        sources=tuple(file.parent / source for source in data["sources"]),
        primitive=data["primitive"],
        operation=data.get("operation"),
        name=data.get("name"),
        headers=tuple(data.get("headers", ())),
        calls=calls(*(data.get(name, "") for name in ("call", "setup", "decrypt")), data.get("headers", ())),
        interface=data.get("interface"),
    )


def calls(call: str | None, setup: str | None, decrypt: str | None, headers: tuple[str, ...]) -> Calls | None:
    """The calls that options say; None where they say none."""
    if call is None or call == "":
        if setup or decrypt:
            raise UsageError("--setup and --decrypt: expected --call beside them, found none")
        return None
    return Calls(call, setup or "", decrypt or "", tuple(headers))
