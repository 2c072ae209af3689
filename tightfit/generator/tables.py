"""Amounts seen for the keys of a scope, and what explains a key that was seen with several amounts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, floor
from operator import itemgetter

from tightfit.records import Knobs

from .relations import Value
from .structure import Scope

Key = tuple[Value, ...]
Amount = int | Fraction
Observed = Sequence[tuple[Knobs, Amount]]
SEAM_KNOBS, SEAM_CHOICES = 3, 12_000


@dataclass
class Range:
    """Amounts seen for a key: the two least, the largest, and how many."""

    least: Amount
    second: Amount | None = None
    most: Amount = 0
    count: int = 1

    def add(self, amount: Amount) -> None:
        self.count += 1
        self.most = max(self.most, amount)
        if amount < self.least:
            self.least, self.second = amount, self.least
        elif self.second is None or amount < self.second:
            self.second = amount

    def without(self, amount: Amount) -> Amount | None:
        """Least amount if one sample of `amount` were not there; None where it is the only sample."""
        return self.second if amount == self.least else self.least


class Table:
    """Ranges of a part by key, for one scope."""

    def __init__(self, scope: Scope, observed: Observed = ()) -> None:
        self.scope = scope
        self.seen: dict[Key, Range] = {}
        for knobs, amount in observed:
            self.add(knobs, amount)

    def add(self, knobs: Knobs, amount: Amount) -> bool:
        """Absorb an amount; tells whether this changed a bound."""
        key = key_of(knobs, self.scope)
        if key not in self.seen:
            self.seen[key] = Range(amount, None, amount)
            return True
        before = self.seen[key].least
        self.seen[key].add(amount)
        return amount < before

    def at(self, knobs: Knobs) -> Range:
        return self.seen[key_of(knobs, self.scope)]

    @property
    def spread(self) -> Amount:
        """Sum over the keys of the largest less the least amount."""
        return sum(amounts.most - amounts.least for amounts in self.seen.values())


@dataclass(frozen=True)
class Split:
    """A part as the sum of two tables: its own, and a seam of at least 0 over a few knobs of any kind."""

    own: Table
    seam: Table
    parameters: int


def key_of(knobs: Knobs, scope: Scope) -> Key:
    """Values of some knobs."""
    return _getter(scope)(knobs)


@lru_cache(maxsize=65536)
def _getter(scope: Scope) -> Callable[[Knobs], Key]:
    if len(scope) > 1:
        return itemgetter(*scope)
    return lambda knobs: tuple(knobs[knob] for knob in scope)


def split(observed: Observed, own: Scope, seam: Scope) -> Split | None:
    """The amounts as an exact sum over two scopes, or None; the least of a seam is 0.

    The keys of the two scopes are the two sides of a graph, each sample an edge: what a key adds follows from
    its neighbours, up to a constant for each connected part.
    """
    edges: dict[tuple[Key, Key], Amount] = {}
    get_own, get_seam = _getter(own), _getter(seam)
    for knobs, amount in observed:
        if edges.setdefault((get_own(knobs), get_seam(knobs)), amount) != amount:
            return None
    amounts = _potentials(edges)
    if amounts is None:
        return None
    owns, seams, islands = amounts
    parts = Split(Table(own), Table(seam), len(owns) + len(seams) - islands)
    for knobs, _ in observed:
        parts.own.add(knobs, owns[key_of(knobs, own)])
        parts.seam.add(knobs, seams[key_of(knobs, seam)])
    return parts


def find_split(observed: Observed, own: Table, order: Scope, fits: Callable[[Scope], bool]) -> Split | None:
    """The split with the fewest knobs, then the fewest parameters, that the samples bear out.

    As many samples must confirm it as it adds parameters: enough parameters explain anything. Three knobs are
    not tried together where there are too many to choose from.
    """
    for count in range(1, SEAM_KNOBS + 1):
        if comb(len(order), count) > SEAM_CHOICES:
            break
        splits = [
            candidate
            for seam in combinations(order, count)
            if fits(seam) and not set(seam) <= set(own.scope)
            if (candidate := split(observed, own.scope, seam)) is not None
            and len(observed) - candidate.parameters >= candidate.parameters - len(own.seen)
        ]
        if splits:
            return min(splits, key=lambda candidate: candidate.parameters)
    return None


def find_finer(observed: Observed, table: Table, order: Scope, fits: Callable[[Scope], bool]) -> Table | None:
    """A table with one or two more knobs that leaves the least spread, with two samples a key, or None."""
    others = [knob for knob in order if knob not in table.scope]
    best = table
    for count in (1, 2):
        for knobs in combinations(others, count):
            scope = tuple(knob for knob in order if knob in table.scope or knob in knobs)
            if fits(scope):
                finer = Table(scope, observed)
                if 2 * len(finer.seen) <= len(observed):
                    best = min(best, finer, key=lambda candidate: (candidate.spread, len(candidate.seen)))
        if best is not table:
            return best
    return None


def reduced(scope: Scope, values: Mapping[Key, int]) -> tuple[Scope, Mapping[Key, int]]:
    """The same function without the knobs that make no difference to it."""
    for knob in scope:
        at = scope.index(knob)
        narrower: dict[Key, int] = {}
        for key, amount in values.items():
            if narrower.setdefault(key[:at] + key[at + 1 :], amount) != amount:
                break
        else:
            scope, values = scope[:at] + scope[at + 1 :], narrower
    return scope, values


def product(factors: Sequence[tuple[tuple[int, ...], Table]], key: Key) -> int:
    """Product of the least amounts for a key, rounded down; 0 where a table has not seen the key."""
    amount = Fraction(bool(factors))
    for positions, table in factors:
        amounts = table.seen.get(tuple(key[i] for i in positions))
        if amounts is None:
            return 0
        amount *= amounts.least
    return max(0, floor(amount))


def _potentials(edges: Mapping[tuple[Key, Key], Amount]):
    """What each key adds, and the number of connected parts; None where the edges contradict each other."""
    sides: tuple[dict, dict] = ({}, {})
    for (own, seam), amount in edges.items():
        sides[0].setdefault(own, []).append((seam, amount))
        sides[1].setdefault(seam, []).append((own, amount))
    added: tuple[dict, dict] = ({}, {})
    islands = 0
    for start in sides[0]:
        if start in added[0]:
            continue
        islands += 1
        added[0][start] = 0
        reached = list(_spread_out(start, sides, added))
        if None in reached:
            return None
        least = min(added[1][key] for side, key in reached if side == 1)
        for side, key in [(0, start), *reached]:
            added[side][key] += least if side == 0 else -least
    return added[0], added[1], islands


def _spread_out(
    start: Key, sides: tuple[dict, dict], added: tuple[dict, dict]
) -> Iterator[tuple[int, Key] | None]:
    """Reach every key connected with `start`; gives those reached, or None for a contradiction."""
    waiting = [(0, start)]
    while waiting:
        side, key = waiting.pop()
        for other, amount in sides[side][key]:
            rest = amount - added[side][key]
            if other not in added[1 - side]:
                added[1 - side][other] = rest
                waiting.append((1 - side, other))
                yield 1 - side, other
            elif added[1 - side][other] != rest:
                yield None
                return
