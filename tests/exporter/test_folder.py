"""Which folders an export may write."""

import pytest

from tightfit.errors import UsageError
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


@pytest.mark.parametrize("marker", ["{", "[]", '{"files": 3}', "{}"])
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
