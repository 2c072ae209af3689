"""The solver's view of one template: knobs, constraints, one Boolean for each piece, sums of lower bounds."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import product

from ortools.sat.python import cp_model

from tightfit.conditions import BANKS, FLASH_LOOKUPS, LEAKS

from .knowledge import PADDED_RAM, PADDED_ROM, RAM_PADDING, ROM, ROM_PADDING, STACK, Knowledge
from .order import groups, places, rank, weights
from .pieces import Branch, Leaf, Path, cut
from .relations import Relation, Value
from .structure import Scope
from .tables import Key

RAM, RANK, CYCLES = "ram", "rank", "cycles"
_COUNTED_IN = {
    ROM: (ROM, PADDED_ROM),
    STACK: (RAM, PADDED_RAM),
    ROM_PADDING: (PADDED_ROM,),
    RAM_PADDING: (PADDED_RAM,),
}
"""Quantities in which parts of other kinds than entries and leaks are counted."""


@dataclass(frozen=True)
class SolverSettings:
    """Everything that decides the solver's answers; limits are deterministic, never wall-clock."""

    seed: int = 1
    solve_limit: float = 20.0


@dataclass(frozen=True)
class Proposal:
    """Answer of one solve.

    `knobs` is None where no variant was found; `bound` is a lower bound on what was minimised, None where no
    variant is possible; `closed` tells that the bound is proved.
    """

    knobs: dict[str, Value] | None
    bound: int | None
    closed: bool
    deterministic_time: float


NOTHING = Proposal(None, None, True, 0.0)


@dataclass(frozen=True)
class _Sum:
    """A quantity: a constant and the weights of literals, given by their index."""

    constant: int
    weights: Mapping[int, int]


@dataclass(frozen=True)
class _Proof:
    """No variant under these limits is below `bound`; None where no variant is under them."""

    minimised: str
    limits: Mapping[str, int]
    bound: int | None

    def covers(self, minimise: str, limits: Mapping[str, int]) -> bool:
        """Whether the proof answers this question, since the question is about a part of what it covers."""
        return self._within(limits) and (self.bound is None or self.minimised == minimise)

    def _within(self, limits: Mapping[str, int]) -> bool:
        return all(name in limits and limits[name] <= limit for name, limit in self.limits.items())


