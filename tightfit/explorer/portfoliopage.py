"""The portfolio of a subject for the browser: a grid of cells, and what is known of each."""

from typing import Any

from tightfit.reports import words
from tightfit.reports.answer import Answer
from tightfit.reports.answertext import text
from tightfit.reports.portfolio import RULES, Comparison, Portfolio, symbol


def page(found: Portfolio) -> dict[str, Any]:
    """Rows by RAM bound, columns by ROM bound, then the budgets beside the grid; each cell in full."""
    listed = [tuple(budget.name.split("/")) for budget in found.listed]
    return {
        "rom": list(dict.fromkeys(rom for rom, _ in listed)),
        "ram": list(dict.fromkeys(ram for _, ram in listed)),
        "cells": {one.question.budget.name: _cell(one, found) for one in found.answers},
        "published": [_published(one) for one in found.comparisons],
        "rules": list(RULES),
    }


def _cell(one: Answer, found: Portfolio) -> dict[str, Any]:
    bounds = one.question.budget.rom, one.question.budget.ram
    beside = [each for each in found.comparisons if (each.published.rom, each.published.ram) == bounds]
    cost = one.measurement and one.measurement.cost
    return {
        "symbol": symbol(one),
        "status": one.status,
        "satiated_by": one.satiated_by,
        "variant": one.measurement and one.measurement.variant.id,
        "rom": cost and cost.rom,
        "ram": cost and cost.ram,
        "rom_bound": one.question.budget.rom,
        "ram_bound": one.question.budget.ram,
        "proof": words.proof(one.certificate),
        "text": text(one, [each.published for each in beside]),
        "published": [_published(each) for each in beside],
    }


def _published(one: Comparison) -> dict[str, Any]:
    cell, ours = one.published, one.answer.measurement
    figures = " / ".join(f"{entry} {words.cycles(cycles)}" for entry, cycles in cell.by_entry.items())
    return {
        "source": cell.source,
        "counted": cell.counted + (f"; {cell.note}" if cell.note else ""),
        "theirs": figures or {"impossible": "x", "satiated": "-"}.get(cell.status, "cycles not known"),
        "rom": cell.rom,
        "ram": cell.ram,
        "ours": words.by_entry(ours.cost) if ours else None,
        "variant": ours and ours.variant.id,
        "beaten": one.beaten,
    }
