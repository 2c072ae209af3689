"""What a question is asked of: the primitives, the operations and the parts that its words leave."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tightfit.errors import UsageError
from tightfit.names import begun, closest, same, spelled, unknown
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.reports.subject import Subject, kinds, of_kind, places
from tightfit.targets import Part, Target, load_target, target_ids

PRIMITIVE, KIND, OPERATION, TARGET, PART = "primitive", "kind", "operation", "target", "part"


@dataclass(frozen=True)
class Wanted:
    """What primitives must be like; None asks for nothing.

    `security` is the least strength in bits, `key_bits` and `block_bits` are exact.
    """

    kind: str | None = None
    key_bits: int | None = None
    block_bits: int | None = None
    security: int | None = None

    def takes(self, primitive: Primitive) -> bool:
        """Whether a primitive is like that."""
        strength = primitive.security.bits if primitive.security else 0
        return (
            self.kind in (None, primitive.kind)
            and self.key_bits in (None, primitive.key_bits)
            and self.block_bits in (None, primitive.block_bits)
            and strength >= (self.security or 0)
        )

    def titles(self) -> str:
        """What is wanted, as words; nothing where everything is."""
        sizes = {"key": self.key_bits, "block": self.block_bits}
        said = [
            self.kind or "",
            *(f"{what} of {bits} bits" for what, bits in sizes.items() if bits is not None),
        ]
        said += [f"{self.security} bits of security"] if self.security else []
        return ", ".join(filter(None, said))


EVERY = Wanted()


@dataclass(frozen=True)
class Scope:
    """Primitives, an operation or None for those that stand for them, and places to run on.

    `is_one` tells that the words name a single operation of a single primitive on a single part.
    """

    primitives: tuple[Primitive, ...]
    operation: str | None
    places: tuple[tuple[Target, Part], ...]
    is_one: bool

    def subjects(self) -> list[Subject]:
        """Each operation on each part: all operations of a primitive that is alone, of others the first."""
        return [
            Subject(primitive, operation, *place)
            for primitive in self.primitives
            for operation in self._operations(primitive)
            for place in self.places
        ]

    def _operations(self, primitive: Primitive) -> Iterable[str]:
        if self.operation is not None:
            return (self.operation,)
        return primitive.operations if len(self.primitives) == 1 else (primitive.first_operation,)


def scope(
    words: Sequence[str] = (),
    *,
    wanted: Wanted = EVERY,
    target: str | None = None,
    part: str | None = None,
) -> Scope:
    """What words leave, each the name of a primitive or family, a kind, an operation, a target or a part.

    Raises
    ------
    UsageError
        A word names nothing, or two words exclude each other.
    """
    said = _sorted_out(words)
    if target is not None:
        said[TARGET] = _joined(said, TARGET, _named(TARGET, target))
    if part is not None:
        said[PART] = _joined(said, PART, _part_named(part, said.get(TARGET)))
    kind = said.get(KIND, [wanted.kind])[0]
    chosen = said.get(PRIMITIVE) or primitive_ids()
    primitives = [one for one in of_kind(map(load_primitive, chosen), kind) if wanted.takes(one)]
    operation = said.get(OPERATION, [None])[0]
    if operation is not None:
        if len(chosen) == 1:
            load_primitive(chosen[0]).operation(operation)
        primitives = [primitive for primitive in primitives if operation in primitive.operations]
    if not primitives:
        names = [name for names in said.values() for name in names]
        asked = ", ".join(filter(None, [*names, wanted.titles()]))
        raise UsageError(f"no primitive is all of {asked}; `tightfit list primitives` has what there is")
    where = _places(said.get(TARGET), said.get(PART))
    alone = PRIMITIVE in said and len(primitives) == len(where) == 1 and bool(said.keys() & {TARGET, PART})
    settled = operation is not None or len(primitives[0].operations) == 1
    return Scope(tuple(primitives), operation, tuple(where), alone and settled)


def names_place(words: Sequence[str]) -> bool:
    """Whether words name a target or a part."""
    return bool(_sorted_out(words).keys() & {TARGET, PART})


def _choices() -> dict[str, list[str]]:
    primitives = list(map(load_primitive, primitive_ids()))
    return {
        PRIMITIVE: [primitive.id for primitive in primitives],
        KIND: kinds(),
        OPERATION: list(dict.fromkeys(name for one in primitives for name in one.operations)),
        TARGET: target_ids(),
        PART: [name for place in map(load_target, target_ids()) for name in place.parts],
    }


def _sorted_out(words: Sequence[str]) -> dict[str, list[str]]:
    """The names that words stand for, by what they are names of."""
    said: dict[str, list[str]] = {}
    for word in words:
        sort, names = _understood(word)
        said[sort] = _joined(said, sort, names)
    return said


def _joined(said: dict[str, list[str]], sort: str, names: list[str]) -> list[str]:
    """Names said before and these: several primitives may be named, of all else one."""
    before = said.get(sort, [])
    if before and sort != PRIMITIVE and before != names:
        raise UsageError(f"expected one {sort}, found {before[0]} and {names[0]}")
    return list(dict.fromkeys([*before, *names]))


def _understood(word: str) -> tuple[str, list[str]]:
    """What a word is the name of, and the names it stands for."""
    choices = _choices()
    ways: tuple[Callable[[str, Iterable[str]], list[str]], ...] = (same, begun)
    for way in ways:
        for sort, names in choices.items():
            found = way(word, names)
            if len(found) == 1 or (found and sort == PRIMITIVE):
                return sort, found
    like = closest(word, [name for names in choices.values() for name in names])
    begin = [sort for sort, names in choices.items() if begun(word, names)]
    alike = [sort for sort, names in choices.items() if like in names]
    if likely := begin + alike:
        raise unknown(likely[0], word, choices[likely[0]])
    raise UsageError(
        f"{word!r} names no {', '.join(list(choices)[:-1])} or {PART}; `tightfit list` has what there is"
    )


def _named(sort: str, name: str) -> list[str]:
    choices = _choices()[sort]
    found = same(name, choices) or begun(name, choices)
    if len(found) != 1:
        raise unknown(sort, name, choices)
    return found


def _part_named(name: str, target: list[str] | None) -> list[str]:
    """A part of a target, of any target where none is named."""
    if target is None:
        return _named(PART, name)
    place = load_target(target[0])
    return [place.part(spelled(name, place.parts)).name]


def _places(target: list[str] | None, part: list[str] | None) -> list[tuple[Target, Part]]:
    if target is not None or part is None:
        return places(target[0] if target else None, part[0] if part else None)
    every = map(load_target, target_ids())
    return [(place, place.part(part[0])) for place in every if part[0] in place.parts]
