"""JSON of a fixed form, to be read and compared line by line."""

import json
from typing import Any

_WIDTH = 100


def json_text(data: Any) -> str:
    """JSON of a fixed form: short lists and objects on one line each."""
    return _lines(data, "") + "\n"


def _lines(data: Any, indent: str) -> str:
    flat = json.dumps(data, ensure_ascii=False)
    if not isinstance(data, (dict, list)) or not data or len(indent) + len(flat) <= _WIDTH:
        return flat
    inner = indent + " "
    if isinstance(data, list):
        items = _filled([_lines(item, inner) for item in data], _WIDTH - len(inner))
        opening, closing = "[", "]"
    else:
        items = [f"{json.dumps(key)}: {_lines(value, inner)}" for key, value in data.items()]
        opening, closing = "{", "}"
    return f"{opening}\n{inner}" + f",\n{inner}".join(items) + f"\n{indent}{closing}"


def _filled(items: list[str], width: int) -> list[str]:
    """Short rows side by side, as many as a line holds; what is longer or no row keeps its own line."""
    lines: list[str] = []
    for item in items:
        row = item.startswith("[") and "\n" not in item
        if row and lines and lines[-1].startswith("[") and len(lines[-1]) + 2 + len(item) <= width:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return lines
