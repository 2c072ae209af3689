"""Knobs and constraints of one shape, declared once: `for` in template.yaml.

`for: {route: 1..24}` repeats what it stands in for every value, with `{route}` replaced. Several names
advance together, row by row: `for: {count: [1, 6], by: [left1, right2]}`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tightfit.errors import UsageError

_NAME = re.compile("[a-z][a-z0-9_]*")
_RANGE = r"^-?[0-9]+\.\.-?[0-9]+$"
FOR = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"pattern": "^[a-z]+$", "description": "a name in lower-case letters"},
    "additionalProperties": {
        "type": ["array", "string"],
        "minItems": 1,
        "pattern": _RANGE,
        "items": {"type": ["string", "integer"]},
        "description": "a list, or a range such as 1..24",
    },
}
"""JSON schema of a `for`."""

Keys = tuple[str | int, ...]


def expand(data: Mapping[str, Any], where: Callable[..., str]) -> tuple[dict[str, Any], dict[Keys, Keys]]:
    """A declaration without any `for`.

    Parameters
    ----------
    data : what template.yaml holds.
    where : gives file and line of the entry that keys lead to.

    Returns
    -------
    data : the same with every knob and constraint written out.
    written : for the keys of each knob and constraint, the keys of the entry in the file that declares it.

    Raises
    ------
    UsageError
        Lists of different lengths, an unknown placeholder, or a name declared twice.
    """
    knobs: dict[str, Any] = {}
    written: dict[Keys, Keys] = {}
    for pattern, knob in data["knobs"].items():
        place = where("knobs", pattern)
        for row in _rows(knob.get("for"), place):
            name = _filled(pattern, row, place)
            if name in knobs or not _NAME.fullmatch(name):
                expected = "a name not yet taken" if name in knobs else "a name in lower case"
                raise UsageError(f"{place}: expected {expected}, found {name!r}")
            knobs[name] = {key: _filled(value, row, place) for key, value in knob.items() if key != "for"}
            written["knobs", name] = "knobs", pattern
    constraints: list[str] = []
    for index, rule in enumerate(data.get("constraints", ())):
        place = where("constraints", index)
        text, repeated = (rule["rule"], rule["for"]) if isinstance(rule, Mapping) else (rule, None)
        for row in _rows(repeated, place):
            written["constraints", len(constraints)] = "constraints", index
            constraints.append(_filled(text, row, place))
    return {**data, "knobs": knobs, "constraints": constraints}, written


def _rows(columns: Mapping[str, Any] | None, place: str) -> list[dict[str, str | int]]:
    """What the names of a `for` stand for, row by row; one empty row where there is none."""
    if columns is None:
        return [{}]
    values = {name: _values(column) for name, column in columns.items()}
    lengths = {len(column) for column in values.values()}
    if len(lengths) > 1:
        raise UsageError(f"{place}: expected lists of one length in `for`, found {_lengths(values)}")
    return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]


def _values(column: list[str | int] | str) -> list[str | int]:
    if isinstance(column, str):
        first, last = map(int, column.split(".."))
        return list(range(first, last + 1))
    return column


def _lengths(values: Mapping[str, list]) -> str:
    return ", ".join(f"{len(column)} of {name}" for name, column in values.items())


def _filled(value: Any, row: Mapping[str, str | int], place: str) -> Any:
    """A value with its placeholders replaced; text outside a `for` stays as it is."""
    if isinstance(value, list):
        return [_filled(item, row, place) for item in value]
    if not isinstance(value, str) or not row:
        return value

    def fill(placeholder: re.Match) -> str:
        name, width = placeholder[1], placeholder[2] or ""
        if name not in row:
            raise UsageError(f"{place}: expected a placeholder of {', '.join(row)}, found {name!r}")
        return format(row[name], width) if isinstance(row[name], int) else str(row[name])

    return re.sub(r"{([a-z]+)(?::([0-9]+))?}", fill, value)
