"""The portfolio of a subject for the browser: a grid of cells, and what is known of each."""

from typing import Any

from tightfit.reports import words
from tightfit.reports.answer import IMPOSSIBLE, Answer
from tightfit.reports.answertext import text
from tightfit.reports.portfolio import RULES, Comparison, Portfolio, symbol


def page(portfolio: Portfolio) -> dict[str, Any]:
    """Rows by RAM bound, columns by ROM bound, then the budgets beside the grid; each cell in full."""
    listed = [tuple(budget.name.split("/")) for budget in portfolio.listed]
    return {
        "rom": list(dict.fromkeys(rom for rom, _ in listed)),
        "ram": list(dict.fromkeys(ram for _, ram in listed)),
        "cells": {answer.question.budget.name: _cell(answer, portfolio) for answer in portfolio.answers},
        "published": [_published(comparison) for comparison in portfolio.comparisons],
        "rules": list(RULES),
    }


def _cell(answer: Answer, portfolio: Portfolio) -> dict[str, Any]:
    budget, cost = answer.question.budget, answer.measurement and answer.measurement.cost
    beside = [
        comparison
        for comparison in portfolio.comparisons
        if (comparison.published.rom, comparison.published.ram) == (budget.rom, budget.ram)
    ]
    return {
        "symbol": symbol(answer),
        "status": answer.status,
        "satiated_by": answer.satiated_by,
        "variant": answer.measurement and answer.measurement.variant.id,
        "rom": cost and cost.rom,
        "ram": cost and cost.ram,
        "rom_bound": budget.rom,
        "ram_bound": budget.ram,
        "within": words.bounds(budget),
        "proof": words.proof(answer.certificate),
        "text": text(answer, [comparison.published for comparison in beside]).partition("\n\n")[2],
        "published": [_published(comparison) for comparison in beside],
    }


def _published(comparison: Comparison) -> dict[str, Any]:
    """A published figure and ours; a figure whose cycles nobody knows is compared in ROM, and not beaten."""
    cell, ours = comparison.published, comparison.answer.measurement
    figures = " / ".join(f"{entry} {words.cycles(cycles)}" for entry, cycles in cell.by_entry.items())
    return {
        "source": cell.source,
        "counted": cell.counted + (f"; {cell.note}" if cell.note else ""),
        "theirs": figures or {"impossible": "x", "satiated": "-"}.get(cell.status, "cycles not known"),
        "rom": cell.rom,
        "ram": cell.ram,
        "within": words.bounds(comparison.answer.question.budget),
        "ours": words.by_entry(ours.cost) if ours else None,
        "variant": ours and ours.variant.id,
        "beaten": comparison.beaten if cell.by_entry or cell.status == IMPOSSIBLE else None,
    }
