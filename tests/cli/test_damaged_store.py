"""A damaged store, from the command line: one line that names it and says what to do, exit status 1."""

import sqlite3
from random import Random

import pytest

from tests.cli.fixture_portfolio import measurements

ON = ("--target", "rl78")
ASKED = ("aes-128", "encrypt", *ON)
COMMANDS = {
    "ask": (*ASKED, "--rom", "1KB", "--ram", "64B"),
    "table": ON,
    "front": ASKED,
    "report": ("--out", "out"),
    "show": (),
    "replay": (),
    "export": (*ASKED, "--to", "out"),
    "verify": ("aes-128", *ON),
    "explore": ("--out", "out"),
}
DAMAGES = {
    "a table is gone": ("DROP TABLE measurements", "its tables are not those that were made"),
    "a record is another": ("UPDATE measurements SET record = substr(record, 9)", "is not what was written"),
    "a row is another": ("UPDATE measurements SET context = 'c'", "is not what was written"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_damaged_store_is_one_line(tightfit, tmp_path, monkeypatch, command, damage):
    monkeypatch.chdir(tmp_path)
    assert tightfit("list", "budgets").status == tightfit("ask", *COMMANDS["ask"]).status == 0
    statement, what = DAMAGES[damage]
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute(statement)
    connection.close()
    more = [measurements("encrypt")[0].variant.id] if command in ("show", "replay") else []
    outcome = tightfit(command, *COMMANDS[command], *more)
    said = [line for line in outcome.err.splitlines() if line.startswith("tightfit: ")]  # after progress
    assert (outcome.status, len(said)) == (1, 1) and "Traceback" not in outcome.err, outcome.err
    assert f"tightfit: {tmp_path / 'store.sqlite'}: the store is damaged: " in outcome.err
    assert what in outcome.err and "; delete it: " in outcome.err


def test_the_doctor_names_a_damaged_store(tightfit, tmp_path):
    assert tightfit("ask", *COMMANDS["ask"]).status == 0
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute("DROP TABLE cells")
    connection.close()
    assert "the store is damaged" in tightfit("doctor").out


def test_bytes_that_flipped_anywhere_are_one_line_or_harmless(tightfit, tmp_path):
    """Never a traceback or another answer."""
    right = tightfit("ask", *COMMANDS["ask"]).out
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    data, chance = path.read_bytes(), Random(1)
    written = [place for place, byte in enumerate(data) if byte]
    refused = 0
    for place in (20, 24, 99, *chance.sample(written, 60)):
        path.write_bytes(
            data[:place] + bytes([data[place] ^ chance.choice([1, 0x20, 0xFF])]) + data[place + 1 :]
        )
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        outcome = tightfit("ask", *COMMANDS["ask"])
        if outcome.status:
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (1, "", 1), (place, outcome)
            assert outcome.err.startswith(f"tightfit: {path}: "), (place, outcome)
            refused += 1
        else:
            assert (outcome.out, outcome.err) == (right, ""), place
    assert refused > 10