class Model:
    """CP-SAT model of one template, as far as its costs are known.

    Quantities that can be bounded and minimised: "rom" and "ram" in bytes, "padded rom" and "padded ram" with
    the most that a linker pads, "banks" (the bytes of register banks), "leaks" (the fragments that leak),
    "look-ups" (those that look up at a secret address in flash behind a prefetcher), "cycles" (the ranked
    entries) and every single entry in cycles over all timing inputs, and "rank", the place in the order of
    knob values.
    What was proved is remembered and answers narrower questions without a solve.
    """

    def __init__(self, knowledge: Knowledge, excluded: Iterable[Key], settings: SolverSettings) -> None:
        self.spec, self.operation, self.settings = knowledge.spec, knowledge.operation, settings
        self._model = cp_model.CpModel()
        self._literals: dict[frozenset, cp_model.IntVar] = {}
        self._tied: set[tuple[int, ...]] = set()
        self._proofs: list[_Proof] = []
        self._excluded: set[Key] = set()
        self._add_knobs()
        self._add_relations(self.spec.relations(self.operation))
        self.sums = {name: self._add_sum(tables, knowledge) for name, tables in _tables(knowledge).items()}
        for key in excluded:
            self.exclude(key)

    def copy(self) -> "Model":
        """A copy, from which more can be excluded."""
        twin = copy(self)
        twin._model = self._model.clone()
        twin._proofs, twin._excluded = list(self._proofs), set(self._excluded)
        return twin

    def inherit(self, older: "Model") -> None:
        """Take over what was proved on an older model of the same template, if nothing was learned since."""
        if self.sums == older.sums and list(self._literals) == list(older._literals):
            self._proofs = list(older._proofs)

    def exclude(self, key: Key) -> None:
        """Cut off one variant, given by its knob values in order."""
        if key not in self._excluded:
            self._excluded.add(key)
            self._forbid(self._model, zip(self.spec.knobs, key, strict=True))

    def forbid(self, pieces: Iterable[Path]) -> None:
        """Cut off all variants of these partial assignments."""
        for piece in pieces:
            self._forbid(self._model, piece)

    def solve(self, minimise: str, limits: Mapping[str, int], deterministic_limit: float) -> Proposal:
        """The variant with the least lower bound on `minimise`, every quantity at or under its limit."""
        least = self.proved(minimise, limits)
        if least is None or least > limits.get(minimise, least):
            return NOTHING
        if minimise == RANK:
            return self._first(limits, deterministic_limit)
        model = self._limited(limits)
        model.minimize(self._expression(model, self.sums[minimise]))
        answer = self._solved(model, deterministic_limit)
        if answer.bound is not None:
            answer = replace(answer, bound=max(answer.bound, least))
        if answer.closed:
            self._proofs.append(_Proof(minimise, dict(limits), answer.bound))
        return answer

    def proved(self, minimise: str, limits: Mapping[str, int]) -> int | None:
        """A lower bound from earlier proofs, 0 without any; None where they leave no variant."""
        bounds = [proof.bound for proof in self._proofs if proof.covers(minimise, limits)]
        return None if None in bounds else max(bounds, default=0)

    def _first(self, limits: Mapping[str, int], deterministic_limit: float) -> Proposal:
        """The first variant in order: each run of knobs in turn is brought to its least number."""
        model, spent, least = self._limited(limits), 0.0, 0
        for group in groups(self.spec):
            chosen = {self._at(*item).index: weight for item, weight in weights(group).items()}
            model.clear_objective()
            model.minimize(self._expression(model, _Sum(0, chosen)))
            answer = self._solved(model, deterministic_limit - spent)
            spent += answer.deterministic_time
            if answer.knobs is None or not answer.closed:
                return Proposal(answer.knobs, None if answer.closed else least, answer.closed, spent)
            for knob in group:
                own = self._own(model, self._at(knob.name, answer.knobs[knob.name]))
                model.add_bool_and([own])
        return Proposal(answer.knobs, rank(self.spec, answer.knobs), True, spent)

    def _limited(self, limits: Mapping[str, int]) -> cp_model.CpModel:
        model = self._model.clone()
        for name, limit in limits.items():
            if name == RANK:
                self._add_rank_limit(model, limit)
            elif name in self.sums:
                model.add(self._expression(model, self.sums[name]) <= limit)
        return model

    def _solved(self, model: cp_model.CpModel, deterministic_limit: float) -> Proposal:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = self.settings.seed
        solver.parameters.max_deterministic_time = min(self.settings.solve_limit, deterministic_limit)
        solver.parameters.linearization_level = 2
        solver.parameters.cp_model_probing_level = 0
        status = solver.solve(model)
        # the last digits depend on memory addresses
        spent = round(solver.response_proto.deterministic_time, 6)
        if status == cp_model.INFEASIBLE:
            return Proposal(None, None, True, spent)
        bound = round(max(0.0, solver.best_objective_bound))
        if status == cp_model.UNKNOWN:
            return Proposal(None, bound, False, spent)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise RuntimeError(f"the solver refused its model: {model.validate()}")
        chosen = {
            knob.name: next(v for v in knob.values if solver.boolean_value(self._at(knob.name, v)))
            for knob in self.spec.knobs.values()
        }
        return Proposal(chosen, bound, status == cp_model.OPTIMAL, spent)

    def _add_knobs(self) -> None:
        for knob in self.spec.knobs.values():
            for value in knob.values:
                self._piece(((knob.name, value),))
            self._model.add_exactly_one(self._at(knob.name, value) for value in knob.values)

    def _at(self, knob: str, value: Value) -> cp_model.IntVar:
        return self._literals[frozenset([(knob, value)])]

    def _own(self, model: cp_model.CpModel, literal: cp_model.IntVar) -> cp_model.IntVar:
        """The literal of the same index in a clone of the model."""
        return model.get_bool_var_from_proto_index(literal.index)

    def _forbid(self, model: cp_model.CpModel, chosen: Iterable[tuple[str, Value]]) -> None:
        model.add_bool_or([self._own(model, self._at(*item)).negated() for item in chosen])

    def _add_relations(self, relations: Sequence[Relation]) -> None:
        """Forbid what constraints exclude, piece by piece; pairs that share a value in one constraint."""
        pairs: dict[tuple[str, tuple[str, Value]], dict[Value, None]] = {}
        for rule in relations:
            keys = product(*(self.spec.domains[knob] for knob in rule.scope))
            for piece in cut(rule.scope, {key: int(key in rule.allowed) for key in keys}).walk():
                if isinstance(piece, Branch) or piece.amount:
                    continue
                if len(piece.path) == 2:
                    (knob, value), other = piece.path
                    pairs.setdefault((knob, other), {})[value] = None
                else:
                    self._forbid(self._model, piece.path)
        for (knob, other), values in pairs.items():
            self._model.add_at_most_one([self._at(*other), *(self._at(knob, value) for value in values)])

    def _add_sum(self, tables: Iterable[tuple[Scope, Mapping[Key, int]]], knowledge: Knowledge) -> _Sum:
        constant, weighted = 0, {}
        for scope, values in tables:
            keys = knowledge.keys(scope)
            tree = cut(scope, {key: values.get(key, 0) for key in keys})
            self._add_pieces(tree)
            for piece in tree.walk():
                if isinstance(piece, Leaf) and piece.amount:
                    if not piece.path:
                        constant += piece.amount
                    else:
                        index = self._literals[frozenset(piece.path)].index
                        weighted[index] = weighted.get(index, 0) + piece.amount
        return _Sum(constant, {index: weight for index, weight in sorted(weighted.items()) if weight})

    def _add_pieces(self, tree: Branch | Leaf) -> None:
        """A Boolean for each piece: if a branch holds, exactly one part holds, that of its knob's value."""
        holders: dict[tuple[str, Value], list[cp_model.IntVar]] = {}
        for branch in tree.walk():
            if isinstance(branch, Leaf) or not branch.path:
                continue
            parts = [self._piece((*branch.path, (branch.knob, value))) for value in branch.parts]
            self._tie([*parts, self._literals[frozenset(branch.path)].negated()], exactly=True)
            for value, part in zip(branch.parts, parts, strict=True):
                holders.setdefault((branch.knob, value), []).append(part)
        for item, parts in holders.items():
            self._tie([*parts, self._at(*item).negated()], exactly=False)

    def _piece(self, path: Path) -> cp_model.IntVar:
        name = frozenset(path)
        if name not in self._literals:
            self._literals[name] = self._model.new_bool_var(" ".join(f"{k}={v}" for k, v in path))
        return self._literals[name]

    def _tie(self, literals: list[cp_model.IntVar], exactly: bool) -> None:
        name = (exactly, *(literal.index for literal in literals))
        if name not in self._tied:
            self._tied.add(name)
            (self._model.add_exactly_one if exactly else self._model.add_at_most_one)(literals)

    def _add_rank_limit(self, model: cp_model.CpModel, limit: int) -> None:
        """Keep ranks up to `limit`: while all knobs before equal its values, the next is not beyond."""
        if limit < 0:
            model.add_bool_or([])
        equal = model.new_constant(1)
        for name, index in places(self.spec, limit).items():
            literals = [self._own(model, self._at(name, value)) for value in self.spec.knobs[name].values]
            for beyond in literals[index + 1 :]:
                model.add_bool_or([equal.negated(), beyond.negated()])
            still = model.new_bool_var("")
            model.add_bool_or([equal.negated(), literals[index].negated(), still])
            equal = still

    def _expression(self, model: cp_model.CpModel, total: _Sum) -> cp_model.LinearExpr:
        literals = [model.get_bool_var_from_proto_index(index) for index in total.weights]
        return cp_model.LinearExpr.weighted_sum(literals, list(total.weights.values())) + total.constant


def _tables(knowledge: Knowledge) -> dict[str, list[tuple[Scope, Mapping[Key, int]]]]:
    """Lower bounds of every quantity, as tables whose values are to be added."""
    entries = {part.kind for part in knowledge.parts} - _COUNTED_IN.keys() - {LEAKS, FLASH_LOOKUPS}
    names = (ROM, RAM, CYCLES, LEAKS, FLASH_LOOKUPS, *sorted(entries), BANKS, PADDED_ROM, PADDED_RAM)
    tables: dict[str, list] = {name: [] for name in names}
    for part in knowledge.parts:
        ranked = [CYCLES] if part.kind in knowledge.ranked else []
        for name in (*_COUNTED_IN.get(part.kind, [part.kind]), *ranked):
            tables[name] += knowledge.lower_bounds(part)
    for name in (RAM, PADDED_RAM):
        tables[name] += knowledge.declared_ram()
    tables[BANKS] = [knowledge.declared(knowledge.spec.banks)]
    return tables
