"""The answer to one question: the fastest variant that fits a budget, what limits it, what is proved."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from tightfit.conditions import meets, searched, sizes
from tightfit.generator import merit
from tightfit.records import BASELINE, Budget, Cell, Certificate, Contender, Cost, Front, Measurement
from tightfit.reports.filters import NO_FILTERS, Filters

FITS, SATIATED, IMPOSSIBLE, UNEXPLORED = "fits", "satiated", "impossible", "unexplored"


@dataclass(frozen=True)
class Question:
    """What is asked: the operation of a primitive on a part, within a budget."""

    target: str
    part: str
    primitive: str
    operation: str
    budget: Budget
    filters: Filters = NO_FILTERS


@dataclass(frozen=True)
class Offer:
    """What the next larger budget along one bound (`rom`, `ram` or `both`) reaches."""

    bound: str
    budget: Budget
    measurement: Measurement


@dataclass(frozen=True)
class Answer:
    """The answer to a question; `measurement` and `certificate` are None where there is none.

    `limited_by` names the bounds (`rom`, `ram`, or `both` for the two together) that keep out a better known
    variant; `offers` is what the next larger budgets reach. `c_alone` is the best C baseline within the
    budget, `c_measured` the number of baselines that were measured, rejected ones included. `external` is the
    best of somebody else's routines within the budget, where it is better than every variant. `least` are the
    known variants of least ROM and of least RAM where nothing fits, within the other bound if there are any.
    `moved` names the facts of the variant's context that are no longer those it was measured with.
    """

    question: Question
    status: str
    measurement: Measurement | None = None
    satiated_by: str | None = None
    certificate: Certificate | None = None
    limited_by: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    c_alone: Contender | None = None
    c_measured: int = 0
    external: Contender | None = None
    least: tuple[Measurement, ...] = ()
    moved: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """What is known of one operation on one part: measured variants, and cells and fronts with certificates.

    Only variants are ranked that meet the conditions `only`; those that destroy the key only where
    `destroys_key` asks for them. `contenders`, which
    tightfit did not generate, stand beside the variants and are never ranked with them. `memory` has the
    ROM and RAM of the part, where another part of its core class was simulated.
    """

    measurements: tuple[Measurement, ...]
    cells: tuple[Cell, ...]
    only: tuple[str, ...] = ()
    destroys_key: bool = False
    contenders: tuple[Contender, ...] = ()
    memory: Budget | None = None
    fronts: tuple[Front, ...] = ()
    usable: tuple[Measurement, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "usable", tuple(filter(self._is_usable, self.measurements)))

    def _is_usable(self, measurement: Measurement) -> bool:
        return self._may_rank(measurement.cost) and (self.destroys_key or not measurement.destroys_key)

    def _may_rank(self, cost: Cost | None) -> bool:
        """Whether figures are asked for: there are some, they fit the part, and meet the conditions."""
        if cost is None or not meets(cost, self.only):
            return False
        return self.memory is None or merit.fits(cost, replace(self.memory, only=self.only))

    def narrowed(self, budget: Budget) -> Budget:
        """A budget within the memory of the part, under the conditions."""
        budget = replace(budget, only=self.only)
        if self.memory is None:
            return budget
        rom, ram = min(_size(budget.rom), self.memory.rom), min(_size(budget.ram), self.memory.ram)
        return replace(budget, rom=rom, ram=ram)

    def best(self, budget: Budget) -> Measurement | None:
        """The best usable variant within a budget.

        Ties go to the winner of a cell or a variant of a front, then to the least id.
        """
        ranked = self._by_size if budget.objective == "rom" else self._by_cycles
        if budget.below:
            return next((measurement for measurement in ranked if fits(measurement, budget)), None)
        rom, ram = _size(budget.rom), _size(budget.ram)
        leading = self._leading[budget.objective]
        return next((one for (its_rom, its_ram), one in leading if its_rom <= rom and its_ram <= ram), None)

    @cached_property
    def _leading(self) -> dict[str, list[tuple[tuple[int, int], Measurement]]]:
        """By objective the ranked variants that take less of a memory than all before them."""
        return {"rom": self._that_take_less(self._by_size), "cycles": self._that_take_less(self._by_cycles)}

    @cached_property
    def smallest(self) -> list[Measurement]:
        """The usable variants of which no other takes as little of both memories, by their ROM."""
        by_size = sorted(self.usable, key=lambda measurement: sizes(measurement.cost, self.only))
        return [measurement for _, measurement in self._that_take_less(by_size)]

    def _that_take_less(self, ranked: Iterable[Measurement]) -> list[tuple[tuple[int, int], Measurement]]:
        kept: list[tuple[tuple[int, int], Measurement]] = []
        roms: list[int] = []
        rams: list[int] = []  # of the least ROM first: a variant in between takes at least the RAM before it
        for measurement in ranked:
            rom, ram = sizes(measurement.cost, self.only)
            at = bisect_right(roms, rom)
            if at and rams[at - 1] <= ram:
                continue
            kept.append(((rom, ram), measurement))
            end = at
            while end < len(rams) and rams[end] >= ram:
                end += 1
            roms[at:end], rams[at:end] = [rom], [ram]
        return kept

    @cached_property
    def _by_cycles(self) -> list[Measurement]:
        return self._ranked(Budget("", None, None, only=self.only))

    @cached_property
    def _by_size(self) -> list[Measurement]:
        return self._ranked(Budget("", None, None, objective="rom", only=self.only))

    def _ranked(self, budget: Budget) -> list[Measurement]:
        winners = {cell.variant_id for cell in self.cells}
        winners |= {variant for front in self.fronts for variant in front.variants}

        def key(measurement: Measurement) -> tuple:
            return place(measurement.cost, measurement.variant.id, winners, budget)

        return sorted(self.usable, key=key)

    @cached_property
    def rivals(self) -> list[Contender]:
        """The contenders that fit the part and meet the conditions."""
        return [contender for contender in self.contenders if self._may_rank(contender.cost)]

    @property
    def rejects(self) -> list[Contender]:
        """The contenders that were rejected."""
        return [contender for contender in self.contenders if contender.cost is None]

    @cached_property
    def baselines(self) -> list[Contender]:
        """What compilers make of the primitive's C."""
        return [rival for rival in self.rivals if rival.origin == BASELINE]

    @property
    def front(self) -> Front | None:
        """The front under the conditions; None where none was traced under them."""
        return next((front for front in self.fronts if front.only == self.only), None)

    @property
    def externals(self) -> list[Contender]:
        """Routines of others."""
        return [rival for rival in self.rivals if rival.origin != BASELINE]

    @property
    def winners(self) -> list[Measurement]:
        """The variants that win a cell, each once."""
        ids = dict.fromkeys(cell.variant_id for cell in self.cells)
        return [self._by_id[variant_id] for variant_id in ids if variant_id in self._by_id]

    def winner(self, cell: Cell) -> Measurement | None:
        """The measurement of a cell's winner."""
        return self._by_id.get(cell.variant_id)

    @cached_property
    def _by_id(self) -> dict[str, Measurement]:
        return {measurement.variant.id: measurement for measurement in self.measurements}

    def cells_of(self, budget: Budget) -> list[Cell]:
        """The cells of a budget's bounds, whatever their names."""
        return self._by_question.get(_bounds_of(budget), [])

    @cached_property
    def _by_question(self) -> dict[tuple, list[Cell]]:
        by_question: dict[tuple, list[Cell]] = {}
        for cell in self.cells:
            by_question.setdefault(_bounds_of(cell.budget), []).append(cell)
        return by_question

    @cached_property
    def by_bounds(self) -> list[Budget]:
        """The budgets of its cells of least cycles, without published pairs to beat, the smallest first."""
        plain = (cell.budget for cell in self.cells)
        asked = [budget for budget in plain if budget.objective == "cycles" and not budget.below]
        return sorted(asked, key=lambda budget: (_size(budget.rom), _size(budget.ram)))

    @cached_property
    def all(self) -> "Known":
        """The same under no condition but those that the search closes, with every variant that is known."""
        return replace(self, only=searched(self.only), destroys_key=True, memory=None)


