"""Timings of entries, by figure, over the timing inputs, and whether they are the same for every input."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tightfit.harness.routine import Cycles, Rejected
from tightfit.harness.script import Done, Taken
from tightfit.records import Timing


class Timings:
    """Collects what calls took: `take` once for the timing inputs, `compare` for further runs.

    `sums` are figures that are sums of others, which a message takes in turn.
    """

    def __init__(self, sums: Mapping[str, Sequence[str]] | None = None) -> None:
        self._sums = dict(sums or {})
        self._timed: dict[str, Taken] = {}
        self._extremes: dict[str, tuple[int, int]] = {}
        self._constant: dict[str, bool] = {}
        self._shapes: dict[str, Taken] = {}
        self._carries: dict[str, int] = {}

    def take(self, calls: Iterable[Done]) -> None:
        """The calls with the timing inputs; the cycles of the first of each figure are those that count."""
        more = []
        for done in calls:
            figure, outcome = done.turn.figure, done.outcome
            if figure in self._timed or " " in figure:
                more.append((figure, outcome))
                continue
            self._timed[figure] = outcome
            self._extremes[figure] = int(outcome.cycles.min()), int(outcome.cycles.max())
            self._constant[figure] = _same(outcome, outcome)
        self.compare(more)

    def compare(self, calls: Iterable[tuple[str | None, Taken]]) -> None:
        """Further calls by figure, at other places or of other inputs: they may widen the range and end
        constancy.

        A shape of a figure takes other cycles than the figure, but always the same if the figure is constant.
        """
        for figure, outcome in calls:
            if figure in self._timed:
                self._compare(figure, outcome)
            elif figure is not None:
                first = self._shapes.setdefault(figure, outcome)
                self._constant[figure.split()[0]] &= _same(outcome, first)

    def count(self, calls: Iterable[Done]) -> None:
        """Calls after forged counts: what they take beyond the same call after few blocks is public."""
        for done in calls:
            figure, outcome = done.turn.figure, done.outcome
            base = figure.split()[0]
            first = self._timed.get(figure) or self._shapes.setdefault(figure, outcome)
            self._constant[base] &= _same(outcome, outcome)
            if np.ptp(outcome.cycles) == np.ptp(first.cycles) == 0:
                more = int(outcome.cycles[0] - first.cycles[0])
                self._carries[base] = max(self._carries.get(base, 0), more)

    def _compare(self, figure: str, outcome: Taken) -> None:
        low, high = self._extremes[figure]
        self._extremes[figure] = min(low, int(outcome.cycles.min())), max(high, int(outcome.cycles.max()))
        self._constant[figure] &= _same(outcome, self._timed[figure])

    def cycles(self) -> dict[str, Cycles]:
        """Cycles of every figure, one element for each timing input."""
        return {figure: outcome.cycles for figure, outcome in self._timed.items()}

    @property
    def constant(self) -> bool:
        """Whether no figure has depended on the input so far."""
        return all(self._constant.values())

    def by_entry(self, ranked: Sequence[str]) -> dict[str, Timing]:
        """The timing of every figure, and of ranked ones that are sums."""
        parts = {**{entry: (entry,) for entry in self._timed}, **self.parts(ranked)}
        order = [*ranked, *(entry for entry in parts if entry not in ranked)]
        return {entry: self._timing(parts[entry]) for entry in order}

    def difference(self, greater: str, less: str) -> Timing:
        """By how much one figure exceeds another, input by input."""
        more, fewer = self._timed[greater], self._timed[less]
        cycles = more.cycles - fewer.cycles
        return Timing(
            inputs=len(cycles),
            total=int(cycles.sum()),
            minimum=int(cycles.min()),
            maximum=int(cycles.max()),
            constant_path=self._constant[greater] and self._constant[less],
            waits_apart=int((more.waits_apart - fewer.waits_apart).sum()),
        )

    def parts(self, ranked: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The calls behind each ranked figure that no call has: a sum, or `setup` and `<entry>_next`.

        Raises
        ------
        Rejected
            Where these are missing too.
        """
        missing = [entry for entry in ranked if entry not in self._timed]
        parts = {entry: tuple(self._sums.get(entry, ("setup", f"{entry}_next"))) for entry in missing}
        for entry, calls in parts.items():
            if not set(calls) <= self._timed.keys():
                raise Rejected(f"no entry {entry!r}, and no {' with '.join(calls)} in its place")
        return parts

    def _timing(self, parts: Sequence[str]) -> Timing:
        outcomes = [self._timed[part] for part in parts]
        return Timing(
            inputs=len(outcomes[0].cycles),
            total=sum(int(outcome.cycles.sum()) for outcome in outcomes),
            minimum=sum(self._extremes[part][0] for part in parts),
            maximum=sum(self._extremes[part][1] for part in parts),
            constant_path=all(self._constant[part] for part in parts),
            waits_apart=sum(int(outcome.waits_apart.sum()) for outcome in outcomes),
            carry=sum(self._carries.get(part, 0) for part in parts),
        )


def _same(outcome: Taken, other: Taken) -> bool:
    """Whether all inputs took the cycles and the path of the first input of `other`."""
    return bool((outcome.paths == other.paths[0]).all() and (outcome.cycles == other.cycles[0]).all())
