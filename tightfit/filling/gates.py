"""The two gates of a job: candidates go through the search gate, winners through the full one."""

from collections.abc import Sequence

from tightfit.filling.progress import JobProgress
from tightfit.generator.search import Found
from tightfit.harness.crew import Crew
from tightfit.harness.pool import Pool
from tightfit.harness.store import Store
from tightfit.records import Measurement, Variant


class Gates:
    """Measures for the search; what the full gate finds of a winner corrects what the search gate found."""

    def __init__(self, store: Store, progress: JobProgress, crew: Crew):
        self._search = Pool(store, crew, "search", progress.result)
        self._full = Pool(store, crew, "full")
        self._seen: dict[str, Measurement] = {}
        self._corrected: dict[str, Measurement] = {}

    def measure(self, variants: Sequence[Variant]) -> list[Measurement]:
        """Measurements in the order of the variants: by the search gate, where the full gate has none."""
        searched = self._search.measure(variants)
        measurements = [self._corrected.get(each.variant.id, each) for each in searched]
        self._seen |= {each.variant.id: each for each in measurements}
        return measurements

    def overrule(self, found: Found) -> bool:
        """Send winners and fronts through the full gate; whether it rejects any, or finds another cost."""
        winners = dict.fromkeys(cell.variant_id for cell in found.cells if cell.variant_id)
        winners |= dict.fromkeys(variant for front in found.fronts for variant in front.variants)
        checked = self._full.measure([self._seen[winner].variant for winner in winners])
        corrected = {
            each.variant.id: each
            for each in checked
            if _figures(each) != _figures(self._seen[each.variant.id])
        }
        self._corrected |= corrected
        return bool(corrected)

    @property
    def measured(self) -> int:
        """Variants measured anew, by either gate."""
        return self._search.measured + self._full.measured

    @property
    def followed(self) -> int:
        """Variants whose secrets were followed anew, by either gate."""
        return self._search.followed + self._full.followed

    @property
    def rejections(self) -> tuple[str, ...]:
        """Why variants that the search asked for have no cost, one reason each."""
        return tuple(each.rejected for each in self._seen.values() if each.rejected)


def _figures(measurement: Measurement) -> tuple[int | float, ...] | None:
    cost = measurement.cost
    return cost and (cost.rom, cost.ram, cost.cycles)
