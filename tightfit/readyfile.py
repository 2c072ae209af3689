"""The file of ready answers: what questions need, read from one SQLite file and not from thousands.

A wheel brings the file. In a checkout `tightfit setup` makes it, in the user's cache, and the command that
first finds a source changed brings it up to date. It is about a state of the sources: the names, sizes and
times of all files that it was made from.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import WorkError
from tightfit.paths import PACKAGE, cache_dir, portfolio_dir, simulator_source

SHIPPED = "_answers.sqlite"
_DOCUMENT = "SELECT text FROM documents WHERE name = ?"
_SKIPPED = ("__pycache__", "tests")
_MAKERS = [
    PACKAGE / f"{name}.py"
    for name in (
        *("readyfile", "conditions", "records", "jsonform", "yamlfile", "harness/index", "harness/lines"),
        *("reports/indexing", "reports/known", "reports/answer"),
    )
]
"""What decides the form of the file: made by others it is made anew."""
State = dict[str, list[tuple[str, int, int]]]
"""By target, and by the empty name for what all rest on: path, size and time of change of every file, and of
every folder, which has a number below 0 for the names in it in the place of a size."""


class ReadyFile:
    """An open file; errors name it and say what to do."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None):
        self._connection, self._path = connection, path
        self._checked: dict[str, bool] = {}

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple]:
        """All rows of a query."""
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self.damaged(str(error)) from None

    def unpacked(self, packed: bytes) -> Any:
        """The data of a value that `pack` made."""
        try:
            return json.loads(zlib.decompress(packed))
        except (zlib.error, ValueError, TypeError) as error:
            raise self.damaged(f"a record cannot be read: {error}") from None

    def document(self, name: str) -> str | None:
        """The data of a document as JSON; None where there is none of that name."""
        rows = self.rows(_DOCUMENT, [name])
        return rows[0][0] if rows else None

    def is_current(self, targets: Iterable[str] | None = None) -> bool:
        """Whether the file is about the sources of now: those that all rest on, and those of some targets.

        Those of all targets, where none is named.
        """
        if self._path == _shipped():
            return True  # it came with what it is about
        every = (row[0] for row in self.rows("SELECT target FROM states"))
        return all(map(self._is_group_current, every if targets is None else {"", *targets}))

    def _is_group_current(self, group: str) -> bool:
        if group not in self._checked:
            rows = self.rows("SELECT packed FROM states WHERE target = ?", [group])
            self._checked[group] = bool(rows) and all(map(_is_as_it_was, self.unpacked(rows[0][0])))
        return self._checked[group]

    def damaged(self, what: str) -> WorkError:
        """The error for a file in which something is wrong."""
        cure = (
            "install tightfit again" if self._path == _shipped() else "delete it: the next command makes it"
        )
        return WorkError(f"{self._path or 'memory'}: the ready answers are damaged: {what}; {cure}")


def pack(data: Any) -> bytes:
    """Data of JSON, packed; the same data give the same bytes."""
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def _shipped() -> Path:
    return PACKAGE / SHIPPED


def kept_path() -> Path:
    """Where the file of this checkout is kept."""
    return cache_dir() / "ready" / f"{zlib.crc32(str(PACKAGE).encode()):08x}.sqlite"


@cache
def ready_file() -> ReadyFile | None:
    """The file, opened to be read; None where there is none, or what all rest on has changed since."""
    if _shipped().is_file():
        return opened(_shipped())
    try:
        found = opened(kept_path())
        return found if found.is_current([]) else None
    except (OSError, sqlite3.DatabaseError, WorkError):
        return None


def opened(path: Path) -> ReadyFile:
    """A file, opened to be read; `sqlite3.DatabaseError` where there is none."""
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    connection.execute("PRAGMA mmap_size = 268435456")
    return ReadyFile(connection, path)


def _is_as_it_was(entry: Sequence) -> bool:
    path, size, time = entry
    try:
        found = os.stat(path)
    except OSError:
        return False
    if size < 0:
        return found.st_mtime_ns == time or _names_in(path) == size
    return found.st_mtime_ns == time and found.st_size == size


def _names_in(folder: str) -> int:
    """A number below 0 for the names in a folder, as a compiler leaves folders of its own there."""
    names = sorted(name for name in os.listdir(folder) if name not in _SKIPPED)
    return -1 - zlib.crc32("/".join(names).encode())


def state() -> State:
    """The state of all files that ready answers are made from."""
    groups: State = {}
    for root in sources():
        for entry in _entries(str(root)):
            groups.setdefault(_target_of(entry[0]), []).append(entry)
    return groups


def _target_of(path: str) -> str:
    """The target whose templates or portfolio a file is of; nothing where others may rest on it too."""
    for place in (PACKAGE / "templates", portfolio_dir()):
        if path.startswith(f"{place}/"):
            name = path[len(str(place)) + 1 :].partition("/")[0]
            return name if (PACKAGE / "targets" / name).is_dir() else ""
    return ""


def sources() -> list[Path]:
    """The folders and files that ready answers are made from."""
    folders = [PACKAGE / name for name in ("templates", "primitives", "targets", "budgets.yaml")]
    return [*folders, portfolio_dir(), simulator_source(), *_MAKERS]


def form() -> str:
    """What tells apart files that are made in different ways."""
    return digest_of(map(str, _MAKERS))[:16]


def _entries(root: str) -> Iterator[tuple[str, int, int]]:
    if not os.path.exists(root):
        return
    found = os.stat(root)
    if not os.path.isdir(root):
        yield root, found.st_size, found.st_mtime_ns
        return
    yield root, _names_in(root), found.st_mtime_ns
    for name in os.listdir(root):
        if name not in _SKIPPED:
            yield from _entries(f"{root}/{name}")


def digest_of(files: Iterable[str]) -> str:
    """SHA-256 over names and contents of files, in hexadecimal."""
    from hashlib import sha256

    digest = sha256()
    for file in sorted(files):
        with open(file, "rb") as opened:
            data = opened.read()
        digest.update(f"{file}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
