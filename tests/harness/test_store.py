"""The store returns what it was given, serves several processes at once, and refuses wrong files."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.harness import portfolio, store
from tightfit.harness.store import Store

from .samples import SUBJECT, cell, front, in_context, measurement, variant

pytestmark = pytest.mark.usefixtures("texts")


def test_measurements_come_back_equal(opened):
    accepted, rejected = measurement(), measurement(variant(sbox="mirror"), rejected="HL not preserved")
    opened.add(accepted)
    opened.add(rejected)
    assert opened.get(accepted.variant, in_context()["context"]) == accepted
    assert opened.get(accepted.variant, "another") is None
    assert opened.measurements() == [accepted]
    assert opened.measurements(rejected=True) == [accepted, rejected]
    assert opened.measurements(primitive="present-80") == []
    assert opened.measurements(*SUBJECT) == [accepted]


def test_a_measurement_is_on_disk_at_once_and_may_be_read_in_part(opened):
    assert opened.subjects() == []
    added = measurement()
    opened.add(added)
    assert opened.subjects() == [SUBJECT]
    with Store.open(opened.path) as other:
        assert other.measurements() == [added]
    assert added.attribution is not None
    assert opened.measurements(attribution=False) == [replace(added, attribution=None)]


def test_newest_measurement_of_a_variant_counts(opened):
    old = measurement(provenance={"context": "old"})
    new = measurement(cycles=4000, provenance={"context": "new"})
    opened.add(old)
    opened.add(new)
    assert opened.measurements() == [new]
    assert opened.get(old.variant, "old") == old
    opened.add(replace(old, rejected="moved", cost=None))
    assert opened.measurements() == []


def facts(gate: str, simulator: str = "s1") -> dict[str, str]:
    return {"context": f"{gate} {simulator}", "gate": gate, "simulator": simulator}


def test_full_gate_outlives_the_search_gate(opened):
    searched, full = measurement(provenance=facts("search")), measurement(provenance=facts("full"))
    opened.add(full)
    opened.add(searched)
    assert opened.measurements() == [full]
    opened.add(measurement(variant(unroll=3)))
    opened.add(searched)
    assert opened.measurements()[-1] == full
    changed = measurement(provenance=facts("search", "s2"))
    opened.add(changed)
    assert opened.measurements()[-1] == changed


def test_a_measurement_of_another_text_is_not_present(opened, monkeypatch):
    added = measurement()
    opened.add(added)
    assert opened.measurements(present=True) == [added]
    opened.add(replace(added, source_sha256="6" * 64))
    assert [m.source_sha256 for m in opened.measurements(present=True)] == [added.source_sha256]
    monkeypatch.setattr(store, "sources_of", lambda _: "changed")
    monkeypatch.setattr(store, "text_now", lambda _: "6" * 64)
    assert [m.source_sha256 for m in opened.measurements(present=True)] == ["6" * 64]
    monkeypatch.setattr(store, "sources_of", lambda _: "changed again")
    monkeypatch.setattr(store, "text_now", lambda _: None)
    assert opened.measurements(present=True) == []


def test_a_variant_of_the_same_text_is_measured_already(opened):
    opened.add(measurement())
    other = variant(sbox="mirror")
    assert opened.get(other, in_context()["context"]) == replace(measurement(), variant=other)


def test_a_text_is_rendered_once_for_each_state_of_its_sources(opened, monkeypatch):
    rendered = []
    monkeypatch.setattr(store, "text_now", lambda of: rendered.append(of.id) or "text")
    assert [opened.text(variant()), opened.text(variant())] == ["text", "text"]
    assert rendered == [variant().id]


def test_find_by_id(opened):
    opened.add(measurement())
    full = variant().id
    assert opened.by_id(full) == opened.by_id(full[:5]) == opened.by_id(full.upper()) == measurement()
    with pytest.raises(UsageError, match="no variant 'ffffffff' in the store"):
        opened.by_id("ffffffff")
    with pytest.raises(UsageError, match="'%' is no variant id"):
        opened.by_id("%")
    for unroll in range(40):
        opened.add(measurement(variant(unroll=unroll)))
    digits = Counter(measured.variant.id[0] for measured in opened.measurements())
    ambiguous = next(digit for digit, times in digits.items() if times > 1)
    with pytest.raises(UsageError, match=f"variant '{ambiguous}' is ambiguous: "):
        opened.by_id(ambiguous)


def test_answers_keep_their_order_and_are_replaced(opened):
    apart, other = front(only=("no-banks",)), front(variant(sbox="mirror"))
    opened.put_answers([cell("512B/64B", rom=512), cell()], [front(variant()), apart])
    opened.put_answers([cell("512B/64B", "impossible", 512)], [other])
    assert opened.fronts() == [other, apart]
    assert opened.cells() == [cell("512B/64B", "impossible", 512), cell()]
    assert opened.fronts(operation="decrypt") == opened.cells(operation="decrypt") == []


def test_built_from_the_portfolio_at_first_use(tmp_path, no_portfolio, opened):
    opened.add(measurement())
    opened.add(measurement(variant(sbox="mirror"), rom=300, cycles=9000))
    opened.add(measurement(variant(sbox="flash"), rom=500, cycles=9000))
    shipped = front(variant(), variant(sbox="mirror"))
    opened.put_answers([cell()], [shipped])
    portfolio.write(opened, "rl78", "aes-128", no_portfolio)
    with Store.open(tmp_path / "new.sqlite") as built:
        assert {m.variant.id for m in built.measurements()} == {variant().id, variant(sbox="mirror").id}
        assert built.cells() == [cell()] and built.fronts() == [shipped]
        built.add(measurement(variant(sbox="ram")))
    with Store.open(tmp_path / "new.sqlite") as again:
        assert len(again.measurements()) == 3


def test_changed_portfolio_is_taken_over(tmp_path, no_portfolio, opened):
    for status in ("fits", "impossible"):
        opened.put_answers([cell(status=status)])
        portfolio.write(opened, "rl78", "aes-128", no_portfolio)
        with Store.open(tmp_path / "user.sqlite") as user:
            assert user.cells()[0].status == status


def execute(path, *statements):
    """Change the file of a store behind its back."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (store.SCHEMA_VERSION + 1, "newer than .*: upgrade tightfit"),
        (store.SCHEMA_VERSION - 1, "damaged: it has the tables of schema .* and the number"),
        (-1, "this is no store of tightfit; move it away, or name another file with TIGHTFIT_STORE"),
    ],
)
def test_other_schema(opened, version, message):
    execute(opened.path, f"PRAGMA user_version = {version}")
    for read_only in (False, True):
        with pytest.raises(WorkError, match=message):
            Store.open(opened.path, read_only)


