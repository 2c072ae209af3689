"""The budgets within which nothing can be, by what is proved: the largest of them, and what proves it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tightfit.records import Budget, Cost
from tightfit.reports import words
from tightfit.reports.answer import Known, impossible

_FREE = Budget("", None, None)
_INFINITE = float("inf")


def page(known: Known) -> list[dict[str, Any]]:
    """Bounds (None: free) with the proof that nothing is within them, nor within any smaller ones."""
    budget = known.narrowed(_FREE)
    roms, rams = (_candidates(known, bound) for bound in ("rom", "ram"))
    found, column = [], len(rams)
    for rom in roms:  # the more ROM, the less RAM is ruled out
        while column:
            asked = replace(budget, rom=rom, ram=rams[column - 1])
            proof = impossible(asked, known)
            if proof:
                found.append({"rom": rom, "ram": rams[column - 1], "proof": words.proof(proof)})
                break
            column -= 1
    return _largest(found)


def _candidates(known: Known, bound: str) -> list[int | None]:
    """Bounds at which what is proved may change: of cells, of certificates, just below what variants take."""
    sizes = {size for size in _sizes(known, bound) if size is None or size > 0}
    return sorted(sizes | {None}, key=_size)


def _sizes(known: Known, bound: str) -> Iterator[int | None]:
    for cell in known.cells:
        yield getattr(cell.budget, bound)
        least = getattr(cell.certificate, f"least_{bound}")
        yield least and least - 1
    yield from (getattr(cost, bound) - 1 for cost in _least(measured.cost for measured in known.usable))


def _least(costs: Iterable[Cost]) -> list[Cost]:
    """Those of which no other takes less of one kind of memory and no more of the other."""
    least: list[Cost] = []
    for cost in sorted(costs, key=lambda cost: (cost.rom, cost.ram)):
        if not least or cost.ram < least[-1].ram:
            least.append(cost)
    return least


def _largest(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that no other one contains; they come with growing ROM and shrinking RAM."""
    return [
        each
        for each, following in zip(found, [*found[1:], None], strict=True)
        if following is None or _size(following["ram"]) < _size(each["ram"])
    ]


def _size(bound: int | None) -> float:
    return _INFINITE if bound is None else bound
