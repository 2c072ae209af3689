"""Several primitives under one budget: a measured variant of each, with CP-SAT for many combinations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf, lcm, prod

from tightfit.errors import UsageError
from tightfit.generator.merit import unbeaten
from tightfit.primitives import Primitive
from tightfit.records import Budget, Measurement
from tightfit.reports.answer import IMPOSSIBLE, UNEXPLORED, Known

STEP = 256
"""Bytes of ROM or RAM beyond the budget; the answer says what they would buy."""
FEW = 20_000
"""Up to so many combinations, trying all takes less time than importing the solver."""
FITS = "fits"
ROM, RAM, TIME = "rom", "ram", "time"
_MOST = 2**60
"""The solver adds up in 64 bits, with room for its own sums."""
_ORDER = {"cycles": (TIME, ROM, RAM), "rom": (ROM, TIME, RAM)}


@dataclass(frozen=True)
class Need:
    """An operation of a primitive that is needed, and how many of its blocks count in the time.

    `choices` are its usable variants that none beats in ROM, static data, block with stack, and cycles.
    """

    primitive: Primitive
    operation: str
    weight: Fraction
    choices: tuple[Measurement, ...]

    @property
    def name(self) -> str:
        return f"{self.primitive.id} {self.operation}"


@dataclass(frozen=True)
class Split:
    """One variant for each need; ROM and RAM in bytes, time in weighted cycles."""

    chosen: tuple[Measurement, ...]
    rom: int
    ram: int
    time: Fraction


@dataclass(frozen=True)
class Together:
    """The answer for several needs within one budget.

    Attributes
    ----------
    tasks : whether every routine has RAM of its own; else only one work area is in use at a time.
    split : None where nothing fits.
    least : where nothing fits, the least of "rom" and "ram" within the other's bound; None where that bound
        alone leaves nothing.
    more : for "rom" and "ram", what `STEP` bytes more would buy; None where that is nothing better.
    missing : needs without a known variant.
    """

    target: str
    part: str
    budget: Budget
    tasks: bool
    needs: tuple[Need, ...]
    split: Split | None
    least: dict[str, int | None]
    more: dict[str, Split | None]
    missing: tuple[Need, ...] = ()

    @property
    def status(self) -> str:
        """`fits`; `impossible` with what is measured; `unexplored` where a need has no known variant."""
        if self.missing:
            return UNEXPLORED
        return FITS if self.split else IMPOSSIBLE

    @property
    def combinations(self) -> int:
        """Ways to take one variant of every need."""
        return prod(len(need.choices) for need in self.needs)


def need(primitive: Primitive, operation: str, weight: Fraction, known: Known) -> Need:
    """A need with the variants that may answer it."""
    usable = sorted(known.usable, key=lambda measurement: measurement.variant.id)
    return Need(primitive, operation, weight, tuple(unbeaten(usable, _figures)))


def together(target: str, part: str, budget: Budget, tasks: bool, needs: Sequence[Need]) -> Together:
    """The split of least time (of least ROM where the budget asks for it), and what more bytes would buy."""
    needs = tuple(needs)
    missing = tuple(need for need in needs if not need.choices)
    unsolved = Together(target, part, budget, tasks, needs, None, {}, {}, missing)
    if missing:
        return unsolved
    best = _solve(needs, budget, tasks)
    if best is None:
        free = {ROM: replace(budget, rom=None), RAM: replace(budget, ram=None)}
        reached = {name: _solve(needs, free[name], tasks, (name,)) for name in (ROM, RAM)}
        least = {name: split and getattr(split, name) for name, split in reached.items()}
        return replace(unsolved, least=least)
    return replace(unsolved, split=best, more=_more(needs, budget, tasks, best))


def _more(needs: tuple[Need, ...], budget: Budget, tasks: bool, best: Split) -> dict[str, Split | None]:
    first = _ORDER[budget.objective][0]
    more: dict[str, Split | None] = {}
    for name in (ROM, RAM):
        bound = getattr(budget, name)
        if bound is not None:
            wider = _solve(needs, replace(budget, **{name: bound + STEP}), tasks)
            more[name] = wider if getattr(wider, first) < getattr(best, first) else None
    return more


def _solve(
    needs: Sequence[Need], budget: Budget, tasks: bool, order: Sequence[str] | None = None
) -> Split | None:
    """The split within the budget with the least of each quantity in turn; None where none fits."""
    order = order or _ORDER[budget.objective]
    few = prod(len(need.choices) for need in needs) <= FEW
    chosen = (_least_of_all if few else _least_by_solver)(needs, budget, tasks, order)
    return chosen and _split(needs, chosen, tasks)


def _least_of_all(
    needs: Sequence[Need], budget: Budget, tasks: bool, order: Sequence[str]
) -> list[Measurement] | None:
    """The variants of the least split, found by trying all combinations."""
    rows = [
        [
            (time, m.cost.rom, *((m.cost.ram, 0) if tasks else (m.cost.ram_parts.static, _work(m))), number)
            for number, (time, m) in enumerate(zip(times, need.choices, strict=True))
        ]
        for times, need in zip(_whole_times(needs), needs, strict=True)
    ]
    rom_bound, ram_bound = (inf if bound is None else bound for bound in (budget.rom, budget.ram))
    least, best = None, None
    for combination in product(*rows):
        times, roms, static, works, numbers = zip(*combination, strict=True)
        rom, ram = sum(roms), sum(static) + max(works)
        if rom <= rom_bound and ram <= ram_bound:
            figures = {TIME: sum(times), ROM: rom, RAM: ram}
            merit = (*(figures[name] for name in order), sum(numbers))
            if least is None or merit < least:
                least, best = merit, numbers
    return best and [need.choices[number] for need, number in zip(needs, best, strict=True)]


def _least_by_solver(
    needs: Sequence[Need], budget: Budget, tasks: bool, order: Sequence[str]
) -> list[Measurement] | None:
    """The variants of the least split, found by the solver."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    picks = [[model.new_bool_var("") for _ in need.choices] for need in needs]
    for row in picks:
        model.add_exactly_one(row)

    def total(amounts: Sequence[Sequence[int]]):
        return sum(
            cp_model.LinearExpr.weighted_sum(row, values) for row, values in zip(picks, amounts, strict=True)
        )

    quantities = {
        TIME: total(_whole_times(needs)),
        ROM: total([[m.cost.rom for m in need.choices] for need in needs]),
        RAM: _ram(model, picks, needs, total, tasks),
    }
    for name in (ROM, RAM):
        if getattr(budget, name) is not None:
            model.add(quantities[name] <= getattr(budget, name))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, 1
    index = sum(n * pick for row in picks for n, pick in enumerate(row))
    for quantity in (*(quantities[name] for name in order), index):
        model.minimize(quantity)
        if solver.solve(model) != cp_model.OPTIMAL:
            return None
        model.add(quantity <= solver.value(quantity))
    return [
        next(m for m, pick in zip(need.choices, row, strict=True) if solver.boolean_value(pick))
        for need, row in zip(needs, picks, strict=True)
    ]


