"""The outcome of an export, as text and as JSON."""

from typing import Any

from tightfit.exporter.library import Export, ExportTogether
from tightfit.exporter.prepared import GNU
from tightfit.records import Budget
from tightfit.reports import words
from tightfit.reports.cautions import sentences
from tightfit.reports.forms import budget_form, cost_form, variant_form


def form(done: Export, budget: Budget) -> dict[str, Any]:
    """The object that `export --json` prints."""
    return {
        "folder": str(done.folder),
        "files": list(done.files),
        "toolchain": done.toolchain,
        "variant": variant_form(done.measurement),
        "portfolio_cost": cost_form(done.measurement.cost),
        "cost": cost_form(done.cost) if done.cost else None,
        "fits": done.fits(budget),
        "not_measured": done.reason,
    }


def text(done: Export) -> str:
    """The files, the variant, and its figures as the portfolio counts and with the toolchain's interface."""
    counted, variant = done.measurement.cost, done.measurement.variant
    lines = [f"{done.folder}: {', '.join(done.files)}", f"variant {variant.id}  {words.recipe(variant)}"]
    interface = done.prepared.interface
    own = ("GNU interface" if done.toolchain == GNU else f"interface of {done.toolchain}", done.cost)
    for what, cost in (own,) if interface.counted else ((interface.counted_as, counted), own):
        if cost is not None:
            figures = f"{words.by_entry(cost)} cycles, {words.rom(cost)} B of ROM, {words.ram(cost)} B of RAM"
            lines.append(f"{what}: {figures}")
    lines += sentences(done.measurement)
    if done.answer and done.answer.measurement is done.measurement:
        lines.append(words.proof(done.answer.certificate))
    return "\n".join(lines)


def form_together(done: ExportTogether) -> dict[str, Any]:
    """The object that `export --need --json` prints."""
    together, total = done.library.together, done.library.total
    return {
        "folder": str(done.folder),
        "files": list(done.files),
        "toolchain": done.library.members[0].toolchain,
        "budget": budget_form(together.budget),
        "ram_rule": "sum" if together.tasks else "largest",
        "rom": total.rom,
        "ram": total.ram,
        "routines": [
            {
                "name": routine.name,
                "primitive": need.primitive.id,
                "operation": need.operation,
                "variant": variant_form(routine.measurement),
                "portfolio_cost": cost_form(routine.measurement.cost),
                "cost": cost_form(routine.cost) if routine.cost else None,
                "not_measured": routine.reason,
            }
            for need, routine in done.routines
        ],
    }


def text_together(done: ExportTogether) -> str:
    """The files, a line for each routine, and the totals."""
    total = done.library.total
    lines = [f"{done.folder}: {', '.join(done.files)}"]
    for need, routine in done.routines:
        cost = routine.as_exported.cost
        figures = f"{words.by_entry(cost)} cycles, {words.rom(cost)} B of ROM, {words.ram(cost)} B of RAM"
        lines.append(f"{routine.name}: {need.name}, variant {routine.measurement.variant.id}: {figures}")
        lines += [f"{routine.name}: {caution}" for caution in sentences(routine.measurement)]
    return "\n".join(
        [*lines, f"together: {total.rom}{words.padding(total.padding)} B of ROM, {total.ram} B of RAM"]
    )
