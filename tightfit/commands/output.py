"""How commands print: JSON, text, and progress on standard error."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from tightfit.harness.store import Store
from tightfit.reports.known import Current


def emit(form: Any, text: str, as_json: bool) -> None:
    """Print an answer as JSON or as text."""
    click.echo(json.dumps(form, indent=2, ensure_ascii=False) if as_json else text.rstrip("\n"))


def note(line: str) -> None:
    """Print a line beside the answer, on standard error."""
    click.echo(line, err=True)


@contextmanager
def known_store() -> Iterator[Current]:
    """What is known, for commands that only read."""
    with Store.open(read_only=True) as store:
        yield Current(store)