def fits(measurement: Measurement, budget: Budget) -> bool:
    """Whether a measured variant keeps within every bound of a budget."""
    return measurement.cost is not None and merit.fits(measurement.cost, budget)


def place(cost: Cost, variant_id: str, winners: Set[str], budget: Budget) -> tuple:
    """The key that sorts variants within a budget, the best first; `winners` are ids of winners of cells."""
    return *merit.merit(cost, budget), variant_id not in winners, variant_id


def rank(measurement: Measurement, budget: Budget) -> tuple[int | float, ...]:
    """The figures that order variants within a budget, the objective first."""
    return merit.merit(measurement.cost, budget)


def contains(outer: Budget, inner: Budget) -> bool:
    """Whether every variant that fits `inner` fits `outer`."""
    return merit.within(inner, outer)


def answer(question: Question, known: Known, budgets: Sequence[Budget]) -> Answer:
    """The answer from what is known.

    Parameters
    ----------
    known : measurements and cells of the question's operation and part.
    budgets : the listed budgets, from which the next larger ones are offered.
    """
    from tightfit.budgets import under

    budgets = under(budgets, known.only)
    budget = known.narrowed(question.budget)
    best = known.best(budget)
    context = {
        "limited_by": _limits(budget, best, known),
        "offers": _offers(budget, best, known, budgets),
        "c_alone": best_contender(known.baselines, budget),
        "external": _outdoing(known.externals, budget, best),
        "c_measured": sum(contender.origin == BASELINE for contender in known.contenders),
    }
    if best is None:
        proof = impossible(budget, known)
        status = IMPOSSIBLE if proof else UNEXPLORED
        certificate = proof or _unproved(known)
        return Answer(question, status, certificate=certificate, least=_least(budget, known), **context)
    satiated_by = _satiated_by(budget, best, known)
    return Answer(
        question=question,
        status=SATIATED if satiated_by else FITS,
        measurement=best,
        satiated_by=satiated_by,
        certificate=_certificate(budget, best, known),
        **context,
    )


