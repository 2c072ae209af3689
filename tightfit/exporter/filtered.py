"""Answers under filters.

A filter changes what is known before it is ranked: variants are left out, or their cost becomes that of a
whole message or that with a toolchain's interface. No search closes cells under a filter, but what was proved
of all variants bounds the filtered ones: an answer that reaches the bound is proved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tightfit.curve import message_cycles
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget, Certificate, Contender, Cost, Measurement, Timing
from tightfit.reports.answer import IMPOSSIBLE, UNEXPLORED, Answer, Known, Question, answer, rank
from tightfit.reports.filters import Filters

if TYPE_CHECKING:
    from fractions import Fraction

    from tightfit.reports.needs import View

COUNTED = "counted"
"""In the place of a toolchain: called as the portfolio counts."""
MESSAGE = "message"
"""Name of the figure of a whole message, in the place of an entry."""
Measured = TypeVar("Measured", Measurement, Contender)


def answered(question: Question, store: "View", budgets: Sequence[Budget]) -> Answer:
    """The answer under the question's filters, with what is proved of the filtered variants alone."""
    names = (question.target, question.part, question.primitive, question.operation)
    known = store.known(*names, only=question.budget.only)
    if not question.filters.selects:
        return answer(question, known, budgets)
    found, least = _settled(question, known, budgets), _at_least(question, known, budgets)
    if found.measurement is None:
        proved = least.status == IMPOSSIBLE or _is_too_slow(least, question.filters)
        return replace(
            found,
            least=found.least or _fastest(question, known, budgets),
            status=IMPOSSIBLE if proved else UNEXPLORED,
            certificate=least.certificate if proved else _unproved(least.certificate),
        )
    figure = rank(found.measurement, question.budget)[0]
    if _is_proved(least) and figure <= rank(least.measurement, question.budget)[0]:
        return replace(found, certificate=replace(least.certificate, bound=figure))
    return replace(found, certificate=_unproved(least.certificate))


def _at_least(question: Question, known: Known, budgets: Sequence[Budget]) -> Answer:
    """The answer among all variants, with what it takes at least under the filters: none takes less.

    An interface adds to every variant what it adds to the cheapest, so that as much less of a budget is left.
    A message takes as many blocks with every variant where each has the same call; else nothing is proved.
    """
    from tightfit.exporter.interfaces import load_interface

    asked, primitive = question.filters, load_primitive(question.primitive)
    entries = primitive.operation(question.operation).entries
    interface = load_interface(question.target, asked.toolchain or COUNTED)
    rom, ram = interface.least(entries)
    budget = replace(
        question.budget, rom=_less(question.budget.rom, rom), ram=_less(question.budget.ram, ram)
    )
    found = answer(replace(question, budget=budget), known, budgets)
    if found.measurement is None:
        return found
    with_interface = interface.predicted(found.measurement.cost, entries, reentrant=True)
    measurement = replace(found.measurement, cost=with_interface)
    if asked.message is None:
        return replace(found, measurement=measurement)
    if asked.message and entries == ("encrypt",):
        return replace(found, measurement=_of_message(measurement, primitive, asked.message))
    return replace(found, certificate=_unproved(found.certificate))


def _less(bound: int | None, by: int) -> int | None:
    return None if bound is None else max(0, bound - by)


def _is_proved(found: Answer) -> bool:
    return found.measurement is not None and found.certificate is not None and found.certificate.proved


def _settled(question: Question, known: Known, budgets: Sequence[Budget]) -> Answer:
    """The answer among the filtered; a cost with an interface is measured before it is an answer."""
    if question.filters.toolchain is None:
        return answer(question, _filtered(known, question), budgets)
    from tightfit.exporter.counted import Counted

    counted = Counted(question.filters.toolchain)
    while True:
        found = answer(question, _filtered(counted.known(known), question), budgets)
        if found.measurement is None or counted.is_settled(found.measurement.variant.id):
            return found


def _fastest(question: Question, known: Known, budgets: Sequence[Budget]) -> tuple[Measurement, ...]:
    """What fits but for the deadline."""
    patient = replace(question, filters=replace(question.filters, under=None))
    fastest = _settled(patient, known, budgets).measurement
    return () if fastest is None else (fastest,)


def _is_too_slow(least: Answer, asked: Filters) -> bool:
    """Whether the fastest of all is proved, and misses the deadline even on average."""
    if asked.under is None or not _is_proved(least) or least.question.budget.objective != "cycles":
        return False
    return least.measurement.cost.cycles > asked.most_cycles


def _unproved(certificate: Certificate | None) -> Certificate | None:
    return certificate and replace(
        certificate, proved=False, kind="none", bound=None, margin=0, least_rom=None, least_ram=None
    )


def reentrant_alone(known: Known) -> Known:
    """What is known without the routines that write static data or use register banks."""
    return replace(
        known,
        measurements=tuple(filter(_is_reentrant, known.measurements)),
        contenders=tuple(filter(_is_reentrant, known.contenders)),
    )


def _filtered(known: Known, question: Question) -> Known:
    """What is known without what is filtered out, with the costs that are asked for."""
    asked, primitive = question.filters, load_primitive(question.primitive)
    if asked.reentrant:
        known = reentrant_alone(known)
    measurements: Iterable[Measurement] = known.usable
    contenders: Iterable[Contender] = known.contenders
    if asked.message is not None:
        of_message = partial(_of_message, primitive=primitive, length=asked.message)
        measurements = filter(None, map(of_message, measurements))
        contenders = filter(None, map(of_message, contenders))
    if asked.most_cycles is not None:
        in_time = partial(_is_in_time, most=asked.most_cycles)
        measurements, contenders = filter(in_time, measurements), filter(in_time, contenders)
    return replace(known, measurements=tuple(measurements), contenders=tuple(contenders))


def _is_reentrant(measured: Measurement | Contender) -> bool:
    return measured.reentrant


def _is_in_time(measured: Measurement | Contender, most: "Fraction") -> bool:
    cost = measured.cost
    return cost is None or sum(cost.by_entry[entry].maximum for entry in cost.ranked) <= most


def _of_message(measured: Measured, primitive: Primitive, length: int) -> Measured | None:
    """The routine with the cost of a whole message; None where that is not known."""
    if measured.cost is None:
        return measured
    cycles = message_cycles(measured, primitive, length)
    return None if cycles is None else replace(measured, cost=_whole(measured, cycles, primitive, length))


def _whole(measured: Measured, cycles: int | float, primitive: Primitive, length: int) -> Cost:
    """A cost whose ranked figure is that of a message; its extremes are those of its blocks."""
    cost = measured.cost
    from fractions import Fraction

    mean = Fraction(cycles).limit_denominator(1000)
    blocks = primitive.split(length)[0] + 1
    timings = cost.by_entry.values()
    spread = max(timing.maximum - timing.cycles for timing in timings)
    below = max(timing.cycles - timing.minimum for timing in timings)
    timing = Timing(
        inputs=mean.denominator,
        total=mean.numerator,
        minimum=int(mean - Fraction(below) * blocks),
        maximum=-int(-(mean + Fraction(spread) * blocks) // 1),
        constant_path=cost.constant_path,
        carry=cost.carry,
    )
    return replace(cost, by_entry={MESSAGE: timing}, ranked=(MESSAGE,))
