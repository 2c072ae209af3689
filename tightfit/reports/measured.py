"""Contenders that were measured, each with our best variant within its ROM and RAM, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tightfit.jsonform import to_json
from tightfit.primitives import load_primitive
from tightfit.records import Contender
from tightfit.reports import contenders, words
from tightfit.reports.contenders import Rivalry
from tightfit.reports.document import Document, write
from tightfit.reports.known import Current
from tightfit.targets import load_target

_KNOWN = ("one pointer", "supercop")
_ONE_BLOCK = "RAM has one block of the message, theirs as ours; the rest of the message is the caller's"
Subject = tuple[str, str, str, str]
"""Target, part, primitive and operation."""


@dataclass(frozen=True)
class Measured:
    """Contenders with a cost, each beside our best variant, and those that were rejected."""

    rivalries: tuple[Rivalry, ...]
    rejected: tuple[Contender, ...]


def beside_ours(store: Current, measured: Sequence[Contender]) -> Measured:
    """Contenders beside the best variants that the store knows."""
    ids = {contender.id for contender in measured}
    every = [
        rivalry for names in _subjects(measured) for rivalry in contenders.rivalries(store.known(*names))
    ]
    return Measured(
        tuple(rivalry for rivalry in every if rivalry.contender.id in ids),
        tuple(contender for contender in measured if contender.rejected is not None),
    )


def form(measured: Measured) -> dict[str, Any]:
    """The object that `measure --json` prints."""
    return {
        "contenders": [
            {**contenders.rivalry_form(rivalry), "curve": to_json(rivalry.contender.curve)}
            for rivalry in measured.rivalries
        ],
        "rejected": list(map(contenders.rejected_form, measured.rejected)),
    }


def text(measured: Measured) -> str:
    """A table for each operation, and why the others were rejected."""
    tables = []
    for names in _subjects([rivalry.contender for rivalry in measured.rivalries]):
        target, part, primitive, operation = names
        rows = [rivalry for rivalry in measured.rivalries if _subject(rivalry.contender) == names]
        tables.append(contenders.table(rows, f"{primitive} {operation}, {target} {part}"))
    notes = [
        *([words.PADDING, words.MARKS] if tables else []),
        *map(contenders.rejection, measured.rejected),
        *dict.fromkeys(map(_about_calls, measured.rivalries)),
        *dict.fromkeys(map(_about_messages, measured.rivalries)),
        *map(_about_lengths, measured.rivalries),
        *dict.fromkeys(map(_about_ours, measured.rivalries)),
        *dict.fromkeys(map(_about_timing, measured.rivalries)),
    ]
    return write(Document("measured", tuple(tables), tuple(filter(None, notes))), "text")


def _subject(contender: Contender) -> Subject:
    return contender.target, contender.part, contender.primitive, contender.operation


def _subjects(measured: Sequence[Contender]) -> list[Subject]:
    return list(dict.fromkeys(map(_subject, measured)))


def _about_calls(rivalry: Rivalry) -> str:
    """A note where it is called otherwise than through one pointer or as SUPERCOP says, else nothing."""
    theirs = rivalry.contender
    return "" if theirs.interface in _KNOWN else f"{theirs.name}: {theirs.interface}"


def _about_messages(rivalry: Rivalry) -> str:
    """A note where whole messages are given, else nothing."""
    theirs = rivalry.contender
    whole = theirs.interface != _KNOWN[0] and load_primitive(theirs.primitive).kind == "hash"
    return _ONE_BLOCK if whole else ""


def _about_lengths(rivalry: Rivalry) -> str:
    """A note where carries of a block count could not be tested, else nothing."""
    theirs = rivalry.contender
    if not theirs.tested_bytes:
        return ""
    return f"{theirs.name} ({theirs.flags}): tested with messages of up to {theirs.tested_bytes:,} bytes"


def _about_ours(rivalry: Rivalry) -> str:
    """A note where no variant of ours was measured, or none is so small; else nothing."""
    theirs = rivalry.contender
    if rivalry.ours:
        return ""
    if rivalry.known:
        return f"{contenders.NONE_FITS}: no known variant of ours is so small"
    command = words.fill(theirs.primitive, theirs.target, theirs.part)
    return f"{contenders.NONE_KNOWN}: no variant of ours was measured on {theirs.part}; `{command}` does"


def _about_timing(rivalry: Rivalry) -> str:
    """A note where the timing of its core is not verified, else nothing."""
    core = load_target(rivalry.contender.target).part(rivalry.contender.part).core
    return "" if core.timing_tested else f"the timing of core {core.name} is not verified"
