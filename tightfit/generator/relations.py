"""Constraints as tables of allowed values, and what can be asked of a set of them: walk, sample, count."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    """Every assignment that satisfies all relations, in the lexicographic order of `domains`."""
    order = list(domains)
    due: list[list[Relation]] = [[] for _ in order]
    for item in relations:
        if not item.scope:
            if () not in item.allowed:
                return
            continue
        due[max(order.index(knob) for knob in item.scope)].append(item)

    def extend(depth: int, chosen: dict[str, Value]) -> Iterator[dict[str, Value]]:
        if depth == len(order):
            yield dict(chosen)
            return
        for value in domains[order[depth]]:
            chosen[order[depth]] = value
            if all(item.holds(chosen) for item in due[depth]):
                yield from extend(depth + 1, chosen)
        chosen.pop(order[depth], None)

    return (yield from extend(0, {}))


def sample(
    domains: Domains,
    relations: Sequence[Relation],
    rng: random.Random,
    fixed: Mapping[str, Value] | None = None,
) -> dict[str, Value] | None:
    """One assignment with the values of `fixed`, met by a walk in random order; None where there is none."""
    fixed = fixed or {}
    order = [*fixed, *(knob for knob in domains if knob not in fixed)]
    shuffled = {
        k: (fixed[k],) if k in fixed else tuple(rng.sample(domains[k], len(domains[k]))) for k in order
    }
    found = next(walk(shuffled, relations), None)
    return found and {knob: found[knob] for knob in domains}


def count(domains: Domains, relations: Sequence[Relation]) -> int:
    """Number of assignments that satisfy all relations, by summing out one knob at a time."""
    factors = [(item.scope, dict.fromkeys(item.allowed, 1)) for item in relations]
    left = set(domains)
    while left:
        knob = min(sorted(left), key=lambda name: _spread(name, factors, domains))
        left.remove(knob)
        touching = [factor for factor in factors if knob in factor[0]]
        factors = [factor for factor in factors if knob not in factor[0]]
        factors.append(_sum_out(knob, touching, domains))
    return prod(table.get((), 0) for _, table in factors)


def _spread(knob: str, factors: list, domains: Domains) -> int:
    return prod(len(domains[other]) for other in {k for scope, _ in factors if knob in scope for k in scope})


def _sum_out(knob: str, factors: list, domains: Domains) -> tuple[tuple[str, ...], dict]:
    scope = tuple(k for k in domains if k != knob and any(k in other for other, _ in factors))
    if prod(len(domains[k]) for k in scope) > 10 * TABLE_LIMIT:
        raise UsageError(
            f"expected constraints that can be counted, found {len(scope)} knobs tied to {knob!r}"
        )
    sums: dict[tuple[Value, ...], int] = {}
    for values in itertools.product(*(domains[k] for k in scope)):
        chosen = dict(zip(scope, values, strict=True))
        total = 0
        for value in domains[knob]:
            chosen[knob] = value
            total += prod(table.get(tuple(chosen[k] for k in other), 0) for other, table in factors)
        if total:
            sums[values] = total
    return scope, sums
