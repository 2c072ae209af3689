"""Makes the file of ready answers: for each primitive on a target what ships and is current.

Of a file that is about earlier sources only what has changed is made anew.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from tightfit import readyfile
from tightfit.budgets import load_budgets
from tightfit.errors import TightfitError, WorkError
from tightfit.harness import portfolio, provenance
from tightfit.harness.index import TABLES, Subject
from tightfit.harness.store import Store, shipped_units
from tightfit.jsonform import to_json
from tightfit.paths import PACKAGE, portfolio_dir, simulator_source
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.readyfile import ReadyFile, pack
from tightfit.records import Budget, Measurement
from tightfit.reports import words
from tightfit.reports.answer import place
from tightfit.reports.known import Current, met
from tightfit.targets import load_target, target_ids
from tightfit.targets.progress import Progress, silent
from tightfit.yamlfile import recorded

_FREE = Budget("", None, None)


@cache
def made_ready(progress: Progress = silent) -> ReadyFile:
    """The file of ready answers of this checkout, made anew as far as it is not about the sources of now.

    Where the cache cannot be written it is in memory.
    """
    found = readyfile.ready_file()
    if found is not None and found.is_current():
        return found
    kept = readyfile.kept_path()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{kept}.lock"):
            found = _usable(kept)
            if found is None:
                half = kept.with_suffix(".half")
                half.unlink(missing_ok=True)
                if _is_of_form(kept):
                    shutil.copyfile(kept, half)
                make(half, progress)
                half.replace(kept)
                _drop_those_of_no_checkout(kept.parent)
                found = readyfile.opened(kept)
            return found
    except OSError:  # a cache that cannot be written is none
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        _fill(connection, progress)
        return ReadyFile(connection, None)


def _usable(path: Path) -> ReadyFile | None:
    """The file at a path if somebody has brought it up to date meanwhile."""
    with suppress(OSError, sqlite3.DatabaseError, WorkError):
        found = readyfile.opened(path)
        if found.is_current():
            return found
    return None


def _drop_those_of_no_checkout(folder: Path) -> None:
    """Delete the files of checkouts that are gone."""
    for path in folder.glob("*.sqlite"):
        with suppress(OSError, sqlite3.DatabaseError, WorkError):
            with closing(readyfile.opened(path)) as other:
                ((package,),) = other.rows("SELECT package FROM made")
            if not Path(package).is_dir():
                path.unlink()
                Path(f"{path}.lock").unlink()


def _is_of_form(path: Path) -> bool:
    with (
        suppress(OSError, sqlite3.DatabaseError, WorkError),
        closing(readyfile.opened(path)) as old,
    ):
        return old.rows("SELECT form FROM made") == [(readyfile.form(),)]
    return False


def make(path: Path, progress: Progress = silent) -> None:
    """Make the file at a path, or bring one that is there up to date."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 16384")
        connection.execute("PRAGMA journal_mode = OFF")
        _fill(connection, progress)
        connection.execute("VACUUM")


def make_to_ship(path: Path) -> None:
    """Make the file for a wheel: about the files that come with it, wherever these will be."""
    if (kept := _usable(readyfile.kept_path())) is not None:
        kept.close()
        shutil.copyfile(readyfile.kept_path(), path)
    else:
        make(path)
    with closing(sqlite3.connect(path)) as connection:
        with connection:
            connection.execute("DELETE FROM states")
        connection.execute("VACUUM")


def _fill(connection: sqlite3.Connection, progress: Progress) -> None:
    state = readyfile.state()
    digest = _Digests(state)
    with connection:
        if not connection.execute("SELECT name FROM sqlite_master").fetchall():
            for table in TABLES:
                connection.execute(table)
        _put_documents(connection)
        known = {row[:2]: row[2] for row in connection.execute("SELECT target, primitive, digest FROM units")}
        units = {unit: digest.of(*unit) for unit in shipped_units(portfolio_dir())}
        for unit in known.keys() - units.keys():
            _drop(connection, unit)
        changed = [unit for unit, now in units.items() if known.get(unit) != now]
        with Store.in_memory() as store:
            for done, unit in enumerate(changed, 1):
                _drop(connection, unit)
                _put(connection, store, unit)
                connection.execute("INSERT INTO units VALUES (?, ?, ?)", (*unit, units[unit]))
                progress("ready answers", done, len(changed))
        connection.execute("DELETE FROM made")
        connection.execute("INSERT INTO made VALUES (?, ?)", (readyfile.form(), str(PACKAGE)))
        connection.execute("DELETE FROM states")
        packed = ((target, pack(entries)) for target, entries in state.items())
        connection.executemany("INSERT INTO states VALUES (?, ?)", packed)


