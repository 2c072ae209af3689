"""The pages that the browser asks for, as plain JSON: one question, one page."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from tightfit.budgets import load_budgets
from tightfit.conditions import CONSTANT_PATH
from tightfit.errors import UsageError, WorkError
from tightfit.explorer import data, portfoliopage, variantpage
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
        self._made: dict[tuple[str, Subject], Page] = {}

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
            "cells": lambda key: self._kept(self.cells, Subject.of(key)),
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
            "block": primitive.block_bytes,
            "ranked": list(primitive.operation(subject.operation).ranked),
            "columns": data.columns(variants),
            "published": data.published(subject),
            "rivals": rivals,
        }

    def cells(self, subject: Subject) -> Page:
        """The portfolio's cells and the curves of their winners: of all variants, and of constant paths."""
        known = self.known(subject)
        constant = replace(known, only=(CONSTANT_PATH,))
        return {
            "subject": subject.key,
            "all": _cells(subject, known),
            "constant": _cells(subject, constant),
        }

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
        measurement = self.measurement(name)
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

    def _kept(self, make: Callable[[Subject], Page], subject: Subject) -> Page:
        """A page, made once for each state of the store."""
        self._forget_old()
        key = (make.__name__, subject)
        if key not in self._made:
            self._made[key] = make(subject)
        return self._made[key]

    def known(self, subject: Subject) -> Known:
        """What is known of a subject and fits its part; read once for all parts of a core class."""
        known = self._read(self._known, data.read, subject.simulated)
        return replace(known, memory=memory_of(subject.its_part))

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
    }


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
    figures = data.columns(variants)
    fronts = zip(variants, figures["front"], figures["front_constant"], strict=True)
    kept = [sketch for sketch, *on_fronts in fronts if any(on_fronts)]
    primitive = load_primitive(subject.primitive)
    name, bits = data.family(primitive)
    return {
        "about": f"{subject.primitive} {subject.operation}",
        "target": subject.target,
        "simulated": subject.part,
        "primitive": subject.primitive,
        "family": name,
        "bits": bits,
        "block": primitive.block_bytes,
        "columns": {**data.columns(kept), "area": [area(sketch) for sketch in kept]},
        "lengths": data.by_length(kept, primitive),
    }
