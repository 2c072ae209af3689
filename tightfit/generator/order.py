"""The order of variants that decides between equals: that of knob values in template.yaml."""

from collections.abc import Mapping
from math import prod

from .relations import Value
from .space import Knob, TemplateSpec

GROUP_LIMIT = 2**30


def rank(spec: TemplateSpec, knobs: Mapping[str, Value]) -> int:
    """Place of a variant in the lexicographic order of knob values."""
    found = 0
    for knob in spec.knobs.values():
        found = found * len(knob.values) + knob.values.index(knobs[knob.name])
    return found


def places(spec: TemplateSpec, found: int) -> dict[str, int]:
    """Index of every knob's value in the variant of a rank; the last of all where the rank is beyond it."""
    left = min(found, prod(len(knob.values) for knob in spec.knobs.values()) - 1)
    indices = {}
    for knob in reversed(spec.knobs.values()):
        left, indices[knob.name] = divmod(left, len(knob.values))
    return {name: indices[name] for name in spec.knobs}


def groups(spec: TemplateSpec) -> list[list[Knob]]:
    """Runs of knobs, first to last, each with few enough joint values to be numbered by one integer."""
    found: list[list[Knob]] = []
    size = GROUP_LIMIT
    for knob in spec.knobs.values():
        size *= len(knob.values)
        if size > GROUP_LIMIT:
            found.append([])
            size = len(knob.values)
        found[-1].append(knob)
    return found


def weights(group: list[Knob]) -> dict[tuple[str, Value], int]:
    """What every value adds to the number of a group's joint value."""
    found, weight = {}, 1
    for knob in reversed(group):
        found |= {(knob.name, value): weight * i for i, value in enumerate(knob.values) if i}
        weight *= len(knob.values)
    return found
