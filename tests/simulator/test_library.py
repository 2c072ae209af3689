"""Building the library on demand."""

import shutil
import stat

import pytest

from tightfit.errors import WorkError
from tightfit.harness.simulator import build_library, cores, library, library_hash, machine
from tightfit.paths import simulator_source


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def compiler(folder, script: str):
    path = folder / "compiler"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_built_once_for_each_state_of_the_sources(fresh_cache, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", compiler(tmp_path, 'while [ "$1" != -o ]; do shift; done; echo x >> "$2"'))
    built = build_library()
    assert built.parent.parent == fresh_cache / "simulator"
    assert library_hash().startswith(built.parent.name)
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert build_library() == built
    assert {entry.name for entry in built.parent.iterdir()} == {built.name, "lock"}


def test_without_a_compiler(fresh_cache, monkeypatch):
    monkeypatch.setenv("CC", "/nowhere/cc")
    with pytest.raises(WorkError, match="no C compiler"):
        build_library()


def test_with_a_compiler_that_fails(fresh_cache, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", compiler(tmp_path, "echo first line >&2; echo second >&2; exit 1"))
    with pytest.raises(WorkError, match="does not compile with .*: first line$"):
        build_library()
    left = {entry.name for entry in (fresh_cache / "simulator").rglob("*") if entry.is_file()}
    assert left <= {"lock"}


def test_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(WorkError, match="cannot be written: Not a directory"):
        build_library()


def test_records_lie_in_memory_as_the_binding_reads_them():
    ffi, _ = library.load()
    assert ffi.sizeof("SimRun") == machine.RUN.size


def test_the_hash_is_of_every_source_and_of_no_test(tmp_path):
    folder = shutil.copytree(simulator_source(), tmp_path / "simulator")
    before = library_hash(folder)
    (folder / "tests" / "more.c").write_text("int more;\n")
    assert library_hash(folder) == before == library_hash()
    for name in ("sim.c", "taint.h", "avr_forms.def"):
        with (folder / name).open("a") as file:
            file.write("/* more */\n")
        assert library_hash(folder) != before, name
        before = library_hash(folder)


def test_the_cores_are_known_by_name():
    names = cores()
    assert {"rl78-s1", "rl78-s2", "rl78-s3"} <= set(names) and len(set(names)) == len(names)
