"""The budgets within which nothing can be, by what is proved: the largest of them, and what proves it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tightfit.conditions import sizes
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.answer import IMPOSSIBLE, Known, impossible

_FREE = Budget("", None, None)
_INFINITE = float("inf")


def page(known: Known) -> list[dict[str, Any]]:
    """Bounds (None: free) with the proof that nothing is within them, nor within any smaller ones."""
    return _by_corners(_that_rule_out(known)) or _by_sweep(known)


def _that_rule_out(known: Known) -> Known:
    """The same with no other cells than those by which bounds may be ruled out."""
    cells = [
        cell
        for cell in known.cells
        if cell.certificate.proved
        and (cell.status == IMPOSSIBLE or cell.budget.objective == "rom")
        and set(cell.budget.only) <= set(known.only)
    ]
    return replace(known, cells=tuple(cells))


def _by_corners(known: Known) -> list[dict[str, Any]] | None:
    """The largest bounds with nothing known within them; None where not all of them are proved empty."""
    budget = known.narrowed(_FREE)
    found = []
    most_ram = None
    for rom, ram in [*_least(sizes(measured.cost, known.only) for measured in known.usable), (None, 1)]:
        within = (rom and rom - 1, most_ram)
        most_ram = ram - 1
        if 0 in within:
            continue
        proof = impossible(replace(budget, rom=within[0], ram=within[1]), known)
        if proof is None:
            return None
        found.append({"rom": within[0], "ram": within[1], "proof": words.proof(proof)})
    return found


def _by_sweep(known: Known) -> list[dict[str, Any]]:
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
    for gap in known.front.open if known.front else ():
        yield from (gap.least_rom - 1, gap.most_rom) if bound == "rom" else (gap.most_ram,)
    for winner in known.winners if bound == "rom" else ():
        yield winner.cost and winner.cost.rom - 1  # where a cell has the least ROM
    for rom, ram in _least(sizes(measured.cost, known.only) for measured in known.usable):
        yield (rom if bound == "rom" else ram) - 1


def _least(taken: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of which no other takes less of one kind of memory and no more of the other."""
    least: list[tuple[int, int]] = []
    for rom, ram in sorted(taken):
        if not least or ram < least[-1][1]:
            least.append((rom, ram))
    return least


def _largest(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that no other one contains; they come with growing ROM and shrinking RAM."""
    return [
        each
        for each, following in pairwise([*found, None])
        if following is None or _size(following["ram"]) < _size(each["ram"])
    ]


def _size(bound: int | None) -> float:
    return _INFINITE if bound is None else bound
