"""The front of a space: budgets whose answers together answer every budget, one after the other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from tightfit.budgets import name_of
from tightfit.conditions import sizes
from tightfit.records import Budget, Certificate, Front, Measurement, Stretch

from .certificate import Closure, Evidence, certificate, mean
from .merit import unbeaten
from .model import CYCLES
from .space import Space


@dataclass(frozen=True)
class Corner:
    """All budgets of at least `least_rom`, and at most `rom` and `ram`, in bytes, which may be infinite.

    `bound` is what the cycles of none can go below, in the model's units; None where nothing is known.
    """

    least_rom: float
    rom: float
    ram: float
    bound: int | None = None

    @property
    def empty(self) -> bool:
        """Whether it holds no budget."""
        return self.rom < self.least_rom or self.ram < 0

    def within(self, other: "Corner") -> bool:
        """Whether all its budgets are the other's too."""
        return self.rom <= other.rom and self.ram <= other.ram


@dataclass(frozen=True)
class Trace:
    """What is known of every budget under some conditions.

    Attributes
    ----------
    effort : deterministic time of all solves.
    points : the measured variants that none of them equals or beats, in the order of ROM, RAM and cycles.
    open : the budgets that a limit left without a proof.
    """

    only: tuple[str, ...]
    effort: float
    points: tuple[Measurement, ...]
    open: tuple[Corner, ...]


@dataclass(frozen=True)
class Prover:
    """What tracing asks of a search.

    `close` answers a budget within an effort of the solver, `known` lists the measured variants under
    conditions, the preferred first, and `cycles` gives those of one in the model's units.
    """

    close: Callable[[Budget, float], Closure]
    known: Callable[[tuple[str, ...]], Sequence[Measurement]]
    cycles: Callable[[Measurement], int]


def trace(only: tuple[str, ...], prover: Prover, cuts: Sequence[int], effort_limit: float) -> Trace:
    """Close the widest budget, then those one byte below what its best variant takes, until nothing fits.

    The best variant of a budget also answers every smaller one that it fits: what is left are those with less
    ROM and those with less RAM than it takes. `cuts` divide the ROM into strips; in each one no budget is
    begun once the solver's effort for it is above `effort_limit`.
    """
    effort, undecided = 0.0, []
    for above, most in pairwise((-1, *cuts, inf)):
        strip = _Strip(only, prover, effort_limit)
        strip.close([Corner(above + 1, most, inf)])
        while strip.answered:
            strip.divide()
        effort += strip.effort
        undecided += strip.open
    points = unbeaten(prover.known(only), lambda each: (*sizes(each.cost, only), each.cost.cycles))
    return Trace(only, effort, tuple(points), tuple(undecided))


class _Strip:
    """Corners of a strip of ROM: those whose best variant is known, and those that a limit left open."""

    def __init__(self, only: tuple[str, ...], prover: Prover, effort_limit: float) -> None:
        self._only, self._prover, self._effort_limit = only, prover, effort_limit
        self._empty: list[Corner] = []
        self.answered: list[tuple[Corner, Measurement]] = []
        self.open: list[Corner] = []
        self.effort = 0.0

    def close(self, corners: Iterable[Corner]) -> None:
        """Find the best variants of corners, as far as the limit goes; the others are open."""
        for corner in corners:
            if self.effort >= self._effort_limit:
                self.open.append(corner)
                continue
            closure = self._prover.close(_budget(corner, self._only), self._effort_limit - self.effort)
            self.effort += closure.deterministic_time
            if not closure.closed:
                self.open.append(replace(corner, bound=_larger(corner.bound, closure.bound)))
            elif closure.best is None:
                self._empty.append(corner)
            else:
                self.answered.append((corner, closure.best))

    def divide(self) -> None:
        """Take the fastest of the best variants: what it leaves of the corners that it fits are new corners.

        In the order of cycles every variant divides all corners at once, so that few are closed.
        """
        cycles = self._prover.cycles
        best = min((best for _, best in self.answered), key=cycles)
        rom, ram = sizes(best.cost, self._only)
        fitting = [corner for corner, _ in self.answered if rom <= corner.rom and ram <= corner.ram]
        self.answered = [item for item in self.answered if item[0] not in fitting]
        rests = [replace(corner, bound=_larger(corner.bound, cycles(best))) for corner in fitting]
        kept = [*self._empty, *self.open, *(corner for corner, _ in self.answered)]
        parts = [
            *(replace(each, rom=rom - 1) for each in rests),
            *(replace(each, ram=ram - 1) for each in rests),
        ]
        self.close(_outermost(parts, kept))


def fronts(
    space: Space, operation: str, part: str, traces: Iterable[Trace], evidence: Evidence
) -> list[Front]:
    """What the traces prove, by what the search knows at its end."""
    size = str(space.count(operation))
    return [
        Front(
            target=space.target,
            part=part,
            primitive=space.primitive,
            operation=operation,
            only=traced.only,
            variants=tuple(point.variant.id for point in traced.points),
            open=tuple(_stretch(corner, evidence) for corner in traced.open),
            certificate=_certificate(traced, size, evidence),
        )
        for traced in traces
    ]


def _outermost(corners: Iterable[Corner], kept: Sequence[Corner]) -> list[Corner]:
    """The corners that lie within no other and within none that is kept, the widest ROM first."""
    outer: list[Corner] = []
    for corner in sorted(corners, key=lambda each: (each.rom, each.ram), reverse=True):
        if not corner.empty and not any(corner.within(other) for other in (*kept, *outer)):
            outer.append(corner)
    return outer


def _larger(*bounds: int | None) -> int | None:
    return max((bound for bound in bounds if bound is not None), default=None)


def _budget(corner: Corner, only: tuple[str, ...]) -> Budget:
    unnamed = Budget("", _finite(corner.rom), _finite(corner.ram), only=only)
    return replace(unnamed, name=name_of(unnamed))


def _finite(bound: float) -> int | None:
    return None if bound == inf else int(bound)


def _stretch(corner: Corner, evidence: Evidence) -> Stretch:
    bound = corner.bound
    return Stretch(
        int(corner.least_rom),
        _finite(corner.rom),
        _finite(corner.ram),
        None if bound is None else mean(bound - evidence.margins.get(CYCLES, 0), evidence.unit),
    )


def _certificate(traced: Trace, size: str, evidence: Evidence) -> Certificate:
    """The certificate of the front: proved where no budget is open."""
    widest = Budget("", None, None, only=traced.only)
    best = min(traced.points, key=lambda point: point.cost.cycles, default=None)
    reached = [sizes(point.cost, traced.only) for point in traced.points]
    return replace(
        certificate(Closure(widest, best, not traced.open, None, traced.effort), size, evidence),
        bound=None,
        least_rom=min((rom for rom, _ in reached), default=None),
        least_ram=min((ram for _, ram in reached), default=None),
    )
