"""The sources of a template, which decide the text that its variants render to."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tightfit.primitives import load_primitive
from tightfit.records import Variant, canonical_json
from tightfit.targets import load_target
from tightfit.yamlfile import load_yaml

from .composition import JOINED, lacks
from .declaration import SCHEMA, joining
from .folders import DECLARATION, declarations, library_folder, templates_folder
from .space import TemplateSpec

_USED = re.compile(r"""["']([^"'\s]+\.j2)["']""")
_COMMENT = re.compile(r"\{#.*?#\}", re.S)
_WORDS = "doc"
_seen: dict[Path, str] | None = None
"""The digests of templates since `looked_at_once` began; None outside of it."""


@contextmanager
def looked_at_once() -> Iterator[None]:
    """While it lasts, the sources of each template are as they were when they were first looked at."""
    global _seen
    before, _seen = _seen, {} if _seen is None else _seen
    try:
        yield
    finally:
        _seen = before


def sources_of(variant: Variant) -> str:
    """The digest of the sources of a variant's template; "" where there is no such template."""
    *outer, name = variant.template.split(JOINED)
    over = load_primitive(variant.primitive).over
    folder = templates_folder(variant.target, (outer and over) or variant.primitive) / name
    above = templates_folder(variant.target, variant.primitive) if over else library_folder(variant.target)
    return _joined([*(above / each for each in outer), folder])


def sources_of_template(spec: TemplateSpec) -> str:
    """The digest of the sources of a template, with those of what it calls."""
    return _joined([spec.folder, *([spec.inner.spec.folder] if spec.inner else [])])


def _joined(folders: Iterable[Path]) -> str:
    digests = [digest(folder) for folder in folders]
    return digests[0] if len(digests) == 1 else short_hash(digests) if all(digests) else ""


def space_digest(target: str, part: str, primitive: str, operation: str) -> str:
    """First 16 hex digits of SHA-256 over all that decides the variants of an operation and their texts."""
    place, definition = load_target(target).part(part), load_primitive(primitive)
    templates = _offering(target, primitive, operation)
    facts: list = [templates, dict(place.core.facts), dict(definition.constants)]
    if definition.over is not None:
        wanted = {
            load_yaml(templates_folder(target, primitive) / name / DECLARATION, SCHEMA)["calls"]["operation"]
            for name in templates
        }
        facts.append({name: _offering(target, definition.over, name) for name in sorted(wanted)})
        called = load_primitive(definition.over)
        facts.append(dict(called.constants))
        facts += [{"full_last": True}] if called.full_last else []
    facts += _from_library(target, primitive, operation)
    return short_hash(facts)


def _from_library(target: str, primitive: str, operation: str) -> list:
    """The templates of the library that offer an operation: names, digests, the digests of what they call."""
    found = []
    for path in joining(target, primitive):
        data = load_yaml(path, SCHEMA)
        called = _offering(target, primitive, data["calls"]["operation"], data["operations"])
        if operation in data["operations"] and called:
            found.append([path.parent.name, digest(path.parent), called])
    return found


def _offering(target: str, primitive: str, operation: str, without: Iterable[str] = ()) -> dict[str, str]:
    """The digests of the templates that offer an operation, and none of those `without`."""
    offers = {
        path.parent: load_yaml(path, SCHEMA)["operations"]
        for path in declarations(templates_folder(target, primitive))
    }
    return {
        folder.name: digest(folder)
        for folder, operations in offers.items()
        if operation in operations and lacks(operations, without)
    }


def short_hash(facts: object) -> str:
    """First 16 hex digits of SHA-256 over facts, as JSON in its canonical form."""
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()[:16]


def digest(folder: Path) -> str:
    """First 16 hex digits of SHA-256 over a template: its declaration and all sources that it may use.

    Docs, comments and spaces count for nothing. Two states of a template with one digest render alike; two
    with different digests may.
    """
    if _seen is None:
        return _digest(folder)
    if folder not in _seen:
        _seen[folder] = _digest(folder)
    return _seen[folder]


def _digest(folder: Path) -> str:
    if not (folder / DECLARATION).is_file():
        return ""
    used: dict[Path, _Source] = {}
    for file in sorted(folder.glob("*.j2")):
        _gather(file, used, load_target(folder.parents[1].name).comment)
    texts = [used[file].code for file in sorted(used)]
    data = declared(folder / DECLARATION)
    return short_hash([data, texts])


def declared(file: Path) -> object:
    """What a template.yaml declares, without words for people."""
    return _without_words(load_yaml(file, SCHEMA))


class _Source(NamedTuple):
    """A source: the names of files in it, and its text without comments."""

    names: tuple[str, ...]
    code: str


@lru_cache(maxsize=4096)
def _source(file: Path, size: int, time: int, comment: str) -> _Source:
    """A source in the state that its size and its time of change tell."""
    text = file.read_text(encoding="utf-8")
    return _Source(tuple(dict.fromkeys(_USED.findall(text))), _code(text, comment))


def _gather(file: Path, used: dict[Path, _Source], comment: str) -> None:
    """Read a file and all files that it names, looked up as the renderer does."""
    if file in used:
        return
    state = file.stat()
    used[file] = _source(file, state.st_size, state.st_mtime_ns, comment)
    for name in used[file].names:
        nearest = next((folder / name for folder in file.parents if (folder / name).is_file()), None)
        if nearest is not None:
            _gather(nearest, used, comment)


def _code(text: str, comment: str) -> str:
    """A source without comments, as far as they are sure to be none of Jinja's words or strings."""
    of_assembly = re.compile(rf"{re.escape(comment)}[^{{}}\"']*$")
    lines = (of_assembly.sub("", line).split() for line in _COMMENT.sub("", text).splitlines())
    return "\n".join(" ".join(words) for words in lines if words)


def _without_words(data: object) -> object:
    if isinstance(data, dict):
        return {key: _without_words(value) for key, value in data.items() if key != _WORDS}
    return data
