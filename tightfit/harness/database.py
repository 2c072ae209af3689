"""The SQLite file under the store: its tables, transactions, and checksums that tell damage from data.

Every row has a checksum of its own, and `totals` has the number of rows and the sum of their checksums, so
that a row which is not found is missed. What cannot be read is one line that says what to do.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from tightfit.errors import WorkError

SCHEMA_VERSION = 7
BUSY_SECONDS = 60
Row = tuple[Any, ...]
_LEAST = 512
"""Bytes of the smallest file that SQLite makes."""
_NO_STORE = "{}: this is no store of tightfit{}; move it away, or name another file with TIGHTFIT_STORE"
_LEAST_TABLES = 2
"""Tables of ours that a file has if it is a store, even one that lost some."""
_UNAVAILABLE = frozenset(
    {
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_AUTH,
    }
)  # fmt: skip
"""Primary result codes of SQLite that say nothing against the file."""
TABLES = {
    "measurements": (
        "number INTEGER PRIMARY KEY",
        "variant_id TEXT NOT NULL",
        "text TEXT NOT NULL",
        "context TEXT NOT NULL",
        "target TEXT NOT NULL",
        "part TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "operation TEXT NOT NULL",
        "template TEXT NOT NULL",
        "rejected TEXT",
        "record_sum INTEGER NOT NULL",
        "attribution_sum INTEGER NOT NULL",
        "checksum INTEGER NOT NULL",
        "record TEXT NOT NULL",
        "attribution TEXT NOT NULL",
        "UNIQUE (variant_id, text, context)",
    ),
    "cells": (
        "target TEXT NOT NULL",
        "part TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "operation TEXT NOT NULL",
        "budget TEXT NOT NULL",
        "record TEXT NOT NULL",
        "checksum INTEGER NOT NULL",
        "PRIMARY KEY (target, part, primitive, operation, budget)",
    ),
    "fronts": (
        "target TEXT NOT NULL",
        "part TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "operation TEXT NOT NULL",
        "conditions TEXT NOT NULL",
        "record TEXT NOT NULL",
        "checksum INTEGER NOT NULL",
        "PRIMARY KEY (target, part, primitive, operation, conditions)",
    ),
    "contenders": (
        "id TEXT PRIMARY KEY",
        "target TEXT NOT NULL",
        "part TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "operation TEXT NOT NULL",
        "origin TEXT NOT NULL",
        "rejected TEXT",
        "record TEXT NOT NULL",
        "checksum INTEGER NOT NULL",
    ),
    "contexts": ("context TEXT PRIMARY KEY", "facts TEXT NOT NULL", "checksum INTEGER NOT NULL"),
    "texts": (
        "variant_id TEXT PRIMARY KEY",
        "sources TEXT NOT NULL",
        "text TEXT",
        "checksum INTEGER NOT NULL",
    ),
    "portfolio": (
        "target TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "hash TEXT NOT NULL",
        "own INTEGER NOT NULL",
        "checksum INTEGER NOT NULL",
        "PRIMARY KEY (target, primitive)",
    ),
    "made": ("schema INTEGER NOT NULL", "version INTEGER NOT NULL"),
    "totals": (
        "kind TEXT NOT NULL",
        "target TEXT NOT NULL",
        "part TEXT NOT NULL",
        "primitive TEXT NOT NULL",
        "operation TEXT NOT NULL",
        "rows INTEGER NOT NULL",
        "sum INTEGER NOT NULL",
        "PRIMARY KEY (kind, target, part, primitive, operation)",
    ),
}
"""`texts` holds what a variant rendered to, with the digest that its template's sources had then. `portfolio`
tells of which primitives what ships was taken over, the hash that it had, and whether the user has kept
anything of them since; `version` is the number of the schema, which tells where the file's own number is
damaged."""
COUNTED = ("measurements", "cells", "fronts", "contenders")
"""Tables that `totals` counts."""


def _columns(table: str) -> list[str]:
    names = (column.split()[0] for column in TABLES[table])
    return [name for name in names if name.islower()]


_INDICES = (
    "CREATE INDEX measurements_of ON measurements (target, primitive, operation)",
    "CREATE INDEX measurements_by_text ON measurements (text, context)",
)
_CHECKED = {table: _columns(table).index("checksum") for table in TABLES if "checksum" in _columns(table)}
"""Columns of a table that its checksums cover: those before it."""
_SUBJECT = ("target", "part", "primitive", "operation")
_KEPT = "SELECT id, target, part, primitive, operation, origin, rejected, record FROM contenders"
"""Contenders of an older schema, which stay; there are some since schema 2."""
_WITH_FRONTS, _WITH_VERSION = 5, 6


def text_sum(text: str) -> int:
    """The checksum of a text."""
    return crc32(text.encode())


def row_sum(values: Sequence[Any]) -> int:
    """The checksum of a row of texts, numbers and None."""
    return crc32(repr(tuple(values)).encode())


class Database:
    """An open file, or one in memory that stands for it; `path` is its name in messages.

    Errors are WorkErrors that name it; those whose cause is an OSError or a `sqlite3.OperationalError` say
    that the file cannot be used here, all others that it is damaged or no store.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, memory: bool = False):
        self._connection, self.path, self.memory = connection, path, memory
        self._doing = "opened"
        self._is_ours = False

    @classmethod
    def at(cls, path: Path) -> "Database":
        """The file at `path`, made if there is none."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and 0 < path.stat().st_size < _LEAST:
                raise WorkError(_NO_STORE.format(path, ""))  # SQLite would take it for a new one
            return cls(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None), path)
        except OSError as error:
            raise WorkError(f"{path}: the store cannot be made: {error.strerror}") from error
        except sqlite3.Error as error:
            raise WorkError(f"{path}: the store cannot be opened: {error}") from error

    @classmethod
    def in_memory(cls, path: Path) -> "Database":
        """A copy in memory of the file at `path`, or an empty database where there is none."""
        database = cls(sqlite3.connect(":memory:", isolation_level=None), path, memory=True)
        if path.is_file():
            with database._told():
                source = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
                source.backup(database._connection)
                source.close()
        return database

    def is_empty(self) -> bool:
        """Whether it has no table."""
        return not self.rows("SELECT name FROM sqlite_master LIMIT 1")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """All rows of a query, or what a statement gives."""
        with self._told():
            return self._connection.execute(query, values).fetchall()

    def many(self, statement: str, rows: Iterable[Row]) -> None:
        """A statement for each of some rows."""
        with self._told():
            self._connection.executemany(statement, rows)

    def insert(self, table: str, rows: Iterable[Row], conflict: str = "") -> None:
        """Rows of a table, without their checksums."""
        at, places = _CHECKED[table], ", ".join("?" * len(_columns(table)))
        summed = ((*row[:at], row_sum(row[:at]), *row[at:]) for row in rows)
        self.many(f"INSERT {conflict} INTO {table} VALUES ({places})", summed)

    def checked(self, table: str, where: str = "1", values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a table for which a condition holds, up to their checksum, in the order of their ids.

        Raises
        ------
        WorkError
            A row has another checksum than it says.
        """
        at = _CHECKED[table]
        names = ", ".join(_columns(table)[: at + 1])
        found = self.rows(f"SELECT {names} FROM {table} WHERE {where} ORDER BY rowid", values)
        if any(row_sum(row[:at]) != row[at] for row in found):
            raise self.damaged(f"a row of {table} is not what was written")
        return found

    def of_subject(self, table: str, subject: Mapping[str, str | None]) -> list[Row]:
        """As `checked`: all rows of a target, part, primitive and operation (None for any), none missing."""
        where, values = where_of(subject)
        totals = "SELECT coalesce(sum(rows), 0), coalesce(sum(sum), 0) FROM totals WHERE kind = ? AND "
        with self.reading():
            rows = self.checked(table, where, values)
            told = self.rows(totals + where, [table, *values])
        if told != [(len(rows), sum(row[-1] for row in rows))]:
            raise self.damaged(f"rows of {table} are missing")
        return rows

    def damaged(self, what: str) -> WorkError:
        """The error for a file in which something is wrong; only what is surely ours is to be deleted."""
        if not self._is_ours:
            return WorkError(_NO_STORE.format(self.path, f", or one that cannot be read ({what})"))
        return WorkError(
            f"{self.path}: the store is damaged: {what}; delete it: the next command builds it anew from the "
            "portfolio, and only what `fill` and `measure` kept since is lost"
        )

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Queries inside see one state of the file, whatever others write meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        self.rows("BEGIN")
        try:
            yield
        finally:
            self._roll_back()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What is written inside is on disk as a whole afterwards, or not at all."""
        before, self._doing = self._doing, "written"
        try:
            self.rows("BEGIN IMMEDIATE")
            yield
            self.rows("COMMIT")
        finally:
            self._roll_back()
            self._doing = before

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self.rows("ROLLBACK")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code & 0xFF == sqlite3.SQLITE_NOTADB:
                raise WorkError(_NO_STORE.format(self.path, "")) from None
            if code & 0xFF in _UNAVAILABLE and code != sqlite3.SQLITE_IOERR_SHORT_READ:
                raise WorkError(f"{self.path}: the store cannot be {self._doing}: {error}") from error
            raise self.damaged(str(error)) from None
        except (MemoryError, OverflowError, UnicodeDecodeError) as error:
            raise self.damaged(f"a size or a name in it is none ({type(error).__name__})") from None

    # ---- schema ----

    def prepare(self) -> None:
        """Make the tables where they are not of this schema."""
        version = self._version()
        if version > SCHEMA_VERSION:
            raise WorkError(
                f"{self.path}: the store is of schema {version}, newer than {SCHEMA_VERSION}: "
                "upgrade tightfit"
            )
        self._refuse_other_files(version)
        self._is_ours = True
        # a commit survives the end of the process, but not a power failure
        self.rows("PRAGMA synchronous = NORMAL")
        if version < SCHEMA_VERSION:
            if not self.memory:
                self.rows("PRAGMA journal_mode = WAL")
            with self.writing():
                if self._version() < SCHEMA_VERSION:
                    self._create()
        self._refuse_other_tables()
        self._doing = "read"

    def _version(self) -> int:
        return self.rows("PRAGMA user_version")[0][0]

    def _refuse_other_files(self, version: int) -> None:
        """Refuse a file of another program: ours have tables and a version, both or neither.

        The version is read again, as another process may have made them meanwhile.
        """
        names = {name for (name,) in self.rows("SELECT name FROM sqlite_master")}
        unknown = len(names & TABLES.keys()) < _LEAST_TABLES if version else names and self._version() == 0
        if version < 0 or unknown:
            raise WorkError(_NO_STORE.format(self.path, ""))

    def _refuse_other_tables(self) -> None:
        """Refuse tables that are not those of this schema."""
        if self.rows("SELECT schema FROM made") != [(self._schema_sum(),)]:
            raise self.damaged("its tables are not those that were made")

    def _schema_sum(self) -> int:
        made = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
        return row_sum(self.rows(f"{made} ORDER BY type, name"))

    def _made_by(self, tables: Collection[str]) -> int:
        """The least schema that has these tables."""
        if "fronts" not in tables:
            return 0
        if "made" in tables:
            return SCHEMA_VERSION
        columns = {row[1] for row in self.rows("PRAGMA table_info(portfolio)")}
        return _WITH_VERSION if "version" in columns else _WITH_FRONTS

    def _create(self) -> None:
        """Make the tables of this schema; contenders of an older one stay."""
        version = self._version()
        older = {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        made = self._made_by(older)
        if made > version:
            raise self.damaged(f"it has the tables of schema {made} and the number {version}")
        kept = [_renamed(row) for row in self.rows(_KEPT)] if version >= 2 else []
        for table in older & TABLES.keys():
            self.rows(f"DROP TABLE {table}")
        for table, columns in TABLES.items():
            self.rows(f"CREATE TABLE {table} ({', '.join(columns)})")
        for statement in (*_INDICES, *(made for table in COUNTED for made in _triggers(table))):
            self.rows(statement)
        self.insert("contenders", kept)
        self.rows("INSERT INTO made VALUES (?, ?)", [self._schema_sum(), SCHEMA_VERSION])
        self.rows(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _renamed(row: Row) -> Row:
    """A contender of a schema before 6, in which the cycles of the wait told apart were called `hazard`.

    A record that cannot be read stays as it is; who asks for it is told.
    """
    try:
        record = json.loads(row[-1])
        for timing in record["cost"]["by_entry"].values() if record["cost"] else ():
            timing["waits_apart"] = timing.pop("hazard", 0)
    except (ValueError, TypeError, KeyError, AttributeError):
        return row
    return *row[:-1], json.dumps(record)


def where_of(subject: Mapping[str, str | None]) -> tuple[str, list[str]]:
    """The condition that some columns have these values (None for any), and the values."""
    given = {name: value for name, value in subject.items() if value is not None}
    return " AND ".join(["1", *(f"{name} = ?" for name in given)]), list(given.values())


def _triggers(table: str) -> list[str]:
    """What keeps the totals of a table."""
    of = ", ".join(f"{{row}}.{name}" for name in _SUBJECT)
    added = (
        f"INSERT INTO totals VALUES ('{table}', {of}, 1, {{row}}.checksum)"
        " ON CONFLICT DO UPDATE SET rows = rows + 1, sum = sum + excluded.sum; "
    ).format(row="NEW")
    own = " AND ".join(f"{name} = OLD.{name}" for name in _SUBJECT)
    gone = f"UPDATE totals SET rows = rows - 1, sum = sum - OLD.checksum WHERE kind = '{table}' AND {own}; "
    done = {"INSERT": added, "DELETE": gone, "UPDATE": gone + added}
    return [
        f"CREATE TRIGGER {table}_{what.lower()} AFTER {what} ON {table} BEGIN {statements}END"
        for what, statements in done.items()
    ]
