"""The store: every measurement and every cell, in one SQLite file."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tightfit.errors import UsageError, WorkError
from tightfit.harness import portfolio, shipped
from tightfit.harness.lines import Line, line_of, measurement_of
from tightfit.harness.provenance import hash_files
from tightfit.harness.texts import sources_of, text_now
from tightfit.jsonform import from_json, to_json
from tightfit.paths import portfolio_dir, store_path
from tightfit.records import Cell, Contender, Measurement, Variant

SCHEMA_VERSION = 3
_BUSY_SECONDS = 60
_NO_STORE = "{}: this is no store; delete it, or name another with TIGHTFIT_STORE"
_TABLES = """
DROP TABLE IF EXISTS measurements;
DROP TABLE IF EXISTS cells;
DROP TABLE IF EXISTS portfolio;
CREATE TABLE measurements (
    number INTEGER PRIMARY KEY,
    variant_id TEXT NOT NULL, text TEXT NOT NULL, context TEXT NOT NULL,
    target TEXT NOT NULL, part TEXT NOT NULL, primitive TEXT NOT NULL, operation TEXT NOT NULL,
    template TEXT NOT NULL, rejected TEXT, record TEXT NOT NULL, attribution TEXT NOT NULL,
    UNIQUE (variant_id, text, context)
);
CREATE INDEX measurements_of ON measurements (target, primitive, operation);
CREATE INDEX measurements_by_text ON measurements (text, context);
CREATE TABLE contexts (context TEXT PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE texts (variant_id TEXT PRIMARY KEY, sources TEXT NOT NULL, text TEXT);
CREATE TABLE cells (
    target TEXT NOT NULL, part TEXT NOT NULL, primitive TEXT NOT NULL, operation TEXT NOT NULL,
    budget TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (target, part, primitive, operation, budget)
);
CREATE TABLE portfolio (hash TEXT NOT NULL);
INSERT INTO portfolio VALUES ('')
"""
"""`texts` holds what a variant rendered to, with the digest that its template's sources had then."""
_CONTENDERS = """
CREATE TABLE contenders (
    id TEXT PRIMARY KEY,
    target TEXT NOT NULL, part TEXT NOT NULL, primitive TEXT NOT NULL, operation TEXT NOT NULL,
    origin TEXT NOT NULL, rejected TEXT, record TEXT NOT NULL
)
"""
"""Since schema 2."""
_OUTDATED = (
    "DELETE FROM contenders WHERE origin = ? AND target = ? AND primitive = ? AND operation = ?"
    " AND json_extract(record, '$.source_sha256') != ?"
)
"""Deletes C baselines of another reference than the one that ships."""
_RENUMBER = "UPDATE measurements SET number = (SELECT max(number) + 1 FROM measurements) WHERE number = ?"
_KEEP_TEXT = "INSERT OR REPLACE INTO texts VALUES (?, ?, ?)"
_KEEP_CONTEXT = "INSERT OR REPLACE INTO contexts VALUES (?, ?)"
_KEEP = (
    "INTO measurements (variant_id, text, context, target, part, primitive, operation, template, rejected,"
    " record, attribution) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_COLUMNS = "target, primitive, record, attribution, context"
_SAME = "other.variant_id = measurements.variant_id"
_NEWEST = f"number = (SELECT max(number) FROM measurements AS other WHERE {_SAME})"
_PRESENT = (
    "number = (SELECT max(number) FROM measurements AS other JOIN texts USING (variant_id, text)"
    f" WHERE {_SAME})"
)


class Store:
    """Measurements and cells; several processes may use one file at once.

    Open it with `Store.open`. Each `add` and each `put_cells` is on disk when it returns.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None):
        self._connection = connection
        self.path = path
        self._texts: dict[tuple[str, str], str | None] = {}

    @classmethod
    def open(cls, path: Path | None = None, read_only: bool = False) -> "Store":
        """The store at `path` (by default the user's own), built from the portfolio at first use.

        With `read_only` a file that cannot be made or written is replaced by a store in memory.

        Raises
        ------
        WorkError
            The file is of another schema, is no store, or cannot be opened.
        """
        path = Path(path) if path is not None else store_path()
        try:
            return cls._at(path)
        except WorkError as error:
            if read_only and isinstance(error.__cause__, (OSError, sqlite3.OperationalError)):
                return cls._in_memory(path)
            raise

    @classmethod
    def _at(cls, path: Path) -> "Store":
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            store = cls(connection, path)
            with _closing_on_error(connection):
                store._prepare()
            return store
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise WorkError(f"{path}: the store cannot be opened: {error}") from error
            raise WorkError(_NO_STORE.format(path)) from None
        except OSError as error:
            raise WorkError(f"{path}: the store cannot be made: {error.strerror}") from error

    @classmethod
    def _in_memory(cls, path: Path) -> "Store":
        connection = sqlite3.connect(":memory:", isolation_level=None)
        if path.is_file():
            source = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            source.backup(connection)
            source.close()
        store = cls(connection, None)
        store._prepare()
        return store

    def _prepare(self) -> None:
        version = self._version()
        if version == 0:
            self._refuse_other_tables()
        if version not in range(SCHEMA_VERSION + 1):
            raise WorkError(_other_schema(self.path, version))
        # a commit survives the end of the process, but not a power failure
        self._connection.execute("PRAGMA synchronous = NORMAL")
        current = _shipped_hash(portfolio_dir())
        if version == SCHEMA_VERSION and self._portfolio_hash() == current:
            return
        if self.path is not None:
            self._connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            self._create()
            if self._portfolio_hash() != current:
                self._import(current)

    def _refuse_other_tables(self) -> None:
        """Refuse tables without a version: they are another program's, as ours come together with one."""
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and self._version() == 0:
            raise WorkError(_NO_STORE.format(self.path))

    def _version(self) -> int:
        return self._connection.execute("PRAGMA user_version").fetchone()[0]

    def _create(self) -> None:
        """Make the tables of this schema; contenders of an older schema stay, all else is built anew."""
        version = self._version()
        if version < 2:
            self._connection.execute(_CONTENDERS)
        if version < SCHEMA_VERSION:
            for statement in _TABLES.split(";"):
                self._connection.execute(statement)
        self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _portfolio_hash(self) -> str:
        return self._connection.execute("SELECT hash FROM portfolio").fetchone()[0]

    def _import(self, current: str) -> None:
        """Take over the portfolio that ships with the package; its cells replace earlier ones."""
        for file in portfolio.files(portfolio_dir()):
            self._import_measurements(portfolio.read_measurements(file))
            for cell in portfolio.read_cells(file):
                self._insert_cell(cell)
        for file in shipped.files(portfolio_dir()):
            for contender in shipped.read(file):
                self._connection.execute(_OUTDATED, (shipped.ORIGIN, *_subject(contender)))
                self._insert_contender(contender)
        self._connection.execute("UPDATE portfolio SET hash = ?", (current,))

    def _import_measurements(self, measured: portfolio.Measured) -> None:
        own, sources = (measured.target, measured.primitive), measured.sources
        many = self._connection.executemany
        many(f"INSERT OR IGNORE {_KEEP}", [_row(*own, line) for line in measured.lines])
        many(_KEEP_CONTEXT, [(name, json.dumps(facts)) for name, facts in measured.contexts.items()])
        many(_KEEP_TEXT, [(line.variant_id, sources[line.template], line.text) for line in measured.lines])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def add(self, measurement: Measurement) -> None:
        """Keep a measurement; it replaces one of the same variant, text and context.

        A result of the full gate stays the newest, even if the search gate measures the same later.
        """
        variant = measurement.variant
        with self._transaction():
            self._insert(measurement, "OR REPLACE")
            sources = sources_of(variant)
            self._connection.execute(_KEEP_TEXT, (variant.id, sources, self._text(variant, sources)))
            if measurement.provenance.get("gate") == "search":
                self._renew_full(measurement)

    def _renew_full(self, searched: Measurement) -> None:
        """Give a full-gate measurement a new number if it differs from `searched` in the gate only."""
        query = (
            "SELECT number, facts FROM measurements JOIN contexts USING (context)"
            " WHERE variant_id = ? AND text = ? AND context != ?"
        )
        own = (searched.variant.id, searched.source_sha256, searched.provenance["context"])
        for number, kept in self._connection.execute(query, own).fetchall():
            facts = json.loads(kept)
            if facts.get("gate") == "full" and _but_gate(facts) == _but_gate(searched.provenance):
                self._connection.execute(_RENUMBER, (number,))

    def get(self, variant: Variant, context: str) -> Measurement | None:
        """The measurement, in a context, of the text that a variant has now, by any variant with it."""
        text = self.text(variant)
        if text is None:
            return None
        measured = self._measurements("text = ? AND context = ?", [text, context])
        own = [measurement for measurement in measured if measurement.variant.id == variant.id]
        return own[0] if own else replace(measured[0], variant=variant) if measured else None

    def text(self, variant: Variant) -> str | None:
        """The present text of a variant, rendered only if it is not known; None where it does not render."""
        return self._text(variant, sources_of(variant))

    def _text(self, variant: Variant, sources: str) -> str | None:
        key = variant.id, sources
        if key not in self._texts:
            query = "SELECT text FROM texts WHERE variant_id = ? AND sources = ?"
            row = self._connection.execute(query, key).fetchone()
            self._texts[key] = row[0] if row else text_now(variant)
        return self._texts[key]

    def measurements(
        self,
        target: str | None = None,
        part: str | None = None,
        primitive: str | None = None,
        operation: str | None = None,
        rejected: bool = False,
        attribution: bool = True,
        present: bool = False,
    ) -> list[Measurement]:
        """The newest measurement of every variant, oldest first; rejected candidates only with `rejected`.

        Without `attribution` that part, most of a record, is left out: several times faster. With `present`
        only measurements count whose text is the present one of their variant.
        """
        where, values = _where(target=target, part=part, primitive=primitive, operation=operation)
        newest = self._renewed(where, values) if present else _NEWEST
        where += f" AND {newest}" + ("" if rejected else " AND rejected IS NULL")
        return self._measurements(where, values, attribution)

    def _renewed(self, where: str, values: list[str]) -> str:
        """The SQL condition for the newest measurement of a present text; brings `texts` up to date first."""
        query = (
            "SELECT variant_id, sources, target, part, primitive, operation, template, record"
            f" FROM measurements LEFT JOIN texts USING (variant_id) WHERE {where} GROUP BY variant_id"
        )
        digests: dict[tuple[str, str, str], str] = {}
        rows = []
        for (
            variant_id,
            sources,
            target,
            part,
            primitive,
            operation,
            template,
            record,
        ) in self._connection.execute(query, values).fetchall():
            own = target, primitive, template
            variant = Variant(target, part, primitive, operation, template, {})
            digests[own] = digests[own] if own in digests else sources_of(variant)
            if digests[own] != sources:
                text = text_now(replace(variant, knobs=json.loads(record)["knobs"]))
                rows.append((variant_id, digests[own], text))
        if rows:
            with self._transaction():
                self._connection.executemany(_KEEP_TEXT, rows)
        return _PRESENT

    def fields(
        self, paths: Sequence[str], target: str, part: str, primitive: str, operation: str
    ) -> list[tuple[str, list]]:
        """Id of every variant that has a cost, and some fields of its present measurement, oldest first.

        Many times faster than `measurements` where there are many of them.

        Parameters
        ----------
        paths : two or more paths into the JSON of a record, such as `$.cost.rom`; a missing field is None.
        """
        where, values = _where(target=target, part=part, primitive=primitive, operation=operation)
        present = self._renewed(where, values)
        rows = self._connection.execute(
            f"SELECT variant_id, json_extract(record{', ?' * len(paths)}) FROM measurements "
            f"WHERE {where} AND {present} AND rejected IS NULL ORDER BY number",
            [*paths, *values],
        )
        return [(variant_id, json.loads(fields)) for variant_id, fields in rows]

    def subjects(self) -> list[tuple[str, str, str, str]]:
        """(target, part, primitive, operation) of all measurements with a cost, in alphabetical order."""
        query = "SELECT DISTINCT target, part, primitive, operation FROM measurements WHERE rejected IS NULL"
        return sorted(self._connection.execute(query).fetchall())

    def by_id(self, prefix: str) -> Measurement:
        """The newest measurement of the variant whose id begins with `prefix`.

        Raises
        ------
        UsageError
            No such variant, or more than one.
        """
        if not prefix or not set(prefix.lower()) <= set("0123456789abcdef"):
            raise UsageError(f"{prefix!r} is no variant id: expected hexadecimal digits")
        matches = self._measurements(f"variant_id BETWEEN ? AND ? AND {_NEWEST}", _begins(prefix.lower()))
        if not matches:
            raise UsageError(self._no_variant(prefix))
        if len(matches) > 1:
            some = ", ".join(measurement.variant.id for measurement in matches[:4])
            raise UsageError(f"variant {prefix!r} is ambiguous: {some}{' ...' if len(matches) > 4 else ''}")
        return matches[0]

    def _no_variant(self, prefix: str) -> str:
        other = self.contender(prefix)
        if other is None:
            return f"no variant {prefix!r} in the store"
        what = f"{other.id} is no variant of ours but {other.name} ({other.origin})"
        return f"{what}; `tightfit show` has its figures"

    def put_cells(self, cells: Iterable[Cell]) -> None:
        """Keep cells; they replace cells of the same question."""
        with self._transaction():
            for cell in cells:
                self._insert_cell(cell)

    def cells(
        self,
        target: str | None = None,
        part: str | None = None,
        primitive: str | None = None,
        operation: str | None = None,
    ) -> list[Cell]:
        """The cells, in the order in which they were first put."""
        where, values = _where(target=target, part=part, primitive=primitive, operation=operation)
        rows = self._connection.execute(f"SELECT record FROM cells WHERE {where} ORDER BY rowid", values)
        return [from_json(Cell, json.loads(record)) for (record,) in rows]

    def add_contender(self, contender: Contender) -> None:
        """Keep a routine that tightfit did not generate; it replaces one of the same id."""
        with self._transaction():
            self._insert_contender(contender)

    def contenders(
        self,
        target: str | None = None,
        part: str | None = None,
        primitive: str | None = None,
        operation: str | None = None,
        origin: str | None = None,
        rejected: bool = False,
    ) -> list[Contender]:
        """Routines that tightfit did not generate, by their ids; rejected ones only with `rejected`."""
        where, values = _where(
            target=target, part=part, primitive=primitive, operation=operation, origin=origin
        )
        return self._contenders(where + ("" if rejected else " AND rejected IS NULL"), values)

    def contender(self, prefix: str) -> Contender | None:
        """The contender whose id begins with `prefix`; None where there is none.

        Raises
        ------
        UsageError
            There is more than one, or a variant whose id begins with it too.
        """
        first = prefix.lower()
        matches = self._contenders("substr(id, 1, ?) = ?", [len(prefix), first]) if prefix else []
        if not matches:
            return None
        query = "SELECT DISTINCT variant_id FROM measurements WHERE variant_id BETWEEN ? AND ? LIMIT 4"
        variants = [variant_id for (variant_id,) in self._connection.execute(query, _begins(first))]
        ids = [*(contender.id for contender in matches), *variants]
        if len(ids) > 1:
            raise UsageError(f"{prefix!r} is ambiguous: {', '.join(ids[:4])}{' ...' if len(ids) > 4 else ''}")
        return matches[0]

    def _contenders(self, where: str, values: list) -> list[Contender]:
        rows = self._connection.execute(f"SELECT record FROM contenders WHERE {where} ORDER BY id", values)
        return [from_json(Contender, json.loads(record)) for (record,) in rows.fetchall()]

    def _insert_contender(self, contender: Contender) -> None:
        names = (contender.target, contender.part, contender.primitive, contender.operation, contender.origin)
        self._connection.execute(
            "INSERT OR REPLACE INTO contenders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (contender.id, *names, contender.rejected, json.dumps(to_json(contender))),
        )

    def _measurements(self, where: str, values: list[str], attribution: bool = True) -> list[Measurement]:
        query = f"SELECT {_COLUMNS} FROM measurements WHERE {where} ORDER BY number"
        rows = self._connection.execute(query, values).fetchall()
        facts = {context: self._facts(context) for context in {row[-1] for row in rows}}
        return [
            measurement_of(target, primitive, record, rows if attribution else None, facts[context])
            for target, primitive, record, rows, context in rows
        ]

    def _facts(self, context: str) -> dict[str, str]:
        query = "SELECT facts FROM contexts WHERE context = ?"
        return json.loads(self._connection.execute(query, (context,)).fetchone()[0])

    def _insert(self, measurement: Measurement, conflict: str) -> None:
        variant, line = measurement.variant, line_of(measurement)
        self._connection.execute(f"INSERT {conflict} {_KEEP}", _row(variant.target, variant.primitive, line))
        self._connection.execute(_KEEP_CONTEXT, (line.context, json.dumps(to_json(measurement.provenance))))

    def _insert_cell(self, cell: Cell) -> None:
        self._connection.execute(
            "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record",
            (
                cell.target,
                cell.part,
                cell.primitive,
                cell.operation,
                cell.budget.name,
                json.dumps(to_json(cell)),
            ),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise WorkError(f"{self.path}: the store cannot be written: {error}") from error
        try:
            yield
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._roll_back()
            raise WorkError(f"{self.path}: the store cannot be written: {error}") from error
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


@contextmanager
def _closing_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _subject(contender: Contender) -> tuple[str, str, str, str]:
    return contender.target, contender.primitive, contender.operation, contender.source_sha256


def _row(target: str, primitive: str, line: Line) -> tuple:
    return (
        line.variant_id, line.text, line.context, target, line.part, primitive, line.operation,
        line.template, line.rejected, line.record, line.attribution,
    )  # fmt: skip


def _but_gate(provenance: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in provenance.items() if key not in ("gate", "context", "ortools")}


def _shipped_hash(directory: Path) -> str:
    """Hash of all files in the portfolio's folder."""
    cells = portfolio.files(directory)
    return hash_files([*cells, *map(portfolio.beside, cells), *shipped.files(directory)])


def _begins(prefix: str) -> list[str]:
    """The bounds of all ids that begin with some digits."""
    return [prefix, f"{prefix}g"]


def _where(**columns: str | None) -> tuple[str, list[str]]:
    given = {name: value for name, value in columns.items() if value is not None}
    return " AND ".join(["1", *(f"{name} = ?" for name in given)]), list(given.values())


def _other_schema(path: Path | None, version: int) -> str:
    if version > SCHEMA_VERSION:
        return f"{path}: the store is of schema {version}, newer than {SCHEMA_VERSION}: upgrade tightfit"
    return (
        f"{path}: the store is of schema {version}, older than {SCHEMA_VERSION}: "
        "delete it, the next command builds it anew from the portfolio"
    )
