"""The answer for several needs as text and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from tightfit.conditions import titles
from tightfit.records import Padding
from tightfit.reports import words
from tightfit.reports.answer import UNEXPLORED
from tightfit.reports.cautions import sentences
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import budget_form, cost_form, variant_form
from tightfit.reports.together import RAM, ROM, STEP, Need, Split, Together

_COLUMNS = ("need", "weight", "cycles", "ROM", "RAM", "variant")
_BOUNDS = {ROM: "ROM", RAM: "RAM"}


def text(answer: Together) -> str:
    """The split as a table, the totals, and what more ROM or RAM would buy."""
    if answer.split is None:
        return "\n".join([_title(answer), "", *_nothing(answer)])
    split = answer.split
    rows = [
        (
            need.name,
            str(need.weight),
            words.by_entry(measurement.cost),
            f"{measurement.cost.rom:,}{words.padding(measurement.cost.padding.rom)}",
            words.ram(measurement.cost),
            f"{measurement.variant.id}  {measurement.variant.template}",
        )
        for need, measurement in zip(answer.needs, split.chosen, strict=True)
    ]
    rows.append(("together", "", words.cycles(_plain(split.time)), f"{split.rom:,}", str(split.ram), ""))
    table = Table(
        "cycles of the ranked figure; together: weighted", _COLUMNS, tuple(rows), frozenset({1, 2, 3})
    )
    notes = [f"  RAM    {_rule(answer)}"]
    notes += [f"  {caution}" for caution in _cautions(answer.needs, split)]
    notes += [f"  next   {_more(bound, answer)}" for bound in answer.more]
    notes.append(f"  proof  the least of {answer.combinations:,} combinations of measured variants")
    return write(Document(_title(answer), (table,), tuple(notes)), "text")


def _cautions(needs: Sequence[Need], split: Split) -> Iterator[str]:
    """What callers must see to, and what the signs in the table mean."""
    for need, measurement in zip(needs, split.chosen, strict=True):
        yield from (f"{need.name}: {sentence}" for sentence in sentences(measurement))
    if any(measurement.cost.padding != Padding() for measurement in split.chosen):
        yield words.PADDING


def form(answer: Together) -> dict[str, Any]:
    """The object that `ask --need --json` prints."""
    return {
        "target": answer.target,
        "part": answer.part,
        "budget": budget_form(answer.budget),
        "ram_rule": "sum" if answer.tasks else "largest",
        "status": answer.status,
        "needs": [_need_form(need) for need in answer.needs],
        "split": answer.split and _split_form(answer, answer.split),
        "least": answer.least or None,
        "next": [
            {"bound": bound, "bytes": STEP, "split": split and _split_form(answer, split)}
            for bound, split in answer.more.items()
        ],
        "combinations": str(answer.combinations),
        "missing": [need.name for need in answer.missing],
    }


def _title(answer: Together) -> str:
    needs = " + ".join(need.name for need in answer.needs)
    return f"{needs} on {words.place(answer.target, answer.part)} within {words.bounds(answer.budget)}"


def _rule(answer: Together) -> str:
    if answer.tasks:
        return "the sum, each in a task of its own"
    return "all static data, and the largest block with its stack"


def _nothing(answer: Together) -> list[str]:
    if answer.status == UNEXPLORED:
        names = ", ".join(need.name for need in answer.missing)
        unknown = f"nothing is known of {names}{titles(answer.budget.only)}"
        return [f"  unexplored: {unknown}; `tightfit fill` searches"]
    return [
        "  impossible: no combination of measured variants fits",
        *(_least(answer, b) for b in answer.least),
    ]


def _least(answer: Together, bound: str) -> str:
    least, other = answer.least[bound], RAM if bound == ROM else ROM
    kept = getattr(answer.budget, other)
    within = "" if kept is None else f" within {kept:,} B of {_BOUNDS[other]}"
    if least is None:
        return f"  least  nothing is measured{within}"
    return f"  least  {least:,} B of {_BOUNDS[bound]}{within}"


def _more(bound: str, answer: Together) -> str:
    split, best, what = answer.more[bound], answer.split, f"{STEP} B more {_BOUNDS[bound]}"
    if split is None:
        return f"{what}: nothing better"
    changed = [
        f"{need.name} {words.by_entry(now.cost)} in {now.cost.rom:,} B / {now.cost.ram} B ({now.variant.id})"
        for need, before, now in zip(answer.needs, best.chosen, split.chosen, strict=True)
        if before.variant.id != now.variant.id
    ]
    gain = f"{float(1 - split.time / best.time):.1%} fewer cycles"
    if answer.budget.objective == "rom":
        gain = f"{best.rom - split.rom} B of ROM less"
    return f"{what}: {words.cycles(_plain(split.time))}, {gain}: {'; '.join(changed)}"


def _need_form(need: Need) -> dict[str, Any]:
    return {
        "primitive": need.primitive.id,
        "operation": need.operation,
        "weight": _plain(need.weight),
        "choices": len(need.choices),
    }


def _split_form(answer: Together, split: Split) -> dict[str, Any]:
    return {
        "rom": split.rom,
        "ram": split.ram,
        "time": _plain(split.time),
        "chosen": [
            {
                "primitive": need.primitive.id,
                "operation": need.operation,
                "variant": variant_form(measurement),
                "cost": cost_form(measurement.cost),
            }
            for need, measurement in zip(answer.needs, split.chosen, strict=True)
        ],
    }


def _plain(value) -> int | float:
    return int(value) if value == int(value) else float(value)
