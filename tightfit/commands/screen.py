"""A page of tables on a terminal: as wide as it is, in colour, and paged where it is longer."""

import io
import sys

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tightfit.reports.document import Document, Table, write


def print_document(document: Document) -> None:
    """Print a page; where standard output is no terminal, as plain text of any width."""
    if not sys.stdout.isatty():
        click.echo(write(document, "text").rstrip("\n"))
        return
    console = Console(highlight=False)
    text = _rendered(document, console)
    if text.count("\n") >= console.height:
        click.echo_via_pager(text, color=not console.no_color)
    else:
        click.echo(text, nl=False, color=not console.no_color)


def _rendered(document: Document, terminal: Console) -> str:
    """The page as the terminal is to have it, with its colours."""
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        width=terminal.width,
        no_color=terminal.no_color,
        color_system=terminal.color_system or "standard",
        highlight=False,
    )
    console.print(Text(document.title, style="bold"))
    for table in document.tables:
        console.print()
        console.print(Text(table.caption, style="bold"))
        console.print(Padding(_grid(table, terminal.width), (0, 0, 0, 2)))
    if document.notes:
        console.print()
    for line in document.notes:
        console.print(Text(line, style="dim"))
    return out.getvalue()


def _grid(table: Table, width: int) -> Grid:
    table = table.fitted(width - 2)
    grid = Grid(box=None, header_style="cyan", padding=(0, 2, 0, 0), pad_edge=False)
    for index, name in enumerate(table.columns):
        right = index in table.right
        grid.add_column(name, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in table.rows:
        grid.add_row(*map(_cell, row))
    return grid


def _cell(text: str) -> Text:
    return Text(text, style={"x": "red", "?": "yellow"}.get(text, ""))
