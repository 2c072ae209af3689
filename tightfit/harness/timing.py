"""Timings of entries over the timing inputs, and whether they are the same for every input."""

from collections.abc import Mapping, Sequence

import numpy as np

from tightfit.harness.machine import Outcome
from tightfit.harness.routine import Rejected
from tightfit.records import Timing


class Timings:
    """Collects what entries took: `take` once for the timing inputs, `compare` for further runs."""

    def __init__(self) -> None:
        self._timed: dict[str, Outcome] = {}
        self._extremes: dict[str, tuple[int, int]] = {}
        self._constant: dict[str, bool] = {}

    def take(self, outcomes: Mapping[str, Outcome]) -> None:
        """The runs over the timing inputs; their cycles are those that count."""
        for entry, outcome in outcomes.items():
            self._timed[entry] = outcome
            self._extremes[entry] = int(outcome.cycles.min()), int(outcome.cycles.max())
            self._constant[entry] = (
                bool((outcome.paths == outcome.paths[0]).all()) and np.ptp(outcome.cycles) == 0
            )

    def compare(self, outcomes: Mapping[str, Outcome]) -> None:
        """Further runs, at other places or of other inputs: they may widen the range and end constancy."""
        for entry, outcome in outcomes.items():
            low, high = self._extremes[entry]
            self._extremes[entry] = min(low, int(outcome.cycles.min())), max(high, int(outcome.cycles.max()))
            timed = self._timed[entry]
            same = (outcome.paths == timed.paths[0]).all() and (outcome.cycles == timed.cycles[0]).all()
            self._constant[entry] = bool(self._constant[entry] and same)

    def by_entry(self, ranked: Sequence[str]) -> dict[str, Timing]:
        """The timing of every entry, and of every ranked one that is set-up and a following block."""
        parts = {**{entry: (entry,) for entry in self._timed}, **self.parts(ranked)}
        order = [*ranked, *(entry for entry in parts if entry not in ranked)]
        return {entry: self._timing(parts[entry]) for entry in order}

    def parts(self, ranked: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The calls behind each ranked entry that the routine does not have: `setup` and `<entry>_next`.

        Raises
        ------
        Rejected
            Where these are missing too.
        """
        missing = [entry for entry in ranked if entry not in self._timed]
        for entry in missing:
            if not {"setup", f"{entry}_next"} <= self._timed.keys():
                raise Rejected(f"no entry {entry!r}, and no setup with {entry}_next in its place")
        return {entry: ("setup", f"{entry}_next") for entry in missing}

    def _timing(self, parts: Sequence[str]) -> Timing:
        outcomes = [self._timed[part] for part in parts]
        return Timing(
            inputs=len(outcomes[0].cycles),
            total=sum(int(outcome.cycles.sum()) for outcome in outcomes),
            minimum=sum(self._extremes[part][0] for part in parts),
            maximum=sum(self._extremes[part][1] for part in parts),
            hazard=sum(int(outcome.hazard.sum()) for outcome in outcomes),
            constant_path=all(self._constant[part] for part in parts),
        )
