"""How commands print: answers on standard output, notes beside them on standard error."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tightfit.reports.document import Document


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    click.echo(_json(form) if as_json else text.rstrip("\n"))


def show(form: Any, document: "Document", as_json: bool) -> None:
    """Print a page of tables as JSON or as text; a terminal gets it in its width, in colour, and paged."""
    if as_json:
        click.echo(_json(form))
        return
    if not sys.stdout.isatty():
        from tightfit.reports.document import write

        click.echo(write(document, "text").rstrip("\n"))
        return
    from tightfit.commands.screen import print_document

    print_document(document)


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(line, err=True)


def _json(form: Any) -> str:
    return json.dumps(form, indent=2, ensure_ascii=False)
