"""What `target.yaml` and `toolchain.yaml` must look like."""

from typing import Any


def _mapping(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def _named(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "minProperties": 1, "additionalProperties": value}


WORD = {"type": "string"}
WORDS = {"type": "array", "items": WORD}
SIZE = {"type": "integer", "minimum": 0}

REGION = _mapping(
    {
        "name": WORD,
        "kind": {"enum": ["flash", "mirror", "data-flash", "ram", "sfr"]},
        "start": SIZE,
        "size": {"type": "integer", "minimum": 1},
    },
    {"shows": SIZE},
)

TARGET = _mapping(
    {
        "name": WORD,
        "default_part": WORD,
        "cores": _named(
            _mapping({"about": WORD, "timing": {"enum": ["tested", "not verified"]}, "assemble": WORDS})
        ),
        "parts": _named(
            _mapping(
                {
                    "core": WORD,
                    "about": WORD,
                    "rom": SIZE,
                    "ram": SIZE,
                    "memory": {"type": "array", "items": REGION, "minItems": 1},
                }
            )
        ),
        "abi": _mapping(
            {
                "pointer": WORD,
                "preserved": WORDS,
                "symbol_prefix": WORD,
                "return_address": SIZE,
                "call": WORD,
                "call_cycles": SIZE,
            },
            {
                "register_bank": SIZE,
                "scratch_banks": {"type": "object", "additionalProperties": SIZE},
            },
        ),
        "link": WORDS,
    }
)

SOURCE = _mapping(
    {
        "version": WORD,
        "version_in": WORD,
        "package": WORD,
        "tarball": WORD,
        "needs": _named(WORD),
        "configure": WORDS,
        "make": WORDS,
        "steps": {"type": "integer", "minimum": 1},
        "install": _named(WORD),
    }
)

PACKAGE = _mapping({"package": WORD, "install": _named(WORD)})

TOOLCHAIN = _mapping(
    {
        "tools": _named(WORD),
        "sources": {"type": "object", "additionalProperties": SOURCE},
        "packages": {"type": "object", "additionalProperties": PACKAGE},
    }
)
