"""How many assignments satisfy a set of relations."""

from collections.abc import Sequence
from functools import lru_cache
from math import prod

import numpy as np

from tightfit.errors import UsageError

from .expressions import Domains
from .relations import TABLE_LIMIT, Relation, Value

Factor = tuple[tuple[str, ...], np.ndarray]


def count(domains: Domains, relations: Sequence[Relation]) -> int:
    """Number of assignments that satisfy all relations."""
    return _counted(tuple(domains.items()), tuple(relations))


@lru_cache(maxsize=256)
def _counted(domains: tuple[tuple[str, tuple[Value, ...]], ...], relations: tuple[Relation, ...]) -> int:
    """Sum out the knobs in turn; values that no relation tells apart are counted together."""
    factors = [(item.scope, _array(item, dict(domains))) for item in relations]
    total = 1
    for knob, values in domains:
        factors, kinds = _merged(knob, len(values), factors)
        factors.append(((knob,), np.array(kinds, dtype=object)))
    remaining = {knob for knob, _ in domains}
    while remaining:
        knob = min(sorted(remaining), key=lambda name: _spread(name, factors))
        remaining.remove(knob)
        touching = [factor for factor in factors if knob in factor[0]]
        factors = [factor for factor in factors if knob not in factor[0]]
        factors.append(_summed_out(knob, touching))
    for _, table in factors:
        total *= int(table)
    return total


def _array(item: Relation, domains: Domains) -> np.ndarray:
    table = np.zeros([len(domains[knob]) for knob in item.scope], dtype=object)
    index = [{value: i for i, value in enumerate(domains[knob])} for knob in item.scope]
    for values in item.allowed:
        table[tuple(at[value] for at, value in zip(index, values, strict=True))] = 1
    return table


def _merged(knob: str, size: int, factors: list[Factor]) -> tuple[list[Factor], list[int]]:
    """The factors with one value for all that no factor tells apart, and how many each stands for."""
    kinds: dict[tuple, list[int]] = {}
    for i in range(size):
        slices = (np.take(table, [i], scope.index(knob)) for scope, table in factors if knob in scope)
        kinds.setdefault(tuple(tuple(part.flat) for part in slices), []).append(i)
    kept = [same[0] for same in kinds.values()]
    merged = [
        (scope, np.take(table, kept, scope.index(knob)) if knob in scope else table)
        for scope, table in factors
    ]
    return merged, [len(same) for same in kinds.values()]


def _spread(knob: str, factors: list[Factor]) -> int:
    touching = [zip(scope, table.shape, strict=True) for scope, table in factors if knob in scope]
    return prod({other: size for shape in touching for other, size in shape}.values())


def _summed_out(knob: str, factors: list[Factor]) -> Factor:
    scope = tuple(dict.fromkeys([knob, *(k for other, _ in factors for k in other)]))
    if _spread(knob, factors) > 10 * TABLE_LIMIT:
        raise UsageError(
            f"expected constraints that can be counted, found {len(scope) - 1} knobs tied to {knob!r}"
        )
    total = np.array(1, dtype=object)
    for other, table in factors:
        order = [k for k in scope if k in other]
        reordered = np.transpose(table, [other.index(k) for k in order])
        total = total * reordered.reshape(
            [reordered.shape[order.index(k)] if k in order else 1 for k in scope]
        )
    return scope[1:], total.sum(axis=0)
