"""`ask --need`: several primitives under one budget."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tightfit.errors import UsageError
from tightfit.generator.space import unknown
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget
from tightfit.reports.known import Current
from tightfit.reports.together import Together, need, together
from tightfit.targets import load_target


def ask_needs(
    store: Current,
    needs: Sequence[str],
    weights: Sequence[str],
    target: str,
    part: str | None,
    asked: Budget,
    constant_path: bool,
    tasks: bool,
) -> Together:
    """The answer for needs such as PRIMITIVE:OPERATION with weights such as PRIMITIVE=10."""
    place = load_target(target)
    part = place.part(part).name
    wanted = _wanted(needs)
    weighed = _weighed(weights, wanted)
    found = [
        need(
            primitive,
            operation,
            weighed.get((primitive.id, operation), Fraction(1)),
            store.known(target, part, primitive.id, operation, constant_path),
        )
        for primitive, operation in wanted
    ]
    return replace(together(target, part, asked, tasks, found), constant_path=constant_path)


def _wanted(needs: Sequence[str]) -> list[tuple[Primitive, str]]:
    found: list[tuple[Primitive, str]] = []
    for text in needs:
        name, _, operation = text.partition(":")
        primitive = load_primitive(name)
        if not operation:
            if len(primitive.operations) > 1:
                offered = ", ".join(f"{name}:{each}" for each in primitive.operations)
                raise UsageError(f"--need {text}: which operation? say one of {offered}")
            operation = primitive.first_operation
        primitive.operation(operation)
        if (primitive.id, operation) in ((one.id, other) for one, other in found):
            raise UsageError(f"--need {text}: expected each need once; --weight says how often it is used")
        found.append((primitive, operation))
    return found


def _weighed(
    weights: Sequence[str], wanted: Sequence[tuple[Primitive, str]]
) -> dict[tuple[str, str], Fraction]:
    """Weights by need; a primitive alone stands for each of its needs."""
    found: dict[tuple[str, str], Fraction] = {}
    for text in weights:
        name, given, amount = text.partition("=")
        keys = [(one.id, operation) for one, operation in wanted if name in (one.id, f"{one.id}:{operation}")]
        if given and not keys:
            raise unknown("need in --weight", name, [f"{one.id}:{operation}" for one, operation in wanted])
        found |= dict.fromkeys(keys, _positive(text, amount))
    return found


def _positive(text: str, amount: str) -> Fraction:
    try:
        value = Fraction(amount)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0 or value.denominator > 1_000_000 or value > 1_000_000_000:
        raise UsageError(f"--weight {text}: expected NEED=NUMBER, a number above 0, such as {_name(text)}=10")
    return value


def _name(text: str) -> str:
    return text.partition("=")[0] or "NEED"
