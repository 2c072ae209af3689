"""What the store knows of an operation, without measurements of texts that no longer exist."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tightfit.conditions import as_on
from tightfit.harness.current import is_of_space
from tightfit.records import Budget, Cell, Contender, Front, Measurement
from tightfit.reports.answer import Known
from tightfit.targets import Part, load_target

if TYPE_CHECKING:
    from tightfit.harness.store import Store

Answered = TypeVar("Answered", Cell, Front)


class Current:
    """A view of a store without measurements of texts that no longer exist, and cells of spaces that changed.

    Without `attribution` measurements do not say where their bytes and cycles are: answers do not need it,
    and come several times faster.
    """

    def __init__(self, store: "Store", attribution: bool = True):
        self._store, self._attribution = store, attribution
        self._of_space: dict[tuple[str, ...], bool] = {}

    def measurements(self, **of: str | bool) -> list[Measurement]:
        """As `Store.measurements`."""
        return self._store.measurements(**{"attribution": self._attribution, **of, "present": True})

    def fields(self, paths: Sequence[str], **of: str) -> list[tuple[str, list[Any]]]:
        """As `Store.fields`."""
        return self._store.fields(paths, **of)

    def cells(self, **of: str) -> list[Cell]:
        """As `Store.cells`, without those of a space that has changed since."""
        return self._present(self._store.cells(**of))

    def fronts(self, **of: str) -> list[Front]:
        """As `Store.fronts`, without those of a space that has changed since."""
        return self._present(self._store.fronts(**of))

    def _present(self, answers: Iterable[Answered]) -> list[Answered]:
        """The answers that are about the space of now."""
        present = []
        for answer in answers:
            question = answer.target, answer.part, answer.primitive, answer.operation
            space = *question, answer.space_digest, answer.texts_digest
            if space not in self._of_space:
                self._of_space[space] = is_of_space(answer)
            if self._of_space[space]:
                present.append(answer)
        return present

    def contenders(self, **of: str | bool) -> list[Contender]:
        """As `Store.contenders`."""
        return self._store.contenders(**of)

    def subjects(self) -> list[tuple[str, str, str, str]]:
        """As `Store.subjects`."""
        return self._store.subjects()

    def by_id(self, prefix: str) -> Measurement:
        """As `Store.by_id`."""
        return self._store.by_id(prefix)

    def known(
        self, target: str, part: str, primitive: str, operation: str, only: Iterable[str] = ()
    ) -> Known:
        """What is known of one operation on one part: what was simulated for its core class and fits it.

        `only` names conditions that variants must meet.
        """
        place = load_target(target)
        its_part = place.part(part)
        of = {"target": target, "part": its_part.simulated, "primitive": primitive, "operation": operation}
        return Known(
            tuple(self.measurements(**of)),
            tuple(self.cells(**of)),
            as_on(place, only),
            fronts=tuple(self.fronts(**of)),
            contenders=tuple(self.contenders(**of, rejected=True)),
            memory=memory_of(its_part),
        )


def memory_of(part: Part) -> Budget | None:
    """The ROM and RAM of a part as a bound; None for the simulated part, on which every variant ran."""
    return None if part.name == part.simulated else Budget(part.name, part.rom, part.ram)
