"""What the proof of the front costs beside that of the listed cells.

    python benchmarks/front_cost.py [--target rl78] [--primitive sha-256]

A line for each operation: variants in the space; variants measured and the solver's effort (deterministic
time, about seconds) for the listed cells alone and for cells and fronts; fronts, their variants in all, and
stretches of budgets that a limit left open. Measurements come from the user's store where it has them.
"""

import argparse
from contextlib import closing

from tightfit.errors import UsageError
from tightfit.filling.gates import Gates
from tightfit.filling.jobs import Job, jobs
from tightfit.filling.progress import Silent
from tightfit.generator.search import Found, search
from tightfit.harness.crew import Alone
from tightfit.harness.store import Store

LINE = "{:44} {:>12} {:>9} {:>8} {:>9} {:>8} {:>7} {:>9} {:>5}"
HEADS = ("", "variants", "measured", "effort", "measured", "effort", "fronts", "variants", "open")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--target")
    parser.add_argument("--primitive", action="append", default=[])
    options = parser.parse_args()
    try:
        asked = jobs(options.primitive, options.target)
    except UsageError as error:
        parser.error(str(error))
    print(LINE.format("", "", "", "cells", "", "fronts", "", "", "").rstrip())
    print(LINE.format(*HEADS))
    with Store.open() as store:
        for job in asked:
            print(line(job, store), flush=True)


def line(job: Job, store: Store) -> str:
    """What a job costs without fronts and with them."""
    cells, both = found(job, store, []), found(job, store, job.fronts())
    efforts = [sum(cell.certificate.deterministic_time for cell in each.cells) for each in (cells, both)]
    efforts[1] += sum(front.certificate.deterministic_time for front in both.fronts)
    measured = [each.cells[0].certificate.measured for each in (cells, both)]
    size = int(both.cells[0].certificate.space)
    variants = {variant for front in both.fronts for variant in front.variants}
    stretches = sum(len(front.open) for front in both.fronts)
    return LINE.format(
        f"{job.primitive.id} {job.operation} {job.part.name}",
        f"{size:,}" if size < 10**9 else f"{size:.1e}",
        *(
            each
            for pair in zip(measured, (f"{effort:.1f}" for effort in efforts), strict=True)
            for each in pair
        ),
        len(both.fronts),
        len(variants),
        stretches,
    )


def found(job: Job, store: Store, under: list[tuple[str, ...]]) -> Found:
    """The search of a job, with the fronts under some conditions."""
    with Silent().job(job.name, 1) as report, closing(Alone()) as crew:
        gates = Gates(store, report, crew)
        space, budgets = job.space(), job.budgets()
        return search(space, job.operation, job.part.name, budgets, gates.measure, under=under)


if __name__ == "__main__":
    main()
