"""What a written explorer holds: a box for each primitive on each core class, and the sources of its winners.

A browser opens a box when its primitive is looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tightfit.conditions import searched
from tightfit.explorer import data, impossible, variantpage
from tightfit.explorer.data import Subject
from tightfit.explorer.pages import Page, Pages, long_series, series
from tightfit.explorer.sketch import Sketch
from tightfit.explorer.variantpage import NOT_MEASURED, listing_page
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.answer import Known

FEW = 200
"""Of so many variants of an operation all have a page, of more those on a front or in a cell."""


@dataclass(frozen=True)
class Job:
    """A primitive on a target, with its operations on every core class that something is known of."""

    target: str
    primitive: str
    subjects: tuple[Subject, ...]


@dataclass(frozen=True)
class Made:
    """What a job came to.

    `shelves` are pages by the name under which the browser asks for them. `subjects` are those with variants;
    `short` and `long` have the series of the first operation on each class; `variants` the ids in each box.
    """

    shelves: dict[str, Page]
    subjects: list[Subject]
    short: list[Page]
    long: list[Page]
    variants: dict[str, list[str]]


def jobs(subjects: Sequence[Subject]) -> list[Job]:
    """The subjects by target and primitive."""

    def of(subject: Subject) -> tuple[str, str]:
        return subject.target, subject.primitive

    return [Job(*names, tuple(own)) for names, own in groupby(sorted(subjects, key=of), of)]


def make(pages: Pages, job: Job, listings: bool) -> Made:
    """The boxes of a primitive on a target.

    Pages are those of the simulated parts, under no condition. For the other parts of a core class, and under
    conditions, the browser leaves out what does not fit (`js/within.js`).

    Parameters
    ----------
    listings : whether the sources of winners come with bytes and cycles a line, which takes a toolchain.
    """
    known = list(filter(pages.has, job.subjects))
    made = Made({}, known, [], [], {})
    firsts = set(data.first_operations(known))
    shown: dict[str, Measurement] = {}
    for part, own in groupby(known, lambda subject: subject.part):
        box: Page = {"operations": {}, "variants": {}, "contexts": {}}
        for subject in own:
            operation = box["operations"][subject.operation] = _operation(pages, subject)
            _add_variants(box, pages, subject)
            shown |= _winners(operation["cells"], pages.known(subject))
            if subject in firsts:
                variants = pages.sketches(subject)
                made.short.append(series(subject, data.fronts(variants)))
                made.long.append(long_series(subject, variants))
        name = f"{job.target}/{part}/{job.primitive}"
        made.shelves[name] = box
        made.variants[name] = list(box["variants"])
    if shown:
        made.shelves[f"{job.target}/sources/{job.primitive}"] = _sources(list(shown.values()), listings)
    return made


def _operation(pages: Pages, subject: Subject) -> Page:
    known = pages.known(subject)
    return {
        "subject": pages.subject(subject),
        "lengths": pages.lengths(subject),
        "cells": pages.cells(subject),
        "under": {",".join(only): _under(known, only) for only in _closed(known)},
    }


def _closed(known: Known) -> list[tuple[str, ...]]:
    """The conditions, none, one or several together, under which something was searched."""
    asked = [cell.budget.only for cell in known.cells] + [front.only for front in known.fronts]
    return list(dict.fromkeys(((), *asked)))


def _under(known: Known, only: tuple[str, ...]) -> Page:
    """What is proved under conditions: of each cell, of what is on the front, and what cannot be."""
    is_searched = only and searched(only) == only
    return {
        "cells": {
            cell.budget.name.partition(" ")[0]: {
                "variant": cell.variant_id,
                "proof": words.proof(cell.certificate),
                "proved": cell.certificate.proved,
            }
            for cell in known.cells
            if cell.budget.only == only and not cell.budget.below
        },
        "front": _front_proof(known, only),
        "impossible": impossible.page(replace(known, only=only)) if is_searched else [],
    }


def _front_proof(known: Known, only: tuple[str, ...]) -> str | None:
    """What the front under conditions proves of its variants; None where it does not prove all of them."""
    front = next((front for front in known.fronts if front.only == only), None)
    if front is None or front.open or any(measured.destroys_key for measured in known.measurements):
        return None
    whole = front.certificate.measured >= int(front.certificate.space)
    kind = "optimal" if whole else "optimal under additivity"
    return words.proof(replace(front.certificate, kind=kind))


def _add_variants(box: Page, pages: Pages, subject: Subject) -> None:
    """Add pages of variants, which share their provenance."""
    known = pages.known(subject)
    ids = _with_page(known, pages.sketches(subject))
    for measured in known.measurements:
        if measured.variant.id in ids:
            page = variantpage.page(measured, known.cells)
            context = measured.provenance["context"]
            box["contexts"][context] = page["provenance"]
            own = {"provenance": context, "figure": words.by_entry(measured.cost)}
            box["variants"][page["id"]] = {**page, **own}


def _winners(cells: Page, known: Known) -> dict[str, Measurement]:
    """The variants in the cells under no condition."""
    won = {cell["variant"] for cell in cells["portfolio"]["cells"].values()}
    return {measured.variant.id: measured for measured in known.measurements if measured.variant.id in won}


def _with_page(known: Known, sketches: Sequence[Sketch]) -> set[str]:
    if len(sketches) <= FEW:
        return {sketch.id for sketch in sketches}
    winners = {cell.variant_id for cell in known.cells}
    return {sketch.id for sketch in (*data.fronts(sketches), *(s for s in sketches if s.id in winners))}


def _sources(measured: Sequence[Measurement], listings: bool) -> Page:
    """The sources of variants, each text once; with `listings` each variant has lines of its own."""
    texts: dict[str, int] = {}
    sources: list[str | None] = []
    of: dict[str, Any] = {}
    file = None
    for each in measured:
        text, known = each.source_sha256, texts.get(each.source_sha256)
        if known is not None and not listings:
            of[each.variant.id] = {"text": known, "lines": None, "note": NOT_MEASURED}
            continue
        page = listing_page(each.variant, listings)
        file = page["file"]
        if known is None:
            texts[text] = len(sources)
            sources.append(page["source"])
        of[each.variant.id] = {"text": texts[text], "lines": page["lines"], "note": page["note"]}
    return {"file": file, "texts": sources, "of": of}
