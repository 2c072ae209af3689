"""`tightfit list`."""

import click

from tightfit.budgets import load_budgets
from tightfit.commands.options import json_option
from tightfit.commands.output import emit
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports.document import Document, Table, write
from tightfit.reports.forms import budget_form
from tightfit.targets import load_target, target_ids

KINDS = ("primitives", "operations", "targets", "parts", "budgets")


@click.command("list")
@click.argument("what", type=click.Choice(KINDS), required=False)
@json_option
def list_command(what: str | None, as_json: bool) -> None:
    """What there is: primitives, operations, targets, parts, budgets."""
    kinds = [what] if what else KINDS
    rows = {kind: _ROWS[kind]() for kind in kinds}
    tables = tuple(_table(kind, rows[kind]) for kind in kinds)
    emit(rows, write(Document("tightfit", tables), "text").partition("\n\n")[2], as_json)


def _primitives() -> list[dict]:
    loaded = map(load_primitive, primitive_ids())
    return [
        {
            "id": one.id,
            "name": one.name,
            "kind": one.kind,
            "standard": one.standard,
            "block_bytes": one.block_bytes,
            "key_bytes": one.key_bytes,
            "digest_bytes": one.digest_bytes,
        }
        for one in loaded
    ]


def _operations() -> list[dict]:
    return [
        {
            "primitive": one.id,
            "operation": name,
            "entries": list(operation.entries),
            "ranked": list(operation.ranked),
        }
        for one in map(load_primitive, primitive_ids())
        for name, operation in one.operations.items()
    ]


def _targets() -> list[dict]:
    return [
        {"id": one.id, "name": one.name, "default_part": one.default_part}
        for one in map(load_target, target_ids())
    ]


def _parts() -> list[dict]:
    return [
        {
            "target": target.id,
            "part": part.name,
            "core": part.core.name,
            "rom": part.rom,
            "ram": part.ram,
            "timing_tested": part.core.timing_tested,
            "about": part.about,
        }
        for target in map(load_target, target_ids())
        for part in target.parts.values()
    ]


def _budgets() -> list[dict]:
    return [budget_form(one) for one in load_budgets()]


_ROWS = {
    "primitives": _primitives,
    "operations": _operations,
    "targets": _targets,
    "parts": _parts,
    "budgets": _budgets,
}


def _table(kind: str, rows: list[dict]) -> Table:
    columns = tuple(rows[0]) if rows else ("none",)
    return Table(kind, columns, tuple(tuple(_word(row[column]) for column in columns) for row in rows))


def _word(value: object) -> str:
    if value is None:
        return "free"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) if isinstance(value, list) else str(value)
