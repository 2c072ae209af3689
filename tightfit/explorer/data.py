"""What the store knows of one operation on one part, as plain columns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tightfit.curve import LENGTHS
from tightfit.errors import UsageError
from tightfit.explorer.sketch import FIELDS, Sketch
from tightfit.harness.store import Store
from tightfit.paths import store_path
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget, Curve, Variant
from tightfit.reports.answer import Known, place
from tightfit.reports.contenders import made_by
from tightfit.reports.front import on_front
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
    def names(self) -> dict[str, str]:
        """Its names by what they name."""
        return asdict(self)

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

    @classmethod
    def of_variant(cls, variant: Variant) -> "Subject":
        """What a variant is for."""
        return cls(variant.target, variant.part, variant.primitive, variant.operation)


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
    of = subject.names
    measurements = tuple(store.measurements(**of, attribution=False))
    return Known(measurements, tuple(store.cells(**of)), contenders=tuple(store.contenders(**of)))


def sketches(store: Current, subject: Subject) -> list[Sketch]:
    """The usable variants, the first within any budget being the one that `ask` answers with."""
    of = subject.names
    every = [Sketch.of(*row) for row in store.fields(FIELDS, **of)]
    winners = {cell.variant_id for cell in store.cells(**of)}
    usable = [sketch for sketch in every if not sketch.destroys_key]
    return sorted(usable, key=lambda sketch: place(sketch.cost, sketch.id, winners, _FREE))


def columns(found: Sequence[Sketch]) -> dict[str, list]:
    """Figures of variants: bytes, cycles, and 0 or 1 for constant path and for being on a front.

    `front` is that of all, `front_constant` that of those whose path is constant.
    """
    constant = [one.cost.constant_path for one in found]
    return {
        "id": [one.id for one in found],
        "rom": [one.cost.rom for one in found],
        "ram": [one.cost.ram for one in found],
        "cycles": [one.cost.cycles for one in found],
        "template": [one.template for one in found],
        "constant": [int(one) for one in constant],
        "front": _marked(found, range(len(found))),
        "front_constant": _marked(found, [index for index, one in enumerate(constant) if one]),
    }


def _marked(found: Sequence[Sketch], of: Sequence[int]) -> list[int]:
    """1 for those on the front of some, by their indices."""
    figures = [(found[index].cost.rom, found[index].cost.ram, found[index].cost.cycles) for index in of]
    on = {of[index] for index in on_front(figures)}
    return [int(index in on) for index in range(len(found))]


def by_length(found: Sequence[Sketch], primitive: Primitive) -> dict[str, list]:
    """Cycles of whole messages by their length in bytes; `long`: a byte of a message without end."""
    return _lengths([one.lengths(primitive) for one in found])


def _lengths(curves: Sequence[Curve | None]) -> dict[str, list]:
    points = enumerate(LENGTHS)
    cycles = {str(length): [one and one.cycles[at] for one in curves] for at, length in points if length}
    return {**cycles, LONG: [one and one.slope for one in curves]}


def rivals(store: Current, subject: Subject) -> dict[str, Any]:
    """Routines that tightfit did not generate: what they are, and figures as those of variants."""
    found = [one for one in store.contenders(**subject.names) if one.cost]
    return {
        "id": [one.id for one in found],
        "origin": [one.origin for one in found],
        "name": [one.name for one in found],
        "made": [made_by(one) for one in found],
        "flags": [one.flags for one in found],
        "rom": [one.cost.rom for one in found],
        "ram": [one.cost.ram for one in found],
        "cycles": [one.cost.cycles for one in found],
        "constant": [int(one.cost.constant_path) for one in found],
        "lengths": _lengths([one.curve for one in found]),
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


def family(primitive: Primitive) -> tuple[str, str]:
    """Name and size in bits in the id of a primitive: `keccak`, `256`."""
    name, _, bits = primitive.id.rpartition("-")
    return name, bits


def first_operations(found: Sequence[Subject]) -> list[Subject]:
    """For each primitive on each part its first operation."""
    firsts: dict[tuple[str, str, str], Subject] = {}
    for one in found:
        order: Mapping = load_primitive(one.primitive).operations
        key = (one.target, one.part, one.primitive)
        if key not in firsts or list(order).index(one.operation) < list(order).index(firsts[key].operation):
            firsts[key] = one
    return list(firsts.values())
