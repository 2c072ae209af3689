"""Constructions: a template that calls the routine of another primitive, whose knobs join its own.

A template of the library calls one of its own primitive in the same way.

The parameter block begins with that of the routine that is called, so that one pointer serves both. Its
fields are the caller's where the construction says so; the others have `inner_` before their names.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tightfit.errors import UsageError
from tightfit.records import Knobs

from .expressions import Expression, Where
from .relations import Value
from .space import Inner, Knob, TemplateSpec, padded

JOINED = "+"
"""Between the name of a construction's template and that of the template that it calls."""
_PREFIX = "inner_"
_PADDING = "inner_padding"


@dataclass(frozen=True)
class Bound:
    """An expression of the template that is called, for the operation that it is called for."""

    expression: Expression
    operation: str

    @property
    def text(self) -> str:
        """As written."""
        return self.expression.text

    @property
    def knobs(self) -> frozenset[str]:
        """The knobs that it reads."""
        return self.expression.knobs

    @property
    def where(self) -> Where:
        """File and line, for errors."""
        return self.expression.where

    def __call__(self, knobs: Knobs, operation: str) -> Any:
        return self.expression(knobs, self.operation)


@dataclass(frozen=True)
class Total:
    """The sum of expressions; with `fills` only what is missing to a multiple of that."""

    terms: tuple[Any, ...]
    fills: int = 0

    @property
    def text(self) -> str:
        """What is summed."""
        return " + ".join(term.text for term in self.terms)

    @property
    def knobs(self) -> frozenset[str]:
        """The knobs that the terms read."""
        return frozenset().union(*(term.knobs for term in self.terms))

    @property
    def where(self) -> Where:
        """Where the first term is written."""
        return self.terms[0].where

    def __call__(self, knobs: Knobs, operation: str) -> int:
        total = sum(term(knobs, operation) for term in self.terms)
        return padded(total, self.fills) - total if self.fills else total


def composed(outer: TemplateSpec, offered: Iterable[TemplateSpec]) -> Iterator[TemplateSpec]:
    """A construction's template over each of the templates that offer what it calls.

    Raises
    ------
    UsageError
        A knob or a field of both has one name.
    """
    for inner in offered:
        names = {inner.name, f"{inner.folder.parent.name}/{inner.name}"}
        if outer.calls.operation in inner.operations and not names.intersection(outer.calls.without):
            yield _over(outer, inner)


def joined(outer: TemplateSpec, offered: Iterable[TemplateSpec]) -> Iterator[TemplateSpec]:
    """A template of the library, which calls its own primitive, over each template that lacks what it offers.

    The parameter block is that of the template that is called, and nothing has to be kept in it.
    """
    for spec in composed(outer, (inner for inner in offered if lacks(inner.operations, outer.operations))):
        yield replace(spec, kept=frozenset())


def lacks(operations: Iterable[str], offered: Iterable[str]) -> bool:
    """Whether none of the operations of a template is one that a template of the library offers."""
    return not set(operations).intersection(offered)


def _over(outer: TemplateSpec, inner: TemplateSpec) -> TemplateSpec:
    operation = outer.calls.operation
    if shared := outer.knobs.keys() & inner.knobs.keys():
        raise UsageError(
            f"{outer.folder}: knob {min(shared)!r}: expected a name that {inner.primitive} has no knob of, "
            f"found one of its template {inner.name!r}"
        )
    sizes = [(name, Bound(size, operation)) for name, size in inner.fields]
    prefix = _PREFIX if outer.primitive != inner.primitive else ""
    names = {name: outer.calls.fields.get(name, prefix + name) for name, _ in sizes}
    within = [(names[name], size) for name, size in sizes]
    within.append((_PADDING, Total(tuple(size for _, size in sizes), fills=outer.alignment)))
    own = [name for name, _ in outer.fields]
    if taken := [name for name, _ in within if name in own]:
        raise UsageError(
            f"{outer.folder}: field {taken[0]!r}: expected another name, as {inner.primitive} has it already"
        )
    return replace(
        outer,
        name=f"{outer.name}{JOINED}{inner.name}",
        doc=f"{outer.doc}; {inner.primitive}: {inner.doc}",
        knobs={
            **outer.knobs,
            **{name: _bound(knob, operation, outer.calls.only) for name, knob in inner.knobs.items()},
        },
        constraints=(*outer.constraints, *(Bound(rule, operation) for rule in inner.constraints)),
        fields=(*within, *outer.fields),
        kept=outer.kept | {names[name] for name in (*inner.kept, *outer.calls.kept)},
        static=Total((outer.static, Bound(inner.static, operation))),
        banks=Total((outer.banks, Bound(inner.banks, operation))),
        stack_reads=tuple(dict.fromkeys((*outer.stack_reads, *inner.stack_reads))),
        destroys=Bound(inner.destroys, operation),
        inner=Inner(inner, operation),
        _relations={},
    )


def _bound(knob: Knob, operation: str, only: Mapping[str, tuple[Value, ...]]) -> Knob:
    """A knob of what is called, with the values that are not left out."""
    values = tuple(value for value in knob.values if value in only.get(knob.name, knob.values))
    return replace(knob, values=values or knob.values, when=knob.when and Bound(knob.when, operation))
