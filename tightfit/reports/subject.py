"""What a question is about: operation, primitive, target and part, looked up by name."""

from collections.abc import Iterable, Set
from dataclasses import dataclass

from tightfit.errors import UsageError
from tightfit.generator import generated_targets
from tightfit.names import spelled, unknown
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.targets import Part, Target, load_target, target_ids


@dataclass(frozen=True)
class Subject:
    """An operation of a primitive on a part."""

    primitive: Primitive
    operation: str
    target: Target
    part: Part

    @property
    def names(self) -> tuple[str, str, str, str]:
        """(target, part, primitive, operation) as the store keys them."""
        return self.target.id, self.part.name, self.primitive.id, self.operation


def subject(primitive: str, operation: str | None, target: str, part: str | None) -> Subject:
    """The subject with these names; for an unknown name, UsageError says the nearest known one.

    Parameters
    ----------
    operation : None for the primitive's only operation.
    part : None for the target's default part.
    """
    its_primitive = load_primitive(spelled(primitive, primitive_ids()))
    operation = spelled(operation or only_operation(its_primitive), its_primitive.operations)
    its_primitive.operation(operation)
    return Subject(its_primitive, operation, *place_named(target, part))


def place_named(target: str, part: str | None = None) -> tuple[Target, Part]:
    """A target and a part of it, the default one where `part` is None, in any spelling."""
    place = load_target(spelled(target, target_ids()))
    return place, place.part(part and spelled(part, place.parts))


def only_operation(primitive: Primitive) -> str:
    """The only operation of a primitive; UsageError lists its operations where there are several."""
    if len(primitive.operations) > 1:
        raise UsageError(f"{primitive.id}: which operation? there are: {', '.join(primitive.operations)}")
    return primitive.first_operation


def kinds() -> list[str]:
    """The kinds of which there are primitives."""
    return sorted({load_primitive(name).kind for name in primitive_ids()})


def of_kind(primitives: Iterable[Primitive], kind: str | None) -> list[Primitive]:
    """The primitives of a kind, all where it is None; for an unknown kind, UsageError says the nearest."""
    if kind not in (None, *kinds()):
        raise unknown("kind", kind, kinds())
    return [primitive for primitive in primitives if kind in (None, primitive.kind)]


def places(target: str | None, part: str | None = None) -> list[tuple[Target, Part]]:
    """A target, or all that have templates, each with the part of that name or with its default part.

    Raises
    ------
    UsageError
        An unknown name, or a part without a target.
    """
    if part is not None and target is None:
        raise UsageError(f"--part {part}: of which target? say --target, one of {', '.join(target_ids())}")
    return [(place, place.part(part)) for place in _answered(target)]


def classes(target: str | None = None) -> list[tuple[Target, Part]]:
    """The simulated part of each core class of a target, its default class first.

    Without a target, of all that have templates.
    """
    return [
        (place, place.part(name))
        for place in _answered(target)
        for name in dict.fromkeys((place.part().simulated, *_simulated(place)))
    ]


def _answered(target: str | None) -> Iterable[Target]:
    return map(load_target, [target] if target else generated_targets())


def _simulated(target: Target) -> list[str]:
    return [part.simulated for part in target.parts.values()]


def unfilled_classes(filled: Set[tuple[str, str]], target: str | None = None) -> list[tuple[Target, Part]]:
    """The core classes whose target and simulated part are not among those that something is known of."""
    return [(place, part) for place, part in classes(target) if (place.id, part.name) not in filled]