def _least(budget: Budget, known: Known) -> tuple[Measurement, ...]:
    """The known variants that need the least ROM and the least RAM, within the other bound where any do."""
    free = replace(budget, rom=None, ram=None)
    usable = known.usable if budget.below else known.smallest
    fitting = [measurement for measurement in usable if fits(measurement, free)]
    within_ram = [one for one in fitting if fits(one, replace(budget, rom=None))]
    within_rom = [one for one in fitting if fits(one, replace(budget, ram=None))]
    pools = [pool for pool in (within_ram, within_rom) if pool] or [fitting, fitting]

    def taken(measurement: Measurement) -> tuple[int, int]:
        return sizes(measurement.cost, budget.only)

    keys = (taken, lambda measurement: taken(measurement)[::-1])
    if not within_ram and within_rom:
        keys = keys[1:]
    least = [min(pool, key=key) for pool, key in zip(pools, keys, strict=False) if pool]
    return tuple({one.variant.id: one for one in least}.values())


def best_contender(contenders: Iterable[Contender], budget: Budget) -> Contender | None:
    """The best of the contenders that fit a budget; ties go to the least id."""
    fitting = [contender for contender in contenders if merit.fits(contender.cost, budget)]
    return min(
        fitting, key=lambda contender: (*merit.merit(contender.cost, budget), contender.id), default=None
    )


def _outdoing(contenders: Iterable[Contender], budget: Budget, best: Measurement | None) -> Contender | None:
    """The best contender within a budget, where no variant is as good."""
    rival = best_contender(contenders, budget)
    if rival is None or (best and rank(best, budget) <= merit.merit(rival.cost, budget)):
        return None
    return rival


def same_bounds(one: Budget, other: Budget) -> bool:
    """Whether two budgets ask the same, whatever their names."""
    return _bounds_of(one) == _bounds_of(other)


def _bounds_of(budget: Budget) -> tuple:
    """All that a budget asks, without its name."""
    return budget.rom, budget.ram, budget.objective, budget.only, tuple(sorted(budget.below.items()))


