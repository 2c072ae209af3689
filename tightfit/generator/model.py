"""The solver's view of one template: knobs, constraints, one Boolean a key, and sums of lower bounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from ortools.sat.python import cp_model

from .knowledge import ROM, STACK, Knowledge
from .relations import Relation, Value
from .space import TemplateSpec
from .structure import Scope, project
from .tables import Key

RAM, RANK, CYCLES = "ram", "rank", "cycles"
RANK_LIMIT = 2**60


@dataclass(frozen=True)
class SolverSettings:
    """Everything that decides the solver's answers; limits are deterministic, never wall-clock."""

    seed: int = 1
    solve_limit: float = 20.0


@dataclass(frozen=True)
class Proposal:
    """Answer of one solve.

    `knobs` is None where there is none; `bound` is a lower bound on what was minimised, None where there is
    no variant at all; `closed` tells that the bound is proved.
    """

    knobs: dict[str, Value] | None
    bound: int | None
    closed: bool
    deterministic_time: float


@dataclass(frozen=True)
class _Sum:
    """A quantity as a sum over keys: constant, and (scope, key) -> coefficient."""

    constant: int
    terms: Mapping[tuple[Scope, Key], int]


class Model:
    """CP-SAT model of one template, as far as its costs are known.

    Quantities that can be bounded and minimised: "rom" and "ram" in bytes, "cycles" (the ranked entries) and
    every single entry in cycles over all timing inputs, and "rank", the place in the order of knob values.
    """

    def __init__(self, knowledge: Knowledge, excluded: Iterable[Key], settings: SolverSettings) -> None:
        self.spec, self.operation, self.settings = knowledge.spec, knowledge.operation, settings
        self._model = cp_model.CpModel()
        self._literals = self._add_knobs()
        self._add_relations(self.spec.relations(self.operation))
        self._quantities = self._add_quantities(_sums(knowledge))
        for key in excluded:
            self.exclude(key)

    def copy(self) -> "Model":
        """A model of its own, to exclude more from."""
        twin = copy(self)
        twin._model = self._model.clone()
        return twin

    def exclude(self, key: Key) -> None:
        """Cut one variant, given by its knob values in order."""
        literals = [self._literals[knob, value] for knob, value in zip(self.spec.knobs, key, strict=True)]
        own = [self._model.get_bool_var_from_proto_index(literal.index) for literal in literals]
        self._model.add_bool_or([literal.negated() for literal in own])

    def solve(self, minimise: str, limits: Mapping[str, int], deterministic_limit: float) -> Proposal:
        """The variant of the least lower bound on `minimise` with every quantity at or under its limit."""
        model = self._model.clone()
        for name, limit in limits.items():
            variable = self._quantities.get(name)
            if variable is not None:
                model.add(model.get_int_var_from_proto_index(variable.index) <= limit)
        objective = self._quantities[minimise]
        model.minimize(model.get_int_var_from_proto_index(objective.index))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = self.settings.seed
        solver.parameters.max_deterministic_time = min(self.settings.solve_limit, deterministic_limit)
        solver.parameters.linearization_level = 2
        solver.parameters.cp_model_probing_level = 0
        status = solver.solve(model)
        spent = round(
            solver.response_proto.deterministic_time, 6
        )  # the last digits depend on memory addresses
        if status == cp_model.INFEASIBLE:
            return Proposal(None, None, True, spent)
        bound = round(solver.best_objective_bound)
        if status == cp_model.UNKNOWN:
            return Proposal(None, bound, False, spent)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise RuntimeError(f"the solver refused its model: {model.validate()}")
        chosen = {
            knob.name: next(v for v in knob.values if solver.boolean_value(self._literals[knob.name, v]))
            for knob in self.spec.knobs.values()
        }
        return Proposal(chosen, bound, status == cp_model.OPTIMAL, spent)

    def _add_knobs(self) -> dict[tuple[str, Value], cp_model.IntVar]:
        literals = {}
        for knob in self.spec.knobs.values():
            for value in knob.values:
                literals[knob.name, value] = self._model.new_bool_var(f"{knob.name}={value}")
            self._model.add_exactly_one(literals[knob.name, value] for value in knob.values)
        return literals

    def _add_relations(self, relations: Sequence[Relation]) -> None:
        for rule in relations:
            if rule.scope:
                self._add_selection(rule.scope, sorted(rule.allowed, key=self._ranks(rule.scope)))
            elif () not in rule.allowed:
                self._model.add_bool_or([])

    def _add_selection(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, cp_model.IntVar]:
        """One Boolean a key, of which exactly one holds: the one that the knobs' values make."""
        if len(scope) == 1:
            found = {key: self._literals[scope[0], key[0]] for key in keys}
            for value in self.spec.knobs[scope[0]].values:
                if (value,) not in found:
                    self._model.add_bool_or([self._literals[scope[0], value].negated()])
            return found
        found = {key: self._model.new_bool_var(f"{scope}={key}") for key in keys}
        self._model.add_exactly_one(found.values())
        for at, knob in enumerate(scope):
            for value in self.spec.knobs[knob].values:
                holders = [literal for key, literal in found.items() if key[at] == value]
                self._model.add(sum(holders) == self._literals[knob, value])
        return found

    def _add_quantities(self, sums: Mapping[str, _Sum]) -> dict[str, cp_model.IntVar]:
        selections = {}
        for scope, keys in _groups(sums, self.spec, self.operation).items():
            selections[scope] = self._add_selection(scope, keys)
        return {name: self._add_sum(name, total, selections) for name, total in sums.items()} | {
            RANK: self._add_rank()
        }

    def _add_sum(self, name: str, total: _Sum, selections: Mapping[Scope, Mapping[Key, cp_model.IntVar]]):
        literals, weights = [], []
        homes = {
            scope: _home(scope, selections) for scope in dict.fromkeys(scope for scope, _ in total.terms)
        }
        for scope, home in homes.items():
            at = project(scope, home)
            for key, literal in selections[home].items():
                if weight := total.terms.get((scope, tuple(key[i] for i in at)), 0):
                    literals.append(literal)
                    weights.append(weight)
        lowest = total.constant + sum(min(0, weight) for weight in weights)
        highest = total.constant + sum(max(0, weight) for weight in weights)
        variable = self._model.new_int_var(lowest, highest, name)
        expression = cp_model.LinearExpr.weighted_sum(literals, weights) if literals else 0
        self._model.add(variable == expression + total.constant)
        return variable

    def _add_rank(self) -> cp_model.IntVar:
        """Place in the lexicographic order; the last knobs are left out where it would overflow."""
        literals, weights, highest = [], [], 0
        for knob, weight in _weights(self.spec):
            highest += weight * (len(knob.values) - 1)
            for i, value in enumerate(knob.values):
                literals.append(self._literals[knob.name, value])
                weights.append(weight * i)
        variable = self._model.new_int_var(0, highest, RANK)
        self._model.add(variable == (cp_model.LinearExpr.weighted_sum(literals, weights) if literals else 0))
        return variable

    def _ranks(self, scope: Scope):
        order = [{value: i for i, value in enumerate(self.spec.knobs[knob].values)} for knob in scope]
        return lambda key: tuple(order[i][value] for i, value in enumerate(key))


