"""Plain JSON of the records, and back."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from tightfit.errors import WorkError

Record = TypeVar("Record")


def to_json(record: Any) -> Any:
    """Plain JSON (dict, list, str, int, float, bool, None) of a record; derived properties are left out."""
    if dataclasses.is_dataclass(record):
        return {name: to_json(getattr(record, name)) for name in _hints(type(record))}
    if isinstance(record, Mapping):
        return {str(key): to_json(value) for key, value in record.items()}
    if isinstance(record, (tuple, list)):
        return [to_json(item) for item in record]
    return record


def from_json(cls: type[Record], data: Any) -> Record:
    """The record of class `cls` that `to_json` turned into `data`.

    Raises
    ------
    WorkError
        If `data` lacks a field or holds something that is no such record.
    """
    try:
        return _build(cls, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WorkError(f"expected the JSON of a {cls.__name__}: {type(error).__name__} {error}") from None


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


@cache
def _required(cls: type) -> frozenset[str]:
    missing = dataclasses.MISSING
    fields = dataclasses.fields(cls)
    return frozenset(f.name for f in fields if f.default is missing and f.default_factory is missing)


def _build(kind: Any, data: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        hints, required = _hints(kind), _required(kind)
        given = {name: data[name] for name in hints if name in required or name in data}
        return kind(**{name: _build(hints[name], value) for name, value in given.items()})
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _build_union(arguments, data)
    if origin is tuple:
        return tuple(_build(arguments[0], item) for item in data)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _build(arguments[1], value) for key, value in data.items()}
    if isinstance(kind, type) and not _accepts(kind, data):
        raise TypeError(f"expected {kind.__name__}, found {data!r}")
    return data


def _build_union(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None and type(None) in kinds:
        return None
    for kind in kinds:
        if dataclasses.is_dataclass(kind) or typing.get_origin(kind) or _accepts(kind, data):
            return _build(kind, data)
    raise TypeError(f"expected {' or '.join(kind.__name__ for kind in kinds)}, found {data!r}")


def _accepts(kind: type, data: Any) -> bool:
    if kind is float:
        return isinstance(data, (int, float)) and not isinstance(data, bool)
    return isinstance(data, kind) and not (kind is int and isinstance(data, bool))
