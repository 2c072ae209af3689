"""What the store knows of an operation, without what a change of templates has made stale."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightfit.errors import TightfitError
from tightfit.records import Cell, Contender, Measurement
from tightfit.reports.answer import Known

if TYPE_CHECKING:
    from tightfit.harness.store import Store


class Current:
    """A view of a store that leaves out measurements of templates that have changed since.

    A template's measurements count if they were made from its present source; where none was, those of its
    latest measured source do.
    """

    def __init__(self, store: "Store"):
        self._store = store

    def measurements(self, **of: str | bool) -> list[Measurement]:
        """As `Store.measurements`."""
        return current(self._store.measurements(**of))

    def cells(self, **of: str) -> list[Cell]:
        """As `Store.cells`."""
        return self._store.cells(**of)

    def contenders(self, **of: str) -> list[Contender]:
        """As `Store.contenders`."""
        return self._store.contenders(**of)

    def subjects(self) -> list[tuple[str, str, str, str]]:
        """As `Store.subjects`."""
        return self._store.subjects()

    def by_id(self, prefix: str) -> Measurement:
        """As `Store.by_id`."""
        return self._store.by_id(prefix)

    def known(
        self, target: str, part: str, primitive: str, operation: str, constant_path: bool = False
    ) -> Known:
        """What is known of one operation on one part."""
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        return Known(
            tuple(self.measurements(**of)),
            tuple(self.cells(**of)),
            constant_path,
            contenders=tuple(self.contenders(**of)),
        )


def current(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Those made from the present source of their template, or from the latest measured one."""
    groups: dict[tuple[str, str, str], list[Measurement]] = {}
    for one in measurements:
        variant = one.variant
        groups.setdefault((variant.target, variant.primitive, variant.template), []).append(one)
    sources = {key: _source(key, group) for key, group in groups.items()}
    return [
        one
        for one in measurements
        if _hash(one) == sources[one.variant.target, one.variant.primitive, one.variant.template]
    ]


def _source(key: tuple[str, str, str], group: Sequence[Measurement]) -> str | None:
    from tightfit.harness.provenance import templates_hash

    try:
        present = templates_hash(*key)
    except (TightfitError, OSError):
        present = None
    return present if any(_hash(one) == present for one in group) else _hash(group[-1])


def _hash(measurement: Measurement) -> str | None:
    return measurement.provenance.get("templates")
