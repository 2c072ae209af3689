"""The order of variants, which decides between equal costs: that of knob values in template.yaml."""

from collections.abc import Mapping
from math import prod

from .relations import Value
from .space import Knob, TemplateSpec

GROUP_LIMIT = 2**30


def rank(spec: TemplateSpec, knobs: Mapping[str, Value]) -> int:
    """Place of a variant in the lexicographic order of knob values."""
    place = 0
    for knob in spec.knobs.values():
        place = place * len(knob.values) + knob.values.index(knobs[knob.name])
    return place


def places(spec: TemplateSpec, place: int) -> dict[str, int]:
    """Index of every knob's value in the variant of a rank; a rank beyond the last variant gives the last."""
    rest = min(place, prod(len(knob.values) for knob in spec.knobs.values()) - 1)
    indices = {}
    for knob in reversed(spec.knobs.values()):
        rest, indices[knob.name] = divmod(rest, len(knob.values))
    return {name: indices[name] for name in spec.knobs}


def groups(spec: TemplateSpec) -> list[list[Knob]]:
    """Runs of knobs, first to last, each with few enough joint values to be numbered by one integer."""
    runs: list[list[Knob]] = []
    size = GROUP_LIMIT
    for knob in spec.knobs.values():
        size *= len(knob.values)
        if size > GROUP_LIMIT:
            runs.append([])
            size = len(knob.values)
        runs[-1].append(knob)
    return runs


def weights(group: list[Knob]) -> dict[tuple[str, Value], int]:
    """What every value adds to the number of a group's joint value."""
    added, weight = {}, 1
    for knob in reversed(group):
        added |= {(knob.name, value): weight * i for i, value in enumerate(knob.values) if i}
        weight *= len(knob.values)
    return added
