"""However `fill` ends (Ctrl-C, killed, full disk, read-only folder): one clear line, an intact store."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.harness.samples import measurement
from tightfit.cli import main
from tightfit.errors import WorkError
from tightfit.generator import load_space
from tightfit.harness.current import text_now
from tightfit.harness.store import Store
from tightfit.records import Measurement, Variant
from tightfit.textfile import replace_text

HERE = Path(__file__).parent
FILL = ("fill", "speck64-128", "--target", "msp430", "--operation", "encrypt+decrypt")
VARIANTS = 22
START = """
import os
import sys
from tightfit.cli import main
os.environ["TIGHTFIT_PORTFOLIO"] = "none"
sys.exit(main(sys.argv[1:]))
"""
SECONDS = 900  # a run that hangs; slow machines take minutes for a fill


@pytest.fixture(scope="session")
def shim(tmp_path_factory):
    """A library that makes a disk full, or a folder read-only."""
    library = tmp_path_factory.mktemp("shim") / "full_disk.so"
    flags = ("-shared", "-fPIC", "-O1", "-Wall", "-Werror")
    subprocess.run(["gcc", *flags, "-o", library, HERE / "full_disk.c", "-ldl"], check=True)
    return library


def present_measurement() -> Measurement:
    """The sample figures, for a variant as its template renders now."""
    spec = load_space("rl78", "aes-128").of("encrypt")[0]
    variant = Variant("rl78", "R5F100xE", "aes-128", "encrypt", spec.name, next(spec.variants("encrypt")))
    return replace(measurement(variant), source_sha256=text_now(variant))


class Run:
    """`tightfit` in a process group of its own, with an empty portfolio and a store in `folder`."""

    def __init__(self, folder: Path, *arguments: str, **environment: object):
        self.store = folder / "store.sqlite"
        given = {"TIGHTFIT_STORE": self.store, "PYTHONPATH": HERE.parents[1], **environment}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            env={**os.environ, **{name: str(value) for name, value in given.items()}},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for(self, count: int) -> None:
        """Wait until so many measurements are in the store."""
        deadline = time.monotonic() + SECONDS
        while rows(self.store) < count:
            assert self.process.poll() is None and time.monotonic() < deadline, self.process.stderr.read()
            time.sleep(0.005)

    def end(self) -> tuple[int, str]:
        """Exit status, and the last line of standard error."""
        _, error = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, (error.splitlines() or [""])[-1]

    def nobody_left(self) -> bool:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            if subprocess.run(["pgrep", "-g", str(self.process.pid)], stdout=subprocess.DEVNULL).returncode:
                return True
            time.sleep(0.05)
        return False


def rows(store: Path) -> int:
    """Measurements in a store, read past whoever is writing; 0 where there is none yet."""
    if not store.is_file():
        return 0
    connection = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(*) FROM measurements").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def check_intact(store: Path) -> int:
    """Check that SQLite finds no fault and every record can be read; return the number of records."""
    connection = sqlite3.connect(store)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    with Store.open(store) as opened:
        return len(opened.measurements(rejected=True))


def goes_on(folder: Path, kept: int) -> None:
    """A new run keeps what is there and answers every cell."""
    run = Run(folder, *FILL)
    status, _ = run.end()
    assert status == 0
    assert check_intact(run.store) >= kept
    with Store.open(run.store) as opened:
        assert all(cell.certificate.proved for cell in opened.cells(primitive="speck64-128"))


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))


@pytest.mark.in_turn(3)
@pytest.mark.dear("a fill in a process of its own")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_an_ended_run_keeps_what_was_measured_and_resumes(tmp_path, how):
    run = Run(tmp_path, *FILL, "--workers", "2")
    run.wait_for(10)
    seen = rows(run.store)
    if how == signal.SIGINT:
        os.killpg(run.process.pid, how)  # as the terminal does: to the workers as well
    else:
        run.process.send_signal(how)
    status, line = run.end()
    assert run.nobody_left()
    if how == signal.SIGINT:
        assert (status, line) == (1, "tightfit: interrupted; what was measured is kept")
    else:
        assert status == -how
    kept = check_intact(run.store)
    assert kept >= seen
    if how == signal.SIGKILL:
        goes_on(tmp_path, kept)


@pytest.mark.in_turn(3)
@pytest.mark.dear("a fill in a process of its own")
def test_a_full_disk_under_the_store(tmp_path, shim):
    full = {"LD_PRELOAD": shim, "FULL_DISK": tmp_path, "FULL_DISK_BYTES": 400_000}
    run = Run(tmp_path, *FILL, "--workers", "2", **full)
    status, line = run.end()
    assert status == 1
    assert line.startswith(f"tightfit: {run.store}: the store cannot be written: ")
    assert "full" in line or "disk" in line
    kept = check_intact(run.store)
    assert 0 < kept < VARIANTS
    goes_on(tmp_path, kept)


def test_a_full_disk_from_the_start(tmp_path, shim):
    run = Run(tmp_path, *FILL, LD_PRELOAD=shim, FULL_DISK=tmp_path, FULL_DISK_BYTES=0)
    status, line = run.end()
    assert status == 1
    assert line.startswith(f"tightfit: {run.store}: the store cannot be ")
    with Store.open(run.store) as opened:
        assert opened.measurements() == []


def test_a_full_disk_where_sources_are_assembled_rejects_nothing(tmp_path, shim):
    run = Run(
        tmp_path, *FILL, "--workers", "1", LD_PRELOAD=shim, FULL_DISK="/dev/shm", FULL_DISK_BYTES=300_000
    )
    status, line = run.end()
    assert status == 1
    assert "No space left on device" in line or "cannot be written" in line
    with Store.open(run.store) as opened:
        assert not [
            measurement.rejected for measurement in opened.measurements(rejected=True) if measurement.rejected
        ]


@pytest.mark.in_turn(3)
@pytest.mark.dear("a fill in a process of its own")
def test_a_full_disk_under_the_portfolio(tmp_path, shim):
    folder = tmp_path / "portfolio"
    file = folder / "msp430" / "speck64-128" / "measurements.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("as it was")
    (tmp_path / "store").mkdir()
    full = {"LD_PRELOAD": shim, "FULL_DISK": folder, "FULL_DISK_BYTES": 1000}
    run = Run(tmp_path / "store", *FILL, "--portfolio", str(folder), **full)
    status, line = run.end()
    assert (status, line) == (1, f"tightfit: {file}: cannot be written: No space left on device")
    assert file.read_text() == "as it was"
    assert sorted(folder.rglob("*.*")) == [file]


def test_a_store_on_a_read_only_folder(tmp_path, shim):
    with Store.open(tmp_path / "store.sqlite") as opened:
        opened.add(present_measurement())
    before = (tmp_path / "store.sqlite").read_bytes()
    run = Run(tmp_path, *FILL, LD_PRELOAD=shim, READ_ONLY=tmp_path)
    status, line = run.end()
    assert status == 1
    assert line.startswith(f"tightfit: {run.store}: the store cannot be ")
    asking = Run(
        tmp_path, "front", "aes-128", "encrypt", "--target", "rl78", LD_PRELOAD=shim, READ_ONLY=tmp_path
    )
    out, error = asking.process.communicate(timeout=SECONDS)
    assert (asking.process.returncode, error) == (0, "")
    assert "1 of 1 known variants" in out
    assert (tmp_path / "store.sqlite").read_bytes() == before


def test_a_text_file_is_whole_or_as_it_was(tmp_path):
    file = tmp_path / "folder" / "text.json"
    replace_text(file, "one")
    stamp = file.stat().st_mtime_ns
    replace_text(file, "one")
    assert (file.read_text(), file.stat().st_mtime_ns) == ("one", stamp)
    with pytest.raises(WorkError, match="text.json/other: cannot be written: File exists"):
        replace_text(file / "other", "two")
    assert file.read_text() == "one"


QUESTIONS = {
    "an answer": ("ask", "aes-128", "encrypt", "--target", "rl78"),
    "JSON": ("list", "targets", "--json"),
    "help": ("export", "--help"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_full_disk_under_standard_output(tmp_path, question):
    command = [sys.executable, "-c", START, *QUESTIONS[question]]
    given = {"TIGHTFIT_STORE": str(tmp_path / "store.sqlite"), "PYTHONPATH": str(HERE.parents[1])}
    with open("/dev/full", "w") as full:
        run = partial(
            subprocess.run, command, env={**os.environ, **given}, stdout=full, text=True, check=False
        )
        said, mute = run(stderr=subprocess.PIPE), run(stderr=full)
    assert said.stderr == "tightfit: standard output cannot be written: No space left on device\n"
    assert said.returncode == mute.returncode == 1


DEVICE = next(path for path in ("/dev/null", "/dev/zero", "/dev/full") if Path(path).is_char_device())
"""A build by root that failed may have left a plain file in the place of the first."""


@pytest.mark.parametrize("place", ["file/store.sqlite", "folder", DEVICE])
def test_a_store_that_the_user_names_and_that_cannot_be_used(tmp_path, monkeypatch, capfd, place):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    store = tmp_path / place
    monkeypatch.setenv("TIGHTFIT_STORE", str(store))
    assert main(["ask", "aes-128", "encrypt", "--target", "rl78"]) == 1
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"tightfit: {store}: the store cannot be ") and "TIGHTFIT_STORE names it" in err


def test_without_a_name_an_answer_needs_no_store(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("TIGHTFIT_STORE", raising=False)
    monkeypatch.setattr("tightfit.harness.store.store_path", lambda: tmp_path / "file" / "store.sqlite")
    assert main(["ask", "aes-128", "encrypt", "--target", "rl78"]) == 0
    assert "unexplored" in capfd.readouterr().out
