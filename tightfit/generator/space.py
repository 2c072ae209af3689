"""The space of variants of a primitive on a target, as declared by the template.yaml of its templates."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.primitives import load_primitive
from tightfit.records import Knobs, Variant
from tightfit.targets import load_target

from . import relations
from .expressions import Constants, Domains, Expression
from .relations import Relation, Value

MAIN = "main.s.j2"
"""The source of a template that is rendered; it includes and imports the others."""


@dataclass(frozen=True)
class Knob:
    """A named choice; where `when` is false it stays at its first value."""

    name: str
    values: tuple[Value, ...]
    doc: str
    when: Expression | None


def padded(end: int, alignment: int = 2) -> int:
    """Bytes of a block whose last field ends there: the size of a struct is a multiple of its alignment."""
    return end + -end % alignment


@dataclass(frozen=True)
class BlockLayout:
    """Fields of the parameter block as (name, offset, size), in bytes.

    `kept` are the fields that a `_next` entry finds as the previous call left them.
    """

    fields: tuple[tuple[str, int, int], ...]
    kept: frozenset[str] = frozenset()
    alignment: int = 2

    @property
    def end(self) -> int:
        """Where the last field ends."""
        _, offset, size = self.fields[-1]
        return offset + size

    @property
    def size(self) -> int:
        """Bytes that the block takes."""
        return padded(self.end, self.alignment)

    def offset(self, name: str) -> int:
        """Offset of a field in bytes."""
        return next(offset for field_name, offset, _ in self.fields if field_name == name)


@dataclass(frozen=True)
class Calls:
    """What a construction's template calls: an operation of another primitive.

    `fields` are those of its parameter block that the construction's caller knows, by the name that they have
    there. `kept` are those that it keeps between its calls besides what must be kept for the operation,
    `without` the templates that are left out (`walk`, or `FAMILY/walk` of one family), `only` the values of
    its knobs that are not.
    """

    primitive: str
    operation: str
    fields: Mapping[str, str]
    kept: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    only: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Inner:
    """The template that a construction calls, and for which operation."""

    spec: "TemplateSpec"
    operation: str


@dataclass(frozen=True, eq=False)
class TemplateSpec:
    """A template with its knobs, constraints, parameter block and entries, for one primitive of its family.

    `constants` are those of the primitive, `facts` those of the core class. A construction `calls` another
    primitive; `inner` is the template of that which it is composed with.
    """

    target: str
    primitive: str
    name: str
    doc: str
    folder: Path
    operations: tuple[str, ...]
    knobs: Mapping[str, Knob]
    constraints: tuple[Expression, ...]
    fields: tuple[tuple[str, Expression], ...]
    kept: frozenset[str]
    static: Expression
    banks: Expression
    stack_reads: tuple[str, ...]
    entry_lists: Mapping[str, tuple[str, ...]]
    extra_entries: Mapping[str, Expression]
    destroys: Expression
    constants: Constants = field(default_factory=dict)
    facts: Constants = field(default_factory=dict)
    calls: Calls | None = None
    inner: Inner | None = None
    _relations: dict[str, tuple[Relation, ...]] = field(default_factory=dict, repr=False)

    @property
    def alignment(self) -> int:
        """Of the parameter block, in bytes."""
        return load_target(self.target).block_alignment

    @property
    def domains(self) -> Domains:
        """Values of every knob, in the order of template.yaml."""
        return {knob.name: knob.values for knob in self.knobs.values()}

    def relations(self, operation: str) -> tuple[Relation, ...]:
        """The constraints, pinned knobs included, as tables."""
        self._check_operation(operation)
        if operation not in self._relations:
            domains = self.domains
            pins = [
                relations.pinning(k.name, k.when, domains, operation) for k in self.knobs.values() if k.when
            ]
            rules = [relations.relation(rule, domains, operation) for rule in self.constraints]
            self._relations[operation] = tuple(pins + rules)
        return self._relations[operation]

    def count(self, operation: str) -> int:
        """Number of variants."""
        from .counting import count

        return count(self.domains, self.relations(operation))

    def variants(self, operation: str) -> Iterator[dict[str, Value]]:
        """Knobs of every variant, in lexicographic order."""
        return relations.walk(self.domains, self.relations(operation))

    def sample(self, operation: str, rng: Random, fixed: Knobs | None = None) -> dict[str, Value] | None:
        """Knobs of one variant that has the values of `fixed`, or None."""
        return relations.sample(self.domains, self.relations(operation), rng, fixed)

    def keys(self, scope: tuple[str, ...], operation: str) -> Iterator[tuple[Value, ...]]:
        """Joint values of some knobs, without those that constraints over these knobs alone exclude."""
        inside = [rule for rule in self.relations(operation) if set(rule.scope) <= set(scope)]
        domains = {knob: self.domains[knob] for knob in scope}
        return (tuple(values.values()) for values in relations.walk(domains, inside))

    def contains(self, operation: str, knobs: Knobs) -> bool:
        """Whether the knobs are those of a variant of this space."""
        return self.first_violation(operation, knobs) is None

    def first_violation(self, operation: str, knobs: Knobs) -> str | None:
        """What is wrong with the knobs, in one line, or None."""
        if operation not in self.operations:
            return f"expected an operation of {', '.join(self.operations)}, found {operation!r}"
        if wrong := [name for name in (*self.knobs, *knobs) if (name in knobs) != (name in self.knobs)]:
            return f"expected the knobs {', '.join(self.knobs)}, found {wrong[0]!r} " + (
                "missing" if wrong[0] in self.knobs else "besides"
            )
        for name, values in self.domains.items():
            if knobs[name] not in values:
                return f"expected {name} to be one of {', '.join(map(str, values))}, found {knobs[name]!r}"
        broken = next((rule for rule in self.relations(operation) if not rule.holds(knobs)), None)
        return broken and f"expected {broken.text}, found " + ", ".join(
            f"{k} {knobs[k]}" for k in broken.scope
        )

    def block_layout(self, knobs: Knobs, operation: str) -> BlockLayout:
        """Offsets and sizes of the parameter block's fields, in bytes."""
        fields, offset = [], 0
        for name, size in self.fields:
            fields.append((name, offset, size(knobs, operation)))
            offset += fields[-1][2]
        return BlockLayout(tuple(fields), self.kept, self.alignment)

    def block_reads(self, name: str) -> frozenset[str]:
        """Knobs that the offset of a field depends on; of the end of the last one for "size"."""
        sizes = [size for _, size in self.fields]
        if name != "size":
            sizes = sizes[: [field_name for field_name, _ in self.fields].index(name)]
        return frozenset().union(*(size.knobs for size in sizes))

    def static_bytes(self, knobs: Knobs, operation: str) -> int:
        """Declared static RAM in bytes, register banks included."""
        return self.static(knobs, operation) + self.banks(knobs, operation)

    def entries(self, knobs: Knobs, operation: str) -> tuple[str, ...]:
        """Entries of the variant, in order."""
        ranked = (
            self.entry_lists.get(operation) or load_primitive(self.primitive).operations[operation].entries
        )
        return tuple(ranked) + tuple(n for n, when in self.extra_entries.items() if when(knobs, operation))

    def destroys_key(self, knobs: Knobs, operation: str) -> bool:
        """Whether the routine leaves the key field changed."""
        return bool(self.destroys(knobs, operation))

    def _check_operation(self, operation: str) -> None:
        if operation not in self.operations:
            raise UsageError(
                f"template {self.name!r}: expected an operation of {', '.join(self.operations)}, "
                f"found {operation!r}"
            )


@dataclass(frozen=True, eq=False)
class Space:
    """All templates of a primitive on a target."""

    target: str
    primitive: str
    folder: Path
    templates: Mapping[str, TemplateSpec]

    def of(self, operation: str) -> tuple[TemplateSpec, ...]:
        """The templates that offer an operation."""
        return tuple(spec for spec in self.templates.values() if operation in spec.operations)

    def count(self, operation: str) -> int:
        """Number of variants over all templates."""
        return sum(spec.count(operation) for spec in self.of(operation))

    def spec(self, variant: Variant) -> TemplateSpec:
        """Template of a variant; `UsageError` where the variant is not of this space."""
        spec = self.templates.get(variant.template)
        if spec is None:
            raise unknown("template", variant.template, self.templates)
        if problem := spec.first_violation(variant.operation, variant.knobs):
            raise UsageError(f"template {spec.name!r}: {problem}")
        return spec
