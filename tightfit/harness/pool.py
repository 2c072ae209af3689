"""Measures many candidates, with the store as a cache: every result is kept as soon as it is there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from tightfit.generator import load_space
from tightfit.generator.sources import looked_at_once
from tightfit.harness.bench import Candidate
from tightfit.harness.crew import Crew, here
from tightfit.harness.provenance import of_variant
from tightfit.harness.store import Store
from tightfit.records import Measurement, Variant

_SERVE = {"search": ("full", "search"), "full": ("full",)}
"""The gates whose results serve where one is asked for: what passed the full gate passed the search gate."""


@contextmanager
def pool_here(store: Store, workers: int | None = None, **options) -> Iterator["Pool"]:
    """A pool whose crew is of this machine, ended behind it; its options are those of `Pool`."""
    with closing(here(workers)) as crew:
        yield Pool(store, crew, **options)


class Pool:
    """Measures lists of variants.

    Parameters
    ----------
    store : measurements are taken from it where it has them; new ones are added at once.
    crew : who measures.
    gate : `search` or `full`.
    on_result : called with each new measurement, in the order in which they finish.
    """

    def __init__(
        self,
        store: Store,
        crew: Crew,
        gate: str = "search",
        on_result: Callable[[Measurement], None] | None = None,
    ):
        self.gate, self.crew = gate, crew
        self.measured = self.followed = 0
        self._store = store
        self._on_result = on_result

    def measure(self, variants: Sequence[Variant]) -> list[Measurement]:
        """The measurements of variants, in their order; each variant is measured once, rejected ones too.

        Where only the taint of the simulator changed since, secrets alone are followed anew.

        Raises
        ------
        WorkError
            A tool is missing, a worker died, or the store cannot be written.
        """
        measurements: dict[str, Measurement] = {}
        costed: list[Measurement] = []
        with looked_at_once():
            for measurement in self.crew.measure(self._fresh(variants, measurements, costed), self.gate):
                self.measured += 1
                measurements[measurement.variant.id] = self._kept(measurement)
            for measurement in self.crew.follow(costed):
                self.followed += 1
                measurements[measurement.variant.id] = self._kept(measurement)
        return [measurements[variant.id] for variant in variants]

    def _fresh(
        self, variants: Sequence[Variant], stored: dict[str, Measurement], costed: list[Measurement]
    ) -> Iterator[Candidate]:
        """The variants that are to be measured; others are put into `stored`, or into `costed`.

        Those with the same parameter block follow one another: what a gate asks is laid out for a block.
        """
        for variant in sorted({variant.id: variant for variant in variants}.values(), key=_block):
            rendered = self._store.rendering(variant)
            if (measurement := self._stored(variant)) is not None:
                stored[variant.id] = measurement
            elif (measurement := self._costed(variant)) is not None:
                costed.append(measurement)
            else:
                yield Candidate(variant, rendered)

    def _kept(self, measurement: Measurement) -> Measurement:
        self._store.add(measurement)
        if self._on_result is not None:
            self._on_result(measurement)
        return measurement

    def _stored(self, variant: Variant) -> Measurement | None:
        found = (self._store.get(variant, of_variant(variant, gate)["context"]) for gate in _SERVE[self.gate])
        measurement = next(filter(None, found), None)
        if measurement and not self._store.holds(measurement):
            self._store.add(measurement)  # another variant has this text; answers are kept by their own ids
        return measurement

    def _costed(self, variant: Variant) -> Measurement | None:
        found = (self._store.of_cost(variant, of_variant(variant, gate)) for gate in _SERVE[self.gate])
        return next(filter(None, found), None)


def _block(variant: Variant) -> tuple:
    """The parameter block of a variant, and the entries that are called with it."""
    spec = load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
    how = variant.knobs, variant.operation
    return spec.name, spec.entries(*how), spec.block_layout(*how).fields
