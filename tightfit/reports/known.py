"""What is known: what ships, with what the user measured laid over it, without what has moved since."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tightfit.conditions import CONDITIONS, as_on, padded
from tightfit.harness import ids
from tightfit.harness.index import Held, Index, Subject
from tightfit.records import EXTERNAL, Budget, Cell, Contender, Cost, Front, Measurement
from tightfit.reports.answer import Known
from tightfit.targets import Part, load_target

if TYPE_CHECKING:
    from tightfit.harness.store import Store

Answered = TypeVar("Answered", Cell, Front)
Of = str | None


def met(cost: Cost) -> int:
    """The conditions that a cost meets: bit 0 stands for the first of `CONDITIONS`, and so on."""
    return sum(1 << bit for bit, condition in enumerate(CONDITIONS.values()) if condition.holds(cost))


def mask(only: Iterable[str]) -> int:
    """The bits of `met` that conditions ask for."""
    return sum(1 << bit for bit, name in enumerate(CONDITIONS) if name in only)


class Current:
    """What is known of the texts and the spaces of now.

    What ships comes from an index, but for the primitives on a target of which a store holds something of the
    user's own: these come from the store, and so does everything where there is no index. Without
    `attribution` measurements do not say where their bytes and cycles are: answers do not need it, and come
    several times faster.
    """

    def __init__(self, store: "Store | None", attribution: bool = True, index: Index | None = None):
        self._store, self._attribution, self._index = store, attribution, index
        self._owned = store.owned() if store and index else set()
        self._routines = self._own_routines()
        self._of_space: dict[tuple[str, ...], bool] = {}

    def _own_routines(self) -> "list[Contender]":
        """What the user measured of others, but for what comes from the store with all else."""
        if self._store is None or self._index is None:
            return []
        every = self._store.contenders(origin=EXTERNAL, rejected=True)
        return [one for one in every if not self.is_own(one.target, one.primitive)]

    def is_own(self, target: str, primitive: str) -> bool:
        """Whether what is known of a primitive on a target comes from the user's store."""
        return self._index is None or (target, primitive) in self._owned

    def _laid_over(self, of: Mapping[str, Of]) -> Iterator[Mapping[str, Of]]:
        """What the store is asked for in the place of the index."""
        if self._index is None:
            yield of
        for target, primitive in sorted(self._owned):
            if of.get("target") in (None, target) and of.get("primitive") in (None, primitive):
                yield {**of, "target": target, "primitive": primitive}

    def _shipped(self, of: Mapping[str, Of]) -> list[Subject]:
        """What the index is asked for: subjects of which the store has nothing of the user's own."""
        subjects = self._index.subjects(**of) if self._index else []
        return [subject for subject in subjects if not self._is_laid_over(subject)]

    def _held(self, of: Mapping[str, Of], attribution: bool = False) -> Iterator[Held]:
        return (self._index.held(subject, attribution) for subject in self._shipped(of))

    def measurements(
        self, attribution: bool | None = None, present: bool = True, **of: Of
    ) -> list[Measurement]:
        """The newest measurement of every variant with a cost, of a target, part, primitive or operation.

        They are always the `present` ones.
        """
        with_shares = self._attribution if attribution is None else attribution
        found = [one for held in self._held(of, with_shares) for one in held.measurements]
        for own in self._laid_over(of):
            found += self._store.measurements(**own, attribution=with_shares, present=True)
        return found

    def fields(self, paths: Sequence[str], **of: str) -> list[tuple[str, list[Any]]]:
        """As `Store.fields`."""
        if self.is_own(of["target"], of["primitive"]):
            return self._store.fields(paths, **of)
        return [row for subject in self._shipped(of) for row in self._index.fields(paths, subject)]

    def cells(self, **of: Of) -> list[Cell]:
        """The cells, without those of a space that has changed since."""
        found = [cell for held in self._held(of) for cell in held.cells]
        own = (cell for own in self._laid_over(of) for cell in self._store.cells(**own))
        return [*found, *self._present(own)]

    def fronts(self, **of: Of) -> list[Front]:
        """The fronts, without those of a space that has changed since."""
        found = [front for held in self._held(of) for front in held.fronts]
        own = (front for own in self._laid_over(of) for front in self._store.fronts(**own))
        return [*found, *self._present(own)]

    def _present(self, answers: Iterable[Answered]) -> list[Answered]:
        """The answers that are about the space of now."""
        present = []
        for answer in answers:
            question = answer.target, answer.part, answer.primitive, answer.operation
            space = *question, answer.space_digest, answer.texts_digest
            if space not in self._of_space:
                self._of_space[space] = _is_of_space(answer)
            if self._of_space[space]:
                present.append(answer)
        return present

    def contenders(self, rejected: bool = False, origin: str | None = None, **of: Of) -> list[Contender]:
        """Routines that tightfit did not generate, by their ids; rejected ones only with `rejected`."""
        found = [one for held in self._held(of) for one in held.contenders]
        found += [one for one in self._routines if _is_of(one, of)]
        found = [one for one in found if origin in (None, one.origin) and (rejected or one.rejected is None)]
        for own in self._laid_over(of):
            found += self._store.contenders(**own, origin=origin, rejected=rejected)
        return sorted(found, key=lambda contender: contender.id)

    def subjects(self) -> list[tuple[str, str, str, str]]:
        """(target, part, primitive, operation) of all measurements with a cost, in alphabetical order."""
        shipped = [] if self._index is None else self._index.measured()
        found = [each for each in shipped if not self.is_own(each.target, each.primitive)]
        own = [each for of in self._laid_over({}) for each in self._store.subjects(**of)]
        return sorted([*(each[1:] for each in found), *own])

    def counts(self) -> tuple[int, int]:
        """The number of variants that were measured, and of cells."""
        counts = [self._index.counts(subject) for subject in self._shipped({})]
        counts += [self._store.counts(**own) for own in self._laid_over({})]
        return sum(one for one, _ in counts), sum(other for _, other in counts)

    def by_id(self, prefix: str) -> Measurement:
        """The newest measurement of the variant whose id begins with `prefix`.

        Raises
        ------
        UsageError
            No such variant, or more than one.
        """
        if self._index is None:
            return self._store.by_id(prefix)
        shipped, own = self._variants(ids.digits_of(prefix))
        found = ids.the_variant(prefix, [*shipped, *own], lambda: self.contender(prefix))
        if found in own:
            return self._store.newest(found)
        held = self._index.held(shipped[found], attribution=True)
        return next(one for one in held.measurements if one.variant.id == found)

    def contender(self, prefix: str) -> Contender | None:
        """The contender whose id begins with `prefix`; None where there is none.

        Raises
        ------
        UsageError
            There is more than one, or a variant whose id begins with it too.
        """
        if self._index is None:
            return self._store.contender(prefix)
        digits = prefix.lower()
        shipped = self._named("contender", digits) if digits else {}
        own = {} if self._store is None else self._store.routines(digits)
        own = {name: unit for name, unit in own.items() if name not in shipped}
        found = ids.the_contender(
            prefix, [*shipped, *own], lambda: [name for names in self._variants(digits) for name in names]
        )
        if found is None:
            return None
        if found in own:
            return self._store.routine(found)
        return next(one for one in self._index.held(shipped[found]).contenders if one.id == found)

    def _variants(self, digits: str) -> tuple[dict[str, Subject], dict[str, tuple[str, str]]]:
        """The variants whose id begins with some digits: those of the index, and those of the store."""
        own = {} if self._store is None else self._store.variants(digits)
        return self._named("variant", digits), {
            name: unit for name, unit in own.items() if unit in self._owned
        }

    def _named(self, kind: str, digits: str) -> dict[str, Subject]:
        """The ids of a kind in the index that begin with some digits, but for what the store is asked for."""
        found = self._index.named(kind, digits)
        return {name: subject for name, subject in found.items() if not self._is_laid_over(subject)}

    def _is_laid_over(self, subject: Subject) -> bool:
        return self.is_own(subject.target, subject.primitive)

    def moved(self, measurement: Measurement) -> tuple[str, ...]:
        """Names of the facts of a measurement's context that are no longer those it was made with.

        Of what ships the tools are left out: what is on this machine has not measured it.
        """
        variant = measurement.variant
        if self.is_own(variant.target, variant.primitive):
            from tightfit.harness.current import moved_facts

            return moved_facts(measurement)
        of = {"target": variant.target, "part": variant.part, "primitive": variant.primitive}
        (subject,) = self._shipped({**of, "operation": variant.operation})
        facts = self._index.facts(subject)
        return tuple(name for name, fact in facts.items() if measurement.provenance.get(name) != fact)

    def fastest(
        self, target: str, part: str, primitives: Collection[str], budget: Budget
    ) -> dict[tuple[str, str], int | float | None]:
        """By primitive and operation the cycles of the fastest variant within a budget, None where none fits.

        Only what ships is looked at; the conditions of the budget are asked as the target knows them.
        """
        if self._index is None:
            return {}
        place = load_target(target)
        its_part, only = place.part(part), as_on(place, budget.only)
        narrowed = Known((), (), only, memory=memory_of(its_part)).narrowed(budget)
        shipped = [name for name in primitives if not self.is_own(target, name)]
        return self._index.fastest(target, its_part.simulated, shipped, narrowed, mask(only), padded(only))

    def known(
        self, target: str, part: str, primitive: str, operation: str, only: Iterable[str] = ()
    ) -> Known:
        """What is known of one operation on one part: what was simulated for its core class and fits it.

        `only` names conditions that variants must meet.
        """
        place = load_target(target)
        its_part = place.part(part)
        of = {"target": target, "part": its_part.simulated, "primitive": primitive, "operation": operation}
        return Known(**self._records(of), only=as_on(place, only), memory=memory_of(its_part))

    def _records(self, of: Mapping[str, str]) -> dict[str, tuple]:
        """All records of a subject, read at once where they come from the index."""
        if self.is_own(of["target"], of["primitive"]):
            held = Held(self.measurements(**of), self.cells(**of), self.fronts(**of), [])
            contenders = self.contenders(**of, rejected=True)
        else:
            held = next(self._held(of, self._attribution), Held([], [], [], []))
            contenders = [*held.contenders, *(one for one in self._routines if _is_of(one, of))]
        return {
            "measurements": tuple(held.measurements),
            "cells": tuple(held.cells),
            "fronts": tuple(held.fronts),
            "contenders": tuple(sorted(contenders, key=lambda contender: contender.id)),
        }


def memory_of(part: Part) -> Budget | None:
    """The ROM and RAM of a part as a bound; None for the simulated part, on which every variant ran."""
    return None if part.name == part.simulated else Budget(part.name, part.rom, part.ram)


def _is_of(contender: Contender, of: Mapping[str, Of]) -> bool:
    return all(value in (None, getattr(contender, name)) for name, value in of.items())


def _is_of_space(answer: Cell | Front) -> bool:
    from tightfit.harness.current import is_of_space

    return is_of_space(answer)
