"""A table over several knobs cut into as few pieces as tell its amounts apart.

Where a route's time depends on the form of a routine only if it calls that routine, its other values need no
joint key with it. A *piece* is a partial assignment, in the order in which the knobs were looked at.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .relations import Value
from .structure import Scope
from .tables import Key

Path = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Branch:
    """A piece with more than one amount: each value of `knob` leads to one of `parts`."""

    path: Path
    knob: str
    parts: Mapping[Value, "Branch | Leaf"]

    def walk(self) -> Iterator["Branch | Leaf"]:
        """This piece and all inside it, the outer ones first."""
        yield self
        for part in self.parts.values():
            yield from part.walk()


@dataclass(frozen=True)
class Leaf:
    """A piece whose keys all have the same amount."""

    path: Path
    amount: int

    def walk(self) -> Iterator["Leaf"]:
        """This piece."""
        yield self


def cut(scope: Scope, values: Mapping[Key, int], path: Path = ()) -> Branch | Leaf:
    """The pieces of a table; every knob decides at most once on the way to a piece.

    Parameters
    ----------
    values : amount of every possible key; other keys do not matter.
    """
    amounts = set(values.values())
    if len(amounts) <= 1:
        return Leaf(path, next(iter(amounts), 0))
    groups = [_grouped(values, at) for at in range(len(scope))]
    at = min(range(len(scope)), key=lambda i: (_mixed(groups[i]), len(groups[i])))
    rest = scope[:at] + scope[at + 1 :]
    parts = {value: cut(rest, inner, (*path, (scope[at], value))) for value, inner in groups[at].items()}
    return Branch(path, scope[at], parts)


def _grouped(values: Mapping[Key, int], at: int) -> dict[Value, dict[Key, int]]:
    groups: dict[Value, dict[Key, int]] = {}
    for key, amount in values.items():
        groups.setdefault(key[at], {})[key[:at] + key[at + 1 :]] = amount
    return groups


def _mixed(groups: Mapping[Value, Mapping[Key, int]]) -> int:
    """Number of keys whose amount is still open once the knob is chosen."""
    return sum(len(inner) for inner in groups.values() if len(set(inner.values())) > 1)
