"""What is known, for those who only read."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tightfit.harness.index import Index
from tightfit.paths import portfolio_is_named, store_path
from tightfit.readyfile import ReadyFile, ready_file
from tightfit.reports.known import Current


@contextmanager
def view(
    path: Path | None = None, attribution: bool = True, targets: Iterable[str] | None = None
) -> Iterator[Current]:
    """What is known, for those who only read: what ships, and what the store at `path` has of the user's own.

    The store is the user's where `path` is None. Nothing is written, and no store is made. Who says which
    `targets` are asked about need not wait until what others rest on is looked through.
    """
    index = None if portfolio_is_named() else Index(ready(targets))
    if index is not None and not (path or store_path()).exists():
        yield Current(None, attribution, index)
        return
    from tightfit.harness.store import Store

    with Store.open(path, read_only=True) as store:
        yield Current(store, attribution, index)


def ready(targets: Iterable[str] | None = None) -> ReadyFile:
    """The file of ready answers, brought up to date first where a source that they rest on has changed."""
    found = ready_file()
    if found is not None and found.is_current(targets):
        return found
    from tightfit.reports.indexing import made_ready

    return made_ready()