def _certificate(budget: Budget, best: Measurement, known: Known) -> Certificate | None:
    """The certificate of the budget's own cell, of one that covers it, or of the front, else none."""
    own = known.cells_of(budget)
    proved = (cell for cell in known.cells if cell.certificate.proved)
    for cell in chain(own, proved):
        if _covers(cell, budget, best, known):
            return cell.certificate
    front = _front(budget, known)
    if front and _is_best_of_all(best, budget, known):
        return _by_front(front, budget, best, known)
    return _unproved(known)


def _front(budget: Budget, known: Known) -> Front | None:
    """The front that answers a budget.

    None does for bounds on single entries, nor where a variant that destroys the key hides one that keeps it.
    """
    if budget.below or any(measurement.destroys_key for measurement in known.measurements):
        return None
    only = searched(budget.only)
    return next((front for front in known.fronts if front.only == only), None)


def _by_front(front: Front, budget: Budget, best: Measurement | None, known: Known) -> Certificate:
    """What a front proves of a budget, `best` being the best variant that is known.

    Where a limit left it open, nothing is faster than the bounds of the stretch and of the wider cells.
    """
    asked = budget
    if best is not None and budget.objective == "rom":
        asked = replace(budget, rom=sizes(best.cost, budget.only)[0] - 1)
    stretches = [stretch for stretch in front.open if stretch.holds(asked)]
    whole = front.certificate.measured >= int(front.certificate.space)
    kind = ("infeasible" if best is None else "optimal") + ("" if whole else " under additivity")
    bound = rank(best, budget)[0] if best is not None else None
    proof = replace(front.certificate, kind=kind, proved=True, bound=bound, least_rom=None, least_ram=None)
    if not stretches:
        return proof
    wider = [cell.certificate.bound for cell in known.cells if _bounds(cell, budget)]
    bounds = [bound for bound in (*wider, *(each.bound for each in stretches)) if bound is not None]
    bound = max(bounds, default=None) if budget.objective == "cycles" else None
    return replace(proof, kind="none" if best is None else "best found", proved=False, bound=bound)


def _bounds(cell: Cell, budget: Budget) -> bool:
    """Whether nothing within the budget is faster than the bound of the cell."""
    return (
        cell.budget.objective == "cycles"
        and not cell.budget.below
        and cell.variant_id is not None
        and contains(cell.budget, budget)
    )


def _is_best_of_all(best: Measurement, budget: Budget, known: Known) -> bool:
    """Whether no known variant is better, not even one left out by a condition that no search closes."""
    budget = replace(budget, only=searched(budget.only))
    other = known.all.best(budget)
    return other is None or rank(best, budget)[0] <= rank(other, budget)[0]


def _covers(cell: Cell, budget: Budget, best: Measurement, known: Known) -> bool:
    """Whether the cell's budget contains this one, and its proof holds for `best` too."""
    winner = known.winner(cell)
    return (
        winner is not None
        and cell.budget.objective == budget.objective
        and contains(cell.budget, budget)
        and rank(winner, budget)[0] == rank(best, budget)[0]
    )


def _unproved(known: Known) -> Certificate | None:
    """A certificate that says only how many variants there are and how many were measured.

    The search measured more of them than the portfolio keeps.
    """
    if not known.cells:
        return None
    return replace(
        known.cells[0].certificate,
        proved=False,
        kind="none",
        measured=max(len(known.measurements), *(cell.certificate.measured for cell in known.cells)),
        exact=0,
        bound=None,
        margin=0,
        deterministic_time=0.0,
        least_rom=None,
        least_ram=None,
    )


def impossible(budget: Budget, known: Known) -> Certificate | None:
    """The certificate of a cell that rules this budget out, or of the front; None where it is not proved."""
    proved = [cell for cell in known.cells if cell.certificate.proved]
    for cell in proved:
        if cell.status == IMPOSSIBLE and contains(cell.budget, budget):
            return cell.certificate
    for cell in proved:
        if cell.status == IMPOSSIBLE and _is_below_all(budget, cell.certificate):
            return cell.certificate
        if _is_below_least_rom(budget, cell, known):
            kind = cell.certificate.kind.replace("optimal", "infeasible")
            return replace(cell.certificate, kind=kind, bound=None)
    front = _front(budget, known)
    if front is None or known.all.best(replace(budget, only=searched(budget.only))) is not None:
        return None
    proof = _by_front(front, budget, None, known)
    return proof if proof.proved else None


