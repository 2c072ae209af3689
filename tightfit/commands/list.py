"""`tightfit list`."""

import click

from tightfit.budgets import load_budgets
from tightfit.commands.options import json_option
from tightfit.commands.output import emit
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import budget_form
from tightfit.targets import load_target, target_ids

SORTS = ("primitives", "operations", "targets", "parts", "budgets")


@click.command("list")
@click.argument("what", type=click.Choice(SORTS), required=False)
@json_option
def command(what: str | None, as_json: bool) -> None:
    """What there is: primitives, operations, targets, parts, budgets."""
    rows = {sort: _ROWS[sort]() for sort in ([what] if what else SORTS)}
    tables = tuple(_table(sort, rows[sort]) for sort in rows)
    emit(rows, write(Document("tightfit", tables), "text").partition("\n\n")[2], as_json)


def _primitives() -> list[dict]:
    return [
        {
            "id": primitive.id,
            "name": primitive.name,
            "kind": primitive.kind,
            "standard": primitive.standard,
            "block_bytes": primitive.block_bytes,
            "key_bytes": primitive.key_bytes,
            "digest_bytes": primitive.digest_bytes,
            "key_bits": primitive.key_bits,
            "block_bits": primitive.block_bits,
            "security_bits": primitive.security and primitive.security.bits,
        }
        for primitive in map(load_primitive, primitive_ids())
    ]


def _operations() -> list[dict]:
    return [
        {
            "primitive": primitive.id,
            "operation": name,
            "entries": list(operation.entries),
            "ranked": list(operation.ranked),
        }
        for primitive in map(load_primitive, primitive_ids())
        for name, operation in primitive.operations.items()
    ]


def _targets() -> list[dict]:
    return [
        {"id": target.id, "name": target.name, "default_part": target.default_part}
        for target in map(load_target, target_ids())
    ]


def _parts() -> list[dict]:
    return [
        {
            "target": target.id,
            "part": part.name,
            "core": part.core.name,
            "simulated_part": part.simulated,
            "rom": part.rom,
            "ram": part.ram,
            "timing_tested": part.core.timing_tested,
            "about": part.about,
        }
        for target in map(load_target, target_ids())
        for part in target.parts.values()
    ]


def _budgets() -> list[dict]:
    return [budget_form(budget) for budget in load_budgets()]


_ROWS = {
    "primitives": _primitives,
    "operations": _operations,
    "targets": _targets,
    "parts": _parts,
    "budgets": _budgets,
}


def _table(sort: str, rows: list[dict]) -> Table:
    columns = tuple(rows[0]) if rows else ("none",)
    return Table(sort, columns, tuple(tuple(_word(row[column]) for column in columns) for row in rows))


def _word(value: object) -> str:
    if value is None:
        return "free"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) if isinstance(value, list) else str(value)
