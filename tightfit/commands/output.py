"""How commands print: answers on standard output, notes beside them on standard error."""

import json
import re
import shutil
import sys
import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tightfit.printable import printable_json, printable_lines

if TYPE_CHECKING:
    from tightfit.reports.document import Document


_FACT = 13
"""The column of the facts of an answer, behind their names."""
_NAMED = re.compile(rf"  \S.{{{_FACT - 4}}} \S")


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    click.echo(_json(form) if as_json else printable_lines(text.rstrip("\n")))


def show(form: Any, document: "Document", as_json: bool) -> None:
    """Print a page of tables as JSON or as text; a terminal gets it in its width, in colour, and paged."""
    if as_json:
        click.echo(_json(form))
        return
    if not sys.stdout.isatty():
        from tightfit.reports.document import write

        click.echo(printable_lines(write(document, "text").rstrip("\n")))
        return
    from tightfit.commands.screen import print_document

    print_document(document)


def fitted(text: str) -> str:
    """An answer's lines as wide as the terminal, its facts broken beside their names; elsewhere as it is."""
    if not sys.stdout.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(map(partial(_broken, width=width), text.splitlines()))


def _broken(line: str, width: int) -> str:
    indent = " " * _FACT if _NAMED.match(line) else " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(printable_lines(line), err=True)


def _json(form: Any) -> str:
    return printable_json(json.dumps(form, indent=2, ensure_ascii=False))
