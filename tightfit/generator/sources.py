"""The sources of a template, which decide the text that its variants render to."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from tightfit.primitives import load_primitive
from tightfit.records import Variant, canonical_json
from tightfit.targets import load_target
from tightfit.yamlfile import load_yaml

from .composition import JOINED
from .declaration import DECLARATION, SCHEMA, templates_folder
from .space import TemplateSpec

_USED = re.compile(r"""["']([^"'\s]+\.j2)["']""")
_COMMENT = re.compile(r"\{#.*?#\}", re.S)
_WORDS = "doc"


def sources_of(variant: Variant) -> str:
    """The digest of the sources of a variant's template; "" where there is no such template."""
    names = variant.template.split(JOINED)
    over = load_primitive(variant.primitive).over
    return _joined(
        templates_folder(variant.target, primitive) / name
        for primitive, name in zip((variant.primitive, over), names, strict=False)
    )


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
    return short_hash(facts)


def _offering(target: str, primitive: str, operation: str) -> dict[str, str]:
    """The digests of the templates that offer an operation."""
    folders = sorted(path.parent for path in templates_folder(target, primitive).glob(f"*/{DECLARATION}"))
    offering = [
        folder for folder in folders if operation in load_yaml(folder / DECLARATION, SCHEMA)["operations"]
    ]
    return {folder.name: digest(folder) for folder in offering}


def short_hash(facts: object) -> str:
    """First 16 hex digits of SHA-256 over facts, as JSON in its canonical form."""
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()[:16]


def digest(folder: Path) -> str:
    """First 16 hex digits of SHA-256 over a template: its declaration and all sources that it may use.

    Docs, comments and spaces count for nothing. Two states of a template with one digest render alike; two
    with different digests may.
    """
    if not (folder / DECLARATION).is_file():
        return ""
    used: dict[Path, str] = {}
    for file in sorted(folder.glob("*.j2")):
        _gather(file, used)
    texts = [_code(used[file], load_target(folder.parents[1].name).comment) for file in sorted(used)]
    data = declared(folder / DECLARATION)
    return short_hash([data, texts])


def declared(file: Path) -> object:
    """What a template.yaml declares, without words for people."""
    return _without_words(load_yaml(file, SCHEMA))


def _gather(file: Path, used: dict[Path, str]) -> None:
    """Read a file and all files that it names, looked up as the renderer does."""
    if file in used:
        return
    used[file] = file.read_text(encoding="utf-8")
    for name in _USED.findall(used[file]):
        nearest = next((folder / name for folder in file.parents if (folder / name).is_file()), None)
        if nearest is not None:
            _gather(nearest, used)


def _code(text: str, comment: str) -> str:
    """A source without comments, as far as they are sure to be none of Jinja's words or strings."""
    of_assembly = re.compile(rf"{re.escape(comment)}[^{{}}\"']*$")
    lines = (of_assembly.sub("", line).split() for line in _COMMENT.sub("", text).splitlines())
    return "\n".join(" ".join(words) for words in lines if words)


def _without_words(data: object) -> object:
    if isinstance(data, dict):
        return {key: _without_words(value) for key, value in data.items() if key != _WORDS}
    return data
