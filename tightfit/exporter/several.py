"""Several routines in one library: the answer for several needs, with the interface of the toolchain."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tightfit.errors import WorkError
from tightfit.exporter.interfaces import load_interface
from tightfit.exporter.library import default_name
from tightfit.exporter.prepared import Prepared, foretold, prepare, with_wins
from tightfit.records import Cell, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Known
from tightfit.reports.known import Current
from tightfit.reports.together import FITS, Need, Together


@dataclass
class AsExported:
    """A view of a store with costs as a toolchain's callers see them: foretold until they are measured."""

    store: Current
    toolchain: str
    counted: dict[str, Measurement] = field(default_factory=dict)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)

    def known(
        self, target: str, part: str, primitive: str, operation: str, constant_path: bool = False
    ) -> Known:
        """As `Current.known`."""
        found = self.store.known(target, part, primitive, operation, constant_path)
        self.cells += found.cells
        if load_interface(target, self.toolchain).counted:
            return found
        self.counted |= {one.variant.id: one for one in found.usable}
        return replace(found, measurements=tuple(map(self._seen, found.usable)))

    def prepare(self, chosen: Measurement, name: str) -> Prepared:
        """The variant of this view as a routine of that name."""
        made = prepare(self.counted.get(chosen.variant.id, chosen), name, self.toolchain)
        self.prepared[chosen.variant.id] = made
        return with_wins(made, dict.fromkeys(self.cells))

    def _seen(self, one: Measurement) -> Measurement:
        made = self.prepared.get(one.variant.id)
        return made.as_exported if made and made.cost else foretold(one, self.toolchain)


def prepare_together(
    ask: Callable[[AsExported], Together], store: Current, toolchain: str, name: str
) -> tuple[Together, tuple[Prepared, ...]]:
    """The answer that `ask` gives, and its routines, named after a library's `name`.

    What was foretold of a routine and turns out otherwise is asked again with what was measured.

    Raises
    ------
    WorkError
        Nothing fits, or a need has no known variant.
    """
    view = AsExported(store, toolchain)
    while True:
        found = ask(view)
        if found.split is None:
            raise WorkError(_nothing(found))
        names = _names(name, found.needs)
        members = tuple(map(view.prepare, found.split.chosen, names))
        costs = [one.cost for one in found.split.chosen]
        if all(one.cost in (None, cost) for one, cost in zip(members, costs, strict=True)):
            return found, members


def _names(name: str, needs: tuple[Need, ...]) -> list[str]:
    """Library's name and primitive's, and the operation's where one primitive has two."""
    count = Counter(one.primitive.id for one in needs)
    return [
        "_".join(
            [name, default_name(one.primitive.id)]
            + ([re.sub(r"\W", "_", one.operation)] if count[one.primitive.id] > 1 else [])
        )
        for one in needs
    ]


def _nothing(found: Together) -> str:
    if found.status != FITS and found.missing:
        return f"{', '.join(one.name for one in found.missing)}: {found.status}, nothing to export"
    asked = " + ".join(one.name for one in found.needs)
    where = f"{words.place(found.target, found.part)} within {found.budget.name}"
    return f"{asked} on {where}: {found.status}, nothing to export"
