"""What the store knows of one operation on one part, as plain columns."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tightfit.conditions import CONDITIONS, closed_on, padded, searched, sizes
from tightfit.curve import LENGTHS
from tightfit.errors import UsageError
from tightfit.explorer.sketch import FIELDS, Sketch
from tightfit.generator import merit
from tightfit.paths import store_path
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget, Cell, Contender, Cost, Curve, Front
from tightfit.reports import words
from tightfit.reports.answer import Known, place
from tightfit.reports.contenders import made_by
from tightfit.reports.front import on_front
from tightfit.reports.known import Current, memory_of, met
from tightfit.reports.subject import unfilled_classes
from tightfit.reports.view import view
from tightfit.targets import Part, Target, load_target

LONG = "long"
"""The length that stands for messages without end: cycles a byte."""
SHOWN_LENGTHS = (*(str(length) for length in LENGTHS if length), LONG)
_FREE = Budget("", None, None)
_COUNTED = ((), tuple(name for name in CONDITIONS if padded([name])))
"""Conditions under which bytes are counted in other ways."""


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

    @property
    def its_part(self) -> Part:
        """The part of that name; UsageError where there is none."""
        return load_target(self.target).part(self.part)

    @property
    def simulated(self) -> "Subject":
        """The same on the part that was simulated for the core class, under which the store has it."""
        return replace(self, part=self.its_part.simulated)

    @classmethod
    def of(cls, key: str) -> "Subject":
        """The subject of a key; UsageError where the key is none."""
        names = key.split("/")
        if len(names) != 4:
            raise UsageError(f"{key!r}: expected target/part/primitive/operation")
        return cls(*names)


def current() -> AbstractContextManager[Current]:
    """What is known, without where bytes and cycles are."""
    return view(attribution=False)


def current_in_full() -> AbstractContextManager[Current]:
    """As `current`, with where bytes and cycles of measurements are."""
    return view()


def stamp() -> tuple[tuple[int, int], ...]:
    """Changes whenever somebody writes to the store."""
    path = store_path()
    states = (file.stat() for file in (path, Path(f"{path}-wal")) if file.exists())
    return tuple((state.st_mtime_ns, state.st_size) for state in states if state.st_size)


def subjects(store: Current) -> list[Subject]:
    """Everything that is known, under the simulated parts, those of a target's default class first."""
    known = [Subject(*names) for names in store.subjects()]
    return sorted(known, key=lambda subject: (subject.target, not _is_default(subject)))


def _is_default(subject: Subject) -> bool:
    target = load_target(subject.target)
    return subject.part == target.part().simulated


def read(store: Current, subject: Subject) -> Known:
    """What is known of a subject and fits its part."""
    return store.known(**subject.names)


def sketches(store: Current, subject: Subject) -> list[Sketch]:
    """The usable variants that fit the part, the first within any budget being what `ask` answers with."""
    of = subject.simulated.names
    every = [Sketch.of(*row) for row in store.fields(FIELDS, **of)]
    return _ranked(every, store.cells(**of), store.fronts(**of), memory_of(subject.its_part))


def sketches_of(known: Known) -> list[Sketch]:
    """As `sketches`, of what was read in full."""
    every = [Sketch.of_whole(measured) for measured in known.measurements]
    return _ranked(every, known.cells, known.fronts, known.memory)


def _ranked(
    every: Iterable[Sketch], cells: Iterable[Cell], fronts: Iterable[Front], memory: Budget | None
) -> list[Sketch]:
    winners = {cell.variant_id for cell in cells}.union(*(front.variants for front in fronts))
    usable = [sketch for sketch in every if not sketch.destroys_key and fits(sketch.cost, memory)]
    return sorted(usable, key=lambda sketch: place(sketch.cost, sketch.id, winners, _FREE))


def fits(cost: Cost, memory: Budget | None) -> bool:
    """Whether a cost keeps within the memory of a part, None where that is no bound."""
    return memory is None or merit.fits(cost, memory)


def columns(variants: Sequence[Sketch]) -> dict[str, list]:
    """Figures of variants, and the template of each."""
    return {**figures(variants), "template": [sketch.template for sketch in variants]}


def figures(variants: Sequence[Sketch]) -> dict[str, list]:
    """Figures of variants: bytes, cycles, and the conditions that each meets (`met`)."""
    costs = [sketch.cost for sketch in variants]
    return {
        "id": [sketch.id for sketch in variants],
        "rom": [cost.rom for cost in costs],
        "ram": [cost.ram for cost in costs],
        "rom_padding": [cost.padding.rom for cost in costs],
        "ram_padding": [cost.padding.ram for cost in costs],
        "cycles": [cost.cycles for cost in costs],
        "met": [met(cost) for cost in costs],
    }


def offered(target: Target) -> list[str]:
    """The conditions that tell variants of a target apart."""
    closed = closed_on(target)
    return [name for name in CONDITIONS if name in closed or not searched([name])]


def fronts(variants: Sequence[Sketch]) -> list[Sketch]:
    """The variants that are on a front, whatever conditions are asked.

    Those are the variants that no other equals or beats which meets the same conditions or more.
    """
    marks = [met(sketch.cost) for sketch in variants]
    kept: set[int] = set()
    for only in _COUNTED:
        figures = [_figures(sketch, only) for sketch in variants]
        for mask in set(marks):
            rows = [row for row, mark in enumerate(marks) if mark & mask == mask]
            kept |= {rows[at] for at in on_front([figures[row] for row in rows])}
    return [variants[row] for row in sorted(kept)]


