"""The text of the portfolio: what the store knows of each primitive that was filled."""

from collections.abc import Sequence
from pathlib import Path

from tightfit.budgets import load_budgets
from tightfit.exporter import Prepared, prepare, prepare_fastest
from tightfit.exporter.figures import Figure, write_figures
from tightfit.exporter.interfaces import load_interface
from tightfit.filling.jobs import Job
from tightfit.harness import portfolio, shipped
from tightfit.harness.store import Store
from tightfit.records import Measurement
from tightfit.reports.known import Current
from tightfit.targets.progress import Progress, silent

_GNU_FIGURES = "figures with the GNU interface"


def write_portfolio(
    store: Store, jobs: Sequence[Job], folder: Path, progress: Progress = silent
) -> list[Path]:
    """Write the portfolio of each primitive filled, its C baselines, and its figures where GNU needs a shim.

    Returns
    -------
    The files; those in which nothing changed are left alone.
    """
    current, files = Current(store), []
    for target, primitive in dict.fromkeys((job.target.id, job.primitive.id) for job in jobs):
        files.append(portfolio.write(current, target, primitive, folder))
        if baselines := shipped.write(store, target, primitive, folder):
            files.append(baselines)
        if not load_interface(target).counted:
            figures = _gnu_figures(current, target, primitive, progress)
            files.append(write_figures(folder, target, primitive, figures))
    return files


def _gnu_figures(current: Current, target: str, primitive: str, progress: Progress) -> list[Figure]:
    """The winner of every listed budget with the GNU interface, and every winner of a cell with its shim."""
    made: dict[str, Prepared] = {}

    def make(measurement: Measurement, name: str) -> Prepared:
        variant = measurement.variant.id
        if variant not in made:
            made[variant] = prepare(measurement, name)
        return made[variant]

    shimmed: dict[str, Prepared] = {}
    cells = current.cells(target=target, primitive=primitive)
    questions = list(dict.fromkeys((cell.part, cell.operation) for cell in cells))
    for done, (part, operation) in enumerate(questions):
        progress(_GNU_FIGURES, done, len(questions))
        known = current.known(target, part, primitive, operation)
        fastest = [prepare_fastest(known, budget, "tf", make) for budget in load_budgets()]
        winners = [make(winner, "tf") for winner in map(known.winner, known.cells) if winner]
        shimmed |= {each.measurement.variant.id: each for each in [*filter(None, fastest), *winners]}
        progress(_GNU_FIGURES, done + 1, len(questions))
    return [Figure(each.measurement, each.cost) for each in shimmed.values() if each.cost]
