"""`export --need`: several primitives under one budget, in one library."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightfit.commands.output import known_store
from tightfit.export import Library, Prepared, prepare_together, write_library
from tightfit.reports import words
from tightfit.reports.forms import budget_form, cost_form, variant_form
from tightfit.reports.known import Current
from tightfit.reports.together import Need, Together

NAME = "tightfit"


@dataclass(frozen=True)
class Written:
    """A library of several routines, its folder and its files."""

    library: Library
    folder: Path
    files: tuple[str, ...]

    @property
    def routines(self) -> list[tuple[Need, Prepared]]:
        """The needs and their routines."""
        return list(zip(self.library.together.needs, self.library.members, strict=True))


def export_needs(
    ask: Callable[[Current], Together], folder: Path, toolchain: str, name: str | None, command: str
) -> Written:
    """Write the answer to a question that is asked of a store."""
    name = name or NAME
    with known_store() as store:
        found, members = prepare_together(ask, store, toolchain, name)
    library = Library(name, members, command, together=found)
    return Written(library, folder, write_library(library, folder))


def needs_form(done: Written) -> dict[str, Any]:
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
                "name": one.name,
                "primitive": need.primitive.id,
                "operation": need.operation,
                "variant": variant_form(one.measurement),
                "portfolio_cost": cost_form(one.measurement.cost),
                "cost": cost_form(one.cost) if one.cost else None,
                "not_measured": one.reason,
            }
            for need, one in done.routines
        ],
    }


def needs_text(done: Written) -> str:
    """The files, a line for each routine, and the totals."""
    total = done.library.total
    lines = [f"{done.folder}: {', '.join(done.files)}"]
    for need, one in done.routines:
        cost = one.as_exported.cost
        figures = f"{words.by_entry(cost)} cycles, {cost.rom} B of ROM, {words.ram(cost)} B of RAM"
        lines.append(f"{one.name}: {need.name}, variant {one.measurement.variant.id}: {figures}")
    return "\n".join([*lines, f"together: {total.rom} B of ROM, {total.ram} B of RAM"])
