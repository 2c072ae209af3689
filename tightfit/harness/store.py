"""The store: every measurement, every cell and every front, in one SQLite file."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tightfit.errors import WorkError
from tightfit.harness import ids, portfolio, shipped
from tightfit.harness.current import rendering_now, sources_of, text_now
from tightfit.harness.database import SCHEMA_VERSION, Database, Row, row_sum, text_sum, where_of
from tightfit.harness.lines import Line, line_of, measurement_of
from tightfit.harness.provenance import hash_files, same_cost
from tightfit.jsonform import from_json, to_json
from tightfit.paths import portfolio_dir, store_is_named, store_path
from tightfit.records import BASELINE, Cell, Contender, Front, Knobs, Measurement, Variant
from tightfit.textfile import stored

if TYPE_CHECKING:
    from tightfit.generator import Rendered

__all__ = ["SCHEMA_VERSION", "Store"]

Record = TypeVar("Record")
_OUTDATED = (
    "DELETE FROM contenders WHERE origin = ? AND target = ? AND primitive = ? AND operation = ?"
    " AND json_extract(record, '$.source_sha256') != ?"
)
"""Deletes C baselines of another reference than the one that ships."""
_RENUMBER = "UPDATE measurements SET number = ?, checksum = ? WHERE number = ?"
_PUT_ANSWER = (
    "INSERT INTO {} VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET record = excluded.record, checksum = excluded.checksum"
)
_KEPT_OF = (
    "SELECT DISTINCT target, primitive FROM totals WHERE kind IN ('measurements', 'cells') AND rows > 0"
)
_LISTED = "number IN (SELECT value FROM json_each(?))"
Unit = tuple[str, str]
"""A target and a primitive: what ships of the two is taken over at once."""


class _Key(NamedTuple):
    """What a measurement is looked up by, and the checksums of the rest of it."""

    number: int
    variant_id: str
    text: str
    context: str
    target: str
    part: str
    primitive: str
    operation: str
    template: str
    rejected: str | None
    record_sum: int
    attribution_sum: int
    checksum: int


class Store:
    """Measurements, cells and fronts; several processes may use one file at once.

    Open it with `Store.open`. Each `add` and each `put_answers` is on disk when it returns. What ships of a
    primitive on a target is taken over when somebody first asks for it or adds to it.
    """

    def __init__(self, database: Database, read_only: bool = False):
        self._database, self._read_only = database, read_only
        self.path = None if database.memory else database.path
        self._texts: dict[tuple[str, str], str | None] = {}
        self._rendered: list[Row] = []
        self._taken: set[Unit] = set()

    @classmethod
    def open(cls, path: Path | None = None, read_only: bool = False) -> "Store":
        """The store at `path`, by default the user's own; it is made where there is none.

        With `read_only` a file that cannot be made or written is replaced by a store in memory, unless
        the user named it with `TIGHTFIT_STORE` and it holds nothing.

        Raises
        ------
        WorkError
            The file is of another schema, is damaged, is no store, or cannot be opened.
        """
        named = path is None and store_is_named()
        path = Path(path) if path is not None else store_path()
        try:
            return cls._prepared(Database.at(path), read_only)
        except WorkError as error:
            if not read_only or error.__cause__ is None:
                raise
            copy = Database.in_memory(path)
            if named and copy.is_empty():
                copy.close()
                raise WorkError(f"{error}; TIGHTFIT_STORE names it") from None
            return cls._prepared(copy, read_only)

    @classmethod
    def in_memory(cls) -> "Store":
        """A store that is gone when it is closed."""
        return cls._prepared(Database.in_memory(Path("memory")), False)

    @classmethod
    def _prepared(cls, database: Database, read_only: bool) -> "Store":
        try:
            database.prepare()
        except BaseException:
            database.close()
            raise
        return cls(database, read_only)

    def owned(self) -> set[Unit]:
        """(target, primitive) of all of which the user has kept something that did not ship."""
        return {unit for unit, (_, own) in self._units().items() if own}

    def _units(self) -> dict[Unit, tuple[str, int]]:
        """By unit the hash that what ships had when it was taken over, and whether more is kept of it."""
        with self._database.reading():
            units = {row[:2]: row[2:4] for row in self._database.checked("portfolio")}
            if not set(self._database.rows(_KEPT_OF)) <= units.keys():
                raise self._database.damaged("rows of portfolio are missing")
        return units

    def _take_over(self, target: str | None = None, primitive: str | None = None) -> None:
        """Take over what ships of a primitive on a target (None for all) and is not there as it is now."""
        for unit in shipped_units(portfolio_dir(), target, primitive):
            if unit in self._taken:
                continue
            hashed = hash_files(_shipped_files(portfolio_dir(), *unit))
            if self._hash_of(unit) != hashed:
                self._import(unit, hashed)
            self._taken.add(unit)

    def _hash_of(self, unit: Unit) -> str | None:
        return self._units().get(unit, (None, 0))[0]

    def _import(self, unit: Unit, hashed: str) -> None:
        """Take over a unit of the portfolio; its cells replace earlier ones."""
        try:
            with self._database.writing():
                before, own = self._units().get(unit, (None, 0))
                if before != hashed:
                    self._import_files(unit)
                    self._database.insert("portfolio", [(*unit, hashed, own)], "OR REPLACE")
        except WorkError as error:
            if not self._read_only or self._database.memory or error.__cause__ is None:
                raise
            copy = Database.in_memory(self._database.path)
            self._database.close()
            self._database = copy
            self._database.prepare()
            self._import(unit, hashed)

    def _import_files(self, unit: Unit) -> None:
        file = portfolio.file_of(portfolio_dir(), *unit)
        if stored(file):
            self._import_measurements(portfolio.read_measurements(file))
            self._insert_answers(*portfolio.read_answers(file))
        baselines = shipped.file_of(portfolio_dir(), *unit)
        if stored(baselines):
            for contender in shipped.read(baselines):
                self._database.rows(_OUTDATED, [BASELINE, *_subject(contender)])
                self._insert_contender(contender)

    def _own(self, *unit: str) -> None:
        """Note that the user keeps something of a primitive on a target."""
        hashed = self._hash_of(unit) or ""
        self._database.insert("portfolio", [(*unit, hashed, 1)], "OR REPLACE")

    def _import_measurements(self, measured: portfolio.Measured) -> None:
        target, primitive, templates = measured.target, measured.primitive, measured.templates
        of = {"target": target, "primitive": primitive}
        known = {(key.variant_id, key.text, key.context) for key in self._keys(of)}
        fresh = [line for line in measured.lines if (line.variant_id, line.text, line.context) not in known]
        numbered = enumerate(fresh, self._next_number())
        insert = self._database.insert
        insert("measurements", (_row(number, target, primitive, line) for number, line in numbered))
        facts = measured.contexts.items()
        insert("contexts", ((name, json.dumps(kept)) for name, kept in facts), "OR REPLACE")
        texts = ((line.variant_id, templates[line.template]["sources"], line.text) for line in measured.lines)
        insert("texts", texts, "OR REPLACE")

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def add(self, measurement: Measurement) -> None:
        """Keep a measurement; it replaces one of the same variant, text and context.

        A result of the full gate stays the newest, even if the search gate measures the same later.
        """
        variant = measurement.variant
        self._take_over(variant.target, variant.primitive)
        with self._database.writing():
            self._own(variant.target, variant.primitive)
            self._insert(measurement)
            sources = sources_of(variant)
            text = self._text(variant, sources)
            self._database.insert("texts", [(variant.id, sources, text)], "OR REPLACE")
            if measurement.provenance.get("gate") == "search":
                self._renew_full(measurement)

    def _renew_full(self, searched: Measurement) -> None:
        """Give a full-gate measurement a new number if it differs from `searched` in the gate only."""
        own = [searched.variant.id, searched.source_sha256, searched.provenance["context"]]
        where = "variant_id = ? AND text = ? AND context != ?"
        for key in map(_Key._make, self._database.checked("measurements", where, own)):
            facts = self._facts(key.context)
            if facts.get("gate") == "full" and _but_gate(facts) == _but_gate(searched.provenance):
                renewed = key._replace(number=self._next_number())
                self._database.rows(_RENUMBER, [renewed.number, row_sum(renewed[:-1]), key.number])

    def get(self, variant: Variant, context: str) -> Measurement | None:
        """The measurement, in a context, of the text that a variant has now, by any variant with it."""
        return self._of_text(variant, lambda measured: measured == context)

    def holds(self, measurement: Measurement) -> bool:
        """Whether there is a measurement of this variant itself, with this text and context."""
        own = [measurement.variant.id, measurement.source_sha256, measurement.provenance["context"]]
        where = "variant_id = ? AND text = ? AND context = ?"
        self._take_over(measurement.variant.target, measurement.variant.primitive)
        with self._database.reading():
            return bool(self._database.checked("measurements", where, own))

    def of_cost(self, variant: Variant, facts: Mapping[str, str]) -> Measurement | None:
        """As `get`, in any context that differs from these facts in nothing that a cost rests on."""
        return self._of_text(variant, lambda measured: same_cost(self._facts(measured), facts))

    def _of_text(self, variant: Variant, wanted: Callable[[str], bool]) -> Measurement | None:
        """The newest measurement of the text that a variant has now, by any variant, in a context wanted."""
        self._take_over(variant.target, variant.primitive)
        text = self.text(variant)
        if text is None:
            return None
        with self._database.reading():
            rows = map(_Key._make, self._database.checked("measurements", "text = ?", [text]))
            measured = self._measurements(key for key in rows if wanted(key.context))
        own = [measurement for measurement in measured if measurement.variant.id == variant.id]
        chosen = (own or measured)[-1:]
        return replace(chosen[0], variant=variant) if chosen else None

    def text(self, variant: Variant) -> str | None:
        """The present text of a variant, rendered only if it is not known; None where it does not render."""
        return self._text(variant, sources_of(variant))

    def rendering(self, variant: Variant) -> "Rendered | None":
        """What a variant renders to, where its present text was not known; it is known from then on.

        None too where it does not render.
        """
        self._take_over(variant.target, variant.primitive)
        key = variant.id, sources_of(variant)
        if self._knows(key):
            return None
        rendered = rendering_now(variant)
        self._texts[key] = rendered and rendered.sha256
        return rendered

    def _text(self, variant: Variant, sources: str) -> str | None:
        key = variant.id, sources
        if not self._knows(key):
            self._texts[key] = text_now(variant)
        return self._texts[key]

    def _knows(self, key: tuple[str, str]) -> bool:
        """Whether the text of a variant, by its id and the sources of its template, is known."""
        if key not in self._texts:
            for row in self._database.checked("texts", "variant_id = ? AND sources = ?", key):
                self._texts[key] = row[2]
        return key in self._texts

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
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        self._take_over(target, primitive)
        with self._reading():
            newest = self._newest(of, present)
            chosen = (key for key in newest if rejected or key.rejected is None)
            return self._measurements(chosen, attribution)

    def _keys(self, of: Mapping[str, str | None]) -> list[_Key]:
        """The keys of all measurements of a subject, oldest first."""
        return [_Key._make(row) for row in self._database.of_subject("measurements", of)]

    def _newest(self, of: Mapping[str, str | None], present: bool) -> list[_Key]:
        """The keys of the newest measurement of every variant, oldest first."""
        keys = self._keys(of)
        if present:
            texts = self._present_texts(of, keys)
            keys = [key for key in keys if texts[key.variant_id] == key.text]
        return sorted({key.variant_id: key for key in keys}.values())

    def _present_texts(self, of: Mapping[str, str | None], keys: Iterable[_Key]) -> dict[str, str | None]:
        """The present text of every variant, rendered where the sources of its template have changed."""
        where, values = where_of(of)
        own = f"variant_id IN (SELECT variant_id FROM measurements WHERE {where})"
        known = {row[0]: row[1:3] for row in self._database.checked("texts", own, values)}
        digests: dict[tuple[str, str, str], str] = {}
        texts: dict[str, str | None] = {}
        changed: dict[str, _Key] = {}
        for key in keys:
            template = key.target, key.primitive, key.template
            if template not in digests:
                digests[template] = sources_of(_variant(key, {}))
            sources, texts[key.variant_id] = known.get(key.variant_id, (None, None))
            if sources != digests[template]:
                changed[key.variant_id] = key
        records = self._records(changed.values())
        for variant_id, key in changed.items():
            texts[variant_id] = text_now(_variant(key, self._built(_knobs, records[key.number])))
            sources = digests[key.target, key.primitive, key.template]
            self._rendered.append((variant_id, sources, texts[variant_id]))
        return texts

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """What is read inside is of one state of the file; texts that were rendered are kept afterwards."""
        with self._database.reading():
            yield
        if self._rendered:
            with self._database.writing():
                self._database.insert("texts", self._rendered, "OR REPLACE")
            self._rendered.clear()

    def fields(
        self, paths: Sequence[str], target: str, part: str, primitive: str, operation: str
    ) -> list[tuple[str, list]]:
        """Id of every variant that has a cost, and some fields of its present measurement, oldest first.

        Many times faster than `measurements` where there are many of them.

        Parameters
        ----------
        paths : two or more paths into the JSON of a record, such as `$.cost.rom`; a missing field is None.
        """
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        self._take_over(target, primitive)
        query = f"SELECT number, json_extract(record{', ?' * len(paths)}) FROM measurements WHERE {_LISTED}"
        with self._reading():
            keys = [key for key in self._newest(of, present=True) if key.rejected is None]
            numbers = list(self._records(keys))
            found = dict(self._database.rows(query, [*paths, json.dumps(numbers)]))
        return [(key.variant_id, self._built(json.loads, found[key.number])) for key in keys]

    def subjects(
        self, target: str | None = None, primitive: str | None = None
    ) -> list[tuple[str, str, str, str]]:
        """(target, part, primitive, operation) of all measurements with a cost, in alphabetical order."""
        self._take_over(target, primitive)
        keys = self._keys({"target": target, "primitive": primitive})
        return sorted({key[4:8] for key in keys if key.rejected is None})

    def counts(self, target: str | None = None, primitive: str | None = None) -> tuple[int, int]:
        """The number of variants that were measured, and of cells."""
        of = {"target": target, "primitive": primitive}
        self._take_over(target, primitive)
        with self._database.reading():
            cells = self._database.of_subject("cells", of)
            return len({key.variant_id for key in self._keys(of)}), len(cells)

    def by_id(self, prefix: str) -> Measurement:
        """The newest measurement of the variant whose id begins with `prefix`.

        Raises
        ------
        UsageError
            No such variant, or more than one.
        """
        digits = ids.digits_of(prefix)
        self._take_over()
        return self.newest(ids.the_variant(prefix, self.variants(digits), lambda: self.contender(prefix)))

    def newest(self, variant_id: str) -> Measurement:
        """The newest measurement of a variant that the store has."""
        with self._database.reading():
            return self._measurements(self._begins(variant_id)[-1:])[0]

    def variants(self, digits: str) -> dict[str, Unit]:
        """The ids of variants that begin with some digits, with target and primitive."""
        with self._database.reading():
            return {key.variant_id: (key.target, key.primitive) for key in self._begins(digits)}

    def _begins(self, digits: str) -> list[_Key]:
        """The keys of all measurements whose variant's id begins with some digits, oldest first."""
        names = ("target", "part", "primitive", "operation")
        query = f"SELECT DISTINCT {', '.join(names)} FROM measurements WHERE variant_id BETWEEN ? AND ?"
        rows = self._database.rows(query, [digits, f"{digits}g"])
        subjects = [dict(zip(names, row, strict=True)) for row in rows]
        keys = [key for of in subjects or [{}] for key in self._keys(of)]
        return sorted(key for key in keys if key.variant_id.startswith(digits))

    def put_answers(self, cells: Iterable[Cell], fronts: Iterable[Front] = ()) -> None:
        """Keep cells and fronts; they replace those of the same question."""
        cells, fronts = list(cells), list(fronts)
        units = {(answer.target, answer.primitive) for answer in (*cells, *fronts)}
        for unit in units:
            self._take_over(*unit)
        with self._database.writing():
            for unit in units:
                self._own(*unit)
            self._insert_answers(cells, fronts)

    def cells(
        self,
        target: str | None = None,
        part: str | None = None,
        primitive: str | None = None,
        operation: str | None = None,
    ) -> list[Cell]:
        """The cells, in the order in which they were first put."""
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        self._take_over(target, primitive)
        rows = self._database.of_subject("cells", of)
        return [self._built(_cell, row[5]) for row in rows]

    def fronts(
        self,
        target: str | None = None,
        part: str | None = None,
        primitive: str | None = None,
        operation: str | None = None,
    ) -> list[Front]:
        """The fronts, in the order in which they were first put."""
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        self._take_over(target, primitive)
        rows = self._database.of_subject("fronts", of)
        return [self._built(_front, row[5]) for row in rows]

    def add_contender(self, contender: Contender) -> None:
        """Keep a routine that tightfit did not generate; it replaces one of the same id."""
        unit = contender.target, contender.primitive
        if contender.origin == BASELINE:
            self._take_over(*unit)
        with self._database.writing():
            if contender.origin == BASELINE:
                self._own(*unit)
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
        of = {"target": target, "part": part, "primitive": primitive, "operation": operation}
        found = []
        if origin in (None, BASELINE):
            self._take_over(target, primitive)
        for row in sorted(self._database.of_subject("contenders", of)):
            if origin in (None, row[5]) and (rejected or row[6] is None):
                found.append(self._built(_contender, row[7]))
        return found

    def contender(self, prefix: str) -> Contender | None:
        """The contender whose id begins with `prefix`; None where there is none.

        Raises
        ------
        UsageError
            There is more than one, or a variant whose id begins with it too.
        """
        digits = prefix.lower()
        self._take_over()
        found = ids.the_contender(prefix, self.routines(digits), lambda: self.variants(digits))
        return found and self.routine(found)

    def routines(self, digits: str) -> dict[str, Unit]:
        """The ids of contenders that begin with some digits, with target and primitive."""
        rows = self._database.of_subject("contenders", {}) if digits else []
        return {row[0]: (row[1], row[3]) for row in sorted(rows) if row[0].startswith(digits)}

    def routine(self, contender_id: str) -> Contender:
        """A contender that the store has."""
        return self._built(_contender, self._database.checked("contenders", "id = ?", [contender_id])[0][7])

    def _insert_contender(self, contender: Contender) -> None:
        names = (contender.target, contender.part, contender.primitive, contender.operation, contender.origin)
        row = (contender.id, *names, contender.rejected, json.dumps(to_json(contender)))
        self._database.rows("DELETE FROM contenders WHERE id = ?", [contender.id])
        self._database.insert("contenders", [row])

    def _measurements(self, keys: Iterable[_Key], attribution: bool = True) -> list[Measurement]:
        keys = list(keys)
        facts = {context: self._facts(context) for context in {key.context for key in keys}}
        records = self._records(keys)
        rows = self._texts_of(keys, "attribution") if attribution else {}
        return [
            self._built(
                measurement_of,
                key.target,
                key.primitive,
                records[key.number],
                rows.get(key.number),
                facts[key.context],
            )
            for key in keys
        ]

    def _records(self, keys: Iterable[_Key]) -> dict[int, str]:
        return self._texts_of(keys, "record")

    def _texts_of(self, keys: Iterable[_Key], column: str) -> dict[int, str]:
        """A text of some measurements, `record` or `attribution`, by their numbers."""
        sums = {key.number: getattr(key, f"{column}_sum") for key in keys}
        query = f"SELECT number, {column} FROM measurements WHERE {_LISTED}"
        found = dict(self._database.rows(query, [json.dumps(list(sums))]))
        for number, checksum in sums.items():
            text = found.get(number)
            if not isinstance(text, str) or text_sum(text) != checksum:
                raise self._database.damaged(f"the {column} of a measurement is not what was written")
        return found

    def _built(self, make: Callable[..., Record], *arguments: Any) -> Record:
        try:
            return make(*arguments)
        except (ValueError, KeyError, TypeError, WorkError) as error:
            raise self._database.damaged(f"a record cannot be read: {type(error).__name__} {error}") from None

    def _facts(self, context: str) -> dict[str, str]:
        rows = self._database.checked("contexts", "context = ?", [context])
        if not rows:
            raise self._database.damaged(f"context {context} is missing")
        return self._built(json.loads, rows[0][1])

    def _next_number(self) -> int:
        return self._database.rows("SELECT coalesce(max(number), 0) + 1 FROM measurements")[0][0]

    def _insert(self, measurement: Measurement) -> None:
        variant, line = measurement.variant, line_of(measurement)
        row = _row(self._next_number(), variant.target, variant.primitive, line)
        own = "variant_id = ? AND text = ? AND context = ?"
        self._database.rows(f"DELETE FROM measurements WHERE {own}", row[1:4])
        self._database.insert("measurements", [row])
        facts = json.dumps(to_json(measurement.provenance))
        self._database.insert("contexts", [(line.context, facts)], "OR REPLACE")

    def _insert_answers(self, cells: Iterable[Cell], fronts: Iterable[Front]) -> None:
        for cell in cells:
            self._insert_answer("cells", cell, cell.budget.name)
        for front in fronts:
            self._insert_answer("fronts", front, " ".join(front.only))

    def _insert_answer(self, table: str, answer: Cell | Front, name: str) -> None:
        names = (answer.target, answer.part, answer.primitive, answer.operation, name)
        row = (*names, json.dumps(to_json(answer)))
        self._database.rows(_PUT_ANSWER.format(table), [*row, row_sum(row)])


