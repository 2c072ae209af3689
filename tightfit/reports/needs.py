"""Several primitives under one budget, as they are asked for: needs and weights by name."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from tightfit.errors import UsageError
from tightfit.names import spelled, unknown
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.records import Budget
from tightfit.reports.answer import Known
from tightfit.reports.subject import place_named
from tightfit.reports.together import Together, need, together

Amount = str | int | float | Fraction
_MOST, _FINEST = 1_000_000_000, 1_000_000


class View(Protocol):
    """What the needs are answered from: a store, or a view of it."""

    def known(
        self, target: str, part: str, primitive: str, operation: str, only: Iterable[str] = ()
    ) -> Known:
        """What is known of one operation on one part, under conditions."""


def answer_needs(
    store: View,
    needs: Sequence[str],
    weights: Mapping[str, Amount],
    target: str,
    part: str | None,
    budget: Budget,
    tasks: bool = False,
) -> Together:
    """The answer for several needs.

    Parameters
    ----------
    needs : `PRIMITIVE:OPERATION` each, or `PRIMITIVE` where it has one operation.
    weights : how many blocks of a need count in the time, by the need or by its primitive; 1 if not said.
    budget : what all share, and the conditions that each variant must meet.
    tasks : whether each routine has RAM of its own.

    Raises
    ------
    UsageError
        An unknown name, a need that is named twice, or a weight that is no number above 0.
    """
    place, its_part = place_named(target, part)
    target, part = place.id, its_part.name
    wanted = _wanted(needs)
    weighed = _weighed(weights, wanted)
    answered = [
        need(
            primitive,
            operation,
            weighed.get((primitive.id, operation), Fraction(1)),
            store.known(target, part, primitive.id, operation, budget.only),
        )
        for primitive, operation in wanted
    ]
    return together(target, part, budget, tasks, answered)


def weight(name: str, amount: Amount) -> Fraction:
    """A weight as a number above 0; UsageError says what is wrong with it."""
    try:
        value = Fraction(str(amount))
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0 or value.denominator > _FINEST or value > _MOST:
        text = f"{name}={amount}" if amount != "" else name
        raise UsageError(
            f"--weight {text}: expected NEED=NUMBER, a number above 0, such as {name or 'NEED'}=10"
        )
    return value


def _wanted(needs: Sequence[str]) -> list[tuple[Primitive, str]]:
    wanted: list[tuple[Primitive, str]] = []
    for text in needs:
        name, _, operation = text.partition(":")
        primitive = load_primitive(spelled(name, primitive_ids()))
        operation = spelled(operation, primitive.operations)
        if not operation:
            if len(primitive.operations) > 1:
                offered = ", ".join(f"{primitive.id}:{choice}" for choice in primitive.operations)
                raise UsageError(f"--need {text}: which operation? say one of {offered}")
            operation = primitive.first_operation
        primitive.operation(operation)
        if (primitive.id, operation) in ((other.id, its_operation) for other, its_operation in wanted):
            raise UsageError(f"--need {text}: expected each need once; --weight says how often it is used")
        wanted.append((primitive, operation))
    return wanted


def _weighed(
    weights: Mapping[str, Amount], wanted: Sequence[tuple[Primitive, str]]
) -> dict[tuple[str, str], Fraction]:
    """Weights by need; a primitive alone stands for each of its needs."""
    names = {(primitive.id, operation): f"{primitive.id}:{operation}" for primitive, operation in wanted}
    weighed: dict[tuple[str, str], Fraction] = {}
    for said, amount in weights.items():
        value = weight(said, amount)
        name = spelled(said, {*names.values(), *(primitive.id for primitive, _ in wanted)})
        keys = [key for key, need_name in names.items() if name in (key[0], need_name)]
        if not keys:
            raise unknown("need in --weight", said, list(names.values()))
        weighed |= dict.fromkeys(keys, value)
    return weighed
