"""What the exact search is compared with: random and evolutionary search over the same space."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tightfit.generator import Space, TemplateSpec
from tightfit.generator.merit import fits, merit
from tightfit.generator.relations import walk
from tightfit.records import Budget, Knobs, Measurement, Variant

BATCH, PARENTS, TRIES = 16, 4, 20
Measure = Callable[[Sequence[Variant]], list[Measurement]]


@dataclass(frozen=True)
class Question:
    """A space, an operation and a part; makes variants of it."""

    space: Space
    operation: str
    part: str

    def variant(self, spec: TemplateSpec, knobs: Knobs) -> Variant:
        """A variant of a template."""
        return Variant(self.space.target, self.part, self.space.primitive, self.operation, spec.name, knobs)

    def drawn(self, rng: random.Random) -> Variant:
        """A variant of any template, all equally likely: by size the smallest would never come up."""
        spec = rng.choice(self.space.of(self.operation))
        return self.variant(spec, spec.sample(self.operation, rng))

    def child(self, first: Variant, second: Variant, rng: random.Random) -> Variant:
        """Mixed knobs of two parents, one knob changed, and as few others as a valid variant needs."""
        spec = self.space.templates[first.template]
        other = second.knobs if second.template == first.template else first.knobs
        wanted = {name: rng.choice((first.knobs[name], other[name])) for name in spec.knobs}
        changed = rng.choice(list(spec.knobs))
        wanted[changed] = rng.choice(spec.knobs[changed].values)
        order = [changed, *(name for name in spec.knobs if name != changed)]
        domains = {name: (wanted[name], *_others(spec, name, wanted[name], rng)) for name in order}
        knobs = next(walk(domains, spec.relations(self.operation)))
        return self.variant(spec, {name: knobs[name] for name in spec.knobs})


def _others(spec: TemplateSpec, name: str, value: str | int, rng: random.Random) -> list[str | int]:
    others = [other for other in spec.knobs[name].values if other != value]
    return rng.sample(others, len(others))


def random_search(
    question: Question, budgets: Sequence[Budget], measure: Measure, count: int, seed: int
) -> list[Measurement]:
    """`count` different variants drawn at random, or all where the space has fewer."""
    rng = random.Random(seed)
    drawn: dict[str, Variant] = {}
    for _ in range(TRIES * count):
        variant = question.drawn(rng)
        drawn[variant.id] = variant
        if len(drawn) == count:
            break
    return measure(list(drawn.values()))


def evolutionary_search(
    question: Question, budgets: Sequence[Budget], measure: Measure, count: int, seed: int
) -> list[Measurement]:
    """Budgets take turns; each breeds from its best variants so far, or draws at random where none fits."""
    rng = random.Random(seed)
    first = random_search(question, budgets, measure, min(count, 2 * BATCH), seed)
    done = {m.variant.id: m for m in first}
    for turn in range(TRIES * count):
        if len(done) >= count:
            break
        parents = _parents(done, budgets[turn % len(budgets)])
        batch: dict[str, Variant] = {}
        for _ in range(TRIES):
            child = _bred(question, parents, rng)
            if child.id not in done:
                batch[child.id] = child
            if len(batch) == min(BATCH // 4, count - len(done)):
                break
        done |= {m.variant.id: m for m in measure(list(batch.values()))}
    return list(done.values())


def _parents(done: dict[str, Measurement], budget: Budget) -> list[Variant]:
    fitting = [m for m in done.values() if m.cost is not None and fits(m.cost, budget)]
    return [m.variant for m in sorted(fitting, key=lambda m: merit(m.cost, budget))[:PARENTS]]


def _bred(question: Question, parents: list[Variant], rng: random.Random) -> Variant:
    if not parents or rng.random() < 0.1:
        return question.drawn(rng)
    return question.child(rng.choice(parents), rng.choice(parents), rng)