def choices(variants: Sequence[Sketch]) -> list[Sketch]:
    """The variants that no other equals or beats which meets the same conditions, static data counted apart.

    Where several needs share their RAM, static data adds up, and the largest of block and stack counts once.
    """
    marks = {sketch.id: met(sketch.cost) for sketch in variants}
    kept: set[str] = set()
    for only in _COUNTED:
        for mask in set(marks.values()):
            rows = [sketch for sketch in variants if marks[sketch.id] & mask == mask]
            apart = partial(_apart, only=only)
            kept |= {sketch.id for sketch in merit.unbeaten(_of_each_static(rows, only), apart)}
    return [sketch for sketch in variants if sketch.id in kept]


def _of_each_static(variants: Sequence[Sketch], only: tuple[str, ...]) -> list[Sketch]:
    """Of the variants with the same static data those on their front: quick for many thousands."""
    groups: dict[int, list[Sketch]] = {}
    for sketch in variants:
        groups.setdefault(sketch.cost.ram_parts.static, []).append(sketch)
    return [own[at] for own in groups.values() for at in on_front([_figures(s, only) for s in own])]


def _figures(sketch: Sketch, only: tuple[str, ...]) -> tuple:
    return *sizes(sketch.cost, only), sketch.cost.cycles


def _apart(sketch: Sketch, only: tuple[str, ...]) -> tuple:
    rom, ram, cycles = _figures(sketch, only)
    static = sketch.cost.ram_parts.static
    return rom, static, ram - static, cycles


def by_length(variants: Sequence[Sketch], primitive: Primitive) -> dict[str, list]:
    """Cycles of whole messages by their length in bytes; `long`: a byte of a message without end."""
    return _lengths([sketch.lengths(primitive) for sketch in variants])


def _lengths(curves: Sequence[Curve | None]) -> dict[str, list]:
    points = enumerate(LENGTHS)
    cycles = {
        str(length): [curve and curve.cycles[at] for curve in curves] for at, length in points if length
    }
    return {**cycles, LONG: [curve and curve.slope for curve in curves]}


def rivals(contenders: Iterable[Contender], subject: Subject) -> dict[str, Any]:
    """Routines that tightfit did not generate and that fit the part, with figures as those of variants."""
    memory = memory_of(subject.its_part)
    measured = [contender for contender in contenders if contender.cost]
    routines: list[Contender] = [contender for contender in measured if fits(contender.cost, memory)]
    return {
        "id": [routine.id for routine in routines],
        "origin": [routine.origin for routine in routines],
        "name": [routine.name for routine in routines],
        "made": [made_by(routine) for routine in routines],
        "flags": [routine.flags for routine in routines],
        "rom": [routine.cost.rom for routine in routines],
        "ram": [routine.cost.ram for routine in routines],
        "rom_padding": [routine.cost.padding.rom for routine in routines],
        "ram_padding": [routine.cost.padding.ram for routine in routines],
        "cycles": [routine.cost.cycles for routine in routines],
        "met": [met(routine.cost) for routine in routines],
        "marks": [words.mark_letters(routine) for routine in routines],
        "lengths": _lengths([routine.curve for routine in routines]),
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


def catalogue(known: Sequence[Subject]) -> list[dict[str, Any]]:
    """What can be chosen: core classes with their parts, primitives and operations, as they are defined."""
    places: dict[tuple[str, str], dict[str, list[str]]] = {}
    for subject in known:
        primitives = places.setdefault((subject.target, subject.part), {})
        primitives.setdefault(subject.primitive, []).append(subject.operation)
    return [
        {
            **_core_class(load_target(target), load_target(target).part(part)),
            "primitives": {name: _in_order(name, offered) for name, offered in primitives.items()},
        }
        for (target, part), primitives in places.items()
    ]


def unfilled(known: Sequence[Subject]) -> list[dict[str, Any]]:
    """The core classes of which nothing is known."""
    filled = {(subject.target, subject.part) for subject in known}
    return [_core_class(*place) for place in unfilled_classes(filled)]


def _core_class(target: Target, simulated: Part) -> dict[str, Any]:
    """A core class and its parts, first the simulated one, on which everything ran: its `memory` is null."""
    parts = sorted(target.class_of(simulated), key=lambda part: part.name != simulated.name)
    default = target.part()
    return {
        "target": target.id,
        "simulated": simulated.name,
        "default": default.name if default in parts else None,
        "about": simulated.core.about,
        "conditions": offered(target),
        "parts": [
            {
                "part": part.name,
                "label": words.place(target.id, part.name),
                "memory": _bounds(memory_of(part)),
            }
            for part in parts
        ],
    }


def _bounds(memory: Budget | None) -> dict[str, int] | None:
    return memory and {"rom": memory.rom, "ram": memory.ram}


def _in_order(primitive: str, operations: Sequence[str]) -> list[str]:
    known = list(load_primitive(primitive).operations)
    return sorted(operations, key=lambda name: known.index(name) if name in known else len(known))


def family(primitive: Primitive) -> tuple[str, str]:
    """Name and size in bits in the id of a primitive: `keccak`, `256`."""
    name, _, bits = primitive.id.rpartition("-")
    return name, bits


def first_operations(known: Sequence[Subject]) -> list[Subject]:
    """For each primitive on each core class its first operation."""
    firsts: dict[tuple[str, str, str], Subject] = {}
    for subject in known:
        order = list(load_primitive(subject.primitive).operations)
        first = firsts.setdefault((subject.target, subject.part, subject.primitive), subject)
        if order.index(subject.operation) < order.index(first.operation):
            firsts[subject.target, subject.part, subject.primitive] = subject
    return list(firsts.values())
