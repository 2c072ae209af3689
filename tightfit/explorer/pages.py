"""The pages that the browser asks for, as plain JSON: one question, one page."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
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
from tightfit.reports.collector import no_collector
from tightfit.reports.criteria import area
from tightfit.reports.known import Current, memory_of

Page = dict[str, Any]
NOTHING = "nothing is known yet; `tightfit fill` searches and measures"


class Pages:
    """Answers from the store; what was read is kept until somebody writes to the store.

    With `whole` all of an operation is read at once, which is quicker where all of it is wanted; what others
    write meanwhile is then not seen.
    """

    def __init__(
        self, source: Callable[[], AbstractContextManager[Current]] = data.current, whole: bool = False
    ) -> None:
        self._source, self._whole = source, whole
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
            "headline": lambda _: self.headline(),
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

    def catalogue(self) -> Page:
        """What there is to choose from; `places` is empty where nothing is known."""
        with self._source() as store:
            return catalogue_of(data.subjects(store))

    def subject(self, subject: Subject) -> Page:
        """Every variant of a subject that fits its part."""
        primitive, variants = load_primitive(subject.primitive), self.sketches(subject)
        where = words.place(subject.target, subject.part)
        return {
            "subject": subject.key,
            "version": self._version,
            "title": f"{subject.primitive} {subject.operation} on {where}",
            "block": primitive.ranked_bytes,
            "ranked": list(primitive.operation(subject.operation).ranked),
            "columns": data.columns(variants),
            "published": data.published(subject),
            "rivals": data.rivals(self._contenders(subject), subject),
        }

    def cells(self, subject: Subject, only: tuple[str, ...] = ()) -> Page:
        """The cells of the portfolio under conditions, curves of their winners, and what is impossible."""
        known = replace(self.known(subject), only=only)
        return {"key": cells_key(subject, only), "searches": _fill(subject, only), **_cells(subject, known)}

    def lengths(self, subject: Subject) -> Page:
        """Cycles by message length of every variant of a subject, in the order of its columns."""
        cycles = data.by_length(self.sketches(subject), load_primitive(subject.primitive))
        return {"subject": subject.key, "version": self._version, "cycles": cycles}

    def headline(self) -> Page:
        """What of the first operation of every primitive everywhere may be the best within some sizes."""
        return {
            "series": [series(subject, data.fronts(self.sketches(subject))) for subject in self._firsts()]
        }

    def areas(self) -> Page:
        """Fronts of the first operation of every primitive everywhere, to be shown as area and throughput."""
        return {"series": [long_series(subject, self.sketches(subject)) for subject in self._firsts()]}

    def _firsts(self) -> list[Subject]:
        with self._source() as store:
            firsts = data.first_operations(data.subjects(store))
        return list(filter(self.has, firsts))

    def variant(self, name: str) -> Page:
        """One variant by its id, or as many of its first digits as tell it apart."""
        measured = self.measurement(name)
        variant = measured.variant
        subject = Subject(variant.target, variant.part, variant.primitive, variant.operation)
        cells = self._read(self._cells, lambda store, subject: store.cells(**subject.names), subject)
        return variantpage.page(measured, cells)

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

    def _contenders(self, subject: Subject) -> Sequence[Contender]:
        if self._whole:
            return self.known(subject).contenders
        with self._source() as store:
            return store.contenders(**subject.simulated.names)

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
        memory = memory_of(subject.its_part)
        return known if memory is None else replace(known, memory=memory)

    def sketches(self, subject: Subject) -> list[Sketch]:
        """The usable variants that fit the part, as `ask` ranks them; WorkError where its class has none."""
        if not self.has(subject):
            raise WorkError(f"{subject.key}: {NOTHING}")
        return self._read(self._sketches, self._sketched, subject)

    def has(self, subject: Subject) -> bool:
        """Whether any usable variant of a core class renders to the text that was measured."""
        return bool(self._read(self._sketches, self._sketched, subject.simulated))

    def _sketched(self, store: Current, subject: Subject) -> list[Sketch]:
        return data.sketches_of(self.known(subject)) if self._whole else data.sketches(store, subject)

    def _read(
        self, kept: dict[Subject, Any], read: Callable[[Current, Subject], Any], subject: Subject
    ) -> Any:
        self._forget_old()
        if subject not in kept:
            with self._source() as store, no_collector():
                kept[subject] = read(store, subject)
        return kept[subject]

    def _forget_old(self) -> None:
        """Nothing is kept from before somebody wrote to the store."""
        if self._whole:
            return
        stamp = data.stamp()
        if stamp != self._stamp:
            for kept in (self._known, self._cells, self._sketches, self._made):
                kept.clear()
            self._stamp, self._version = stamp, self._version + 1


def cells_key(subject: Subject, only: Iterable[str]) -> str:
    """The key under which the browser asks for the cells of a subject under conditions."""
    return f"{subject.key}?{','.join(only)}"


def catalogue_of(known: Sequence[Subject]) -> Page:
    """What there is to choose from where these subjects are known."""
    return {
        "places": data.catalogue(known),
        "unfilled": data.unfilled(known),
        "lengths": list(data.SHOWN_LENGTHS),
        "nothing": NOTHING,
    }


def subjects_of(catalogue: Page) -> list[Subject]:
    """All subjects of a catalogue under their simulated parts, in its order."""
    return [
        Subject(place["target"], place["simulated"], primitive, operation)
        for place in catalogue["places"]
        for primitive, operations in place["primitives"].items()
        for operation in operations
    ]


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
        "met": data.met(routine.cost),
        "curve": curves.curve_form(routine.curve),
    }


def series(subject: Subject, kept: Sequence[Sketch]) -> Page:
    """Figures of some variants of an operation, and what their primitive is."""
    primitive = load_primitive(subject.primitive)
    return {
        "about": f"{subject.primitive} {subject.operation}",
        "kind": primitive.kind,
        "operation": subject.operation,
        "target": subject.target,
        "simulated": subject.part,
        "primitive": subject.primitive,
        "block": primitive.ranked_bytes,
        "columns": data.figures(kept),
    }


def long_series(subject: Subject, variants: Sequence[Sketch]) -> Page:
    """As `series`, of what may be chosen beside others, with area, static data and messages by length."""
    kept = data.choices(variants)
    primitive = load_primitive(subject.primitive)
    name, bits = data.family(primitive)
    whole = series(subject, kept)
    more = {
        "area": [area(sketch) for sketch in kept],
        "static": [sketch.cost.ram_parts.static for sketch in kept],
    }
    lengths = data.by_length(kept, primitive)
    return {
        **whole,
        "family": name,
        "bits": bits,
        "columns": {**whole["columns"], **more},
        "lengths": lengths,
    }