def _is_below_all(budget: Budget, certificate: Certificate) -> bool:
    """Whether one bound is less than every variant of the space takes, whatever the other bound is."""
    reach = ((budget.rom, certificate.least_rom), (budget.ram, certificate.least_ram))
    return any(least is not None and _size(bound) < least for bound, least in reach)


def _is_below_least_rom(budget: Budget, cell: Cell, known: Known) -> bool:
    """Whether a cell of least ROM shows that no variant within the RAM has as little ROM as the budget."""
    winner = known.winner(cell)
    return (
        winner is not None
        and cell.budget.objective == "rom"
        and contains(cell.budget, budget)
        and _size(budget.rom) < sizes(winner.cost, cell.budget.only)[0]
    )


def _satiated_by(budget: Budget, best: Measurement, known: Known) -> str | None:
    """Name of the smallest budget that reaches the same figure; neither of its bounds is larger."""
    if budget.objective != "cycles" or budget.below:
        own = known.cells_of(budget)
        return own[0].satiated_by if own else None
    asked = _size(budget.rom), _size(budget.ram)
    for candidate in known.by_bounds:
        rom, ram = _size(candidate.rom), _size(candidate.ram)
        if candidate.only != budget.only or rom > asked[0] or ram > asked[1] or (rom, ram) == asked:
            continue
        reached = known.best(candidate)
        if reached is not None and reached.cost.cycles == best.cost.cycles:
            return candidate.name
    return None


def _size(bound: int | None) -> float:
    return float("inf") if bound is None else bound


def _limits(budget: Budget, best: Measurement | None, known: Known) -> tuple[str, ...]:
    """The bounds that keep out a better known variant."""
    free = {"rom": replace(budget, rom=None), "ram": replace(budget, ram=None)}
    bounded = [bound for bound in free if getattr(budget, bound) is not None]
    alone = tuple(bound for bound in bounded if _better(known.best(free[bound]), best, budget))
    if alone or len(bounded) < 2:
        return alone
    return ("both",) if _better(known.best(replace(budget, rom=None, ram=None)), best, budget) else ()


def _better(candidate: Measurement | None, best: Measurement | None, budget: Budget) -> bool:
    if candidate is None or best is None:
        return candidate is not None
    return rank(candidate, budget)[0] < rank(best, budget)[0]


def _offers(
    budget: Budget, best: Measurement | None, known: Known, budgets: Sequence[Budget]
) -> tuple[Offer, ...]:
    """Along each bound the first listed budget that reaches something better."""
    listed = [
        candidate for candidate in budgets if candidate.objective == budget.objective and not candidate.below
    ]
    offers = []
    for bound in ("rom", "ram"):
        sizes = sorted({_size(getattr(candidate, bound)) for candidate in listed})
        for size in sizes:
            if size <= _size(getattr(budget, bound)):
                continue
            step = replace(budget, name="", **{bound: None if size == float("inf") else int(size)})
            reached = known.best(step)
            if _better(reached, best, budget):
                offers.append(Offer(bound, _named(step, listed), reached))
                break
    return tuple(offers) or _offer_of_both(budget, best, known, listed)


def _offer_of_both(
    budget: Budget, best: Measurement | None, known: Known, listed: Sequence[Budget]
) -> tuple[Offer, ...]:
    """The smallest listed budget, larger in both bounds, that reaches something better."""
    larger = [
        candidate
        for candidate in listed
        if contains(candidate, replace(budget, below={})) and not same_bounds(candidate, budget)
    ]
    for candidate in sorted(larger, key=lambda candidate: (_size(candidate.rom), _size(candidate.ram))):
        step = replace(candidate, below=budget.below)
        reached = known.best(step)
        if _better(reached, best, budget):
            return (Offer("both", candidate, reached),)
    return ()


def _named(step: Budget, listed: Sequence[Budget]) -> Budget:
    """The step under its name in the list, or under a name made of its bounds."""
    from tightfit.budgets import name_of

    match = [candidate for candidate in listed if same_bounds(candidate, step)]
    return match[0] if match else replace(step, name=name_of(step))
