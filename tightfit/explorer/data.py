"""What the store knows of one operation on one part, as plain columns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightfit.curve import LENGTHS, curve
from tightfit.errors import UsageError
from tightfit.harness.store import Store
from tightfit.paths import store_path
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget, Measurement
from tightfit.reports.answer import Known, rank
from tightfit.reports.front import front
from tightfit.reports.known import Current

LONG = "long"
"""The length that stands for messages without end: cycles a byte."""
SHOWN_LENGTHS = (*(str(length) for length in LENGTHS if length), LONG)
_FREE = Budget("", None, None)


@dataclass(frozen=True)
class Subject:
    """What a page is about: the operation of a primitive on a part."""

    target: str
    part: str
    primitive: str
    operation: str

    @property
    def key(self) -> str:
        """Its names, as the browser asks for it."""
        return "/".join((self.target, self.part, self.primitive, self.operation))

    @classmethod
    def of(cls, key: str) -> "Subject":
        """The subject of a key; UsageError where the key is none."""
        names = key.split("/")
        if len(names) != 4:
            raise UsageError(f"{key!r}: expected target/part/primitive/operation")
        return cls(*names)


@contextmanager
def current() -> Iterator[Current]:
    """What is known, read from the user's store."""
    with Store.open(read_only=True) as store:
        yield Current(store)


def stamp() -> tuple[tuple[int, int], ...]:
    """Changes whenever somebody writes to the store."""
    path = store_path()
    states = (file.stat() for file in (path, Path(f"{path}-wal")) if file.exists())
    return tuple((state.st_mtime_ns, state.st_size) for state in states if state.st_size)


def subjects(store: Current) -> list[Subject]:
    """Everything that something is known of."""
    return [Subject(*names) for names in store.subjects()]


def read(store: Current, subject: Subject) -> Known:
    """What is known of a subject, without the attributions."""
    of = {name: getattr(subject, name) for name in ("target", "part", "primitive", "operation")}
    return Known(tuple(store.measurements(**of, attribution=False)), tuple(store.cells(**of)))


def ranked(known: Known) -> list[Measurement]:
    """The usable variants, the first within any budget being the one that `ask` answers with."""
    winners = {cell.variant_id for cell in known.cells}
    return sorted(
        known.usable, key=lambda one: (*rank(one, _FREE), one.variant.id not in winners, one.variant.id)
    )


def columns(found: Sequence[Measurement]) -> dict[str, list]:
    """Figures of variants: bytes, cycles, and 0 or 1 for constant path and for being on a front.

    `front` is that of all, `front_constant` that of those whose path is constant.
    """
    constant = [one for one in found if one.cost.constant_path]
    every = {one.variant.id for one in front(found)}
    same = len(constant) == len(found)
    fronts = [every, every if same else {one.variant.id for one in front(constant)}]
    return {
        "id": [one.variant.id for one in found],
        "rom": [one.cost.rom for one in found],
        "ram": [one.cost.ram for one in found],
        "cycles": [one.cost.cycles for one in found],
        "template": [one.variant.template for one in found],
        "constant": [int(one.cost.constant_path) for one in found],
        "front": [int(one.variant.id in fronts[0]) for one in found],
        "front_constant": [int(one.variant.id in fronts[1]) for one in found],
    }


def by_length(found: Sequence[Measurement]) -> dict[str, list]:
    """Cycles of whole messages by their length in bytes; `long`: a byte of a message without end."""
    curves = [curve(one) for one in found]
    at = {str(length): index for index, length in enumerate(LENGTHS)}
    return {
        length: [one and (one.slope if length == LONG else one.cycles[at[length]]) for one in curves]
        for length in SHOWN_LENGTHS
    }


def published(subject: Subject) -> dict[str, list]:
    """The published figures that have both bytes and cycles, with where they are from and how they count."""
    primitive = load_primitive(subject.primitive)
    cells = [
        cell
        for cell in primitive.published(subject.target)
        if cell.operation == subject.operation and cell.rom and cell.to_beat
    ]
    return {
        "rom": [cell.rom for cell in cells],
        "cycles": [sum(cell.to_beat.values()) for cell in cells],
        "source": [cell.source_id for cell in cells],
        "counted": [cell.counted + (f"; {cell.note}" if cell.note else "") for cell in cells],
    }


def catalogue(found: Sequence[Subject]) -> list[dict[str, Any]]:
    """What can be chosen: places, their primitives, their operations, each in the order of its definition."""
    places: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in found:
        primitives = places.setdefault((one.target, one.part), {})
        primitives.setdefault(one.primitive, []).append(one.operation)
    return [
        {
            "target": target,
            "part": part,
            "primitives": {name: _in_order(name, offered) for name, offered in primitives.items()},
        }
        for (target, part), primitives in places.items()
    ]


def _in_order(primitive: str, operations: Sequence[str]) -> list[str]:
    known = list(load_primitive(primitive).operations)
    return sorted(operations, key=lambda one: known.index(one) if one in known else len(known))


def family(primitive: Primitive | str) -> tuple[str, str]:
    """Name and size in bits of a primitive's id: `keccak`, `256`."""
    name, _, bits = (primitive if isinstance(primitive, str) else primitive.id).rpartition("-")
    return name, bits


def area(measurement: Measurement) -> int:
    """The merged figure of the XBX study: 4 x RAM + ROM, in bytes."""
    return 4 * measurement.cost.ram + measurement.cost.rom


def first_operations(found: Sequence[Subject]) -> list[Subject]:
    """For each primitive on each part its first operation."""
    firsts: dict[tuple[str, str, str], Subject] = {}
    for one in found:
        order: Mapping = load_primitive(one.primitive).operations
        key = (one.target, one.part, one.primitive)
        if key not in firsts or list(order).index(one.operation) < list(order).index(firsts[key].operation):
            firsts[key] = one
    return list(firsts.values())
