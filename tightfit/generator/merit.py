"""When a cost fits a budget, which of two costs is better, and which budget contains another."""

from collections.abc import Callable, Iterable
from math import inf
from typing import TypeVar

from tightfit.conditions import meets, sizes
from tightfit.records import Budget, Cost

Item = TypeVar("Item")


def fits(cost: Cost, budget: Budget) -> bool:
    """Whether a cost is within a budget, meets its conditions, and beats the published cycles it names."""
    rom, ram = sizes(cost, budget.only)
    return (
        (budget.rom is None or rom <= budget.rom)
        and (budget.ram is None or ram <= budget.ram)
        and meets(cost, budget.only)
        and all(
            entry in cost.by_entry and cost.by_entry[entry].cycles < b for entry, b in budget.below.items()
        )
    )


def merit(cost: Cost, budget: Budget) -> tuple:
    """The figures by which the budget ranks a cost, the decisive one first; less is better."""
    rom, ram = sizes(cost, budget.only)
    return (rom, cost.cycles, ram) if budget.objective == "rom" else (cost.cycles, rom, ram)


def widest_first(budget: Budget) -> tuple:
    """Sort key of budgets: wider ones first, so that a search can use what a wider budget's search proved."""
    return (
        len(budget.only),
        len(budget.below),
        -_bound(budget.rom),
        -_bound(budget.ram),
        budget.objective,
        budget.name,
    )


def within(budget: Budget, wider: Budget) -> bool:
    """Whether all that fits a budget fits the wider one."""
    return (
        _bound(budget.rom) <= _bound(wider.rom)
        and _bound(budget.ram) <= _bound(wider.ram)
        and set(wider.only) <= set(budget.only)
        and all(budget.below.get(entry, inf) <= bound for entry, bound in wider.below.items())
    )


def unbeaten(items: Iterable[Item], figures: Callable[[Item], tuple]) -> list[Item]:
    """The items that none before them equals or beats in all figures, in the order of their figures."""
    kept: list[tuple[tuple, Item]] = []
    for item in sorted(items, key=figures):
        own = figures(item)
        if not any(all(a <= b for a, b in zip(other, own, strict=True)) for other, _ in kept):
            kept.append((own, item))
    return [item for _, item in kept]


def _bound(size: int | None) -> float:
    return inf if size is None else size
