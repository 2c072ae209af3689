"""How commands print: answers on standard output, notes beside them on standard error."""

import json
import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tightfit.printable import printable_json, printable_lines

if TYPE_CHECKING:
    from tightfit.reports.document import Document


WIDTH = 100
"""Characters of a line where there is no terminal."""
_NAMED = re.compile(r"  \S+(?: \S+)*  +(?=\S)")
"""What a fact of an answer begins with: its name, and the space before the fact."""


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    click.echo(_json(form) if as_json else printable_lines(text.rstrip("\n")))


def show(form: Any, document: "Document", as_json: bool, wide: bool = False) -> None:
    """Print a page of tables as JSON or as text; a terminal gets it in its width, in colour, and paged.

    Elsewhere no line is wider than `WIDTH`, unless it is asked to be `wide`.
    """
    if as_json:
        click.echo(_json(form))
        return
    if not sys.stdout.isatty():
        from tightfit.reports.document import write

        page = document if wide else document.fitted(WIDTH)
        click.echo(printable_lines(write(page, "text").rstrip("\n")))
        return
    from tightfit.commands.screen import print_document

    print_document(document)


def fitted(text: str) -> str:
    """An answer's lines as wide as the terminal or as `WIDTH`, its facts broken beside their names."""
    width = WIDTH
    if sys.stdout.isatty():
        import shutil

        width = shutil.get_terminal_size().columns
    return "\n".join(map(partial(_broken, width=width), text.splitlines()))


def _broken(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    from tightfit.reports.document import filled

    named = _NAMED.match(line)
    return filled(line, width, " " * (named.end() if named else len(line) - len(line.lstrip())))


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(printable_lines(line), err=True)


def _json(form: Any) -> str:
    return printable_json(json.dumps(form, indent=2, ensure_ascii=False))
