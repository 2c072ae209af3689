"""The shipped portfolio, each file read once."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

from tightfit.harness import portfolio
from tightfit.paths import portfolio_dir
from tightfit.records import Cell, Front, Measurement

FILES = portfolio.files(portfolio_dir())
NAMES = [f"{file.parent.name}-{file.stem}" for file in FILES]
BY_NAME = {(file.parent.name, file.stem): file for file in FILES}
measured = cache(portfolio.read_measurements)


def targets(*primitives: str) -> list[str]:
    """The targets whose portfolio has all of these primitives; a target need not have every one, nor any."""
    there = sorted({target for target, _ in BY_NAME})
    return [target for target in there if all((target, primitive) in BY_NAME for primitive in primitives)]


@cache
def measurements(file: Path) -> tuple[Measurement, ...]:
    """The measurements of a primitive on a target, by the file of its cells."""
    return tuple(measured(file).measurements())


def measurements_of(file: Path, variants: Collection[str]) -> list[Measurement]:
    """The measurements of some variants; the others' lines are not built into records."""
    lines = [line for line in measured(file).lines if line.variant_id in variants]
    return replace(measured(file), lines=lines).measurements()


@cache
def cells_and_fronts(file: Path) -> tuple[list[Cell], list[Front]]:
    """The answers of a file."""
    return portfolio.read_answers(file)


def winners(file: Path) -> list[str]:
    """The variants that are answers, in the order of their ids."""
    return sorted({cell.variant_id for cell in cells_and_fronts(file)[0] if cell.variant_id})


@cache
def winning(target: str, primitive: str, operation: str = "") -> tuple[Measurement, ...]:
    """The measurements that are answers, of an operation or of all, fastest first."""
    file = BY_NAME[target, primitive]
    cells, _ = cells_and_fronts(file)
    won = {cell.variant_id for cell in cells if cell.variant_id and operation in ("", cell.operation)}
    return tuple(sorted(measurements_of(file, won), key=lambda each: (each.cost.cycles, each.variant.id)))
