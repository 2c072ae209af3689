"""Answers for several primitives, each kind ranked by cycles per byte on each target."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tightfit.generator import has_templates
from tightfit.primitives import Primitive
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import IMPOSSIBLE, Answer
from tightfit.reports.contenders import C_ALONE, beside
from tightfit.reports.document import Document, Table
from tightfit.reports.filters import Filters
from tightfit.reports.forms import asked_form
from tightfit.targets import load_target

NONE_FITS = (
    "x: proved that none fits; ?: none known that fits; would fit: the least ROM / RAM that do, or that take "
    "the least time."
)
NOT_PROVED = "*: the best known, not proved optimal."
VARIES = "~: the mean of cycles that vary."
ESTIMATE = "Of hashes whose curve lacks the length of the message, cycles are an estimate (2 %)."
SYMBOLS = {IMPOSSIBLE: "x"}
UNKNOWN = "?"


SPARE = (C_ALONE, "variant", "block", "key")


@dataclass(frozen=True)
class Ranked:
    """A primitive's answer; `cycles_per_byte` is None where nothing fits."""

    primitive: Primitive
    answer: Answer
    cycles_per_byte: float | None


def ranking(answers: Iterable[tuple[Primitive, Answer]]) -> list[Ranked]:
    """The answers by kind, operation and target, then by cycles per byte, those without one last."""
    return sorted((ranked(primitive, answer) for primitive, answer in answers), key=_place)


def ranked(primitive: Primitive, answer: Answer) -> Ranked:
    """The answer with its figure."""
    return Ranked(primitive, answer, cycles_a_byte(primitive, answer))


def _place(entry: Ranked) -> tuple:
    question, per_byte = entry.answer.question, entry.cycles_per_byte
    at = list(entry.primitive.operations).index(question.operation)
    last = float("inf") if per_byte is None else per_byte
    return (
        entry.primitive.kind,
        at,
        question.operation,
        question.target,
        question.part,
        last,
        question.primitive,
    )


def cycles_a_byte(primitive: Primitive, answer: Answer) -> float | None:
    """Cycles a byte of the answer's variant: of a block, or of the message that is asked for."""
    if answer.measurement is None:
        return None
    return answer.measurement.cost.cycles / (answer.question.filters.message or primitive.ranked_bytes)


def ranking_form(kind: str | None, entries: Sequence[Ranked]) -> dict:
    """The object that `ask --json` prints for several primitives; `kind` is that asked for."""
    return {"kind": kind, "answers": list(map(_form, entries))}


def _form(entry: Ranked) -> dict:
    return {
        **asked_form(entry.answer),
        "kind": entry.primitive.kind,
        "cycles_per_byte": entry.cycles_per_byte,
    }


def ranking_document(
    budget: Budget, filters: Filters, entries: Sequence[Ranked], wanted: str = ""
) -> Document:
    """A table for each kind and operation; `wanted` says what the primitives are like."""
    groups = groupby(entries, lambda entry: (entry.primitive.kind, entry.answer.question.operation))
    tables = tuple(_table(kind, operation, list(own)) for (kind, operation), own in groups)
    return Document(title(budget, filters, wanted), tables, tuple(_notes(entries)))


def title(budget: Budget, filters: Filters, wanted: str) -> str:
    """What was asked, as a heading."""
    return ", ".join(filter(None, [f"{words.bounds(budget)}{filters.titles()}", wanted]))


def _table(kind: str, operation: str, entries: Sequence[Ranked]) -> Table:
    columns = (
        *("target", "primitive", "key", "block", "cycles/byte", "cycles", "ms", "ROM", "RAM"),
        *("variant", C_ALONE, "would fit"),
    )
    asked = (entry.answer.question for entry in entries)
    places = [place_name(question.target, question.part) for question in asked]
    new = [place != before for place, before in zip(places, ["", *places], strict=False)]
    rows = [
        (place if is_new else "", *_row(entry))
        for place, is_new, entry in zip(places, new, entries, strict=True)
    ]
    caption = kind if kind == operation else f"{kind}, {operation}"
    if len(set(places)) == 1:
        question = entries[0].answer.question
        caption += f" on {words.place(question.target, question.part)}"
        rows = [("", *row[1:]) for row in rows]
    table = Table(caption, columns, tuple(rows), frozenset({2, 3, 4, 5, 6, 7, 8, 10}), SPARE)
    for column in ("target", "cycles/byte", "ROM", "RAM", "variant", "key", "ms", C_ALONE, "would fit"):
        table = table.dropping(column)
    return table


def place_name(target: str, part: str) -> str:
    """The target, with the part where it is not the default one."""
    return target if part == load_target(target).default_part else words.place(target, part)


def _row(entry: Ranked) -> tuple[str, ...]:
    primitive, answer = entry.primitive, entry.answer
    sizes = (primitive.id, f"{primitive.key_bits}", f"{primitive.block_bits}")
    if answer.measurement is None:
        status = SYMBOLS.get(answer.status, UNKNOWN)
        return (*sizes, "", status, "", "", "", "", beside(answer), _least(answer))
    cost = answer.measurement.cost
    milliseconds = answer.question.filters.milliseconds(cost.cycles)
    return (
        *sizes,
        f"{entry.cycles_per_byte:,.1f}",
        words.figure(answer),
        "" if milliseconds is None else words.milliseconds(milliseconds),
        words.rom(cost),
        f"{cost.ram}{words.padding(cost.padding.ram)}",
        answer.measurement.variant.id,
        beside(answer),
        "",
    )


def _least(answer: Answer) -> str:
    """`674 / 330, 1,090 / 300`: ROM and RAM of the least that would fit."""
    return ", ".join(f"{one.cost.rom:,} / {one.cost.ram}" for one in answer.least)


def _notes(entries: Sequence[Ranked]) -> list[str]:
    found = [entry.answer for entry in entries if entry.answer.measurement]
    unsearched = list(dict.fromkeys(_unsearched(entry.answer) for entry in entries))
    if not found:
        return [NONE_FITS, *filter(None, unsearched)]
    missing = [NONE_FITS] if len(found) < len(entries) else []
    return [*sign_notes(found), *missing, *estimate_notes(found), *filter(None, unsearched)]


def sign_notes(found: Sequence[Answer]) -> list[str]:
    """What the signs beside the figures of answers mean; every answer has a variant."""
    costs = [answer.measurement.cost for answer in found]
    notes = {
        NOT_PROVED: not all(map(words.is_proved, found)),
        VARIES: any(map(words.varies, costs)),
        words.PADDING: any(cost.padding.rom or cost.padding.ram for cost in costs),
    }
    return [note for note, applies in notes.items() if applies]


def estimate_notes(found: Sequence[Answer]) -> list[str]:
    """The note that figures are estimates, where any is."""
    return [ESTIMATE] if any(map(words.is_estimate, found)) else []


def _unsearched(answer: Answer) -> str:
    """The command that searches where nothing was, if there are templates; nothing where something was."""
    if answer.certificate is not None or answer.measurement is not None:
        return ""
    asked = answer.question
    if not has_templates(asked.target, asked.primitive):
        return f"There are no templates of {asked.primitive} on {asked.target}; `tightfit measure` takes C."
    search = words.fill(asked.primitive, asked.target, asked.part)
    return f"Nothing is known of {asked.primitive} there: `{search}` searches."