def rank(spec: TemplateSpec, knobs: Mapping[str, Value]) -> int:
    """Place of a variant in the lexicographic order of knob values."""
    return sum(weight * knob.values.index(knobs[knob.name]) for knob, weight in _weights(spec))


def _weights(spec: TemplateSpec) -> Iterator[tuple]:
    knobs = list(spec.knobs.values())
    size, kept = 1, 0
    for knob in knobs:
        if size * len(knob.values) > RANK_LIMIT:
            break
        size, kept = size * len(knob.values), kept + 1
    for knob in knobs[:kept]:
        size //= len(knob.values)
        yield knob, size


def _sums(knowledge: Knowledge) -> dict[str, _Sum]:
    """Lower bounds of every quantity, key by key."""
    entries = {part.kind for part in knowledge.parts} - {ROM, STACK}
    tables: dict[str, list[tuple[Scope, Mapping[Key, int]]]] = {
        name: [] for name in (ROM, RAM, CYCLES, *entries)
    }
    for part in knowledge.parts:
        for name in _counted_in(part.kind, knowledge.ranked):
            tables[name] += knowledge.lower_bounds(part)
    tables[RAM] += knowledge.declared_ram()
    return {name: _sum(found) for name, found in sorted(tables.items())}


def _counted_in(kind: str, ranked: tuple[str, ...]) -> list[str]:
    if kind == STACK:
        return [RAM]
    return [kind, CYCLES] if kind in ranked else [kind]


def _sum(tables: Iterable[tuple[Scope, Mapping[Key, int]]]) -> _Sum:
    constant, terms = 0, {}
    for scope, values in tables:
        if not scope:
            constant += values.get((), 0)
            continue
        for key, amount in values.items():
            if amount:
                terms[scope, key] = terms.get((scope, key), 0) + amount
    return _Sum(constant, terms)


def _groups(sums: Mapping[str, _Sum], spec: TemplateSpec, operation: str) -> dict[Scope, list[Key]]:
    """The widest scopes, which between them hold all others, with their keys."""
    scopes = {scope for total in sums.values() for scope, _ in total.terms}
    homes: dict[Scope, list[Key]] = {}
    for scope in sorted(scopes, key=lambda found: (-len(found), found)):
        if not any(set(scope) <= set(home) for home in homes):
            homes[scope] = list(spec.keys(scope, operation))
    return homes


def _home(scope: Scope, homes: Iterable[Scope]) -> Scope:
    return min((home for home in homes if set(scope) <= set(home)), key=lambda home: (len(home), home))
