"""How long-running work reports its progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

Progress = Callable[[str, int, int], None]
"""Called with (what is done, steps done, steps in all)."""


def silent(what: str, done: int, total: int) -> None:
    """Reports nothing."""


@contextmanager
def shown() -> Iterator[Progress]:
    """On standard error: a bar for each piece of work, or a line where there is no terminal or no rich."""
    with _bars() if find_spec("rich") else _lines() as progress:
        yield progress


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        with _lines() as progress:
            yield progress
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=console) as bars:
        tasks = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield report


@contextmanager
def _lines() -> Iterator[Progress]:
    begun = set()

    def report(what: str, done: int, total: int) -> None:
        if what not in begun:
            begun.add(what)
            print(what, file=sys.stderr, flush=True)

    yield report
