"""What the exact search is worth: random and evolutionary search given as many measurements.

    python benchmarks/search_worth.py [--target ID] [--primitive ID] [--operation OPERATION] [--seeds N]
                                      [--store FILE]

The exact search runs first, with a model of every template and none measured whole. The other searches then
get as many measurements, for all budgets together. Prints a line for each budget: the best figure of the
exact search (cycles, or bytes for ROM-min), its proven bound, what was proved and the solver's deterministic
effort, and the median figures of the others over the seeds. All measurements are real; a variant is measured
once for all.
"""

import time
from collections.abc import Iterable, Sequence
from statistics import median_high

from measured_space import measuring, space_options
from rival_searches import Measure, Question, evolutionary_search, random_search

from tightfit.budgets import budgets_for
from tightfit.generator import load_space
from tightfit.generator.merit import fits, merit
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.records import Budget, Cell, Measurement, Variant

RIVALS = {"random": random_search, "evolutionary": evolutionary_search}
Figure = int | float
LINE = "{:<18}{:>12}{:>12}  {:<29}{:>8}  {:>21}{:>21}"


def main() -> None:
    parser = space_options(__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    budgets = budgets_for(options.primitive, options.target, options.operation)
    with measuring(options) as (part, pool):
        question = Question(load_space(options.target, options.primitive), options.operation, part)
        compare(question, budgets, pool.measure, range(1, options.seeds + 1))


def compare(question: Question, budgets: Sequence[Budget], measure: Measure, seeds: Sequence[int]) -> None:
    """Run the three searches and print what they found."""
    begun = time.monotonic()
    cells, asked = exact_search(question, budgets, measure)
    seconds = time.monotonic() - begun
    exact = figures(asked, budgets)
    rivals = {
        name: [figures(search(question, budgets, measure, len(asked), seed), budgets) for seed in seeds]
        for name, search in RIVALS.items()
    }
    size = f"{question.space.count(question.operation):,} variants"
    print(f"{question.space.primitive} {question.operation} on {question.space.target}: {size}, "
          f"{len(asked)} measured by each search, exact search {seconds:.0f} s")  # fmt: skip
    print(LINE.format("budget", "exact", "bound", "proved", "effort", *RIVALS))
    for cell in cells:
        budget, certificate = cell.budget, cell.certificate
        ours = exact[budget.name]
        theirs = [_beside(middle(runs, budget.name), ours) for runs in rivals.values()]
        effort = f"{certificate.deterministic_time:.2f}"
        bound = _shown(certificate.bound)
        print(LINE.format(budget.name, _shown(ours), bound, certificate.kind, effort, *theirs))
    summary(exact, rivals)


def exact_search(
    question: Question, budgets: Sequence[Budget], measure: Measure
) -> tuple[list[Cell], list[Measurement]]:
    """Cells of the exact search, and what it measured for them."""
    asked: list[Measurement] = []

    def counted(variants: Sequence[Variant]) -> list[Measurement]:
        measurements = measure(variants)
        asked.extend(measurements)
        return measurements

    settings = SearchSettings(enumerate_below=0)
    cells = fill_cells(question.space, question.operation, question.part, budgets, counted, settings=settings)
    return cells, asked


def figures(measured: Iterable[Measurement], budgets: Sequence[Budget]) -> dict[str, Figure | None]:
    """Best figure of every budget, None where nothing fits."""
    costs = [m.cost for m in measured if m.cost is not None]
    return {
        budget.name: min((merit(cost, budget)[0] for cost in costs if fits(cost, budget)), default=None)
        for budget in budgets
    }


def middle(runs: Sequence[dict[str, Figure | None]], name: str) -> Figure | None:
    """Median over the seeds; a run without a result counts as the worst."""
    value = median_high([float("inf") if run[name] is None else run[name] for run in runs])
    return None if value == float("inf") else value


def summary(exact: dict[str, Figure | None], rivals: dict[str, list[dict[str, Figure | None]]]) -> None:
    """In how many budgets each rival is equal, and how far it is above in those that it answers."""
    fillable = [name for name, figure in exact.items() if figure is not None]
    for name, runs in rivals.items():
        for seed, run in enumerate(runs, 1):
            pairs = [(run[budget], exact[budget]) for budget in fillable if run[budget] is not None]
            same = sum(theirs == ours for theirs, ours in pairs)
            excess = 100 * sum(theirs / ours - 1 for theirs, ours in pairs) / max(1, len(pairs))
            print(f"{name}, seed {seed}: the same figure in {same} of {len(fillable)} budgets, nothing that "
                  f"fits in {len(fillable) - len(pairs)}, on the average {excess:.1f} % above")  # fmt: skip


def _shown(figure: Figure | None) -> str:
    return "-" if figure is None else f"{figure:,.0f}"


def _beside(theirs: Figure | None, ours: Figure | None) -> str:
    if theirs is None or ours is None:
        return _shown(theirs)
    return f"{_shown(theirs)} {f'+{100 * (theirs / ours - 1):.1f} %' if theirs != ours else '=':>9}"


if __name__ == "__main__":
    main()
