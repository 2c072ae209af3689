"""What the exact search is worth: random and evolutionary search given as many measurements.

    python benchmarks/search_worth.py [--target rl78] [--primitive aes-128] [--operation encrypt] [--seeds 5]

The exact search runs first, every template modelled, none measured whole. The others then get as many
measurements, for all budgets together, and are scored against its winners: in how many budgets they reach the
same figure, and by how much they miss on the average. All measurements are real; what several searches ask
for is measured once.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tightfit.budgets import load_budgets
from tightfit.generator import Space, load_space
from tightfit.generator.merit import fits, merit
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.harness.pool import Pool
from tightfit.harness.store import Store
from tightfit.records import Budget, Measurement, Variant
from tightfit.targets import load_target

BATCH, PARENTS = 16, 4
Measure = Callable[[Sequence[Variant]], list[Measurement]]


class Question:
    """A space, an operation and a part; makes variants of it."""

    def __init__(self, space: Space, operation: str, part: str):
        self.space, self.operation, self.part = space, operation, part
        self.specs = space.of(operation)
        self.sizes = [spec.count(operation) for spec in self.specs]

    def variant(self, template: str, knobs: dict) -> Variant:
        return Variant(self.space.target, self.part, self.space.primitive, self.operation, template, knobs)

    def drawn(self, rng: random.Random) -> Variant:
        """A variant, the larger templates more often."""
        spec = rng.choices(self.specs, self.sizes)[0]
        return self.variant(spec.name, spec.sample(self.operation, rng))

    def child(self, one: Variant, two: Variant, rng: random.Random) -> Variant | None:
        """Knobs of two parents mixed and one of them changed; None where that is no variant."""
        spec = self.space.templates[one.template]
        other = two.knobs if two.template == one.template else one.knobs
        knobs = {name: rng.choice((one.knobs[name], other[name])) for name in spec.knobs}
        changed = rng.choice(list(spec.knobs))
        knobs[changed] = rng.choice(spec.knobs[changed].values)
        return self.variant(spec.name, knobs) if spec.contains(self.operation, knobs) else None


def best(measured: Iterable[Measurement], budget: Budget) -> Measurement | None:
    """The best of those that fit."""
    fitting = [m for m in measured if m.cost is not None and fits(m.cost, budget)]
    return min(fitting, key=lambda m: merit(m.cost, budget), default=None)


def random_search(question: Question, budgets: list[Budget], measure: Measure, count: int, seed: int):
    """`count` different variants drawn at random."""
    rng = random.Random(seed)
    found: dict[str, Variant] = {}
    while len(found) < count:
        variant = question.drawn(rng)
        found[variant.id] = variant
    return measure(list(found.values()))


def evolutionary_search(question: Question, budgets: list[Budget], measure: Measure, count: int, seed: int):
    """Budgets take turns; each breeds from the best found so far that fit it."""
    rng = random.Random(seed)
    done = {m.variant.id: m for m in random_search(question, budgets, measure, min(count, 2 * BATCH), seed)}
    turn = 0
    while len(done) < count:
        budget = budgets[turn % len(budgets)]
        turn += 1
        fitting = [m for m in done.values() if m.cost is not None and fits(m.cost, budget)]
        parents = sorted(fitting, key=lambda m: merit(m.cost, budget))[:PARENTS]
        batch: dict[str, Variant] = {}
        for _ in range(20 * BATCH):
            made = _bred(question, parents, rng)
            if made is not None and made.id not in done:
                batch[made.id] = made
            if len(batch) == min(BATCH, count - len(done)):
                break
        done |= {m.variant.id: m for m in measure(list(batch.values()))}
    return list(done.values())


def _bred(question: Question, parents: list[Measurement], rng: random.Random) -> Variant | None:
    if not parents or rng.random() < 0.1:
        return question.drawn(rng)
    return question.child(rng.choice(parents).variant, rng.choice(parents).variant, rng)


def score(measured: list[Measurement], winners: dict[Budget, Measurement | None]) -> tuple[int, int, float]:
    """Budgets with the same figure, budgets without a variant, mean excess of the others in percent."""
    same, none, excess = 0, 0, []
    for budget, winner in winners.items():
        if winner is None:
            continue
        found = best(measured, budget)
        if found is None:
            none += 1
            continue
        ours, theirs = merit(found.cost, budget)[0], merit(winner.cost, budget)[0]
        same += ours == theirs
        if ours != theirs:
            excess.append(100 * (ours / theirs - 1))
    return same, none, sum(excess) / len(excess) if excess else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="rl78")
    parser.add_argument("--primitive", default="aes-128")
    parser.add_argument("--operation", default="encrypt")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    part = load_target(options.target).default_part
    question = Question(load_space(options.target, options.primitive), options.operation, part)
    budgets = load_budgets()
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "store.sqlite")
        with Pool(options.target, part, options.primitive, store) as pool:
            compare(question, budgets, pool.measure, options.seeds)
        store.close()


def compare(question: Question, budgets: list[Budget], measure: Measure, seeds: int) -> None:
    """Run the three searches and print their scores."""
    asked: list[Measurement] = []

    def counted(variants: Sequence[Variant]) -> list[Measurement]:
        found = measure(variants)
        asked.extend(found)
        return found

    begun = time.monotonic()
    settings = SearchSettings(enumerate_below=0)
    fill_cells(question.space, question.operation, question.part, budgets, counted, settings=settings)
    count = len(asked)
    winners = {budget: best(asked, budget) for budget in budgets}
    fillable = sum(winner is not None for winner in winners.values())
    print(f"{question.space.primitive} {question.operation} on {question.space.target}: "
          f"{question.space.count(question.operation):,} variants, {count} measured by each search, "
          f"exact search {time.monotonic() - begun:.1f} s")  # fmt: skip
    print(f"{'search':<14}{'seed':>5}{'same figure':>16}{'nothing fits':>14}{'mean excess of the rest':>26}")
    print(f"{'exact':<14}{'':>5}{f'{fillable} of {fillable}':>16}{0:>14}{0.0:>24.2f} %")
    for name, search in (("random", random_search), ("evolutionary", evolutionary_search)):
        for seed in range(1, seeds + 1):
            same, none, excess = score(search(question, budgets, measure, count, seed), winners)
            print(f"{name:<14}{seed:>5}{f'{same} of {fillable}':>16}{none:>14}{excess:>24.2f} %")


if __name__ == "__main__":
    main()
