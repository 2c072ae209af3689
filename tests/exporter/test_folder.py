"""Which folders an export may write."""

import errno
import hashlib
import json
from pathlib import Path

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.exporter.folder import MARKER, write_folder

FILES = {"a.s": "one\n", "b.h": "two\n"}


def test_a_new_folder_and_an_empty_one(tmp_path):
    write_folder(tmp_path / "deep" / "new", FILES, {})
    assert {file.name for file in (tmp_path / "deep" / "new").iterdir()} == {*FILES, MARKER}
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "empty", FILES, {})


def test_an_earlier_export_is_replaced_and_foreign_files_stay(tmp_path):
    folder = tmp_path / "out"
    write_folder(folder, FILES, {})
    (folder / "mine.c").write_text("mine")
    write_folder(folder, {"a.s": "new\n"}, {})
    assert {file.name for file in folder.iterdir()} == {"a.s", "mine.c", MARKER}
    assert (folder / "a.s").read_text() == "new\n"


def test_what_another_command_wrote_stays(tmp_path):
    write_folder(tmp_path, FILES, {"command": "tightfit export sha-256 hash --target avr"})
    with pytest.raises(UsageError, match="holds what `tightfit export` wrote: expected a new or empty"):
        write_folder(tmp_path, {"index.html": ""}, {"command": "tightfit report"})
    assert {file.name for file in tmp_path.iterdir()} == {*FILES, MARKER}
    write_folder(tmp_path, FILES, {"command": "tightfit export aes-128 encrypt --target avr"})


@pytest.mark.parametrize("marker", ["{", "[]", '{"files": 3}', "{}", "[" * 100_000, "9" * 6_000])
def test_a_marker_that_is_none_of_ours(tmp_path, marker):
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(UsageError, match="cannot be read"):
        write_folder(tmp_path, FILES, {})


def test_a_marker_cannot_name_files_elsewhere(tmp_path):
    (tmp_path / "precious").write_text("keep")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / MARKER).write_text('{"files": {"../precious": ""}}')
    write_folder(folder, FILES, {})
    assert (tmp_path / "precious").read_text() == "keep"


def test_an_edited_file_is_not_overwritten(tmp_path):
    write_folder(tmp_path / "out", FILES, {})
    (tmp_path / "out" / "a.s").write_text("edited")
    with pytest.raises(UsageError, match="a.s was edited since it was exported"):
        write_folder(tmp_path / "out", FILES, {})
    assert (tmp_path / "out" / "a.s").read_text() == "edited"


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file: expected a folder"):
        write_folder(tmp_path / "file", FILES, {})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(UsageError, match="not empty and was not made by tightfit"):
        write_folder(tmp_path / "full", FILES, {})


def test_folders_within_are_made_and_removed(tmp_path):
    write_folder(tmp_path / "out", {"src/deep/a.s": "one\n", "src/b.h": "two\n"}, {})
    (tmp_path / "out" / "src" / "mine.c").write_text("mine")
    write_folder(tmp_path / "out", {"c.s": "new\n"}, {})
    files = {file.relative_to(tmp_path / "out").as_posix() for file in (tmp_path / "out").rglob("*")}
    assert files == {"c.s", "src", "src/mine.c", MARKER}


def test_a_file_that_an_earlier_export_did_not_make_is_not_overwritten(tmp_path):
    write_folder(tmp_path, FILES, {})
    (tmp_path / "Makefile").write_text("mine")
    with pytest.raises(UsageError, match="Makefile was not made by tightfit: move it away"):
        write_folder(tmp_path, {**FILES, "Makefile": "ours"}, {})
    assert (tmp_path / "Makefile").read_text() == "mine"
    assert (tmp_path / "a.s").read_text() == FILES["a.s"]


def tree(folder):
    """Every file and folder below, with the text of files."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture(params=range(0, 9))
def failing(request, monkeypatch):
    """Moves of files, the one with this number fails."""
    moves, rename = iter(range(100)), Path.rename

    def full(file, to):
        if next(moves) == request.param:
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(file, to)

    monkeypatch.setattr(Path, "rename", full)


AGAIN = {"a.s": "new\n", "src/c.h": "three\n", "src/deep/d.h": "four\n", "e.h": "five\n", "f.h": "six\n"}


def test_a_move_that_fails_leaves_everything_as_it_was(tmp_path, failing):
    folder = tmp_path / "out"
    _write_before(folder)
    before = tree(tmp_path)
    with pytest.raises(WorkError, match="out: cannot be written: No space left on device"):
        write_folder(folder, AGAIN, {})
    assert tree(tmp_path) == before


def _write_before(folder):
    """What an earlier export and the user wrote."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in FILES.items()}
    (folder / MARKER).write_text(json.dumps({"files": hashes}))
    (folder / "mine.c").write_text("mine")


def test_a_full_disk_leaves_no_folder(tmp_path, monkeypatch):
    write_text = Path.write_text

    def full(file, text, **options):
        if file.name == "b.h":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_text(file, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(WorkError, match="new: cannot be written: No space left on device"):
        write_folder(tmp_path / "deep" / "new", FILES, {})
    assert tree(tmp_path) == {}
    (tmp_path / "empty").mkdir()
    with pytest.raises(WorkError):
        write_folder(tmp_path / "empty", FILES, {})
    assert tree(tmp_path) == {"empty": None}


def test_an_interrupted_export_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "new", FILES, {})
    assert tree(tmp_path) == {}


def test_a_folder_and_a_link_of_the_user_in_the_place_of_a_file(tmp_path):
    folder = tmp_path / "out"
    write_folder(folder, FILES, {})
    (folder / "a.s").unlink()
    (folder / "a.s").mkdir()
    (folder / "a.s" / "mine").write_text("mine")
    (folder / "new.s").symlink_to(tmp_path / "nowhere")
    before = tree(folder)
    with pytest.raises(WorkError, match="out: cannot be written: "):
        write_folder(folder, FILES, {})
    with pytest.raises(UsageError, match="new.s was not made by tightfit"):
        write_folder(folder, {"new.s": ""}, {})
    assert tree(folder) == before
