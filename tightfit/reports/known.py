"""What the store knows of an operation, without what a change of templates has made stale."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tightfit.errors import TightfitError
from tightfit.records import Cell, Contender, Measurement
from tightfit.reports.answer import Known

if TYPE_CHECKING:
    from tightfit.harness.store import Store

Item = TypeVar("Item")
Key = tuple[str, str, str]


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

    def fields(self, paths: Sequence[str], **of: str) -> list[tuple[str, list[Any]]]:
        """As `Store.fields`, of all sources."""
        return self._store.fields(paths, **of)

    def cells(self, **of: str) -> list[Cell]:
        """As `Store.cells`."""
        return self._store.cells(**of)

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
        self, target: str, part: str, primitive: str, operation: str, constant_path: bool = False
    ) -> Known:
        """What is known of one operation on one part."""
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        return Known(
            tuple(self.measurements(**of)),
            tuple(self.cells(**of)),
            constant_path,
            contenders=tuple(self.contenders(**of, rejected=True)),
        )


def current(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Those made from the present source of their template, or from the latest measured one."""
    return of_present_sources(measurements, _made_from)


def of_present_sources(
    found: Sequence[Item], made_from: Callable[[Item], tuple[Key, str | None]]
) -> list[Item]:
    """As `current`, of anything that was measured, oldest first.

    Parameters
    ----------
    made_from : (target, primitive, template) of an item, and the hash of the source that it was made from.
    """
    made = [made_from(one) for one in found]
    hashes: dict[Key, list[str | None]] = {}
    for key, source in made:
        hashes.setdefault(key, []).append(source)
    sources = {key: _source(key, each) for key, each in hashes.items()}
    return [one for one, (key, source) in zip(found, made, strict=True) if source == sources[key]]


def _made_from(measurement: Measurement) -> tuple[Key, str | None]:
    variant = measurement.variant
    key = variant.target, variant.primitive, variant.template
    return key, measurement.provenance.get("templates")


def _source(key: Key, hashes: Sequence[str | None]) -> str | None:
    from tightfit.harness.provenance import templates_hash

    try:
        present = templates_hash(*key)
    except (TightfitError, OSError):
        present = None
    return present if present in hashes else hashes[-1]
