"""How well a survey foretells the rest of a space: foretold sums beside measured variants.

    python benchmarks/additivity.py [--target ID] [--primitive ID] [--operation OPERATION] [--variants N]
                                    [--store FILE]

Surveys every template, then draws variants at random and measures them. Prints a line for each template and
quantity: how many variants cost exactly the sum that the survey foretells, how many cost more (of a part not
seen yet only a lower bound is known), and how many cost less. For these the search's bounds would be wrong;
there should be none.
"""

import random
from collections.abc import Iterable

from measured_space import measuring, space_options

from tightfit.generator import TemplateSpec, load_space, render
from tightfit.generator.knowledge import ROM, STACK, Knowledge
from tightfit.generator.survey import Survey, survey_size
from tightfit.harness.pool import Pool
from tightfit.records import Knobs, Measurement, Variant

BATCH, SEED = 8, 1
LINE = "{:<14}{:>36}{:>10}  {:<8}{:>8}{:>8}{:>8}"


class Lesson:
    """A template, a way to measure its variants, and what the survey taught about it."""

    def __init__(self, spec: TemplateSpec, operation: str, pool: Pool, part: str) -> None:
        self.spec, self.operation, self._pool, self._part = spec, operation, pool, part
        self.knowledge = Knowledge(spec, operation)
        survey = Survey(self.knowledge, SEED)
        batch = survey.first(survey_size(spec, operation))
        while batch:
            self._learn(self.measured(batch))
            batch = survey.next(BATCH)

    def measured(self, chosen: Iterable[Knobs]) -> list[Measurement]:
        """The measurements of the variants that pass the gate."""
        about = self.spec.target, self._part, self.spec.primitive, self.operation, self.spec.name
        measurements = self._pool.measure([Variant(*about, knobs) for knobs in chosen])
        return list({m.variant.id: m for m in measurements if m.cost is not None}.values())

    def _learn(self, measurements: list[Measurement]) -> None:
        if measurements:
            cost = measurements[0].cost
            self.knowledge.unit = cost.by_entry[cost.ranked[0]].inputs
            self.knowledge.absorb([(m, render(m.variant, markers=False)) for m in measurements])

    def differences(self, count: int) -> dict[str, list[int]]:
        """Measured cost minus foretold sum, by quantity, for variants drawn at random."""
        rng = random.Random(SEED)
        drawn = [self.spec.sample(self.operation, rng) for _ in range(count)]
        excesses: dict[str, list[int]] = {}
        for measurement in self.measured(drawn):
            wholes = {ROM: measurement.cost.rom, STACK: measurement.cost.ram_parts.stack}
            wholes |= {entry: timing.total for entry, timing in measurement.cost.by_entry.items()}
            for kind, whole in wholes.items():
                sums = self.knowledge.least(kind, measurement.variant.knobs)
                excesses.setdefault(kind, []).append(whole - sums)
        return excesses


def main() -> None:
    parser = space_options(__doc__)
    parser.add_argument("--variants", type=int, default=50)
    chosen = parser.parse_args()
    print(LINE.format("template", "variants", "surveyed", "of", "equal", "more", "less"))
    with measuring(chosen) as (part, pool):
        for spec in load_space(chosen.target, chosen.primitive).of(chosen.operation):
            report(Lesson(spec, chosen.operation, pool, part), chosen.variants)


def report(lesson: Lesson, count: int) -> None:
    """Print how well a template's survey foretold the costs, a line for each quantity."""
    about = lesson.spec.name, f"{lesson.spec.count(lesson.operation):,}", len(lesson.knowledge.samples)
    for kind, excesses in lesson.differences(count).items():
        counts = sum(d == 0 for d in excesses), sum(d > 0 for d in excesses), sum(d < 0 for d in excesses)
        print(LINE.format(*about, kind, *counts))
        about = "", "", ""


if __name__ == "__main__":
    main()
