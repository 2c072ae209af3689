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


NO_MARKERS = ("{", "[]", '{"files": 3}', "{}", "[" * 100_000, "9" * 6_000)
REFUSED = [
    *(({MARKER: marker}, FILES, "cannot be read") for marker in NO_MARKERS),
    ({"a.s": "edited"}, FILES, "a.s was edited since it was exported"),
    ({"Makefile": "mine"}, {**FILES, "Makefile": "ours"}, "Makefile was not made by tightfit: move it away"),
]


@pytest.mark.parametrize("written, wanted, said", REFUSED, ids=range(len(REFUSED)))
def test_what_the_user_wrote_is_not_overwritten(tmp_path, written, wanted, said):
    write_folder(tmp_path, FILES, {})
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    before = tree(tmp_path)
    with pytest.raises(UsageError, match=said):
        write_folder(tmp_path, wanted, {})
    assert tree(tmp_path) == before


def test_a_marker_cannot_name_files_elsewhere(tmp_path):
    (tmp_path / "precious").write_text("keep")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / MARKER).write_text('{"files": {"../precious": ""}}')
    write_folder(folder, FILES, {})
    assert (tmp_path / "precious").read_text() == "keep"


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
