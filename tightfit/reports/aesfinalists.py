"""The five finalists of AES as one compiler makes them, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from tightfit.contenders.finalists import Row
from tightfit.reports.document import Document, Table, write

_BLOCK_BYTES = 16
_COLUMNS = ("finalist", "flags", "ROM", "RAM", "set-up", "block", "cycles/byte")
_NOTE = (
    "ROM: set-up and encryption. RAM: parameter block with the round keys, static data and stack. Cycles: of "
    "the set-up of a key, and of a block after it."
)


def form(rows: Sequence[Row]) -> dict[str, Any]:
    """The object that `measure --finalists --json` prints."""
    return {"finalists": [{**_named(row), **_figures(row)} for row in rows]}


def _named(row: Row) -> dict[str, Any]:
    return {"finalist": row.name, "target": row.target, "part": row.part, "flags": " ".join(row.flags)}


def _figures(row: Row) -> dict[str, Any]:
    if row.cost is None:
        return {"rom": None, "ram": None, "cycles": None, "rejected": row.rejected}
    cycles = {name: timing.cycles for name, timing in row.cost.by_entry.items()}
    return {"rom": row.cost.rom, "ram": row.cost.ram, "cycles": cycles, "rejected": None}


def text(rows: Sequence[Row]) -> str:
    """A line for each finalist and set of flags."""
    title = f"finalists of AES with keys of 128 bits, in C, {rows[0].target} {rows[0].part}"
    table = Table("references", _COLUMNS, tuple(map(_line, rows)), frozenset(range(2, len(_COLUMNS))))
    rejected = tuple(f"{row.name} {' '.join(row.flags)}: {row.rejected}" for row in rows if row.rejected)
    return write(Document(title, (table,), (_NOTE, *rejected)), "text")


def _line(row: Row) -> tuple[str, ...]:
    named = row.name, " ".join(row.flags)
    if row.cost is None:
        return (*named, *("",) * (len(_COLUMNS) - 2))
    setup, block = (row.cost.by_entry[entry].cycles for entry in ("setup", "encrypt_next"))
    sizes = f"{row.cost.rom:,}", f"{row.cost.ram:,}"
    return (
        *named,
        *sizes,
        f"{float(setup):,.0f}",
        f"{float(block):,.0f}",
        f"{float(block) / _BLOCK_BYTES:,.1f}",
    )
