"""The headline: for each kind and target the fastest primitive that fits, those behind it, and how many fit.

What is not printed is not read: one figure of each primitive decides which come first, and only the first are
answered in full.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import UNEXPLORED, Answer
from tightfit.reports.document import Document, Table
from tightfit.reports.filters import Filters
from tightfit.reports.known import Current
from tightfit.reports.ranking import (
    Ranked,
    cycles_a_byte,
    estimate_notes,
    place_name,
    ranked,
    sign_notes,
    title,
)
from tightfit.reports.subject import Subject

_BEHIND = ("second", "third")
_SPARE = ("third", "ms", "second")
FIT = "fit: how many of the primitives known there; second, third: the next of them, with cycles a byte."
EVERY = "--all: every primitive, with cycles, variant, what C takes, and what would fit."
UNSEARCHED = "Not searched there: {}; --all has the commands that search."


@dataclass(frozen=True)
class Leading:
    """The primitives of a kind, in an operation, on a part: the first, those behind it, and how many fit.

    `first` is None where none fits; `behind` has names and cycles a byte, the fastest first; `known` are the
    primitives that were searched there, `unsearched` the names of the others.
    """

    kind: str
    operation: str
    target: str
    part: str
    first: Ranked | None
    behind: tuple[tuple[str, float], ...]
    fitting: int
    known: int
    unsearched: tuple[str, ...]


def leading(
    subjects: Iterable[Subject],
    budget: Budget,
    filters: Filters,
    current: Current,
    answer: Callable[[Subject], Answer],
) -> list[Leading]:
    """Who leads each kind and operation on each part, in the order of `ranking`.

    Parameters
    ----------
    current : what is known; what is the user's own, or asked for with filters, is answered in full.
    answer : answers in full.
    """
    groups: dict[tuple, list[Subject]] = {}
    for subject in subjects:
        order = list(subject.primitive.operations).index(subject.operation)
        key = subject.primitive.kind, order, subject.operation, subject.target.id, subject.part.name
        groups.setdefault(key, []).append(subject)
    at_once = budget.objective == "cycles" and not budget.below and not filters.selects
    leaders = []
    for (kind, _, operation, target, part), own in sorted(groups.items(), key=lambda group: group[0]):
        names = [subject.primitive.id for subject in own]
        known = current.fastest(target, part, names, budget) if at_once else {}
        whole = [not at_once or current.is_own(target, subject.primitive.id) for subject in own]
        entries = [
            _answered(subject, answer(subject)) if asked else _entry(subject, known)
            for subject, asked in zip(own, whole, strict=True)
        ]
        leaders.append(_leading((kind, operation, target, part), entries, answer))
    return leaders


@dataclass(frozen=True)
class _Entry:
    """A primitive's figure, and its answer where it took one to know the figure."""

    subject: Subject
    cycles_a_byte: float | None
    known: bool
    answer: Answer | None = None


def _entry(subject: Subject, known: Mapping[tuple[str, str], int | float | None]) -> _Entry:
    name = subject.primitive.id, subject.operation
    cycles = known.get(name)
    return _Entry(subject, None if cycles is None else cycles / subject.primitive.ranked_bytes, name in known)


def _answered(subject: Subject, found: Answer) -> _Entry:
    unsearched = found.status == UNEXPLORED and found.certificate is None and not found.least
    return _Entry(subject, cycles_a_byte(subject.primitive, found), not unsearched, found)


def _leading(
    names: tuple[str, str, str, str], entries: Sequence[_Entry], answer: Callable[[Subject], Answer]
) -> Leading:
    fitting = sorted(
        (entry for entry in entries if entry.cycles_a_byte is not None),
        key=lambda entry: (entry.cycles_a_byte, entry.subject.primitive.id),
    )
    first = fitting[0] if fitting else None
    behind = fitting[1 : 1 + len(_BEHIND)]
    return Leading(
        *names,
        first=first and ranked(first.subject.primitive, first.answer or answer(first.subject)),
        behind=tuple((entry.subject.primitive.id, entry.cycles_a_byte) for entry in behind),
        fitting=len(fitting),
        known=sum(entry.known for entry in entries),
        unsearched=tuple(entry.subject.primitive.id for entry in entries if not entry.known),
    )


def leading_document(
    budget: Budget, filters: Filters, leaders: Sequence[Leading], wanted: str = ""
) -> Document:
    """One table: a row for each kind and part; `wanted` says what the primitives are like."""
    columns = ("kind", "target", "primitive", "cycles/B", "ms", "ROM", "RAM", "fit", *_BEHIND)
    kinds = [_kind(leader, leaders) for leader in leaders]
    rows = [
        ("" if kind == before else kind, *_row(leader))
        for kind, before, leader in zip(kinds, ["", *kinds], leaders, strict=False)
    ]
    table = Table("the fastest of each kind", columns, tuple(rows), frozenset({3, 4, 5, 6, 7}), _SPARE)
    for column in ("ms", "ROM", *_BEHIND):
        table = table.dropping(column)
    return Document(title(budget, filters, wanted), (table,), tuple(_notes(leaders)))


def _kind(leader: Leading, leaders: Sequence[Leading]) -> str:
    """The kind, with the operation where several of one kind are asked for."""
    operations = {other.operation for other in leaders if other.kind == leader.kind}
    return leader.kind if len(operations) == 1 else f"{leader.kind}, {leader.operation}"


def _row(leader: Leading) -> tuple[str, ...]:
    place, fit = place_name(leader.target, leader.part), f"{leader.fitting}/{leader.known}"
    behind = [f"{name} {figure:,.0f}" for name, figure in leader.behind]
    behind += [""] * (len(_BEHIND) - len(behind))
    if leader.first is None:
        return (place, "", "", "", "", "", fit, *behind)
    answer = leader.first.answer
    cost = answer.measurement.cost
    milliseconds = answer.question.filters.milliseconds(cost.cycles)
    return (
        place,
        leader.first.primitive.id,
        f"{leader.first.cycles_per_byte:,.1f}{words.signs(answer)}",
        "" if milliseconds is None else words.milliseconds(milliseconds),
        _bytes(cost.rom, cost.padding.rom),
        _bytes(cost.ram, cost.padding.ram),
        fit,
        *behind,
    )


def _bytes(size: int, padding: int) -> str:
    return f"{size}+{padding}" if padding else f"{size}"


def _notes(leaders: Sequence[Leading]) -> Iterable[str]:
    found = [leader.first.answer for leader in leaders if leader.first]
    yield from (FIT, *sign_notes(found), *estimate_notes(found))
    missing: dict[str, dict[str, None]] = {}
    for leader in leaders:
        for name in leader.unsearched:
            missing.setdefault(place_name(leader.target, leader.part), {})[name] = None
    if missing:
        yield UNSEARCHED.format("; ".join(f"{len(own)} on {place}" for place, own in missing.items()))
    yield EVERY
