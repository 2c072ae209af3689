"""What a folder lacks of a PlatformIO library, by the fields of `library.json` as PlatformIO documents them.

https://docs.platformio.org/en/latest/manifests/library-json
"""

import json
from pathlib import Path

from jsonschema import Draft202012Validator


def _text(longest: int, pattern: str = ".") -> dict:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": pattern}


def _list(pattern: str) -> dict:
    """Words with commas between them, or a list of words."""
    return {
        "anyOf": [
            {"type": "string", "pattern": rf"^{pattern}(, *{pattern})*$"},
            {"type": "array", "items": {"type": "string", "pattern": f"^{pattern}$"}},
        ]
    }


SCHEMA = {
    "type": "object",
    "required": ["name", "version", "description", "keywords", "license"],
    "additionalProperties": False,
    "properties": {
        "name": _text(100, r"^[^:;/,@<>]+$"),
        "version": _text(50, r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$"),
        "description": _text(1000),
        "keywords": _list(r"[a-z0-9][a-z0-9 +.-]{0,49}"),
        "homepage": _text(255, r"^https?://[^/\s]+"),
        "license": {"enum": ["MIT-0"]},
        "frameworks": _list(r"([a-z0-9_-]+|\*)"),
        "platforms": _list(r"([a-z0-9_-]+|\*)"),
        "headers": _list(r"[\w./-]+"),
    },
}  # fmt: skip


def faults(folder: Path) -> list[str]:
    """What is wrong, a line each."""
    data = json.loads((folder / "library.json").read_text(encoding="utf-8"))
    errors = Draft202012Validator(SCHEMA).iter_errors(data)
    lines = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]
    headers = str(data.get("headers", "")).split(",")
    missing = [name.strip() for name in headers if not (folder / "src" / name.strip()).is_file()]
    return lines + [f"headers: src/{name} is missing" for name in missing]
