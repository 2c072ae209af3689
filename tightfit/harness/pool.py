"""Measures many candidates, with the store as a cache: every result is kept as soon as it is there."""

from collections.abc import Callable, Iterator, Sequence

from tightfit.harness.cluster import Cluster
from tightfit.harness.crew import Crew, here
from tightfit.harness.provenance import of_variant
from tightfit.harness.store import Store
from tightfit.records import Measurement, Variant


class Pool:
    """Measures lists of variants of one primitive on one part.

    Parameters
    ----------
    part : name of the part; the target's default one when None.
    store : measurements are taken from it where it has them; new ones are added at once.
    workers : number of processes; all cores when None; 1 measures in this process.
    gate : `search` or `full`.
    on_result : called with each new measurement, in the order in which they finish.
    cluster : where given, its workers measure instead.
    """

    def __init__(
        self,
        target: str,
        part: str | None,
        primitive: str,
        store: Store,
        workers: int | None = None,
        gate: str = "search",
        on_result: Callable[[Measurement], None] | None = None,
        cluster: Cluster | None = None,
    ):
        question = (target, part, primitive)
        self.gate = gate
        self.measured = 0
        self.crew: Crew = here(question, workers) if cluster is None else cluster.crew(question)
        self._store = store
        self._on_result = on_result

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; what they were measuring is dropped."""
        self.crew.close()

    def measure(self, variants: Sequence[Variant]) -> list[Measurement]:
        """The measurements of variants, in their order; each variant is measured once, rejected ones too.

        Raises
        ------
        WorkError
            A tool is missing, a worker died, or the store cannot be written.
        """
        wanted = {variant.id: variant for variant in variants}
        measurements = {key: self._stored(variant) for key, variant in wanted.items()}
        missing = [wanted[key] for key, measurement in measurements.items() if measurement is None]
        for measurement in self._fresh(missing):
            self._store.add(measurement)
            self.measured += 1
            measurements[measurement.variant.id] = measurement
            if self._on_result is not None:
                self._on_result(measurement)
        return [measurements[variant.id] for variant in variants]

    def _stored(self, variant: Variant) -> Measurement | None:
        return self._store.get(variant, of_variant(variant, self.gate)["context"])

    def _fresh(self, variants: Sequence[Variant]) -> Iterator[Measurement]:
        return self.crew.measure(variants, self.gate) if variants else iter(())
