"""Plain JSON of the records, and back."""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from tightfit.errors import WorkError

Record = TypeVar("Record")
_NEVER = object()


def to_json(record: Any) -> Any:
    """Plain JSON (dict, list, str, int, float, bool, None) of a record; derived properties are left out.

    So are fields that are `records.sparse`, where they have their default.
    """
    if record is None or isinstance(record, (str, int, float)):
        return record
    if dataclasses.is_dataclass(record):
        sparse = _sparse(type(record))
        values = ((name, getattr(record, name)) for name in _hints(type(record)))
        return {name: to_json(value) for name, value in values if sparse.get(name, _NEVER) != value}
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
        If `data` lacks a field or is not the JSON of such a record.
    """
    try:
        return _builder(cls)(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WorkError(f"expected the JSON of a {cls.__name__}: {type(error).__name__} {error}") from None


def from_checked(cls: type[Record], data: Mapping[str, Any]) -> Record:
    """As `from_json`, several times faster, of data that `to_json` is known to have made."""
    return _quick(cls)(data)


@cache
def _quick(cls: type) -> Callable[[Mapping[str, Any]], Any]:
    """A function from checked JSON to records, which sets the fields of a record without its `__init__`."""
    nested = [(name, make) for name, hint in _hints(cls).items() if (make := _converter(hint)) is not None]
    defaults = {field.name: field.default for field in dataclasses.fields(cls) if "sparse" in field.metadata}

    def values_of(data: Mapping[str, Any]) -> dict[str, Any]:
        values = {**defaults, **data}
        for name, make in nested:
            if name in data:
                values[name] = make(data[name])
        return values

    def build(data: Mapping[str, Any]) -> Any:
        record = object.__new__(cls)
        vars(record).update(values_of(data))
        return record

    return (lambda data: cls(**values_of(data))) if hasattr(cls, "__post_init__") else build


def _converter(kind: Any) -> Callable[[Any], Any] | None:
    """A function from checked JSON to values of a type; None where they are the same."""
    if dataclasses.is_dataclass(kind):
        return _quick(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        made = next(filter(None, map(_converter, arguments)), None)
        return made and (lambda data: None if data is None else made(data))
    if origin is tuple:
        item = _converter(arguments[0])
        return tuple if item is None else lambda data: tuple([item(value) for value in data])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = _converter(arguments[1])
        return value and (lambda data: {key: value(item) for key, item in data.items()})
    return None


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


@cache
def _sparse(cls: type) -> dict[str, Any]:
    """Fields that are left out where they have their default, with it."""
    return {field.name: field.default for field in dataclasses.fields(cls) if "sparse" in field.metadata}


@cache
def _builder(kind: Any) -> Callable[[Any], Any]:
    """A function from JSON to values of a type."""
    if dataclasses.is_dataclass(kind):
        return _record_builder(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _union_builder(arguments)
    if origin is tuple:
        item = _builder(arguments[0])
        return lambda data: tuple([item(value) for value in data])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = _builder(arguments[1])
        return lambda data: {key: value(item) for key, item in data.items()}
    return _plain_builder((kind,))


def _record_builder(cls: type) -> Callable[[Any], Any]:
    builders = {name: _builder(hint) for name, hint in _hints(cls).items()}
    missing = dataclasses.MISSING
    required = {
        f.name for f in dataclasses.fields(cls) if f.default is missing and f.default_factory is missing
    }

    def build(data: Any) -> Any:
        given = {name: make for name, make in builders.items() if name in data or name in required}
        return cls(**{name: make(data[name]) for name, make in given.items()})

    return build


def _union_builder(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    plain = tuple(kind for kind in kinds if isinstance(kind, type) and not dataclasses.is_dataclass(kind))
    if len(plain) == len(kinds):
        return _plain_builder(plain)
    structured = [_builder(kind) for kind in kinds if kind not in plain]
    if len(structured) != 1 or plain != (type(None),):
        raise TypeError(f"no JSON form for {kinds}")
    return lambda data: None if data is None else structured[0](data)


def _plain_builder(kinds: tuple[type, ...]) -> Callable[[Any], Any]:
    accepted = frozenset(kinds) | (frozenset({int}) if float in kinds else frozenset())

    def build(data: Any) -> Any:
        if type(data) not in accepted:
            raise TypeError(f"expected {' or '.join(kind.__name__ for kind in kinds)}, found {data!r}")
        return data

    return build