def _whole_times(needs: Sequence[Need]) -> list[list[int]]:
    """The weighted times in a unit so small that all are integers."""
    times = [[_time(need, m) for m in need.choices] for need in needs]
    unit = lcm(*(time.denominator for row in times for time in row))
    if sum(map(max, times)) * unit > _MOST:
        weights = ", ".join(str(need.weight) for need in needs)
        raise UsageError(f"weights {weights}: too far apart to be added up exactly; expected fewer digits")
    return [[int(time * unit) for time in row] for row in times]


def _ram(model, picks, needs: Sequence[Need], total, tasks: bool):
    """RAM of a choice: the sum for tasks; else all static data and the largest block with its stack."""
    if tasks:
        return total([[m.cost.ram for m in need.choices] for need in needs])
    most = max(_work(m) for need in needs for m in need.choices)
    largest = model.new_int_var(0, most, "")
    for row, need in zip(picks, needs, strict=True):
        model.add(largest >= sum(_work(m) * pick for m, pick in zip(need.choices, row, strict=True)))
    return largest + total([[m.cost.ram_parts.static for m in need.choices] for need in needs])


def _split(needs: Sequence[Need], chosen: Sequence[Measurement], tasks: bool) -> Split:
    static = sum(m.cost.ram_parts.static for m in chosen)
    return Split(
        chosen=tuple(chosen),
        rom=sum(m.cost.rom for m in chosen),
        ram=sum(m.cost.ram for m in chosen) if tasks else static + max(map(_work, chosen)),
        time=sum((_time(need, m) for need, m in zip(needs, chosen, strict=True)), Fraction(0)),
    )


def _time(need: Need, measurement: Measurement) -> Fraction:
    cost = measurement.cost
    timings = [cost.by_entry[entry] for entry in cost.ranked]
    return need.weight * sum((Fraction(t.total, t.inputs) for t in timings), Fraction(0))


def _work(measurement: Measurement) -> int:
    """Bytes that are alive only while the routine is in use: parameter block and stack."""
    parts = measurement.cost.ram_parts
    return parts.block + parts.stack


def _figures(measurement: Measurement) -> tuple[int | float, ...]:
    cost = measurement.cost
    return cost.rom, cost.ram_parts.static, _work(measurement), cost.cycles
