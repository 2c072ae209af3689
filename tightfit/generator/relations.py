"""Constraints as tables of allowed values; walks through, and samples of, what a set of them allows."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from tightfit.errors import UsageError

from .expressions import Domains, Expression

Value = str | int
TABLE_LIMIT = 1_000_000


@dataclass(frozen=True)
class Relation:
    """The knobs `scope` take only the joint values in `allowed`; `text` says why, for people."""

    scope: tuple[str, ...]
    allowed: frozenset[tuple[Value, ...]]
    text: str

    def holds(self, knobs: Mapping[str, Value]) -> bool:
        return tuple(knobs[knob] for knob in self.scope) in self.allowed


def relation(condition: Expression, domains: Domains, operation: str) -> Relation:
    """Table of `condition` over the knobs it reads."""
    return _tabulate(
        condition, tuple(k for k in domains if k in condition.knobs), domains, operation, condition.text
    )


def pinning(knob: str, when: Expression, domains: Domains, operation: str) -> Relation:
    """Table that holds `knob` at its first value wherever `when` is false."""
    scope = tuple(k for k in domains if k in when.knobs or k == knob)
    allowed = _tabulate(when, scope, domains, operation, "").allowed
    at, first = scope.index(knob), domains[knob][0]
    pinned = {values for values in itertools.product(*(domains[k] for k in scope)) if values[at] == first}
    return Relation(scope, allowed | pinned, f"{knob} stays {first} unless {when.text}")


def _tabulate(
    condition: Expression, scope: tuple[str, ...], domains: Domains, operation: str, text: str
) -> Relation:
    size = prod(len(domains[knob]) for knob in scope)
    if size > TABLE_LIMIT:
        raise UsageError(
            f"{condition.where}: expected an expression over at most {TABLE_LIMIT} joint values, "
            f"found {size} in {condition.text!r}"
        )
    joint = itertools.product(*(domains[knob] for knob in scope))
    return Relation(
        scope, frozenset(v for v in joint if condition(dict(zip(scope, v, strict=True)), operation)), text
    )


def walk(domains: Domains, relations: Sequence[Relation]) -> Iterator[dict[str, Value]]:
    """Every assignment that satisfies all relations, in the lexicographic order of `domains`.

    A choice strikes off the values that it excludes for later knobs, so that dead ends are left early.
    """
    order = list(domains)
    ahead: list[list[tuple[Relation, str]]] = [[] for _ in order]
    possible: dict[str, tuple[Value, ...]] = dict(domains)
    for item in relations:
        *before, last = sorted(item.scope, key=order.index) or [None]
        if before:
            ahead[order.index(before[-1])].append((item, last))
        elif last is not None:
            possible[last] = tuple(value for value in possible[last] if (value,) in item.allowed)
        elif () not in item.allowed:
            return
    if all(possible.values()):
        yield from _extended(order, ahead, possible, {})


def _extended(
    order: Sequence[str],
    ahead: Sequence[Sequence[tuple[Relation, str]]],
    possible: Mapping[str, Sequence[Value]],
    chosen: dict[str, Value],
) -> Iterator[dict[str, Value]]:
    depth = len(chosen)
    if depth == len(order):
        yield dict(chosen)
        return
    knob = order[depth]
    for value in possible[knob]:
        chosen[knob] = value
        narrowed = dict(possible)
        for item, last in ahead[depth]:
            allowed = _partners(item, last).get(tuple(chosen[k] for k in item.scope if k != last), ())
            narrowed[last] = [other for other in narrowed[last] if other in allowed]
            if not narrowed[last]:
                break
        else:
            yield from _extended(order, ahead, narrowed, chosen)
    chosen.pop(knob, None)


@lru_cache(maxsize=4096)
def _partners(item: Relation, last: str) -> Mapping[tuple[Value, ...], frozenset[Value]]:
    """Values that one knob of a relation may take, by the values of its other knobs."""
    at = item.scope.index(last)
    partners: dict[tuple[Value, ...], set[Value]] = {}
    for values in item.allowed:
        partners.setdefault(values[:at] + values[at + 1 :], set()).add(values[at])
    return {others: frozenset(values) for others, values in partners.items()}


def sample(
    domains: Domains,
    relations: Sequence[Relation],
    rng: random.Random,
    fixed: Mapping[str, Value] | None = None,
) -> dict[str, Value] | None:
    """The first assignment with the values of `fixed` on a walk in random order; None where there is none."""
    fixed = fixed or {}
    order = [*fixed, *(knob for knob in domains if knob not in fixed)]
    shuffled = {
        k: (fixed[k],) if k in fixed else tuple(rng.sample(domains[k], len(domains[k]))) for k in order
    }
    drawn = next(walk(shuffled, relations), None)
    return drawn and {knob: drawn[knob] for knob in domains}
