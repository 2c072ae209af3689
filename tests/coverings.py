"""A few cases in place of all combinations: what can be together stands together once.

Which cases, goes by the hash of their texts: the same for a checkout, others where the texts changed.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from typing import TypeVar

from tests.sampling import exhaustive

Case = TypeVar("Case")


def pairs(case: tuple) -> Iterable[Hashable]:
    """Every two values of a case, each with its place."""
    return combinations(enumerate(case), 2)


def covering(
    cases: Iterable[Case],
    parts: Callable[[Case], Iterable[Hashable]] = pairs,
    text: Callable[[Case], str] = str,
) -> list[Case]:
    """Few of the cases, in their order, that have every part that any has; in an exhaustive run all."""
    cases = list(cases)
    if exhaustive():
        return cases
    ranked = sorted(range(len(cases)), key=lambda n: hashlib.sha256(text(cases[n]).encode()).digest())
    having = {n: frozenset(parts(cases[n])) for n in ranked}
    missing, chosen = set().union(*having.values()), set()
    while missing:
        best = max(ranked, key=lambda n: len(having[n] & missing))
        chosen.add(best)
        missing -= having[best]
    return [cases[n] for n in sorted(chosen)]
