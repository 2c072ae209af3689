"""The variant that is exported: the one asked for, or the fastest that fits with its interface."""

from tightfit.errors import UsageError, WorkError
from tightfit.exporter.prepared import GNU, Prepared, prepare, prepare_fastest
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known, Question, fits


def prepare_answer(known: Known, answer: Answer, name: str, toolchain: str) -> Prepared:
    """The fastest variant that keeps within the budget of an answer with the toolchain's interface.

    Raises
    ------
    WorkError
        Nothing known fits.
    """
    question = answer.question
    if answer.measurement is None:
        raise WorkError(
            f"{_subject(question)} within {question.budget.name}: {answer.status}, nothing to export"
        )
    bounds = known.narrowed(question.budget)
    fastest = prepare_fastest(known, bounds, name) if toolchain == GNU else None
    prepared = fastest or prepare(answer.measurement, name, toolchain)
    if not fits(prepared.as_exported, bounds):
        raise WorkError(
            f"{_subject(question)} within {question.budget.name}: nothing known fits with the interface of "
            f"{toolchain}, nothing to export; `tightfit ask --toolchain {toolchain}` says what would"
        )
    return prepared


def _subject(question: Question) -> str:
    return f"{question.primitive} {question.operation} on {words.place(question.target, question.part)}"


def chosen(known: Known, prefix: str) -> Measurement:
    """The usable variant whose id begins with `prefix`; UsageError where there is none, or more than one."""
    matching = [
        measurement for measurement in known.usable if measurement.variant.id.startswith(prefix.lower())
    ]
    if len(matching) == 1:
        return matching[0]
    problem = "is ambiguous" if matching else "is none of the known ones of this operation"
    raise UsageError(f"variant {prefix!r} {problem}; `tightfit front` lists them")
