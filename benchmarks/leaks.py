"""What the winners of the shipped portfolio leak, and whether the cycles that were measured agree.

    python benchmarks/leaks.py [--target rl78] [--primitive aes-128] [--each]

A line for each primitive on a target: winners, how many have no leak, how many leak, how many of them
disagree with the measurement (no leak and cycles that vary, or a leak and cycles that do not), and processor
time in seconds, in all and of the slowest. `--each` also lists the winners that leak, with fragments and
kinds.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack

from tightfit.generator import render
from tightfit.harness import portfolio
from tightfit.harness.attribution import map_fragments
from tightfit.harness.bench import CYCLE_LIMIT, Bench, routine_of
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.taint import Secrets, secrets_of
from tightfit.paths import portfolio_dir
from tightfit.records import Measurement


def winners(path) -> list[Measurement]:
    """The measurements that a cell names, each once."""
    measurements, cells = portfolio.read(path)
    named = {cell.variant_id for cell in cells}
    return [measurement for measurement in measurements if measurement.variant.id in named]


def followed(measurements: list[Measurement]) -> Iterator[tuple[Measurement, Secrets, float]]:
    """Each with what it shows of its secrets, and the processor time in seconds."""
    with ExitStack() as stack:
        benches: dict[str, tuple[Bench, Machine]] = {}
        for measurement in measurements:
            variant = measurement.variant
            if variant.part not in benches:
                bench = stack.enter_context(Bench(variant.target, variant.part, variant.primitive))
                benches[variant.part] = bench, Machine(bench.target, bench.part, CYCLE_LIMIT)
            bench, machine = benches[variant.part]
            rendered = render(variant)
            image, kind = bench.build(rendered), kind_of(bench.primitive)
            routine, fragments = routine_of(variant, rendered), map_fragments(image, rendered.emissions)
            begin = time.process_time()
            secrets = secrets_of(machine, image, routine, kind, fragments)
            yield measurement, secrets, time.process_time() - begin


def same_cycles(measurement: Measurement) -> bool:
    """Whether every entry took the same cycles with all inputs."""
    return all(timing.minimum == timing.maximum for timing in measurement.cost.by_entry.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--target")
    parser.add_argument("--primitive")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    print(f"{'':24}{'winners':>8}{'no leak':>8}{'leak':>6}{'disagree':>9}{'s':>7}{'most':>7}")
    for path in portfolio.files(portfolio_dir()):
        if options.target not in (None, path.parent.name) or options.primitive not in (None, path.stem):
            continue
        rows = list(followed(winners(path)))
        leaking = [row for row in rows if row[1].leaks]
        disagree = sum(same_cycles(m) == bool(secrets.leaks) for m, secrets, _ in rows)
        seconds = [spent for *_, spent in rows]
        print(
            f"{path.parent.name + ' ' + path.stem:24}{len(rows):8}{len(rows) - len(leaking):8}"
            f"{len(leaking):6}{disagree:9}{sum(seconds):7.1f}{max(seconds, default=0):7.2f}",
            flush=True,
        )
        for measurement, secrets, _ in leaking if options.each else ():
            where = sorted({f"{leak.fragment}: {leak.kind}" for leak in secrets.leaks})
            variant = measurement.variant
            print(f"  {variant.id} {variant.template} {variant.operation}: {', '.join(where)}")


if __name__ == "__main__":
    main()
