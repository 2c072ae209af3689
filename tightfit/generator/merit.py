"""When a cost fits a budget, which of two is better, and which budget holds another."""

from math import inf

from tightfit.records import Budget, Cost


def fits(cost: Cost, budget: Budget) -> bool:
    """Whether a measured cost is within a budget, published entries to beat included."""
    return (
        (budget.rom is None or cost.rom <= budget.rom)
        and (budget.ram is None or cost.ram <= budget.ram)
        and all(
            entry in cost.by_entry and cost.by_entry[entry].cycles < b for entry, b in budget.below.items()
        )
    )


def merit(cost: Cost, budget: Budget) -> tuple:
    """What the budget ranks by, the least first."""
    if budget.objective == "rom":
        return cost.rom, cost.cycles, cost.ram
    return cost.cycles, cost.rom, cost.ram


def widest_first(budget: Budget) -> tuple:
    """Order in which a budget's search can use what a wider one proved."""
    return (len(budget.below), -_bound(budget.rom), -_bound(budget.ram), budget.objective, budget.name)


def within(budget: Budget, wider: Budget) -> bool:
    """Whether all that fits a budget fits the wider one."""
    return (
        _bound(budget.rom) <= _bound(wider.rom)
        and _bound(budget.ram) <= _bound(wider.ram)
        and all(budget.below.get(entry, inf) <= bound for entry, bound in wider.below.items())
    )


def _bound(size: int | None) -> float:
    return inf if size is None else size
