"""YAML files with a schema; errors name file, line and what was expected.

A file that comes with tightfit is parsed and checked once: its data is kept as JSON in the cache, with the
hash of the text that it was read from, for every copy of tightfit. A text that has changed since is parsed
again.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

from tightfit.errors import UsageError, WorkError
from tightfit.paths import PACKAGE, cache_dir, simulator_source
from tightfit.readyfile import ready_file

_FORMAT = "1"
"""Raised when the form of the kept data, or the way a text is parsed, changes."""
_PAIRS = "\0pairs"
"""Key of a mapping's pairs where some of its own keys are not words, as keys of JSON must be."""

_shapes: dict[int, tuple[Mapping[str, Any], int]] = {}
_recording: dict[str, str] | None = None


@dataclass(frozen=True)
class Marked:
    """A file whose lines can be looked up; it is parsed when they are."""

    path: Path

    @cached_property
    def document(self) -> Any:
        """Its data, each entry marked with its line."""
        from tightfit.yamlcheck import parse

        return parse(self.path, _text(self.path))


@dataclass(frozen=True)
class Place:
    """Where an entry of a file is. Its text is `file:line`, for which the file is parsed."""

    marked: Marked
    keys: tuple[str | int, ...]

    def __str__(self) -> str:
        return f"{self.marked.path}:{line_of(self.marked, self.keys)}"


def mapping(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """Schema of a mapping with these keys and no others."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def named(value: dict[str, Any]) -> dict[str, Any]:
    """Schema of a mapping from free names, at least one, to values of one kind."""
    return {"type": "object", "minProperties": 1, "additionalProperties": value}


def load_yaml(path: Path, schema: Mapping[str, Any]) -> Any:
    """Plain data (dict, list, str, int, float, bool, None) of a YAML 1.2 file that obeys a JSON schema.

    Parameters
    ----------
    path : file to read.
    schema : JSON schema, draft 2020-12.

    Raises
    ------
    UsageError
        "file:line: expected ..., found ...", for the first thing that is wrong.
    """
    path = Path(path)
    root = next((root for root in (PACKAGE, simulator_source()) if path.is_relative_to(root)), None)
    if root is None:
        return _checked(path, _text(path), schema)
    name = f"{'-'.join(path.relative_to(root).parts)}-{_shape(schema):08x}"
    ready = ready_file()
    document = ready and ready.document(name)
    data = (
        _parsed_once(path, name, schema)
        if document is None
        else json.loads(document, object_hook=_hook(document))
    )
    if _recording is not None:
        _recording[name] = json.dumps(_to_pairs(data))
    return data


def _parsed_once(path: Path, name: str, schema: Mapping[str, Any]) -> Any:
    """The data of a file, parsed only if it was not before."""
    text = _text(path)
    kept = cache_dir() / "yaml" / f"{name}.json"
    source = _digest(_FORMAT, text)
    data = _read(kept, source)
    if data is None:
        data = _checked(path, text, schema)
        _keep(kept, source, data)
    return data


@contextmanager
def recorded() -> Iterator[dict[str, str]]:
    """The data of all files that are loaded inside, as JSON, by their names in the file of ready answers."""
    global _recording
    _recording = {}
    try:
        yield _recording
    finally:
        _recording = None


def _shape(schema: Mapping[str, Any]) -> int:
    """A checksum of a schema, made once: schemas are constants."""
    if id(schema) not in _shapes:
        _shapes[id(schema)] = schema, crc32(json.dumps(schema, sort_keys=True).encode())
    return _shapes[id(schema)][1]


def load_marked(path: Path, schema: Mapping[str, Any]) -> tuple[Any, Marked]:
    """As `load_yaml`, with what `line_of` and `Place` need for later errors."""
    return load_yaml(path, schema), Marked(Path(path))


def line_of(marked: Marked, keys: Iterable[str | int]) -> int:
    """Line, counted from 1, of the entry that `keys` lead to, or of the deepest one on the way."""
    from tightfit.yamlcheck import line_in

    return line_in(marked.document, keys)


def _text(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path}: expected a YAML file, found none that can be read ({error.strerror})"
        ) from None


def _checked(path: Path, text: bytes, schema: Mapping[str, Any]) -> Any:
    from tightfit.yamlcheck import checked

    return checked(path, text, schema)


def _digest(*parts: str | bytes) -> str:
    from hashlib import sha256

    digest = sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else f"{part}\0".encode())
    return digest.hexdigest()


def _read(kept: Path, source: str) -> Any:
    """The data kept for a text with this hash; None where there is none, or it cannot be read."""
    try:
        record = json.loads(kept.read_text(encoding="utf-8"), object_hook=_from_pairs)
        return record["data"] if record["source"] == source else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(kept: Path, source: str, data: Any) -> None:
    """Keep data for the next time; a cache that cannot be written costs time only."""
    from tightfit.textfile import replace_text

    try:
        replace_text(kept, json.dumps({"source": source, "data": _to_pairs(data)}))
    except (WorkError, TypeError):
        pass


def _to_pairs(value: Any) -> Any:
    if isinstance(value, list):
        return [_to_pairs(item) for item in value]
    if not isinstance(value, dict):
        return value
    if all(isinstance(key, str) for key in value):
        return {key: _to_pairs(item) for key, item in value.items()}
    return {_PAIRS: [[key, _to_pairs(item)] for key, item in value.items()]}


def _hook(text: str) -> Callable[[dict], dict] | None:
    """What puts back keys that are no words, where a text has any."""
    return _from_pairs if json.dumps(_PAIRS) in text else None


def _from_pairs(value: dict[str, Any]) -> dict[Any, Any]:
    return dict(value[_PAIRS]) if _PAIRS in value else value
