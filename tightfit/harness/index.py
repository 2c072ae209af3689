"""What ships, as the file of ready answers has it: records by subject, and figures by which they are found.

A subject is (target, part, primitive, operation), its part the simulated one of a core class. All that is in
the file is current: it was left out where a template, a part or a definition has moved since it was measured.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tightfit.harness.lines import with_attribution
from tightfit.jsonform import from_checked
from tightfit.paths import portfolio_dir
from tightfit.readyfile import ReadyFile
from tightfit.records import Budget, Cell, Contender, Front, Measurement

TABLES = (
    "CREATE TABLE made (form TEXT, package TEXT)",
    "CREATE TABLE states (target TEXT PRIMARY KEY, packed BLOB) WITHOUT ROWID",
    "CREATE TABLE documents (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID",
    "CREATE TABLE units (target TEXT, primitive TEXT, digest TEXT, PRIMARY KEY (target, primitive))",
    "CREATE TABLE subjects (number INTEGER PRIMARY KEY, target TEXT, part TEXT, primitive TEXT,"
    " operation TEXT, UNIQUE (target, part, primitive, operation))",
    "CREATE TABLE records (subject INTEGER PRIMARY KEY, packed BLOB)",
    "CREATE TABLE points (subject INTEGER, place INTEGER, rom INTEGER, ram INTEGER, most_rom INTEGER,"
    " most_ram INTEGER, met INTEGER, cycles REAL, PRIMARY KEY (subject, place)) WITHOUT ROWID",
    "CREATE TABLE names (id TEXT, subject INTEGER, kind TEXT, PRIMARY KEY (id, subject)) WITHOUT ROWID",
)
"""`points` has the variants that may be answers, with what each takes as it is and padded at most, a bit of
`met` for each condition that it meets, and their place where the fastest comes first. `names` has the ids of
all variants and contenders."""
_SUBJECT = ("target", "part", "primitive", "operation")
_FASTEST = (
    "SELECT primitive, operation, (SELECT cycles FROM points WHERE subject = number AND {rom} <= ?"
    " AND {ram} <= ? AND met & ? = ? ORDER BY place LIMIT 1) FROM subjects"
    " WHERE target = ? AND part = ? AND primitive IN (SELECT value FROM json_each(?))"
)
_FREE = 2**62


class Subject(NamedTuple):
    """A subject, and its number in the file."""

    number: int
    target: str
    part: str
    primitive: str
    operation: str


class Held(NamedTuple):
    """The records that the file has of a subject."""

    measurements: list[Measurement]
    cells: list[Cell]
    fronts: list[Front]
    contenders: list[Contender]


class Index:
    """The records of the file of ready answers."""

    def __init__(self, file: ReadyFile):
        self._file = file
        self._shares: tuple[Path | None, Mapping[str, str]] = None, {}
        self._facts: dict[int, Mapping[str, str]] = {}

    def subjects(self, **of: str | None) -> list[Subject]:
        """The subjects of a target, part, primitive and operation, in alphabetical order."""
        given = {name: value for name, value in of.items() if value is not None}
        where = " AND ".join(["1", *(f"{name} = ?" for name in given)])
        query = f"SELECT number, {', '.join(_SUBJECT)} FROM subjects WHERE {where} ORDER BY 2, 3, 4, 5"
        return [Subject(*row) for row in self._file.rows(query, list(given.values()))]

    def held(self, subject: Subject, attribution: bool = False) -> Held:
        """All that the file has of a subject; where bytes and cycles are, with `attribution` only."""
        data = self._data(subject)
        contexts = data["contexts"]
        self._facts[subject.number] = data["facts"]
        measurements = [_measurement(row, contexts) for row in data["measurements"]]
        if attribution and measurements:
            shares = self._attributions(subject)
            measurements = [with_attribution(one, shares[one.variant.id]) for one in measurements]
        return Held(
            measurements,
            [from_checked(Cell, row) for row in data["cells"]],
            [from_checked(Front, row) for row in data["fronts"]],
            [from_checked(Contender, row) for row in data["contenders"]],
        )

    def facts(self, subject: Subject) -> Mapping[str, str]:
        """What measurements of a subject rest on now, but for the tools; kept from when it was read."""
        if subject.number not in self._facts:
            self._facts[subject.number] = self._data(subject)["facts"]
        return self._facts[subject.number]

    def _data(self, subject: Subject) -> dict[str, Any]:
        rows = self._file.rows("SELECT packed FROM records WHERE subject = ?", [subject.number])
        if not rows:
            raise self._file.damaged(f"the records of {' '.join(subject[1:])} are missing")
        return self._file.unpacked(rows[0][0])

    def _attributions(self, subject: Subject) -> Mapping[str, str]:
        """By variant where its bytes and cycles are, of a whole file: the one read last is kept."""
        from tightfit.harness import portfolio

        file = portfolio.file_of(portfolio_dir(), subject.target, subject.primitive)
        if self._shares[0] != file:
            self._shares = file, portfolio.attributions(file)
        return self._shares[1]

    def named(self, kind: str, digits: str) -> dict[str, Subject]:
        """The ids of variants or contenders (`kind`) that begin with some digits, with their subjects."""
        query = (
            f"SELECT id, number, {', '.join(_SUBJECT)} FROM names JOIN subjects ON subject = number"
            " WHERE kind = ? AND id BETWEEN ? AND ? ORDER BY id"
        )
        rows = self._file.rows(query, [kind, digits, f"{digits}g"])
        return {row[0]: Subject(*row[1:]) for row in rows}

    def measured(self) -> list[Subject]:
        """The subjects of which there is a measurement."""
        query = (
            f"SELECT number, {', '.join(_SUBJECT)} FROM subjects WHERE number IN (SELECT subject FROM points)"
        )
        return [Subject(*row) for row in self._file.rows(query)]

    def fields(self, paths: Sequence[str], subject: Subject) -> Iterator[tuple[str, list[Any]]]:
        """As `Store.fields`."""
        keys = [path.removeprefix("$.").split(".") for path in paths]
        for row in self._data(subject)["measurements"]:
            yield row["variant"]["id"], [_field({**row, **row["variant"]}, names) for names in keys]

    def fastest(
        self,
        target: str,
        part: str,
        primitives: Collection[str],
        budget: Budget,
        met: int,
        padded: bool,
    ) -> dict[tuple[str, str], float | None]:
        """By primitive and operation the cycles of the fastest variant that fits, None where none does.

        Parameters
        ----------
        met : the bits of the conditions that a variant must meet.
        padded : whether bounds hold what a linker pads as well.
        """
        prefix = "most_" if padded else ""
        query = _FASTEST.format(rom=f"{prefix}rom", ram=f"{prefix}ram")
        bounds = [_FREE if bound is None else bound for bound in (budget.rom, budget.ram)]
        rows = self._file.rows(query, [*bounds, met, met, target, part, json.dumps(list(primitives))])
        return {(primitive, operation): cycles for primitive, operation, cycles in rows}

    def counts(self, subject: Subject) -> tuple[int, int]:
        """The number of variants, and of cells."""
        data = self._data(subject)
        return len(data["measurements"]), len(data["cells"])


def _measurement(row: dict[str, Any], contexts: Mapping[str, Any]) -> Measurement:
    name = row["variant"].pop("id")
    measurement = from_checked(Measurement, {**row, "provenance": contexts[row["provenance"]]})
    vars(measurement.variant)["id"] = name  # a hash of what it is, which need not be computed
    return measurement


def _field(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    value: Any = row
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
