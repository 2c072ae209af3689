"""Reading template.yaml: the schema, and the checks that a schema cannot make."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.targets import Core, load_target, target_ids
from tightfit.yamlfile import Marked, Place, load_marked, load_yaml

from .composition import composed, joined
from .expressions import Constants, Expression, parse_expression
from .folders import (
    LIBRARY,
    declarations,
    folders,
    generated_targets,
    library_folder,
    templates_folder,
    templates_root,
)
from .knobfamilies import FOR, expand
from .space import MAIN, Calls, Knob, Space, TemplateSpec

_NAME = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}
_TEMPLATE = {"type": "string", "pattern": "^([a-z][a-z0-9-]*/)?[a-z][a-z0-9_]*$"}
_NAMES = {"propertyNames": _NAME, "type": "object"}
_KNOB_NAMES = {
    "type": "object",
    "propertyNames": {
        "pattern": r"^([a-z][a-z0-9_]*)?(\{[a-z]+(:[0-9]+)?\}[a-z0-9_]*)*$",
        "description": "a name, with {placeholders} of its `for`",
    },
}
_RESERVED = {"operation"}
_VALUE = {"type": ["string", "integer"], "description": "a word or an integer"}
_EXPRESSION = {"type": "string"}
_BYTES = {"type": ["integer", "string"], "minimum": 0}
_KNOB = {
    "type": "object",
    "required": ["values"],
    "additionalProperties": False,
    "properties": {
        "values": {"type": "array", "minItems": 1, "uniqueItems": True, "items": _VALUE},
        "doc": {"type": "string"},
        "when": _EXPRESSION,
        "for": FOR,
    },
}
_RULE = {
    "type": ["string", "object"],
    "required": ["for", "rule"],
    "additionalProperties": False,
    "properties": {"for": FOR, "rule": _EXPRESSION},
    "description": "an expression, or a `rule` with its `for`",
}
_FIELD = {
    "type": "object",
    "required": ["name", "bytes"],
    "additionalProperties": False,
    "properties": {"name": _NAME, "bytes": _BYTES, "kept": {"type": "boolean"}},
}
SCHEMA = {
    "type": "object",
    "required": ["doc", "operations", "knobs", "block"],
    "additionalProperties": False,
    "properties": {
        "doc": {"type": "string"},
        "operations": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
        "knobs": {**_KNOB_NAMES, "additionalProperties": _KNOB},
        "constraints": {"type": "array", "items": _RULE},
        "block": {"type": "array", "items": _FIELD},
        "static": _BYTES,
        "banks": _BYTES,
        "stack_reads": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
        "entries": {
            "type": "object",
            "additionalProperties": {"type": "array", "minItems": 1, "items": _NAME},
        },
        "extra_entries": {**_NAMES, "additionalProperties": _EXPRESSION},
        "destroys_key": _EXPRESSION,
        "calls": {
            "type": "object",
            "required": ["operation", "fields"],
            "additionalProperties": False,
            "properties": {
                "kind": {"type": "string"},
                "operation": {"type": "string"},
                "fields": {
                    "type": ["array", "object"],
                    "uniqueItems": True,
                    "items": _NAME,
                    "propertyNames": _NAME,
                    "additionalProperties": _NAME,
                },
                "kept": {"type": "array", "uniqueItems": True, "items": _NAME},
                "without": {"type": "array", "uniqueItems": True, "items": _TEMPLATE},
                "only": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "minItems": 1, "items": _VALUE},
                },
            },
        },
    },
}


@cache
def load_space(target: str, primitive: str, root: Path | None = None, part: str | None = None) -> Space:
    """The space that the templates under `<root>/<target>/<templates of the primitive>/` declare.

    Parameters
    ----------
    root : folder of the templates; by default that of the package.
    part : its core class decides the space; by default the target's default part.

    Raises
    ------
    UsageError
        Where there is no such folder, or the file is wrong, with file, line and what was expected.
    """
    root = root or templates_root()
    if target not in (targets := generated_targets(root)):
        raise unknown("target", target, targets)
    folder = templates_folder(target, primitive, root)
    if not folder.is_dir():
        offered = [name for name in primitive_ids() if templates_folder(target, name, root).is_dir()]
        raise unknown("primitive", primitive, offered or folders(root / target))
    core = load_target(target).part(part).core if target in target_ids() else None
    return Space(target, primitive, folder, read_templates(folder, target, primitive, core))


def read_templates(folder: Path, target: str, primitive: str, core: Core | None) -> dict[str, TemplateSpec]:
    """The templates of a folder by name, in alphabetical order; `UsageError` where one is wrong.

    They are read for a core class; None: for a target that is not among those that there are.
    """
    constants = load_primitive(primitive).constants if primitive in primitive_ids() else {}

    def read(path: Path) -> TemplateSpec:
        data, marked = load_marked(path, SCHEMA)
        return _Reader(path, marked, constants, core).template(data, target, primitive)

    own = [each for path in declarations(folder) for each in _composed(read(path), folder, core)]
    library = joining(target, primitive, folder.parents[1])
    return {
        each.name: each for each in [*own, *(each for path in library for each in joined(read(path), own))]
    }


def joining(target: str, primitive: str, root: Path | None = None) -> list[Path]:
    """The declarations of the library that make more of the templates of a primitive: those for its kind."""
    if primitive not in primitive_ids() or load_primitive(primitive).over is not None:
        return []
    kind = load_primitive(primitive).kind
    return [
        path
        for path in declarations(library_folder(target, root))
        if load_yaml(path, SCHEMA).get("calls", {}).get("kind") == kind
    ]


def _composed(spec: TemplateSpec, folder: Path, core: Core | None) -> Iterable[TemplateSpec]:
    """The template itself, or with each of the templates that it calls."""
    if spec.calls is None:
        return (spec,)
    called = templates_folder(spec.target, spec.calls.primitive, folder.parents[1])
    offered = read_templates(called, spec.target, spec.calls.primitive, core)
    return composed(spec, offered.values())


class _Reader:
    def __init__(self, path: Path, marked: Marked, constants: Constants, core: Core | None) -> None:
        self.path, self.marked, self.constants = path, marked, constants
        self.facts: Constants = core.facts if core else {}
        self.stated: Constants = core.stated if core else {}
        self.name = path.parent.name
        self.domains: dict[str, tuple[str | int, ...]] = {}
        self.written: dict[tuple[str | int, ...], tuple[str | int, ...]] = {}

    def where(self, *keys: str | int) -> Place:
        """File and line of an entry; for an entry that a `for` wrote, those of the `for`."""
        return Place(self.marked, (*self.written.get(keys[:2], keys[:2]), *keys[2:]))

    def expression(self, text: str | int, *keys: str | int) -> Expression:
        return parse_expression(text, self.domains, self.where(*keys), self.constants, self.stated)

    def template(self, data: Mapping[str, Any], target: str, primitive: str) -> TemplateSpec:
        data, self.written = expand(data, self.where)
        self.domains = {name: tuple(knob["values"]) for name, knob in data["knobs"].items()}
        self._check_names(data)
        return TemplateSpec(
            target=target,
            primitive=primitive,
            name=self.name,
            doc=data["doc"],
            folder=self.path.parent,
            operations=tuple(data["operations"]),
            knobs={name: self._knob(name, knob) for name, knob in data["knobs"].items()},
            constraints=tuple(
                self.expression(text, "constraints", i) for i, text in enumerate(data.get("constraints", []))
            ),
            fields=tuple(
                (field["name"], self.expression(field["bytes"], "block", i))
                for i, field in enumerate(data["block"])
            ),
            kept=frozenset(field["name"] for field in data["block"] if field.get("kept")),
            static=self.expression(data.get("static", 0), "static"),
            banks=self.expression(data.get("banks", 0), "banks"),
            stack_reads=tuple(data.get("stack_reads", self.domains)),
            entry_lists={operation: tuple(names) for operation, names in data.get("entries", {}).items()},
            extra_entries={
                name: self.expression(text, "extra_entries", name)
                for name, text in data.get("extra_entries", {}).items()
            },
            destroys=self.expression(data.get("destroys_key", "False"), "destroys_key"),
            constants=self.constants,
            facts=self.facts,
            calls=self._calls(data, primitive),
        )

    def _calls(self, data: Mapping[str, Any], primitive: str) -> Calls | None:
        over = load_primitive(primitive).over if primitive in primitive_ids() else None
        if "kind" in data.get("calls", {}):
            if self.path.parents[1].name != LIBRARY:
                raise UsageError(
                    f"{self.where('calls', 'kind')}: expected `kind` only in templates of the library"
                )
            over = primitive
        if ("calls" in data) != (over is not None):
            raise UsageError(
                f"{self.where()}: expected `calls` in the templates of a primitive that is `over` another, "
                "and in no other"
            )
        if over is None:
            return None
        load_primitive(over).operation(data["calls"]["operation"])
        calls, fields = data["calls"], data["calls"]["fields"]
        named = dict(fields) if isinstance(fields, Mapping) else {name: name for name in fields}
        lists = (tuple(calls.get(name, ())) for name in ("kept", "without"))
        only = {name: tuple(values) for name, values in calls.get("only", {}).items()}
        return Calls(over, calls["operation"], named, *lists, only)

    def _knob(self, name: str, data: Mapping[str, Any]) -> Knob:
        when = self.expression(data["when"], "knobs", name, "when") if "when" in data else None
        if when and name in when.knobs:
            raise UsageError(f"{when.where}: expected other knobs, found k.{name} in its own `when`")
        return Knob(name, self.domains[name], data.get("doc", ""), when)

    def _check_names(self, data: Mapping[str, Any]) -> None:
        source = self.path.parent / MAIN
        if not source.is_file():
            raise UsageError(f"{self.where()}: expected a file {source.name} beside it, found none")
        self._check_known(data.get("stack_reads", []), self.domains, "knobs", "stack_reads")
        self._check_known(data.get("entries", {}), data["operations"], "operations", "entries")
        fields = [field["name"] for field in data["block"]]
        if not fields and "kind" not in data.get("calls", {}):
            raise UsageError(f"{self.where('block')}: expected a field or more, found none")
        for i, name in enumerate(fields):
            if name in fields[:i] or name == "size":
                raise UsageError(f"{self.where('block', i)}: expected a name not yet taken, found {name!r}")
        for name in _RESERVED & self.domains.keys():
            raise UsageError(f"{self.where('knobs', name)}: expected another name, found {name!r}")

    def _check_known(self, names: Iterable[str], allowed: Iterable[str], what: str, key: str) -> None:
        for name in names:
            if name not in allowed:
                raise UsageError(
                    f"{self.where(key)}: expected {what} of {', '.join(allowed)}, found {name!r}"
                )
