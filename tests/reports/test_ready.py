"""Ready answers: the same as from the store, of the sources of now, and no dearer for what is not printed."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import fixture_portfolio
from tests.sampling import turn
from tightfit import api, readyfile
from tightfit.budgets import budget, load_budgets
from tightfit.conditions import CONDITIONS, closed_on
from tightfit.errors import WorkError
from tightfit.exporter.filtered import answered
from tightfit.harness.index import Index
from tightfit.harness.store import Store
from tightfit.readyfile import ReadyFile
from tightfit.reports import indexing
from tightfit.reports.answer import Question
from tightfit.reports.filters import NO_FILTERS
from tightfit.reports.known import Current
from tightfit.reports.leading import leading
from tightfit.reports.scope import scope
from tightfit.reports.view import ready, view
from tightfit.targets import load_target

SUBJECTS = Index(ready()).subjects()
TURNS = 60
ASK = ("ask", "aes-128", "encrypt", "--target", "avr", "--rom", "1KB", "--ram", "128B")
HEADLINE = ("ask", "--rom", "1KB", "--ram", "128B")
OPENED = """
import sys
from tightfit.cli import main
opened = []
sys.addaudithook(lambda event, details: opened.append(details) if event == "open" else None)
assert main(sys.argv[1:]) == 0
names = [(str(name), mode) for name, mode, _ in opened]
print(*(name for name, mode in names), sep="\\n", file=sys.stderr)
written = [name for name, mode in names if mode and set(mode) & set("wax+")]
print(*(f"written: {name}" for name in written), sep="\\n", file=sys.stderr)
"""


@pytest.mark.parametrize("subject", turn(SUBJECTS, TURNS, str), ids=lambda subject: "-".join(subject[1:]))
def test_what_is_ready_is_what_the_store_answers(subject):
    with Store.in_memory() as store:
        kept = Current(store, attribution=False).known(*subject[1:])
    with view(attribution=False) as shipped:
        known = shipped.known(*subject[1:])
    assert known.measurements == kept.measurements and known.contenders == kept.contenders
    assert known.cells == kept.cells and known.fronts == kept.fronts
    assert [one.variant.id for one in known.measurements] == [one.variant.id for one in kept.measurements]


def test_a_variant_comes_with_where_its_bytes_are():
    subject = SUBJECTS[0]
    with view() as shipped, Store.in_memory() as store:
        known = shipped.known(*subject[1:]).measurements
        kept = Current(store).known(*subject[1:]).measurements
        assert known == kept and all(one.attribution for one in known)
        assert shipped.by_id(known[0].variant.id[:9]) == known[0]


@pytest.mark.parametrize("only", [(), *((name,) for name in CONDITIONS)])
@pytest.mark.parametrize("sizes", [("1KB", "128B"), (None, None), (None, 70), (300, None), (600, 90)])
def test_who_leads_is_first_of_all_answers(sizes, only):
    """One figure of each primitive says what the whole answers say."""
    target = load_target("avr")
    if not set(only) <= {*closed_on(target), "constant-path"}:
        only = ()
    bounds, listed = budget(*sizes, only=only), load_budgets()
    with view(attribution=False) as opened:
        for part in ("ATmega1284P", "ATtiny402"):
            subjects = scope(["block-cipher", target.id], part=part).subjects()

            def answer(asked, bounds=bounds):
                return answered(Question(*asked.names, bounds), opened, listed)

            (leader,) = leading(subjects, bounds, NO_FILTERS, opened, answer)
            found = [(answer(asked), asked.primitive) for asked in subjects]
            every = sorted(
                (one.measurement.cost.cycles / primitive.ranked_bytes, primitive.id)
                for one, primitive in found
                if one.measurement
            )
            named = [(leader.first.cycles_per_byte, leader.first.primitive.id)] if leader.first else []
            named += [(figure, name) for name, figure in leader.behind]
            assert named == every[:3] and leader.fitting == len(every)


def commands(*words, home: Path) -> list[str]:
    """The files that a command opened, in a home where nobody has measured anything."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TIGHTFIT_")}
    environment |= {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    if "TIGHTFIT_CACHE" in os.environ:
        environment["TIGHTFIT_CACHE"] = os.environ["TIGHTFIT_CACHE"]
    command = [sys.executable, "-B", "-c", OPENED, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


@pytest.mark.parametrize("words", [ASK, HEADLINE, ("table", "--primitive", "xtea"), ("list",)])
def test_no_template_is_read_to_answer_and_nothing_is_written(words, tmp_path):
    opened = commands(*words, home=tmp_path)
    assert not [name for name in opened if "/templates/" in name or "/portfolio/" in name]
    assert not [name for name in opened if name.startswith("written: ")]
    assert not list(tmp_path.iterdir())


class Counted(ReadyFile):
    """A file that counts the records that are unpacked from it."""

    count = 0

    def unpacked(self, packed):
        self.count += 1
        return super().unpacked(packed)


def headline(path: Path) -> tuple[int, int, list]:
    """Records unpacked and steps of SQLite's machine for the headline, and who leads."""
    connection = sqlite3.connect(path)
    file, steps = Counted(connection, path), []
    connection.set_progress_handler(lambda: steps.append(1), 100)
    opened, bounds = Current(None, attribution=False, index=Index(file)), budget("1KB", "128B")
    subjects, listed = scope().subjects(), load_budgets()
    leaders = leading(
        subjects,
        bounds,
        NO_FILTERS,
        opened,
        lambda asked: answered(Question(*asked.names, bounds), opened, listed),
    )
    connection.close()
    return file.count, len(steps), [(one.target, one.kind, one.fitting, one.behind) for one in leaders]


@pytest.mark.dear("a portfolio ten times as large is written")
def test_the_headline_costs_no_more_where_there_is_ten_times_as_much(tmp_path):
    path = tmp_path / "ready.sqlite"
    shutil.copy(readyfile.kept_path(), path)
    before = headline(path)
    with sqlite3.connect(path) as connection:
        for copy in range(1, 10):
            connection.execute(
                "INSERT INTO subjects SELECT number + 100000 * ?, target, part, primitive || '-' || ?,"
                " operation FROM subjects WHERE number < 100000",
                (copy, copy),
            )
            for table, rest in (
                ("records", "packed"),
                ("points", "place, rom, ram, most_rom, most_ram, met, cycles"),
            ):
                rows = f"SELECT subject + 100000 * ?, {rest} FROM {table} WHERE subject < 100000"
                connection.execute(f"INSERT INTO {table} {rows}", (copy,))
    connection.close()
    after = headline(path)
    assert after[2] == before[2] and after[0] == before[0] == sum(fits > 0 for _, _, fits, _ in before[2])
    assert after[1] < 1.2 * before[1]


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A small portfolio, and the function that makes its ready answers."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(fixture_portfolio.write(tmp_path / "portfolio")))
    path = tmp_path / "ready.sqlite"

    def made() -> Current:
        indexing.make(path)
        return Current(None, attribution=False, index=Index(readyfile.opened(path)))

    return made


SUBJECT = (fixture_portfolio.TARGET, fixture_portfolio.PART, fixture_portfolio.PRIMITIVE, "encrypt")


def test_what_changed_is_made_anew_and_nothing_else(named, tmp_path, monkeypatch):
    put = []
    right = indexing._put
    monkeypatch.setattr(indexing, "_put", lambda *of: (put.append(of[-1]), right(*of)))
    assert len(named().known(*SUBJECT).cells) > 3 and put == [SUBJECT[::2]]
    named()
    assert put == [SUBJECT[::2]]
    (file,) = (tmp_path / "portfolio").glob("*/*.json")
    file.write_text(file.read_text().replace('"satiated"', '"fits"'))
    assert named().known(*SUBJECT).cells and put == [SUBJECT[::2]] * 2
    shutil.rmtree(tmp_path / "portfolio")
    assert not named().known(*SUBJECT).measurements and len(put) == 2


def test_a_state_is_of_the_sources_of_now(tmp_path, monkeypatch):
    folder = tmp_path / "sources"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a").write_text("one")
    monkeypatch.setattr(readyfile, "sources", lambda: [folder])
    path = tmp_path / "ready.sqlite"

    def is_current() -> bool:
        return readyfile.opened(path).is_current([])

    def made() -> None:
        indexing.make(path)
        assert is_current()

    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))
    made()
    (folder / "deep" / "__pycache__").mkdir()
    assert is_current()
    for change in (
        lambda: (folder / "deep" / "a").write_text("two"),
        lambda: (folder / "deep" / "b").touch(),
        lambda: (folder / "deep" / "b").rename(folder / "deep" / "c"),
        lambda: (folder / "deep" / "c").unlink(),
        lambda: shutil.rmtree(folder / "deep"),
    ):
        change()
        assert not is_current()
        made()


