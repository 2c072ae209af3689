"""The exact search: survey, propose, measure, absorb, until no proposal's bound beats the best measured."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from tightfit.conditions import ANY_ADDRESS, CONDITIONS, meets, padded, searched, sizes
from tightfit.errors import UsageError
from tightfit.records import Budget, Cell, Cost, Front, Measurement, Variant

from .certificate import Closure, Evidence, cells
from .doubts import ENOUGH, doubts
from .knowledge import PADDED_RAM, PADDED_ROM, RAM_PADDING, ROM, ROM_PADDING, STACK, Knowledge
from .merit import fits, merit, widest_first, within
from .model import CYCLES, RAM, RANK, Model, Proposal, SolverSettings
from .order import rank
from .pieces import Path
from .relations import Value
from .rendering import render
from .space import Space, TemplateSpec
from .survey import Survey, survey_size
from .tables import Key, key_of
from .tracing import Prover, Trace, fronts, trace

Measure = Callable[[Sequence[Variant]], list[Measurement]]


@dataclass(frozen=True)
class SearchSettings:
    """Everything that decides what is proposed; none of it depends on the number of workers.

    Attributes
    ----------
    batch : variants proposed at a time.
    enumerate_below : spaces of at most this many variants are measured whole.
    enumerate_beside : in larger spaces, the smallest templates with at most this many variants together.
    survey_limit : variants measured in the survey of one template.
    cell_limit : variants measured for one budget after the survey.
    margin_limit : variants measured for one budget to close it even if its sums are wrong by the margin.
    margin_total : the same for all budgets together.
    doubt_limit : variants with values that were always rejected, measured for all budgets together.
    front_cuts : bytes of ROM that cut a front into strips, unless all variants are measured.
    front_effort : CP-SAT's deterministic seconds for one strip of a front, after which no budget is begun.
    deterministic_limit : CP-SAT's deterministic seconds for one budget.
    solve_limit : the same for one solve.
    """

    batch: int = 8
    enumerate_below: int = 4096
    enumerate_beside: int = 64
    survey_limit: int = 1024
    cell_limit: int = 512
    margin_limit: int = 128
    margin_total: int = 512
    doubt_limit: int = 64
    front_cuts: tuple[int, ...] = (512, 768, 1024, 1280, 1536, 2048, 3072, 4096)
    front_effort: float = 20.0
    deterministic_limit: float = 120.0
    solve_limit: float = 10.0
    seed: int = 1


@dataclass(frozen=True)
class Event:
    """Progress: `stage` is "survey", "enumerate", "propose" or "cell"; `total` is None where unknown.

    `status` is "closed" or "open" where a budget's search has ended.
    """

    stage: str
    operation: str
    measured: int
    total: int | None = None
    budget: str | None = None
    status: str | None = None


@dataclass
class _Template:
    """One template in the search: its measured variants, what they taught, and its model."""

    place: int
    spec: TemplateSpec
    whole: bool
    knowledge: Knowledge
    seen: dict[Key, Measurement] = field(default_factory=dict)
    doubts: list[Path] = field(default_factory=list)
    models: dict[bool, Model] = field(default_factory=dict)
    models_of: int = -1

    def key(self, knobs: Mapping[str, Value]) -> Key:
        return key_of(knobs, tuple(self.spec.knobs))


@dataclass(frozen=True)
class Found:
    """What a search found of an operation: one cell for each budget, and fronts."""

    cells: list[Cell]
    fronts: list[Front]


def fill_cells(
    space: Space,
    operation: str,
    part: str,
    budgets: Sequence[Budget],
    measure: Measure,
    *,
    settings: SearchSettings | None = None,
    progress: Callable[[Event], None] = lambda event: None,
) -> list[Cell]:
    """The cells of `search`, without fronts."""
    return search(space, operation, part, budgets, measure, settings=settings, progress=progress).cells


def search(
    space: Space,
    operation: str,
    part: str,
    budgets: Sequence[Budget],
    measure: Measure,
    *,
    under: Sequence[tuple[str, ...]] = (),
    settings: SearchSettings | None = None,
    progress: Callable[[Event], None] = lambda event: None,
) -> Found:
    """The cells of an operation, one for each budget, in the order of `budgets`, and its fronts.

    Parameters
    ----------
    measure : measures variants and answers in their order; may answer from a cache.
    under : sets of conditions; for each one the front is traced, which answers every budget under it.
    progress : is told what happens; it has no influence on the search.

    Raises
    ------
    UsageError
        Where no template offers the operation.
    """
    if not space.of(operation):
        raise UsageError(
            f"{space.primitive} on {space.target}: expected an operation that a template offers, "
            f"found {operation!r}"
        )
    searching = _Search(space, operation, part, measure, settings or SearchSettings(), progress)
    searching.learn()
    closures, traces = searching.settled(sorted(budgets, key=widest_first), sorted(under, key=len))
    evidence = searching.evidence(closures)
    return Found(
        cells(space, operation, part, budgets, evidence), fronts(space, operation, part, traces, evidence)
    )


class _Search:
    def __init__(self, space, operation, part, measure, settings, progress) -> None:
        self.space: Space = space
        self.operation: str = operation
        self.part: str = part
        self.settings: SearchSettings = settings
        self._measure: Measure = measure
        self._progress: Callable[[Event], None] = progress
        self._solver = SolverSettings(settings.seed, settings.solve_limit)
        self._closures: dict[Budget, Closure] = {}
        self._ranked: dict[tuple[str, bool], tuple[int, list]] = {}
        self._doubts_left, self._margin_left = settings.doubt_limit, settings.margin_total
        self.unit: int | None = None
        whole = self._small_templates()
        self.templates = [
            _Template(place, spec, spec.name in whole, Knowledge(spec, operation))
            for place, spec in enumerate(space.of(operation))
            if spec.count(operation)
        ]

    def _small_templates(self) -> set[str]:
        """As many templates, the smallest first, as can be measured whole."""
        counts = sorted((spec.count(self.operation), spec.name) for spec in self.space.of(self.operation))
        small, left = set(), self.settings.enumerate_below
        if sum(count for count, _ in counts) > left:
            left = min(left, self.settings.enumerate_beside)
        for count, name in counts:
            left -= count
            if left >= 0:
                small.add(name)
        return small

    @property
    def measured(self) -> int:
        return sum(len(template.seen) for template in self.templates)

    def learn(self) -> None:
        """Measure the small templates whole and survey the others."""
        for template in self.templates:
            if template.whole:
                self._enumerate(template)
            else:
                self._survey(template)

    def settled(
        self, budgets: Sequence[Budget], under: Sequence[tuple[str, ...]]
    ) -> tuple[list[Closure], list[Trace]]:
        """Every budget closed, every front traced; again where later measurements showed other margins."""
        while True:
            margins = self.margins()
            closures = [self.close(budget) for budget in budgets]
            traces = [self._traced(only) for only in under]
            if self.margins() == margins:
                return closures, traces

    @property
    def _modelled(self) -> bool:
        """Whether some templates are not measured whole."""
        return any(not template.whole for template in self.templates)

    def _traced(self, only: tuple[str, ...]) -> Trace:
        def known(names: tuple[str, ...]) -> list[Measurement]:
            widest = Budget("", None, None, only=names)
            return [m for _, m in self._by_merit(widest) if meets(m.cost, names)]

        prover = Prover(self.close, known, lambda measurement: self.reached(measurement)[CYCLES])
        if not self._modelled:
            return trace(only, prover, (), inf)
        return trace(only, prover, self.settings.front_cuts, self.settings.front_effort)

    def close(self, budget: Budget, limit: float = inf) -> Closure:
        """Search a budget until no variant can be better than its best one, or a limit is reached.

        What was closed before under the margins of now stays. `limit` are deterministic seconds, where they
        are fewer than the settings allow.
        """
        limit = min(limit, self.settings.deterministic_limit)
        earlier = self._closures.get(budget)
        if earlier is None:
            closure = self._inherited(budget) or self._searched(budget, limit)
        elif earlier.slack in (None, self.margins()):
            return earlier
        else:
            closure = self._inherited(budget) or self._widened(earlier, limit)
        self._closures[budget] = closure
        self._tell("cell", budget=budget.name, status="closed" if closure.closed else "open")
        return closure

    def best(self, budget: Budget) -> tuple[_Template, Measurement] | None:
        """The best measured variant; among equals, the first in the order of templates and knob values."""
        ranked = self._by_merit(budget)
        return next(((t, m) for t, m in ranked if fits(m.cost, budget)), None)

    def _by_merit(self, budget: Budget) -> list[tuple[_Template, Measurement]]:
        """All measured variants in the order in which a budget prefers them, kept until more are measured."""
        order = budget.objective, padded(budget.only)
        measured, ranked = self._ranked.get(order, (-1, []))
        if measured != self.measured:
            ranked = [(t, m) for t in self.templates for m in t.seen.values() if m.cost is not None]

            def preference(item: tuple[_Template, Measurement]) -> tuple:
                template, measurement = item
                place = template.place, rank(template.spec, measurement.variant.knobs)
                return *merit(measurement.cost, budget), *place

            ranked.sort(key=preference)
            self._ranked[order] = self.measured, ranked
        return ranked

    def evidence(self, closures: Sequence[Closure]) -> Evidence:
        """What the search knows at its end; the best variants are looked up again among all measured."""
        final = [
            replace(c, best=best and best[1]) for c, best in ((c, self.best(c.budget)) for c in closures)
        ]
        modelled = [template.knowledge for template in self.templates if not template.whole]
        impossible = any(closure.best is None for closure in final)
        return Evidence(
            closures={closure.budget.name: closure for closure in final},
            whole=not modelled,
            measured=self.measured,
            exact=sum(knowledge.excess()[1] for knowledge in modelled),
            margins=self.margins(),
            unit=self.unit or 1,
            least_rom=self.least(ROM) if impossible else None,
            least_ram=self.least(RAM) if impossible else None,
            seed=self.settings.seed,
            deterministic_limit=self.settings.deterministic_limit,
        )

    def _enumerate(self, template: _Template) -> None:
        total = template.spec.count(self.operation)
        batch: list[dict[str, Value]] = []
        for knobs in template.spec.variants(self.operation):
            batch.append(knobs)
            if len(batch) == 32 * self.settings.batch:
                self._take([(template, knobs) for knobs in batch])
                self._tell("enumerate", total=total)
                batch = []
        self._take([(template, knobs) for knobs in batch])
        self._tell("enumerate", total=total)

    def _survey(self, template: _Template) -> None:
        survey = Survey(template.knowledge, self.settings.seed)
        batch = survey.first(survey_size(template.spec, self.operation))
        while batch and len(template.seen) < self.settings.survey_limit:
            self._take([(template, knobs) for knobs in batch])
            self._tell("survey")
            batch = survey.next(self.settings.batch)

    def _inherited(self, budget: Budget) -> Closure | None:
        """The closure of a wider budget, if its best variant fits this budget too: that is proof enough."""
        margins, best = self.margins(), self.best(budget)
        for closure in self._closures.values():
            wider = closure.budget
            if not closure.closed or closure.slack != margins or not within(budget, wider):
                continue
            if closure.best is None or (
                (wider.objective, padded(wider.only)) == (budget.objective, padded(budget.only))
                and best is not None
                and best[1].variant.id == closure.best.variant.id
            ):
                return replace(closure, budget=budget, best=best and best[1])
        return None

    def _searched(self, budget: Budget, limit: float) -> Closure:
        """Close the budget by the sums as they are, then as if they were wrong by the margin.

        Variants that resemble rejected ones come last, and are left open where they are too many to measure.
        """
        closure = self._pursued(budget, {}, self.settings.cell_limit, limit, careful=True)
        if any(template.doubts for template in self.templates):
            before, left = self.measured, limit - closure.deterministic_time
            closure = closure.then(self._pursued(budget, {}, self._doubts_left, left))
            self._doubts_left -= self.measured - before
        return self._widened(closure, limit) if closure.closed else closure

    def _widened(self, closure: Closure, limit: float) -> Closure:
        """Close a budget even if its sums are wrong by the margin; it stays open where a limit is met."""
        settings, slack = self.settings, self.margins()
        if not any(slack.values()):
            return replace(closure, closed=True, slack=slack)
        before, left = self.measured, limit - closure.deterministic_time
        candidates = min(settings.margin_limit, self._margin_left)
        wider = self._pursued(closure.budget, slack, candidates, left)
        self._margin_left -= self.measured - before
        return closure.then(replace(wider, slack=slack))

    def margins(self) -> dict[str, int]:
        """How far sums of parts exceed the whole, by quantity: bytes, or cycles over all inputs."""
        margins: dict[str, int] = {}
        for template in self.templates:
            for kind, amount in template.knowledge.excess()[0].items():
                if kind not in (ROM_PADDING, RAM_PADDING):
                    name = RAM if kind == STACK else kind
                    margins[name] = max(margins.get(name, 0), amount)
        return margins

    def _pursued(
        self,
        budget: Budget,
        slack: Mapping[str, int],
        candidates: int,
        limit: float,
        careful: bool = False,
    ) -> Closure:
        """Propose and measure until nothing is left, `candidates` are measured, or the limit is reached."""
        spent, before = 0.0, self.measured
        while True:
            best = self.best(budget)
            batch = _Batch(self, budget, best, slack, limit - spent, careful)
            proposals = batch.proposals()
            spent += batch.spent
            if not proposals or self.measured - before >= candidates:
                return Closure(budget, best and best[1], batch.proved and not proposals, batch.bound, spent)
            self._take(proposals)
            self._tell("propose", budget=budget.name)

    def model_of(self, template: _Template, careful: bool = False) -> Model:
        """The model of a template as of now; a careful one leaves out what is in doubt."""
        if template.models_of != len(template.seen):
            model = Model(template.knowledge, template.seen, self._solver)
            if False in template.models:
                model.inherit(template.models[False])
            template.models, template.models_of = {False: model}, len(template.seen)
            rejected = [m.variant.knobs for m in template.seen.values() if m.cost is None]
            accepted = (m.variant.knobs for m in template.seen.values() if m.cost is not None)
            template.doubts = doubts(accepted, rejected) if len(rejected) >= ENOUGH else []
        if not careful or not template.doubts:
            return template.models[False]
        if True not in template.models:
            template.models[True] = template.models[False].copy()
            template.models[True].forbid(template.doubts)
        return template.models[True]

    def least(self, name: str) -> int | None:
        """Bytes of "rom" or "ram" below which no variant goes, by the sums; None where no variant works."""
        accepted = (
            m.cost for template in self.templates for m in template.seen.values() if m.cost is not None
        )
        bounds = [cost.rom if name == ROM else cost.ram for cost in accepted]
        for template in self.templates:
            if not template.whole:
                bound = self.model_of(template).solve(name, {}, self.settings.deterministic_limit).bound
                bounds += [] if bound is None else [bound]
        return min(bounds, default=None)

    def _take(self, proposals: Sequence[tuple[_Template, Mapping[str, Value]]]) -> None:
        """Measure what is new among the proposals and absorb it in their order."""
        fresh = {
            (template.place, template.key(knobs)): (template, self._variant(template, knobs))
            for template, knobs in proposals
            if template.key(knobs) not in template.seen
        }
        measurements = self._measure([variant for _, variant in fresh.values()]) if fresh else []
        learned: dict[int, list] = {}
        for (template, variant), measurement in zip(fresh.values(), measurements, strict=True):
            template.seen[template.key(variant.knobs)] = measurement
            self._count_over(measurement.cost)
            if measurement.cost is not None and not template.whole:
                rendered = render(variant, markers=False, space=self.space)
                learned.setdefault(template.place, []).append((measurement, rendered))
        for template in self.templates:
            if template.place in learned:
                template.knowledge.absorb(learned[template.place])

    def _count_over(self, cost: Cost | None) -> None:
        """Fix the number of timing inputs that cycles are counted over, once it is known."""
        if self.unit is None and cost is not None:
            self.unit = cost.by_entry[cost.ranked[0]].inputs
            for template in self.templates:
                template.knowledge.unit = self.unit

    def reached(self, measurement: Measurement) -> dict[str, int]:
        """What a variant costs in the model's units."""
        cost = measurement.cost
        cycles = sum(t.total * self.unit // t.inputs for t in (cost.by_entry[entry] for entry in cost.ranked))
        padded_rom, padded_ram = sizes(cost, [ANY_ADDRESS])
        return {
            ROM: cost.rom,
            RAM: cost.ram,
            CYCLES: cycles,
            PADDED_ROM: padded_rom,
            PADDED_RAM: padded_ram,
        }

    def _variant(self, template: _Template, knobs: Mapping[str, Value]) -> Variant:
        return Variant(
            self.space.target, self.part, self.space.primitive, self.operation, template.spec.name, knobs
        )

    def _tell(self, stage: str, **more) -> None:
        self._progress(Event(stage, self.operation, self.measured, **more))


class _Batch:
    """One round of proposals for a budget: variants that may be better than the best measured, by the sums.

    Attributes
    ----------
    bound : least bound on the objective over what is not measured, None where nothing is left.
    proved : whether every solve ended with a proof.
    spent : deterministic time used.
    """

    def __init__(
        self, search: _Search, budget: Budget, best, slack: Mapping[str, int], limit: float, careful: bool
    ) -> None:
        self._search, self._budget, self._best, self._slack, self._limit = search, budget, best, slack, limit
        self._careful = careful
        self.bound: int | None = None
        self.proved = True
        self.spent = 0.0
        self._unproved: list[int] = []

    def proposals(self) -> list[tuple[_Template, dict[str, Value]]]:
        """Distinct unmeasured variants by their bounds, at most a batch; none where all is proved.

        A variant whose parts are all known is proposed alone: if it costs what they say, it is the best.
        """
        for number, (minimise, limits) in enumerate(self._stages()):
            proposals, least = self._stage(minimise, limits)
            self.bound = least if number == 0 else self.bound
            if proposals or not self.proved:
                return proposals
        return []

    def _stages(self) -> list[tuple[str, dict[str, int]]]:
        """What to minimise under which limits, in turn: the objective, then quantities that break ties."""
        rom, ram = _sizes(self._budget)
        order = (rom, CYCLES, ram) if self._budget.objective == "rom" else (CYCLES, rom, ram)
        if self._best is None:
            return [(order[0], {})]
        reached = self._search.reached(self._best[1])
        stages, limits = [], {}
        for name in order:
            slack = 0 if stages else self._slack.get(name, 0)
            stages.append((name, {**limits, name: reached[name] - 1 + slack}))
            limits[name] = reached[name]
        return [*stages, (RANK, limits)]

    def _stage(self, minimise: str, limits: Mapping[str, int]):
        waiting: list[tuple[int, int, _Template, dict[str, Value], Model]] = []
        proposals: list[tuple[_Template, dict[str, Value]]] = []
        for template in self._open_templates(minimise):
            self._ask(template, self._search.model_of(template, self._careful), minimise, limits, waiting)
        least = min([*(item[0] for item in waiting), *self._unproved], default=None)
        while waiting and len(proposals) < self._search.settings.batch:
            waiting.sort(key=lambda item: item[:2])
            _, _, template, knobs, model = waiting.pop(0)
            proposals.append((template, knobs))
            if not any(self._slack.values()) and template.knowledge.foreseen(knobs):
                break
            model = model.copy()
            model.exclude(template.key(knobs))
            if len(proposals) < self._search.settings.batch:
                self._ask(template, model, minimise, limits, waiting)
        return proposals, least

    def _ask(
        self, template: _Template, model: Model, minimise: str, limits: Mapping[str, int], waiting: list
    ) -> None:
        left, limits = self._limit - self.spent, self._limits(template, minimise, limits)
        if left > 0:
            answer = model.solve(minimise, limits, left)
        else:
            least = model.proved(minimise, limits)
            answer = Proposal(None, least, least is None, 0.0)
        self.spent += answer.deterministic_time
        self.proved &= answer.closed
        if answer.knobs is None and not answer.closed:
            self._unproved.append(answer.bound)
        if answer.knobs is not None:
            waiting.append((answer.bound, template.place, template, answer.knobs, model))

    def _open_templates(self, minimise: str) -> list[_Template]:
        last = self._best[0].place if minimise == RANK else inf
        return [
            template for template in self._search.templates if not template.whole and template.place <= last
        ]

    def _limits(self, template: _Template, minimise: str, limits: Mapping[str, int]) -> dict[str, int]:
        budget, unit = self._budget, self._search.unit or 1
        sizes = zip(_sizes(budget), (budget.rom, budget.ram), strict=True)
        bounds = {name: bound for name, bound in sizes if bound is not None}
        bounds |= {entry: bound * unit - 1 for entry, bound in budget.below.items()}
        bounds = {name: bound + self._slack.get(name, 0) for name, bound in bounds.items()}
        quantities = {name for only in searched(budget.only) for name in CONDITIONS[only].quantities}
        bounds |= {name: self._slack.get(name, 0) for name in sorted(quantities)}
        for name, bound in limits.items():
            bounds[name] = min(bound, bounds.get(name, bound))
        if minimise == RANK and template is self._best[0]:
            bounds[RANK] = rank(template.spec, self._best[1].variant.knobs) - 1
        return bounds


def _sizes(budget: Budget) -> tuple[str, str]:
    """The quantities that the bounds on ROM and RAM are about."""
    return (PADDED_ROM, PADDED_RAM) if padded(budget.only) else (ROM, RAM)
