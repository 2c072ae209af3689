"""A small set of variants that together show every key of every fragment, and of neighbours in pairs."""

from collections.abc import Iterator, Mapping
from random import Random

from .knowledge import Knowledge
from .relations import Value
from .space import TemplateSpec
from .structure import Scope

PAIR_LIMIT, PAIR_KEYS = 64, 512
POOL = 24


class Survey:
    """Variants still worth measuring before the solver's bounds mean anything."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge, self._spec = knowledge, knowledge.spec
        self._random = Random(f"{seed} {self._spec.name} {knowledge.operation}")
        self._shown: dict[Scope, set] = {}
        self._proposed: list[Mapping[str, Value]] = []

    def first(self, count: int) -> list[dict[str, Value]]:
        """The first variant in order, and random ones."""
        operation = self._knowledge.operation
        variants = [next(self._spec.variants(operation), None)]
        variants += [self._spec.sample(operation, self._random) for _ in range(count - 1)]
        return self._noted([knobs for knobs in variants if knobs is not None])

    def next(self, count: int) -> list[dict[str, Value]]:
        """Up to `count` variants that show keys not shown before; empty once all are shown."""
        missing = self._missing()
        proposed: list[dict[str, Value]] = []
        while missing and len(proposed) < count:
            knobs = self._richest(missing) or self._directed(missing)
            if knobs is None:
                break
            missing -= set(_targets(knobs, {scope for scope, _ in missing}))
            proposed += self._noted([knobs])
        return proposed

    def _missing(self) -> set[tuple[Scope, tuple]]:
        missing = set()
        for scope in survey_scopes(self._knowledge):
            if scope not in self._shown:
                keys = (tuple(knobs[knob] for knob in scope) for knobs in self._proposed)
                self._shown[scope] = set(keys)
            shown = self._shown[scope]
            missing |= {
                (scope, key) for key in self._spec.keys(scope, self._knowledge.operation) if key not in shown
            }
        return missing

    def _richest(self, missing: set[tuple[Scope, tuple]]) -> dict[str, Value] | None:
        pool = [self._spec.sample(self._knowledge.operation, self._random) for _ in range(POOL)]
        scopes = {scope for scope, _ in missing}
        gains = [sum(target in missing for target in _targets(knobs, scopes)) for knobs in pool]
        best = gains.index(max(gains))
        return pool[best] if gains[best] else None

    def _directed(self, missing: set[tuple[Scope, tuple]]) -> dict[str, Value] | None:
        """A variant that has a missing key; keys that no variant has are struck off."""
        for scope, key in sorted(missing, key=repr):
            fixed = dict(zip(scope, key, strict=True))
            knobs = self._spec.sample(self._knowledge.operation, self._random, fixed)
            if knobs is not None:
                return knobs
            missing.discard((scope, key))
            self._shown[scope].add(key)
        return None

    def _noted(self, variants: list[dict[str, Value]]) -> list[dict[str, Value]]:
        self._proposed += variants
        for scope, shown in self._shown.items():
            shown.update(tuple(knobs[knob] for knob in scope) for knobs in variants)
        return variants


def survey_scopes(knowledge: Knowledge) -> list[Scope]:
    """Scopes whose keys should all be seen: of texts, surroundings, callers and small pairs of neighbours."""
    structure = knowledge.structure
    scopes: dict[Scope, None] = {}
    for fragment in structure.fragments:
        scopes[structure.own(fragment)] = None
        scopes[structure.around(fragment)] = None
    for scope in knowledge.rate_scopes():
        scopes[scope] = None
    scopes |= dict.fromkeys(_pairs(knowledge))
    return [scope for scope in scopes if scope and knowledge.size(scope) <= knowledge.key_limit]


def _pairs(knowledge: Knowledge) -> list[Scope]:
    """Scopes of neighbouring fragments, the smaller ones where all would take too many variants to show."""
    structure = knowledge.structure
    sizes: dict[Scope, int] = {}
    for first, second in structure.neighbours:
        pair = {*structure.own(first), *structure.own(second)}
        scope = tuple(knob for knob in knowledge.spec.knobs if knob in pair)
        sizes[scope] = knowledge.size(scope)
    limit = PAIR_LIMIT
    while sum(size for size in sizes.values() if size <= limit) > PAIR_KEYS:
        limit = max(size for size in sizes.values() if size <= limit) - 1
    return [scope for scope, size in sizes.items() if size <= limit]


def _targets(knobs: Mapping[str, Value], scopes: set[Scope]) -> Iterator[tuple[Scope, tuple]]:
    return ((scope, tuple(knobs[knob] for knob in scope)) for scope in scopes)


def survey_size(spec: TemplateSpec, operation: str) -> int:
    """Variants to begin with: enough that every value of every knob is likely to be among them."""
    return min(
        spec.count(operation), 4 + 2 * max((len(knob.values) for knob in spec.knobs.values()), default=1)
    )
