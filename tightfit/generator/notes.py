"""What the templates hold in which register, and which step of the standard each fragment is, in words.

The notes of a family of templates are `notes.yaml` beside its `variants.yaml`. They are read by people, in
exported assembly and in reports; no measurement depends on them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError
from tightfit.records import Variant
from tightfit.yamlfile import line_of, load_marked, named

from .declaration import load_space
from .expressions import Expression, parse_expression
from .space import TemplateSpec, unknown

WIDTH = 100
"""Longest text of a note, in characters, so that it fits a line of assembly."""

_TEXT = {
    "type": "string",
    "minLength": 1,
    "maxLength": WIDTH,
    "description": f"a text of at most {WIDTH} characters",
}
_CASE = {
    "type": "object",
    "required": ["is"],
    "additionalProperties": False,
    "properties": {"when": {"type": "string"}, "is": _TEXT},
}
_CASES = {
    "type": ["string", "array"],
    "minLength": 1,
    "maxLength": WIDTH,
    "minItems": 1,
    "items": _CASE,
    "description": f"a text of at most {WIDTH} characters, or a list of such texts with `when`",
}
_TEMPLATE = {
    "type": "object",
    "required": ["registers", "fragments"],
    "additionalProperties": False,
    "properties": {"registers": named(_CASES), "fragments": named(_CASES)},
}
SCHEMA = {
    "type": "object",
    "required": ["templates"],
    "additionalProperties": False,
    "properties": {"templates": named(_TEMPLATE)},
}


@dataclass(frozen=True)
class Case:
    """A text, and when it holds; None for always."""

    text: str
    when: Expression | None

    def holds(self, variant: Variant) -> bool:
        """Whether this is what to say of the variant."""
        return self.when is None or bool(self.when(variant.knobs, variant.operation))


Cases = tuple[Case, ...]


@dataclass(frozen=True)
class TemplateNotes:
    """Notes of one template: register or place in RAM, fragment or glob of fragments, each with its cases."""

    registers: Mapping[str, Cases]
    fragments: Mapping[str, Cases]

    def pattern(self, fragment: str) -> str | None:
        """The fragment itself where it is named, else the first glob that matches it."""
        if fragment in self.fragments:
            return fragment
        return next((name for name in self.fragments if fnmatchcase(fragment, name)), None)


@dataclass(frozen=True)
class Notes:
    """Notes of all templates of a primitive on a target; of none where there is no file."""

    path: Path
    templates: Mapping[str, TemplateNotes]

    def registers(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        """(register or place in RAM, what it holds), in the order of the file; () without a file.

        Raises
        ------
        UsageError
            The file has no notes of the template.
        """
        if not self.templates:
            return ()
        cases = self._template(variant.template).registers
        return tuple((name, text) for name, text in _said(cases, variant))

    def step(self, variant: Variant, fragment: str) -> str:
        """The step of the standard that a fragment is, in one line; "" without a file.

        A `*` in the note of a glob stands for what the glob's own stands for.

        Raises
        ------
        UsageError
            The file has no note of the fragment in this variant.
        """
        if not self.templates:
            return ""
        template = self._template(variant.template)
        pattern = template.pattern(fragment)
        cases = {} if pattern is None else {pattern: template.fragments[pattern]}
        for _, text in _said(cases, variant):
            return text.replace("*", _starred(pattern, fragment)) if "*" in pattern else text
        raise UsageError(
            f"{self.path}: expected a note of fragment {fragment!r} of template "
            f"{variant.template!r}, found none"
        )

    def _template(self, name: str) -> TemplateNotes:
        if name not in self.templates:
            raise UsageError(f"{self.path}: expected notes of template {name!r}, found none")
        return self.templates[name]


@cache
def load_notes(target: str, primitive: str, root: Path | None = None) -> Notes:
    """The notes beside the `variants.yaml` of a primitive on a target.

    Parameters
    ----------
    root : folder of the templates; by default that of the package.

    Raises
    ------
    UsageError
        The file is wrong, with file, line and what was expected.
    """
    space = load_space(target, primitive, root)
    path = space.folder / "notes.yaml"
    if not path.is_file():
        return Notes(path, {})
    data, marked = load_marked(path, SCHEMA)
    for name in data["templates"]:
        if name not in space.templates:
            line = line_of(marked, ["templates", name])
            raise UsageError(f"{path}:{line}: {unknown('template', name, space.templates)}")
    reader = _Reader(path, marked)
    return Notes(
        path,
        {name: reader.template(found, space.templates[name]) for name, found in data["templates"].items()},
    )


@dataclass(frozen=True)
class _Reader:
    path: Path
    marked: Any

    def template(self, data: Mapping[str, Any], spec: TemplateSpec) -> TemplateNotes:
        return TemplateNotes(*(self._section(data, spec, part) for part in ("registers", "fragments")))

    def _section(self, data: Mapping[str, Any], spec: TemplateSpec, part: str) -> dict[str, Cases]:
        return {name: tuple(self._cases(found, spec, part, name)) for name, found in data[part].items()}

    def _cases(self, found: str | list, spec: TemplateSpec, part: str, name: str) -> Iterator[Case]:
        if isinstance(found, str):
            yield Case(found, None)
            return
        for i, case in enumerate(found):
            keys = ["templates", spec.name, part, name, i]
            where = f"{self.path}:{line_of(self.marked, keys)}"
            text = case.get("when")
            if text is None and i + 1 < len(found):
                raise UsageError(f"{where}: expected a `when` for all texts but the last, found none")
            when = text and parse_expression(text, spec.domains, where, spec.constants)
            yield Case(case["is"], when)


def _said(notes: Mapping[str, Cases], variant: Variant) -> Iterator[tuple[str, str]]:
    for name, cases in notes.items():
        text = next((case.text for case in cases if case.holds(variant)), None)
        if text is not None:
            yield name, text


def _starred(pattern: str, fragment: str) -> str:
    """What the star of a glob stands for, a number without the zeros before it."""
    before, after = pattern.split("*", 1)
    found = fragment[len(before) : len(fragment) - len(after)]
    return str(int(found)) if found.isdigit() else found
