"""What templates keep in which register, and which step of the standard each fragment is, in words.

The notes of a template are `notes.yaml` beside its `template.yaml`. They are read by people, in exported
assembly and in reports; no measurement depends on them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError
from tightfit.records import Variant
from tightfit.yamlfile import Marked, Place, load_marked, mapping, named

from .declaration import load_space
from .expressions import Expression, parse_expression
from .space import TemplateSpec

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
FILE = "notes.yaml"
SCHEMA = mapping({"registers": named(_CASES), "fragments": named(_CASES)})


@dataclass(frozen=True)
class Case:
    """A text, and when it holds; None for always."""

    text: str
    when: Expression | None

    def holds(self, variant: Variant) -> bool:
        """Whether the text is true of the variant."""
        return self.when is None or bool(self.when(variant.knobs, variant.operation))


Cases = tuple[Case, ...]


@dataclass(frozen=True)
class TemplateNotes:
    """Notes of one template: register or place in RAM, fragment or glob of fragments, each with its cases."""

    path: Path
    registers: Mapping[str, Cases]
    fragments: Mapping[str, Cases]

    def pattern(self, fragment: str) -> str | None:
        """The fragment itself where it is named, else the first glob that matches it."""
        if fragment in self.fragments:
            return fragment
        return next((name for name in self.fragments if fnmatchcase(fragment, name)), None)


@dataclass(frozen=True)
class Notes:
    """Notes of the templates of a primitive on a target, by name; a template may have none."""

    templates: Mapping[str, TemplateNotes]

    def registers(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        """(register or place in RAM, what it holds), in the order of the file; () without a file."""
        template = self.templates.get(variant.template)
        return tuple(_said(template.registers, variant)) if template else ()

    def step(self, variant: Variant, fragment: str) -> str:
        """The step of the standard that a fragment is, in one line; "" without a file.

        A `*` in the note of a glob stands for the text that the `*` of the glob matches.

        Raises
        ------
        UsageError
            The file has no note of the fragment in this variant.
        """
        template = self.templates.get(variant.template)
        if template is None:
            return ""
        pattern = template.pattern(fragment)
        cases = {} if pattern is None else {pattern: template.fragments[pattern]}
        for _, text in _said(cases, variant):
            return text.replace("*", _starred(pattern, fragment)) if "*" in pattern else text
        raise UsageError(f"{template.path}: expected a note of fragment {fragment!r}, found none")


@cache
def load_notes(target: str, primitive: str, root: Path | None = None) -> Notes:
    """The notes of the templates of a primitive on a target.

    Parameters
    ----------
    root : folder of the templates; by default that of the package.

    Raises
    ------
    UsageError
        A file is wrong, with file, line and what was expected.
    """
    templates = load_space(target, primitive, root).templates
    notes = {name: _of_template(spec) for name, spec in templates.items()}
    return Notes({name: note for name, note in notes.items() if note is not None})


def _of_template(spec: TemplateSpec) -> TemplateNotes | None:
    """The notes of a template; a construction's, and of what it calls."""
    file = spec.folder / FILE
    own = _read(file, spec) if file.is_file() else None
    called = _of_template(spec.inner.spec) if spec.inner else None
    if own is None or called is None:
        return own
    registers = {name: cases for name, cases in called.registers.items() if name not in own.registers}
    return TemplateNotes(file, {**own.registers, **registers}, {**called.fragments, **own.fragments})


def _read(path: Path, spec: TemplateSpec) -> TemplateNotes:
    data, marked = load_marked(path, SCHEMA)
    reader = _Reader(marked)
    return TemplateNotes(path, *(reader.section(data, spec, part) for part in ("registers", "fragments")))


@dataclass(frozen=True)
class _Reader:
    marked: Marked

    def section(self, data: Mapping[str, Any], spec: TemplateSpec, part: str) -> dict[str, Cases]:
        """The cases of every entry of `registers` or `fragments`."""
        return {name: tuple(self._cases(text, spec, part, name)) for name, text in data[part].items()}

    def _cases(self, cases: str | list, spec: TemplateSpec, part: str, name: str) -> Iterator[Case]:
        if isinstance(cases, str):
            yield Case(cases, None)
            return
        for i, case in enumerate(cases):
            where = Place(self.marked, (part, name, i))
            text = case.get("when")
            if text is None and i + 1 < len(cases):
                raise UsageError(f"{where}: expected a `when` for all texts but the last, found none")
            when = text and parse_expression(text, spec.domains, where, spec.constants, spec.facts)
            yield Case(case["is"], when)


def _said(notes: Mapping[str, Cases], variant: Variant) -> Iterator[tuple[str, str]]:
    for name, cases in notes.items():
        text = next((case.text for case in cases if case.holds(variant)), None)
        if text is not None:
            yield name, text


def _starred(pattern: str, fragment: str) -> str:
    """The text that the star of a glob matches; a number loses its leading zeros."""
    before, after = pattern.split("*", 1)
    matched = fragment[len(before) : len(fragment) - len(after)]
    return str(int(matched)) if matched.isdigit() else matched
