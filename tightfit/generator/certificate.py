"""Cells and their certificates: what was found, and no more than what was proved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

from tightfit.records import Budget, Cell, Certificate, Measurement, mean

from .knowledge import ROM
from .merit import within
from .model import CYCLES
from .space import Space


@dataclass(frozen=True)
class Closure:
    """How the search for a budget ended.

    Attributes
    ----------
    best : the best measured variant, None where none fits.
    closed : whether the sums of lower bounds leave no better variant, even were they wrong by the margin.
    bound : least bound on the objective over what was not measured, in the model's units; None where nothing
        that could better the best is left, even were the sums wrong by the margin.
    slack : the margins by which the sums were allowed to be wrong; None where the sums as they are left
        something open.
    """

    budget: Budget
    best: Measurement | None
    closed: bool
    bound: int | None
    deterministic_time: float
    slack: Mapping[str, int] | None = None

    def then(self, later: "Closure") -> "Closure":
        """The later closure, with the effort of both."""
        return replace(later, deterministic_time=self.deterministic_time + later.deterministic_time)


@dataclass(frozen=True)
class Evidence:
    """What a search knows at its end.

    Attributes
    ----------
    closures : by budget name.
    whole : whether every variant of the space was measured.
    margins : by quantity, how far sums exceeded their wholes; cycles over `unit` inputs.
    """

    closures: Mapping[str, Closure]
    whole: bool
    measured: int
    exact: int
    margins: Mapping[str, int]
    unit: int
    least_rom: int | None
    least_ram: int | None
    seed: int
    deterministic_limit: float


def cells(
    space: Space, operation: str, part: str, budgets: Sequence[Budget], evidence: Evidence
) -> list[Cell]:
    """One cell for each budget, in the order of the budgets."""
    answers = []
    for budget in budgets:
        closure = evidence.closures[budget.name]
        smaller = _satiated_by(closure, evidence.closures)
        status = "impossible" if closure.closed else "unexplored"
        if closure.best:
            status = "satiated" if smaller else "fits"
        answers.append(
            Cell(
                target=space.target,
                part=part,
                primitive=space.primitive,
                operation=operation,
                budget=budget,
                status=status,
                variant_id=closure.best and closure.best.variant.id,
                satiated_by=smaller,
                certificate=certificate(closure, str(space.count(operation)), evidence),
            )
        )
    return answers


def certificate(closure: Closure, space: str, evidence: Evidence) -> Certificate:
    """What was proved about a budget."""
    impossible = closure.best is None and closure.closed
    return Certificate(
        proved=closure.closed,
        kind=_kind(closure, evidence),
        space=space,
        measured=evidence.measured,
        exact=evidence.exact,
        bound=_bound(closure, evidence),
        margin=0 if evidence.whole else _shown(_margin(closure.budget, evidence), closure.budget, evidence),
        solver=f"OR-Tools {version('ortools')} CP-SAT",
        seed=evidence.seed,
        deterministic_limit=evidence.deterministic_limit,
        deterministic_time=round(closure.deterministic_time, 6),
        least_rom=evidence.least_rom if impossible else None,
        least_ram=evidence.least_ram if impossible else None,
    )


def _kind(closure: Closure, evidence: Evidence) -> str:
    if not closure.closed:
        return "best found" if closure.best else "none"
    name = "optimal" if closure.best else "infeasible"
    return name if evidence.whole else f"{name} under additivity"


def _bound(closure: Closure, evidence: Evidence) -> int | float | None:
    """Least value of the objective that the space may hold within the budget, as far as was proved."""
    if closure.best is None and closure.bound is None:
        return None
    reached = _reached(closure.best, closure.budget) if closure.best else None
    if closure.bound is None:
        return reached
    open_bound = _shown(closure.bound - _margin(closure.budget, evidence), closure.budget, evidence)
    return open_bound if reached is None else min(reached, open_bound)


def _reached(best: Measurement, budget: Budget) -> int | float:
    return best.cost.rom if budget.objective == "rom" else best.cost.cycles


def _margin(budget: Budget, evidence: Evidence) -> int:
    return evidence.margins.get(ROM if budget.objective == "rom" else CYCLES, 0)


def _shown(amount: int, budget: Budget, evidence: Evidence) -> int | float:
    return amount if budget.objective == "rom" else mean(amount, evidence.unit)


def _satiated_by(closure: Closure, closures: Mapping[str, Closure]) -> str | None:
    """The least budget, no larger in ROM and in RAM, that reaches the same cycles."""
    budget, best = closure.budget, closure.best
    if best is None or budget.objective != "cycles":
        return None
    candidates = [
        other
        for other in closures.values()
        if other.budget.objective == "cycles"
        and dict(other.budget.below) == dict(budget.below)
        and other.budget.only == budget.only
        and (other.budget.rom, other.budget.ram) != (budget.rom, budget.ram)
        and within(other.budget, budget)
        and other.best is not None
        and other.best.cost.cycles == best.cost.cycles
    ]
    least = [
        candidate
        for candidate in candidates
        if not any(other is not candidate and _smaller(other, candidate) for other in candidates)
    ]
    return min((candidate.budget.name for candidate in least), default=None)


def _smaller(first: Closure, second: Closure) -> bool:
    return within(first.budget, second.budget) and not within(second.budget, first.budget)