def _subject(contender: Contender) -> tuple[str, str, str, str]:
    return contender.target, contender.primitive, contender.operation, contender.source_sha256


def _variant(key: _Key, knobs: Knobs) -> Variant:
    return Variant(key.target, key.part, key.primitive, key.operation, key.template, knobs)


def _cell(record: str) -> Cell:
    return from_json(Cell, json.loads(record))


def _front(record: str) -> Front:
    return from_json(Front, json.loads(record))


def _contender(record: str) -> Contender:
    return from_json(Contender, json.loads(record))


def _knobs(record: str) -> Knobs:
    return json.loads(record)["knobs"]


def _row(number: int, target: str, primitive: str, line: Line) -> Row:
    return (
        number, line.variant_id, line.text, line.context, target, line.part, primitive, line.operation,
        line.template, line.rejected, text_sum(line.record), text_sum(line.attribution),
        line.record, line.attribution,
    )  # fmt: skip


def _but_gate(provenance: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in provenance.items() if key not in ("gate", "context", "ortools")}


def shipped_units(directory: Path, target: str | None = None, primitive: str | None = None) -> list[Unit]:
    """(target, primitive) of all that ships of a target and a primitive, None for any."""
    if target is not None and primitive is not None:
        return [(target, primitive)] if _shipped_files(directory, target, primitive) else []
    found = [(file.parent.name, file.stem) for file in portfolio.files(directory)]
    found += [(file.parents[1].name, file.parent.name) for file in shipped.files(directory)]
    return [
        unit for unit in dict.fromkeys(found) if target in (None, unit[0]) and primitive in (None, unit[1])
    ]


def _shipped_files(directory: Path, target: str, primitive: str) -> list[Path]:
    """The files of what ships of a primitive on a target."""
    file = portfolio.file_of(directory, target, primitive)
    files = (
        file,
        portfolio.beside(file),
        portfolio.attribution(file),
        shipped.file_of(directory, target, primitive),
    )
    return list(filter(None, map(stored, files)))
