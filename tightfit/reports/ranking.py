"""Primitives of a kind, ranked by cycles per byte."""

from collections.abc import Sequence
from dataclasses import dataclass

from tightfit.primitives import Primitive
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import Answer
from tightfit.reports.contenders import C_ALONE, beside
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import answer_form


@dataclass(frozen=True)
class Ranked:
    """A primitive's answer; `cycles_per_byte` is None where nothing fits."""

    answer: Answer
    cycles_per_byte: float | None


def ranking(answers: Sequence[tuple[Primitive, Answer]]) -> list[Ranked]:
    """The answers by cycles per byte of a block, those without one last, ties by the primitive's id."""
    unordered = [Ranked(answer, _per_byte(primitive, answer)) for primitive, answer in answers]
    return sorted(unordered, key=lambda entry: (_last(entry), entry.answer.question.primitive))


def ranking_form(kind: str, ranked: Sequence[Ranked]) -> dict:
    """The object that `ask --kind --json` prints."""
    answers = [{**answer_form(entry.answer), "cycles_per_byte": entry.cycles_per_byte} for entry in ranked]
    return {"kind": kind, "answers": answers}


def ranking_text(kind: str, budget: Budget, ranked: Sequence[Ranked]) -> str:
    """The ranking as a table."""
    columns = ("primitive", "operation", "cycles a byte", "cycles", "ROM", "RAM", "variant", C_ALONE, "proof")
    rows = tuple(map(_row, ranked))
    table = Table(f"{kind} within {budget.name}", columns, rows, frozenset({2, 3, 4, 5, 7}))
    return write(
        Document("by cycles per byte, fastest first", (table.dropping(C_ALONE),), (words.PADDING,)), "text"
    )


def _row(entry: Ranked) -> tuple[str, ...]:
    question, measurement = entry.answer.question, entry.answer.measurement
    c_alone, proof = beside(entry.answer), words.proof(entry.answer.certificate)
    if measurement is None:
        return (question.primitive, question.operation, entry.answer.status, "", "", "", "", c_alone, proof)
    cost = measurement.cost
    return (
        question.primitive,
        question.operation,
        f"{entry.cycles_per_byte:.1f}",
        words.by_entry(cost),
        f"{cost.rom:,}{words.padding(cost.padding.rom)}",
        f"{cost.ram:,}",
        measurement.variant.id,
        c_alone,
        proof,
    )


def _per_byte(primitive: Primitive, answer: Answer) -> float | None:
    return answer.measurement.cost.cycles / primitive.block_bytes if answer.measurement else None


def _last(entry: Ranked) -> float:
    return float("inf") if entry.cycles_per_byte is None else entry.cycles_per_byte
