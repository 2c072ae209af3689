"""Several routines in one library: the answer for several needs, with the toolchain's interface."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tightfit.errors import WorkError
from tightfit.exporter.interfaces import load_interface
from tightfit.exporter.names import check_name, default_name, name_of_several
from tightfit.exporter.prepared import Prepared, predicted, prepare, with_wins
from tightfit.records import Cell, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Known
from tightfit.reports.known import Current
from tightfit.reports.together import FITS, Need, Together


@dataclass
class AsExported:
    """A view of a store with costs for a toolchain's interface: predicted until they are measured."""

    store: Current
    toolchain: str
    counted: dict[str, Measurement] = field(default_factory=dict)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)

    def known(
        self, target: str, part: str, primitive: str, operation: str, only: Iterable[str] = ()
    ) -> Known:
        """As `Current.known`."""
        answered = self.store.known(target, part, primitive, operation, only)
        self.cells += answered.cells
        if load_interface(target, self.toolchain).counted:
            return answered
        self.counted |= {measurement.variant.id: measurement for measurement in answered.usable}
        return replace(answered, measurements=tuple(map(self._seen, answered.usable)))

    def prepare(self, chosen: Measurement, name: str) -> Prepared:
        """The variant of this view as a routine of that name."""
        routine = prepare(self.counted.get(chosen.variant.id, chosen), name, self.toolchain)
        self.prepared[chosen.variant.id] = routine
        return with_wins(routine, dict.fromkeys(self.cells))

    def _seen(self, measurement: Measurement) -> Measurement:
        routine = self.prepared.get(measurement.variant.id)
        return routine.as_exported if routine and routine.cost else predicted(measurement, self.toolchain)


def prepare_together(
    ask: Callable[[AsExported], Together], store: Current, toolchain: str, name: str | None = None
) -> tuple[str, Together, tuple[Prepared, ...]]:
    """The name of a library, the answer that `ask` gives, and its routines, named after the library.

    Where `name` is None, the library is named after what is needed.

    Where a routine's predicted cost turns out wrong, `ask` is called again with the measured one.

    Raises
    ------
    UsageError
        No library can have the name.
    WorkError
        Nothing fits, or a need has no known variant.
    """
    if name is not None:
        check_name(name)
    view = AsExported(store, toolchain)
    while True:
        answer = ask(view)
        if answer.split is None:
            raise WorkError(_nothing(answer))
        whole = name or name_of_several(map(_content, answer.needs))
        names = _names(whole, answer.needs)
        members = tuple(map(view.prepare, answer.split.chosen, names))
        costs = [measurement.cost for measurement in answer.split.chosen]
        if all(member.cost in (None, cost) for member, cost in zip(members, costs, strict=True)):
            return whole, answer, members


def _content(need: Need) -> tuple[str, str | None]:
    """A need for a library's name, without the operation where it is the primitive's first."""
    usual = need.operation == need.primitive.first_operation
    return need.primitive.id, None if usual else need.operation


def _names(name: str, needs: tuple[Need, ...]) -> list[str]:
    """The library's name and the primitive's, and the operation where a primitive is needed for several."""
    count = Counter(need.primitive.id for need in needs)
    return [
        "_".join(
            [name, default_name(need.primitive.id)]
            + ([re.sub(r"\W", "_", need.operation)] if count[need.primitive.id] > 1 else [])
        )
        for need in needs
    ]


def _nothing(answer: Together) -> str:
    if answer.status != FITS and answer.missing:
        return f"{', '.join(need.name for need in answer.missing)}: {answer.status}, nothing to export"
    asked = " + ".join(need.name for need in answer.needs)
    where = f"{words.place(answer.target, answer.part)} within {answer.budget.name}"
    return f"{asked} on {where}: {answer.status}, nothing to export"
