"""The pages that the browser asks for, as plain JSON: one question, one page."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from tightfit.budgets import load_budgets
from tightfit.conditions import conditions, searched
from tightfit.errors import UsageError, WorkError
from tightfit.explorer import data, impossible, portfoliopage, variantpage
from tightfit.explorer.data import Subject
from tightfit.explorer.sketch import Sketch
from tightfit.primitives import load_primitive
from tightfit.records import Cell, Contender, Measurement
from tightfit.reports import contenders, curves, words
from tightfit.reports import portfolio as portfolios
from tightfit.reports.answer import Known
from tightfit.reports.criteria import area
from tightfit.reports.known import Current, memory_of

Page = dict[str, Any]
NOTHING = "nothing is known yet; `tightfit fill` searches and measures"


class Pages:
    """Answers from the store; what was read is kept until somebody writes to the store."""

    def __init__(self, source: Callable[[], AbstractContextManager[Current]] = data.current) -> None:
        self._source = source
        self._stamp: object = None
        self._version = 0
        self._known: dict[Subject, Known] = {}
        self._cells: dict[Subject, list[Cell]] = {}
        self._sketches: dict[Subject, list[Sketch]] = {}
        self._made: dict[tuple[str, tuple], Page] = {}

    def answer(self, what: str, key: str) -> Page:
        """The page for a question.

        Raises
        ------
        UsageError
            No such question, or it names what is not there.
        WorkError
            The store cannot be read, or a tool is missing.
        """
        questions: dict[str, Callable[[str], Page]] = {
            "catalogue": lambda _: self.catalogue(),
            "subject": lambda key: self._kept(self.subject, Subject.of(key)),
            "lengths": lambda key: self._kept(self.lengths, Subject.of(key)),
            "cells": lambda key: self._under(key),
            "areas": lambda _: self.areas(),
            "variant": self.variant,
            "listing": self.listing,
            "library": self.library,
        }
        if what not in questions:
            raise UsageError(f"no page {what!r}; there are: {', '.join(questions)}")
        return questions[what](key)

    def catalogue(self, present: bool = False) -> Page:
        """What there is to choose from; `places` is empty where nothing is known.

        With `present` only that of which variants render to the text that was measured.
        """
        with self._source() as store:
            known = data.subjects(store)
        if present:
            known = list(filter(self._every_sketch, known))
        return {
            "places": data.catalogue(known),
            "unfilled": data.unfilled(known),
            "lengths": list(data.SHOWN_LENGTHS),
            "nothing": NOTHING,
        }

    def subject(self, subject: Subject) -> Page:
        """Every variant of a subject that fits its part."""
        primitive, variants = load_primitive(subject.primitive), self.sketches(subject)
        where = words.place(subject.target, subject.part)
        with self._source() as store:
            rivals = data.rivals(store, subject)
        return {
            "subject": subject.key,
            "version": self._version,
            "title": f"{subject.primitive} {subject.operation} on {where}",
            "block": primitive.ranked_bytes,
            "ranked": list(primitive.operation(subject.operation).ranked),
            "columns": data.columns(variants),
            "published": data.published(subject),
            "rivals": rivals,
        }

    def cells(self, subject: Subject, only: tuple[str, ...] = ()) -> Page:
        """The cells of the portfolio under conditions, curves of their winners, and what is impossible."""
        known = replace(self.known(subject), only=only)
        return {"key": cells_key(subject, only), "searches": _fill(subject, only), **_cells(subject, known)}

    def lengths(self, subject: Subject) -> Page:
        """Cycles by message length of every variant of a subject, in the order of its columns."""
        cycles = data.by_length(self.sketches(subject), load_primitive(subject.primitive))
        return {"subject": subject.key, "version": self._version, "cycles": cycles}

    def areas(self) -> Page:
        """Fronts of the first operation of every primitive everywhere, to be shown as area and throughput."""
        with self._source() as store:
            firsts = data.first_operations(data.subjects(store))
        subjects = filter(self._every_sketch, firsts)
        return {"series": [_series(subject, self.sketches(subject)) for subject in subjects]}

    def variant(self, name: str) -> Page:
        """One variant by its id, or as many of its first digits as tell it apart."""
        return self.page_of(self.measurement(name))

    def page_of(self, measurement: Measurement) -> Page:
        """The page of a variant that was measured."""
        variant = measurement.variant
        subject = Subject(variant.target, variant.part, variant.primitive, variant.operation)
        cells = self._read(self._cells, lambda store, subject: store.cells(**subject.names), subject)
        return variantpage.page(measurement, cells)

    def listing(self, name: str) -> Page:
        """Source lines of a variant with their bytes and cycles; only the source where no tool measures."""
        return variantpage.listing_page(self.measurement(name).variant)

    def library(self, key: str) -> Page:
        """The drop-in library of a variant for a part, `PART/VARIANT`, as a zip file in base64."""
        from tightfit.explorer.library import zipped

        part, _, name = key.partition("/")
        return zipped(self.measurement(name), part)

    def measurement(self, name: str) -> Measurement:
        """The newest measurement of a variant."""
        with self._source() as store:
            return store.by_id(name)

    def measurements(self, subject: Subject) -> list[Measurement]:
        """All that is known of a core class, with where bytes and cycles are."""
        with self._source() as store, _no_collector():
            return store.measurements(attribution=True, **subject.simulated.names)

    def _under(self, key: str) -> Page:
        """The cells of a key: a subject, `?`, and conditions with commas between them."""
        subject, _, names = key.partition("?")
        return self._kept(self.cells, Subject.of(subject), conditions(filter(None, names.split(","))))

    def _kept(self, make: Callable[..., Page], *of: Any) -> Page:
        """A page, made once for each state of the store."""
        self._forget_old()
        key = (make.__name__, of)
        if key not in self._made:
            self._made[key] = make(*of)
        return self._made[key]

    def known(self, subject: Subject) -> Known:
        """What is known of a subject and fits its part; read once for all parts of a core class."""
        known = self._read(self._known, data.read, subject.simulated)
        return replace(known, memory=memory_of(subject.its_part))

    def is_all_within(self, subject: Subject) -> bool:
        """Whether all that is known of the core class fits the part, so that its cells are the class's."""
        known = self.known(subject)
        costs = [measured.cost for measured in (*known.measurements, *known.contenders) if measured.cost]
        return all(data.fits(cost, known.memory) for cost in costs)

    def sketches(self, subject: Subject) -> list[Sketch]:
        """The usable variants that fit the part, as `ask` ranks them; WorkError where its class has none."""
        if not self._every_sketch(subject):
            raise WorkError(f"{subject.key}: {NOTHING}")
        return self._read(self._sketches, data.sketches, subject)

    def _every_sketch(self, subject: Subject) -> list[Sketch]:
        """The usable variants of a core class, those included that do not fit the part."""
        return self._read(self._sketches, data.sketches, subject.simulated)

    def _read(
        self, kept: dict[Subject, Any], read: Callable[[Current, Subject], Any], subject: Subject
    ) -> Any:
        self._forget_old()
        if subject not in kept:
            with self._source() as store, _no_collector():
                kept[subject] = read(store, subject)
        return kept[subject]

    def _forget_old(self) -> None:
        """Nothing is kept from before somebody wrote to the store."""
        stamp = data.stamp()
        if stamp != self._stamp:
            for kept in (self._known, self._cells, self._sketches, self._made):
                kept.clear()
            self._stamp, self._version = stamp, self._version + 1