def test_files_of_checkouts_that_are_gone_are_deleted(named, tmp_path):
    folder = tmp_path / "ready"
    folder.mkdir()
    named()
    for name, package in (("gone", str(tmp_path / "none")), ("there", str(tmp_path))):
        shutil.copy(tmp_path / "ready.sqlite", folder / f"{name}.sqlite")
        (folder / f"{name}.sqlite.lock").touch()
        with sqlite3.connect(folder / f"{name}.sqlite") as connection:
            connection.execute("UPDATE made SET package = ?", [package])
        connection.close()
    (folder / "other.sqlite").write_text("no file of ours")
    indexing._drop_those_of_no_checkout(folder)
    kept = {file.name for file in folder.iterdir()}
    assert kept == {"there.sqlite", "there.sqlite.lock", "other.sqlite"}


def test_the_users_own_is_laid_over_what_ships(monkeypatch, tmp_path):
    subject = next(one for one in SUBJECTS if one.primitive == "xtea" and one.target == "avr")
    with view() as shipped:
        first = shipped.known(*subject[1:]).measurements[0]
    with Store.open() as store:
        assert not store.owned()
        store.add(first)
        assert store.owned() == {("avr", "xtea")}
    with view(attribution=False) as opened:
        assert opened.is_own("avr", "xtea") and not opened.is_own("avr", "aes-128")
        names = {one.variant.id for one in opened.known(*subject[1:]).measurements}
        assert first.variant.id in names and len(names) > 3
        assert opened.by_id(first.variant.id).variant == first.variant
    (leader,) = (one for one in api.ask_leading("block-cipher", "avr", rom="1KB") if one.target == "avr")
    assert leader.known == 8


def test_a_damaged_file_is_one_line(tmp_path):
    path = tmp_path / "ready.sqlite"
    shutil.copy(readyfile.kept_path(), path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE records SET packed = substr(packed, 9)")
    connection.close()
    index = Index(readyfile.opened(path))
    with pytest.raises(
        WorkError, match=r"ready answers are damaged: .*; delete it: the next command makes it"
    ):
        index.held(index.subjects()[0])
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises((WorkError, sqlite3.DatabaseError)):
        Index(readyfile.opened(path)).subjects()
