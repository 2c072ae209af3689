"""Contenders in the store, and the C baselines that ship."""

import json
import sqlite3
from collections import Counter
from dataclasses import replace

import pytest

from tests.harness import samples
from tightfit.errors import UsageError, WorkError
from tightfit.harness import shipped
from tightfit.harness.provenance import context_of
from tightfit.harness.store import SCHEMA_VERSION, Store
from tightfit.jsonform import to_json
from tightfit.records import Contender, Cost, Curve, RamParts, Timing

TIMING = Timing(inputs=2, total=21, minimum=10, maximum=11, constant_path=False, waits_apart=3)
BASELINE = Contender(
    target="avr",
    part="ATmega1284P",
    primitive="aes-128",
    operation="encrypt",
    origin="C baseline",
    name="reference.c",
    compiler="avr-gcc",
    version="5.4.0",
    flags="-mmcu=atmega1284p -Os",
    interface="one pointer",
    cost=Cost(700, RamParts(48, 256, 30), {"encrypt": TIMING}, ("encrypt",), 2),
    rejected=None,
    source_sha256="0" * 64,
    provenance={"context": context_of({"cc": "avr-gcc 5.4.0"}), "cc": "avr-gcc 5.4.0"},
    curve=Curve((0, 16), (0, 10.5), 0.65625),
    reentrant=True,
)
EXTERNAL = replace(BASELINE, origin="external", name="guest")
NUMBERED = [replace(EXTERNAL, name=str(n)) for n in range(999)]
REJECTED = replace(EXTERNAL, flags="-O0", cost=None, curve=None, rejected="wrong answer")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    portfolio = tmp_path / "portfolio"
    portfolio.mkdir()
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(portfolio))
    return portfolio


@pytest.fixture
def store(folder, tmp_path):
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def test_what_is_added_comes_back(store):
    """Contenders take no part among the variants."""
    for contender in (BASELINE, EXTERNAL, REJECTED):
        store.add_contender(contender)
    assert {contender.id for contender in store.contenders()} == {BASELINE.id, EXTERNAL.id}
    assert store.contenders(origin="C baseline") == [BASELINE]
    assert REJECTED in store.contenders(rejected=True)
    assert store.contenders(target="rl78") == []
    assert store.measurements(rejected=True) == [] and store.cells() == [] and store.subjects() == []
    store.add_contender(replace(EXTERNAL, reentrant=False))
    assert store.contenders(origin="external") == [replace(EXTERNAL, reentrant=False)]


def test_a_contender_is_found_by_its_first_digits(store):
    store.add_contender(EXTERNAL)
    assert store.contender(EXTERNAL.id[:6]) == EXTERNAL
    assert store.contender("000000") is None
    for contender in NUMBERED[:17]:
        store.add_contender(contender)
    digits = Counter(contender.id[0] for contender in store.contenders())
    shared = next(digit for digit, times in digits.items() if times > 1)
    with pytest.raises(UsageError, match=f"'{shared}' is ambiguous"):
        store.contender(shared)
    assert store.contender("") is None
    with pytest.raises(UsageError, match=rf"{EXTERNAL.id} is no variant of ours but guest \(external\)"):
        store.by_id(EXTERNAL.id)


def test_digits_that_a_variant_begins_with_too_name_neither(store):
    store.add(samples.measurement())
    first = samples.measurement().variant.id[0]
    other = next(contender for contender in NUMBERED if contender.id.startswith(first))
    store.add_contender(other)
    with pytest.raises(UsageError, match=f"'{first}' is ambiguous: {other.id}, {first}"):
        store.contender(first)
    assert store.contender(other.id) == other


def test_what_ships_is_written_and_imported(store, folder, tmp_path):
    assert shipped.write(store, "avr", "aes-128", folder) is None
    for contender in (BASELINE, EXTERNAL):
        store.add_contender(contender)
    file = shipped.write(store, "avr", "aes-128", folder)
    assert file == folder / "avr" / "aes-128" / "c.json"
    assert shipped.read(file) == [BASELINE]
    text = file.read_text()
    assert shipped.render("avr", "aes-128", reversed(shipped.read(file))) == text
    with Store.open(tmp_path / "other.sqlite") as other:
        assert other.contenders() == [BASELINE]


def test_a_change_of_what_ships_replaces_only_what_another_reference_gave(store, folder, tmp_path):
    old = replace(BASELINE, part="ATtiny85", source_sha256="1" * 64)
    own = replace(BASELINE, part="ATmega328P")
    for contender in (BASELINE, EXTERNAL, old, own):
        store.add_contender(contender)
    file = folder / "avr" / "aes-128" / "c.json"
    file.parent.mkdir(parents=True)
    newer = replace(BASELINE, version="14.1.0")
    file.write_text(shipped.render("avr", "aes-128", [newer]))
    with Store.open(tmp_path / "store.sqlite") as again:
        kept = {contender.id: contender for contender in again.contenders()}
    assert kept == {contender.id: contender for contender in (newer, BASELINE, EXTERNAL, own)}


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"format": 7}', "baselines of format 7, expected 3"),
        ("{", "these are no baselines"),
        ('{"format": 3}', "no baselines"),
    ],
)
def test_a_file_that_is_none_is_told(folder, tmp_path, text, message):
    file = folder / "avr" / "aes-128" / "c.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with Store.open(tmp_path / "other.sqlite") as store, pytest.raises(WorkError, match=message):
        store.contenders()


def older(path, version: int) -> None:
    """A store as an older schema had it; since 2 it has a contender."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE measurements (number INTEGER PRIMARY KEY, record TEXT)")
        connection.execute("INSERT INTO measurements VALUES (1, '{}')")
        connection.execute("CREATE TABLE cells (record TEXT)")
        if version >= 2:
            columns = "id, target, part, primitive, operation, origin, rejected, record"
            record = to_json(EXTERNAL)
            for timing in record["cost"]["by_entry"].values():
                timing["hazard"] = timing.pop("waits_apart")
            row = [*(getattr(EXTERNAL, name) for name in columns.split(", ")[:-1]), json.dumps(record)]
            connection.execute(f"CREATE TABLE contenders ({columns})")
            connection.execute("INSERT INTO contenders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


@pytest.mark.parametrize("version", [1, 2, 5])
def test_contenders_outlive_a_new_schema(folder, tmp_path, version):
    older(tmp_path / "store.sqlite", version)
    kept = [EXTERNAL] if version >= 2 else []
    for _ in range(2):
        with Store.open(tmp_path / "store.sqlite") as again:
            assert (again.contenders(), again.measurements()) == (kept, [])
    with Store.open(tmp_path / "store.sqlite") as again:
        again.add_contender(EXTERNAL)
        assert again.contenders() == [EXTERNAL]
    connection = sqlite3.connect(tmp_path / "store.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
