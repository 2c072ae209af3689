"""The exact search beside brute force: every variant of an operation measured, the winners compared.

    python benchmarks/search_against_enumeration.py [--target ID] [--primitive ID] [--operation OPERATION]

The cells are those of the store (run `tightfit fill` first). Prints variants measured by each, the time of
the enumeration on all cores, and every budget where the two disagree; exit status 1 if there is one.
"""

import argparse
import sys
import time

from tightfit.generator import load_space
from tightfit.generator.merit import fits, merit
from tightfit.harness.pool import Pool, pool_here
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive
from tightfit.records import Measurement, Variant
from tightfit.targets import load_target

BATCH = 400


def enumerated(variants: list[Variant], pool: Pool) -> list[Measurement]:
    """The measurements of all variants, with progress shown after each batch."""
    measurements: list[Measurement] = []
    for start in range(0, len(variants), BATCH):
        measurements += pool.measure(variants[start : start + BATCH])
        print(f"\r{len(measurements)} of {len(variants)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return measurements


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="rl78")
    parser.add_argument("--primitive", default="aes-128")
    parser.add_argument("--operation", help="the first of the primitive otherwise")
    chosen = parser.parse_args()
    primitive = load_primitive(chosen.primitive)
    chosen.operation = chosen.operation or primitive.first_operation
    primitive.operation(chosen.operation)
    part = load_target(chosen.target).default_part
    subject = (chosen.target, part, chosen.primitive)
    space = load_space(chosen.target, chosen.primitive)
    variants = [
        Variant(*subject, chosen.operation, spec.name, knobs)
        for spec in space.of(chosen.operation)
        for knobs in spec.variants(chosen.operation)
    ]
    with Store.open() as store, pool_here(store) as pool:
        cells = store.cells(target=chosen.target, primitive=chosen.primitive, operation=chosen.operation)
        begin = time.perf_counter()
        measurements = enumerated(variants, pool)
    seconds = time.perf_counter() - begin
    costs = {m.variant.id: m.cost for m in measurements if m.cost is not None}
    measured = max((cell.certificate.measured for cell in cells), default=0)
    rejected = len(measurements) - len(costs)
    print(f"{len(variants):,} variants, {rejected} rejected, {seconds:.0f} s for those not yet stored")
    print(f"{len(cells)} cells, for which the search measured {measured:,}")
    differing = 0
    for cell in cells:
        within = [merit(cost, cell.budget) for cost in costs.values() if fits(cost, cell.budget)]
        best = min(within, default=None)
        winner = merit(costs[cell.variant_id], cell.budget) if cell.variant_id else None
        if best != winner:
            differing += 1
            print(f"{cell.budget.name}: enumeration finds {best}, the search {winner}")
    if not cells:
        print("no cells to compare: run tightfit fill first")
        return 1
    print("every cell agrees" if not differing else f"{differing} cells disagree")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
