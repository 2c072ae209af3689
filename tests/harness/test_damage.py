"""A damaged store gives the right answers or one line that names it, never a traceback or another answer."""

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.contenders.test_store import BASELINE, EXTERNAL
from tests.harness.test_store import execute
from tightfit.errors import UsageError, WorkError
from tightfit.harness.database import TABLES
from tightfit.harness.store import Store

from .samples import SUBJECT, cell, measurement, variant

pytestmark = pytest.mark.usefixtures("texts")

FLIPS = 400
MEASURED = [
    measurement(variant(unroll=unroll), provenance={"context": gate, "gate": gate})
    for gate in ("search", "full")
    for unroll in range(6)
]


@pytest.fixture
def path(tmp_path) -> Path:
    """A store with measurements, cells and contenders."""
    with Store.open(tmp_path / "store.sqlite") as opened:
        for measured in MEASURED:
            opened.add(measured)
        opened.put_answers([cell(), cell("512B/64B", "impossible", 512)])
        for contender in (BASELINE, EXTERNAL, replace(EXTERNAL, target="rl78")):
            opened.add_contender(contender)
    return tmp_path / "store.sqlite"


def answers(path: Path) -> dict[str, Any]:
    """What a store answers; the errors by their question."""
    newest = MEASURED[-1].variant
    questions = {
        "measurements": lambda opened: opened.measurements(*SUBJECT),
        "present": lambda opened: opened.measurements(attribution=False, present=True),
        "fields": lambda opened: opened.fields(["$.cost.rom", "$.knobs"], *SUBJECT),
        "cells": lambda opened: sorted(opened.cells(), key=lambda cell: cell.budget.name),
        "contenders": lambda opened: opened.contenders(),
        "owned": lambda opened: sorted(opened.owned()),
        "subjects": lambda opened: opened.subjects(),
        "variant": lambda opened: opened.by_id(newest.id[:7]),
        "contender": lambda opened: opened.contender(EXTERNAL.id),
        "no contender": lambda opened: opened.contender("0" * 12),
    }
    given: dict[str, Any] = {}
    try:
        with Store.open(path) as opened:
            for name, question in questions.items():
                try:
                    given[name] = question(opened)
                except (UsageError, WorkError) as error:
                    given[name] = error
    except WorkError as error:
        return dict.fromkeys(questions, error)
    return given


def check(path: Path, right: dict[str, Any], what: str) -> int:
    """Check every answer; return how many questions were refused."""
    refused = 0
    for name, answer in answers(path).items():
        if isinstance(answer, Exception):
            said = str(answer)
            assert isinstance(answer, WorkError), (what, name, said)
            assert said.startswith(f"{path}: ") and "\n" not in said, (what, name, said)
            assert re.search("delete it|upgrade|cannot be|move it away", said), (what, name, said)
            refused += 1
        else:
            assert answer == right[name], (what, name)
    return refused


def replace_store(path: Path, data: bytes) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.write_bytes(data)


@pytest.mark.dear("hundreds of stores are opened")
def test_every_flipped_byte_is_noticed_or_harmless(path):
    right, data = answers(path), path.read_bytes()
    assert not any(isinstance(answer, Exception) for answer in right.values())
    chance = random.Random(1)
    places = [*range(100), *(chance.randrange(len(data)) for _ in range(FLIPS // 2))]
    written = [place for place, byte in enumerate(data) if byte]
    places += chance.sample(written, FLIPS - len(places))
    refused = 0
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= chance.choice([0x01, 0x04, 0x20, 0x80, 0xFF])
        replace_store(path, damaged)
        refused += bool(check(path, right, f"byte {place}, {damaged[place]:#04x}"))
    assert refused > FLIPS / 4


def test_a_flip_in_a_record_and_a_file_that_was_cut_short_are_noticed(path):
    right, data = answers(path), path.read_bytes()
    for text in (b'"total"', b'"bound"', b"mix_columns", b'"gate"', b'"source_sha256"', b'"flags"'):
        assert text in data
        replace_store(path, data.replace(text, bytes([text[0], text[1] ^ 1]) + text[2:]))
        assert check(path, right, text.decode())
    for kept in (1, 50, 99, 100, 1000, 4096, 5000, len(data) // 2, len(data) - 4096, len(data) - 1):
        replace_store(path, data[:kept])
        assert check(path, right, f"{kept} bytes"), kept


@pytest.mark.parametrize("table", TABLES)
def test_a_table_or_a_column_that_is_gone(path, table):
    right, data = answers(path), path.read_bytes()
    column = TABLES[table][-2].split()[0]
    statements = [f"DROP TABLE {table}", f"ALTER TABLE {table} RENAME COLUMN {column} TO x"]
    statements += [f"ALTER TABLE {table} ADD COLUMN more TEXT", f"ALTER TABLE {table} RENAME TO other"]
    for statement in statements:
        replace_store(path, data)
        execute(path, statement)
        assert check(path, right, statement) == len(right)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE measurements SET record = substr(record, 1, 50) WHERE number = 9",
        "UPDATE measurements SET record = '[]'",
        "UPDATE measurements SET rejected = 'moved' WHERE number = 9",
        "UPDATE measurements SET number = 99 WHERE number = 3",
        "UPDATE measurements SET attribution = replace(attribution, 'mix', 'mox')",
        "UPDATE cells SET record = substr(record, 1, 20)",
        "UPDATE cells SET budget = 'other' WHERE budget = '512B/64B'",
        "UPDATE contenders SET record = '{}'",
        "UPDATE contexts SET facts = 'x'",
        "DELETE FROM contexts",
        "UPDATE texts SET text = 'another'",
        "UPDATE totals SET rows = rows + 1",
        "DELETE FROM totals",
        "DELETE FROM portfolio",
    ],
)
def test_a_row_that_somebody_changed(path, statement):
    right = answers(path)
    execute(path, statement)
    assert check(path, right, statement)


def test_rows_that_vanish_are_missed(path):
    right = answers(path)
    for table in ("measurements", "cells", "contenders"):
        data = path.read_bytes()
        execute(
            path,
            "CREATE TABLE kept AS SELECT * FROM totals",
            f"DELETE FROM {table} WHERE rowid = 1",
            "DELETE FROM totals",
            "INSERT INTO totals SELECT * FROM kept",
            "DROP TABLE kept",
        )
        assert check(path, right, table)
        replace_store(path, data)


def test_nothing_is_written_into_a_damaged_store_without_a_word(path):
    execute(path, "DROP TABLE texts")
    with pytest.raises(WorkError, match="the store is damaged: .*; delete it: "), Store.open(path) as opened:
        opened.add(measurement())