class _Digests:
    """Digests of what the ready answers of a primitive on a target are made from."""

    def __init__(self, state: readyfile.State):
        self._files = [path for entries in state.values() for path, size, _ in entries if size >= 0]
        self._below: dict[Path, str] = {}

    def of(self, target: str, primitive: str) -> str:
        """The digest of what a primitive on a target rests on."""
        over = load_primitive(primitive).over
        templates, places = PACKAGE / "templates", PACKAGE / "targets"
        roots = [
            *(templates / name for name in (target, "tables")),
            *(PACKAGE / "primitives" / name for name in (primitive, over) if name),
            *(places / target, simulator_source(), PACKAGE / "budgets.yaml"),
            portfolio_dir() / target / primitive,
            portfolio.file_of(portfolio_dir(), target, primitive),
        ]
        return " ".join(self._of(root) for root in roots)

    def _of(self, root: Path) -> str:
        if root not in self._below:
            below = [file for file in self._files if file == str(root) or file.startswith(f"{root}/")]
            self._below[root] = readyfile.digest_of(below)[:16]
        return self._below[root]


def _put_documents(connection: sqlite3.Connection) -> None:
    """Put the data of all files in YAML that a question may read."""
    with recorded() as documents:
        for name in primitive_ids():
            primitive = load_primitive.__wrapped__(name)
            for target in target_ids():
                with suppress(TightfitError):
                    primitive.published(target)
        for name in target_ids():
            load_target.__wrapped__(name)
        load_budgets()
    connection.execute("DELETE FROM documents")
    connection.executemany("INSERT INTO documents VALUES (?, ?)", sorted(documents.items()))


def _drop(connection: sqlite3.Connection, unit: tuple[str, str]) -> None:
    own = "IN (SELECT number FROM subjects WHERE target = ? AND primitive = ?)"
    for table in ("records", "points", "names"):
        connection.execute(f"DELETE FROM {table} WHERE subject {own}", unit)
    connection.execute("DELETE FROM subjects WHERE target = ? AND primitive = ?", unit)
    connection.execute("DELETE FROM units WHERE target = ? AND primitive = ?", unit)


def _put(connection: sqlite3.Connection, store: Store, unit: tuple[str, str]) -> None:
    """Put all that is current of a primitive on a target."""
    current = Current(store, attribution=False)
    of = dict(zip(("target", "primitive"), unit, strict=True))
    every = {
        "measurements": current.measurements(**of),
        "cells": current.cells(**of),
        "fronts": current.fronts(**of),
        "contenders": current.contenders(**of, rejected=True),
    }
    subjects = dict.fromkeys(_subject(record) for records in every.values() for record in records)
    for names in sorted(subjects):
        found = {kind: [one for one in records if _subject(one) == names] for kind, records in every.items()}
        number = connection.execute(
            "INSERT INTO subjects (target, part, primitive, operation) VALUES (?, ?, ?, ?)", names
        ).lastrowid
        _put_subject(connection, Subject(number, *names), found)


def _subject(record: Any) -> tuple[str, str, str, str]:
    of = record.variant if isinstance(record, Measurement) else record
    return of.target, of.part, of.primitive, of.operation


def _put_subject(connection: sqlite3.Connection, subject: Subject, found: Mapping[str, list[Any]]) -> None:
    measured = found["measurements"]
    packed = {
        "facts": provenance.facts_without_tools(*subject[1:]),
        "contexts": {one.provenance["context"]: dict(one.provenance) for one in measured},
        "measurements": list(map(_measurement, measured)),
        "cells": list(map(to_json, found["cells"])),
        "fronts": list(map(to_json, found["fronts"])),
        "contenders": [{"id": one.id, **to_json(one)} for one in found["contenders"]],
    }
    connection.execute("INSERT INTO records VALUES (?, ?)", (subject.number, pack(packed)))
    names = [(one.variant.id, subject.number, "variant") for one in measured]
    names += [(one.id, subject.number, "contender") for one in found["contenders"]]
    connection.executemany("INSERT INTO names VALUES (?, ?, ?)", names)
    points = _points(subject.number, found)
    connection.executemany("INSERT INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?)", points)


def _measurement(measurement: Measurement) -> dict[str, Any]:
    variant = measurement.variant
    known = replace(variant, free=tuple(words.free_knobs(variant)))
    row = to_json(replace(measurement, variant=known, provenance={}))
    return {
        **row,
        "variant": {"id": variant.id, **row["variant"]},
        "provenance": measurement.provenance["context"],
    }


def _points(number: int, found: Mapping[str, list[Any]]) -> Iterable[tuple]:
    """Rows of `points`, those of variants that destroy the key left out."""
    winners = {cell.variant_id for cell in found["cells"]}
    winners |= {variant for front in found["fronts"] for variant in front.variants}
    usable = [one for one in found["measurements"] if not one.destroys_key]
    usable.sort(key=lambda one: place(one.cost, one.variant.id, winners, _FREE))
    for at, one in enumerate(usable):
        cost = one.cost
        most = cost.rom + cost.padding.rom, cost.ram + cost.padding.ram
        yield number, at, cost.rom, cost.ram, *most, met(cost), cost.cycles
