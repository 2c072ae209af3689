"""How commands print: answers on standard output, notes beside them on standard error."""

import json
from typing import Any

import click


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    click.echo(json.dumps(form, indent=2, ensure_ascii=False) if as_json else text.rstrip("\n"))


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(line, err=True)
