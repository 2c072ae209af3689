"""A page of tables on a terminal: as wide as it is, in colour, and paged where it is longer."""

import io
import os
from dataclasses import replace

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tightfit.reports.document import Document, Table

_INDENT = 2


def print_document(document: Document) -> None:
    """Print a page on the terminal, in a pager where it has more lines, or longer ones, than the terminal."""
    console = Console(highlight=False)
    tables = [table.fitted(console.width - _INDENT) for table in document.tables]
    width = max([console.width, *(table.width + _INDENT for table in tables)])
    text = _rendered(replace(document, tables=tuple(tables)), console, width)
    if text.count("\n") >= console.height or width > console.width:
        os.environ.setdefault("LESS", "-RSFX")
        click.echo_via_pager(text, color=not console.no_color)
    else:
        click.echo(text, nl=False, color=not console.no_color)


def _rendered(document: Document, terminal: Console, width: int) -> str:
    """The page with the terminal's colours, its notes broken at the terminal's width."""
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        width=width,
        no_color=terminal.no_color,
        color_system=terminal.color_system or "standard",
        highlight=False,
    )
    console.print(Text(document.title, style="bold"))
    for table in document.tables:
        console.print()
        console.print(Text(table.caption, style="bold"))
        console.print(Padding(_grid(table), (0, 0, 0, _INDENT)))
    if document.notes:
        console.print()
    for line in document.notes:
        console.print(Text(line, style="dim"), width=terminal.width)
    return out.getvalue()


def _grid(table: Table) -> Grid:
    grid = Grid(box=None, header_style="cyan", padding=(0, 2, 0, 0), pad_edge=False)
    for index, name in enumerate(table.columns):
        right = index in table.right
        grid.add_column(name, justify="right" if right else "left", no_wrap=name not in table.broken)
    for row in table.rows:
        grid.add_row(*map(_cell, row))
    return grid


def _cell(text: str) -> Text:
    return Text(text, style={"x": "red", "?": "yellow"}.get(text, ""))
