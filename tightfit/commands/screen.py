"""A page of tables on a terminal: as wide as it is, in colour, and paged where it is longer."""

import os
import shutil

import click

from tightfit.printable import printable_lines
from tightfit.reports.document import Document, text_of

_COLOURS = {
    "title": {"bold": True},
    "head": {"fg": "cyan"},
    "note": {"dim": True},
    "x": {"fg": "red"},
    "?": {"fg": "yellow"},
}
"""The look of parts of a page, and of cells with these texts."""


def print_document(document: Document) -> None:
    """Print a page on the terminal, in a pager where it has more lines, or longer ones, than the terminal."""
    columns, lines = shutil.get_terminal_size()
    page = document.fitted(columns)
    coloured = not os.environ.get("NO_COLOR")
    text = text_of(page, _styled if coloured else _plain)
    longest = max(map(len, text_of(page, _plain).splitlines()))
    if text.count("\n") >= lines or longest > columns:
        os.environ.setdefault("LESS", "-RSFX")
        click.echo_via_pager(text, color=coloured)
    else:
        click.echo(text, nl=False, color=coloured)


def _styled(part: str, text: str) -> str:
    look = _COLOURS.get(part) or _COLOURS.get(text)
    return click.style(printable_lines(text), **look) if look and text else printable_lines(text)


def _plain(part: str, text: str) -> str:
    return printable_lines(text)
