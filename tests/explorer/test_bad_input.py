"""What is empty, old, moving or wrong says so plainly."""

import signal
import socket
import sqlite3
import subprocess

import pytest

from tests.cli.fixture_portfolio import PRIMITIVE, measurements
from tests.explorer.conftest import SUBJECT, command, environment
from tightfit.cli import main

NOTICES = "Notices"


GONE = {
    "target=z80": 'Nothing is known of target "z80"; it may have been renamed. Shown: rl78 (R5F100xE)',
    "primitive=des": 'Nothing is known of primitive "des"',
    "operation=frob": 'Nothing is known of operation "frob"',
    "length=3": 'Nothing is known of message length "3"',
    "hide=ours,external": 'There is nothing to hide that is called "ours"',
    "rom=many": "ROM: 'many' is no size: write bytes or KB, such as 486, 512B, 1KB or 0x200.",
    "ram=1.5": "RAM: '1.5' is no size",
    "only=quick": 'There is no condition "quick" on rl78: constant-time, constant-path, no-banks',
    "view=frob": 'Nothing is known of view "frob"',
}


@pytest.mark.dear("a page with all of the portfolio")
def test_an_address_that_names_what_no_longer_exists(explorer, address):
    explorer.load(f"{address}#{'&'.join(GONE)}")
    explorer.says(NOTICES, *GONE.values())
    explorer.says("The best of each kind on each target", "rl78", "aes-128")
    assert explorer.state()["hide"] == "external"


@pytest.mark.parametrize(
    "asked, said",
    [
        ("view=portfolio&cell=3MB/1B", 'Nothing is known of budget "3MB/1B"'),
        ("view=variant&variant=<b>0</b>", "<b>0</b>"),
    ],
)
def test_an_address_that_names_a_cell_or_a_variant_that_is_gone(explorer, served, asked, said):
    explorer.open(f"{served.address}#{asked}")
    explorer.says(NOTICES, said)
    explorer.go("#view=tradeoff")
    explorer.says("What fits", "aes-128 encrypt on rl78")


def test_a_variant_that_is_not_there(explorer, address):
    explorer.open(f"{address}{SUBJECT}&view=variant&variant=000000000000")
    explorer.says(NOTICES, "000000000000")
    explorer.says("Knobs and cost", "Select a variant")


def test_an_empty_store_says_what_to_run(served_empty, explorer):
    explorer.load(served_empty.address)
    explorer.says(NOTICES, "nothing is known yet; `tightfit fill` searches and measures")


def test_nothing_to_write(tmp_path):
    line = command(tmp_path / "nothing", "explore", "--out", tmp_path / "all")
    done = subprocess.run(line, env=environment(tmp_path), capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "tightfit: nothing is known yet; `tightfit fill` searches and measures\n"
    assert not (tmp_path / "all").exists()


def test_the_store_is_written_while_it_is_shown(served_to_writers, store, explorer):
    explorer.load(f"{served_to_writers.address}{SUBJECT}&rom=512")
    explorer.says("What fits", "of 5 known")
    *_, new = measurements("encrypt", [(90, 0, 8, (9500,), 0, True)] * 6)
    store.add(new)
    explorer.says(NOTICES, "The store was written to since.")
    explorer.page.get_by_role("button", name="Read it again").click()
    explorer.says("What fits", "of 6 known")
    explorer.says("The front within the budgets", new.variant.id)


def refused(capfd, *arguments):
    """The one line that a command ends with."""
    assert main(["explore", *map(str, arguments)]) in (1, 2)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_a_port_in_use(capfd):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(capfd, "--port", port, "--no-browser")
    assert said.startswith(f"tightfit: port {port} cannot be had: Address already in use; name another")


@pytest.mark.parametrize("arguments", [("--no-browser", "--port", "0"), ("--out", "new")])
def test_a_store_of_another_schema(capfd, own_store, arguments):
    with sqlite3.connect(own_store) as connection:
        connection.execute("CREATE TABLE measurements (number INTEGER)")
        connection.execute("PRAGMA user_version = 99")
    assert "of schema 99, newer than" in refused(capfd, *arguments)


def test_what_cannot_be_written_is_refused_before_the_work(capfd, tmp_path, monkeypatch):
    monkeypatch.setattr("tightfit.explorer.written.write", None)
    monkeypatch.setattr("tightfit.explorer.written.write_one", None)
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert "expected a folder; one file holds one primitive: --one-file" in refused(
        capfd, "--out", "all.html"
    )
    assert "is not empty and was not made by tightfit" in refused(capfd, "--out", tmp_path / "mine")
    assert "cannot be written: Not a directory" in refused(capfd, "--out", tmp_path / "file" / "all")
    one = ("--one-file", PRIMITIVE, "--out")
    assert "expected a name that ends in .html" in refused(capfd, *one, tmp_path / "all.txt")
    assert "folder.html is a folder: expected a file" in refused(capfd, *one, tmp_path / "folder.html")
    assert "cannot be written: Not a directory" in refused(capfd, *one, tmp_path / "file" / "all.html")
    assert "rot-13" in refused(capfd, "--one-file", "rot-13", "--out", tmp_path / "all.html")


def test_one_file_is_for_what_is_written(capfd):
    assert "--one-file is for --out FILE.html" in refused(capfd, "--one-file", PRIMITIVE, "--no-browser")


def test_listings_are_for_what_is_written(capfd):
    assert "--listings is for --out" in refused(capfd, "--listings", "--no-browser")


def test_an_interrupt_is_the_ordinary_end(tmp_path):
    line = command(tmp_path / "nothing", "explore", "--port", "0", "--no-browser")
    with subprocess.Popen(
        line, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.stderr.readline()
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, ("", ""))