def test_no_store(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("this is a text about stores, long enough to be no empty database\n" * 40)
    with pytest.raises(WorkError, match="notes.txt: this is no store"):
        Store.open(path)
    tables = ("CREATE TABLE songs (title)", "CREATE TABLE cells (prisoner)")
    for version in (-1, 0, 1, store.SCHEMA_VERSION):
        other = tmp_path / f"other{version}.sqlite"
        execute(other, *tables, f"PRAGMA user_version = {version}")
        whole = other.read_bytes()
        for data, said in (
            (whole, "sqlite: this is no store of tightfit; move it away"),
            (whole[:100] + b"\xff" * 100 + whole[200:], "this is no store of tightfit"),
        ):
            other.write_bytes(data)
            with pytest.raises(WorkError, match=said) as raised:
                Store.open(other)
            assert "delete" not in str(raised.value) and other.read_bytes() == data
    with pytest.raises(WorkError, match="cannot be"):
        Store.open(tmp_path)


def test_read_only_where_nothing_can_be_made(no_portfolio, opened, tmp_path):
    opened.add(measurement())
    opened.put_answers([cell()])
    portfolio.write(opened, "rl78", "aes-128", no_portfolio)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with Store.open(blocked / "store.sqlite", read_only=True) as memory:
        assert memory.measurements() == [measurement()]
    with pytest.raises(WorkError, match="cannot be made"):
        Store.open(blocked / "store.sqlite")


def add_many(path, first, count):
    with Store.open(path) as mine:
        for unroll in range(first, first + count):
            mine.add(measurement(variant(unroll=unroll)))


def test_two_writers_at_once(no_portfolio, tmp_path):
    path = tmp_path / "store.sqlite"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=add_many, args=(path, first, 60)) for first in (0, 1000, 2000)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with Store.open(path) as opened:
        assert len(opened.measurements()) == 180


KILLED = """
import sys
from pathlib import Path
from tightfit.harness import store
from tests_samples import measurement, variant
with store.Store.open(Path(sys.argv[1])) as mine:
    for unroll in range(100000):
        mine.add(measurement(variant(unroll=unroll)))
        print(unroll, flush=True)
"""


def test_killed_writer_loses_nothing(no_portfolio, tmp_path):
    path = tmp_path / "store.sqlite"
    shutil.copy(Path(__file__).with_name("samples.py"), tmp_path / "tests_samples.py")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-c", KILLED, str(path)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    reported = [writer.stdout.readline() for _ in range(25)]
    writer.send_signal(signal.SIGKILL)
    reported += writer.stdout.readlines()
    writer.wait()
    told = [int(line) for line in reported if line.endswith("\n")]
    assert len(told) >= 25
    with Store.open(path) as opened:
        kept = {m.variant.knobs["unroll"] for m in opened.measurements()}
    assert kept >= set(told)
    assert len(kept) <= len(told) + 1


def test_waits_for_a_busy_store(opened):
    blocker = sqlite3.connect(opened.path, isolation_level=None, check_same_thread=False)
    blocker.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: blocker.execute("COMMIT"))
    begin = time.monotonic()
    release.start()
    opened.add(measurement())
    assert time.monotonic() - begin > 0.2
    assert opened.measurements() == [measurement()]
    release.join()
    blocker.close()