def cells_key(subject: Subject, only: Iterable[str]) -> str:
    """The key under which the browser asks for the cells of a subject under conditions."""
    return f"{subject.key}?{','.join(only)}"


def subjects_of(catalogue: Page) -> list[Subject]:
    """All subjects of a catalogue under their simulated parts, in its order."""
    return [
        Subject(place["target"], place["simulated"], primitive, operation)
        for place in catalogue["places"]
        for primitive, operations in place["primitives"].items()
        for operation in operations
    ]


@contextmanager
def _no_collector() -> Iterator[None]:
    """Many small records at once: walking them over and over while they are made takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _cells(subject: Subject, known: Known) -> Page:
    place = (subject.target, subject.part, subject.operation)
    portfolio = portfolios.gather(load_primitive(subject.primitive), *place, known, load_budgets())
    routines = [rivalry.contender for rivalry in portfolio.rivalries]
    shown = [routine for routine in routines if routine.curve and data.fits(routine.cost, known.memory)]
    return {
        "portfolio": portfoliopage.page(portfolio),
        "curves": [_winner(curve) for curve in curves.form([portfolio])["curves"]],
        "rivals": [_rival(routine) for routine in sorted(shown, key=lambda routine: routine.curve.slope)],
        "impossible": impossible.page(known),
    }


def _fill(subject: Subject, only: Iterable[str]) -> str:
    """The command that searches an operation, to which bounds are added."""
    everything = words.fill(subject.primitive, subject.target, subject.part)
    conditions = "".join(f" --{name}" for name in searched(only))
    return f"{everything} --operation {subject.operation}{conditions}"


def _winner(curve: Page) -> Page:
    return {name: curve[name] for name in ("variant", "rom", "ram", "budgets", "curve")}


def _rival(routine: Contender) -> Page:
    return {
        "origin": routine.origin,
        "title": contenders.title(routine),
        "rom": routine.cost.rom,
        "ram": routine.cost.ram,
        "curve": curves.curve_form(routine.curve),
    }


def _series(subject: Subject, variants: Sequence[Sketch]) -> Page:
    kept = data.choices(variants)
    primitive = load_primitive(subject.primitive)
    name, bits = data.family(primitive)
    return {
        "about": f"{subject.primitive} {subject.operation}",
        "kind": primitive.kind,
        "operation": subject.operation,
        "target": subject.target,
        "simulated": subject.part,
        "primitive": subject.primitive,
        "family": name,
        "bits": bits,
        "block": primitive.ranked_bytes,
        "columns": {
            **data.columns(kept),
            "area": [area(sketch) for sketch in kept],
            "static": [sketch.cost.ram_parts.static for sketch in kept],
        },
        "lengths": data.by_length(kept, primitive),
    }
