"""The variant that is exported: the one asked for, or the fastest that fits with its interface."""

from tightfit.errors import UsageError, WorkError
from tightfit.exporter.prepared import GNU, Prepared, prepare, prepare_fastest
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known


def prepare_answer(known: Known, answer: Answer, name: str, toolchain: str) -> Prepared:
    """The fastest variant that keeps within the budget of an answer with the toolchain's interface.

    Raises
    ------
    WorkError
        Nothing known fits.
    """
    question = answer.question
    if answer.measurement is None:
        subject = (
            f"{question.primitive} {question.operation} on {words.place(question.target, question.part)}"
        )
        raise WorkError(f"{subject} within {question.budget.name}: {answer.status}, nothing to export")
    fastest = prepare_fastest(known, question.budget, name) if toolchain == GNU else None
    return fastest or prepare(answer.measurement, name, toolchain)


def chosen(known: Known, prefix: str) -> Measurement:
    """The usable variant whose id begins with `prefix`; UsageError where there is none, or more than one."""
    matching = [
        measurement for measurement in known.usable if measurement.variant.id.startswith(prefix.lower())
    ]
    if len(matching) == 1:
        return matching[0]
    problem = "is ambiguous" if matching else "is none of the known ones of this operation"
    raise UsageError(f"variant {prefix!r} {problem}; `tightfit front` lists them")
