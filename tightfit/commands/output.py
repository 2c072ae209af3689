"""How commands print: answers on standard output, notes beside them on standard error."""

import json
from typing import Any

import click

from tightfit.printable import printable_json, printable_lines


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    if as_json:
        click.echo(printable_json(json.dumps(form, indent=2, ensure_ascii=False)))
    else:
        click.echo(printable_lines(text.rstrip("\n")))


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(printable_lines(line), err=True)
