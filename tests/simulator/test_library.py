"""Building the library on demand."""

import re
import shutil
import stat

import pytest

from tightfit.errors import WorkError
from tightfit.harness.simulator import build_library, cores, library, machine, source_hash
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
    assert library.library_hash().startswith(built.parent.name)
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


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A copy of the simulator's sources, used instead of them."""
    ignored = shutil.ignore_patterns("tests")
    folder = shutil.copytree(simulator_source(), tmp_path / "simulator", ignore=ignored)
    monkeypatch.setattr(library, "simulator_source", lambda: folder)
    return folder


def test_a_core_of_another_family_moves_no_identity(sources):
    before, whole = source_hash("rl78"), library.library_hash()
    (sources / "z80.c").write_text("int z80;\n")
    (sources / "cores.c").write_text("/* one more */\n")
    assert source_hash("rl78") == before and library.library_hash() != whole
    (sources / "rl78_forms.def").write_text("")
    after = source_hash("rl78")
    assert after != before
    (sources / "sim.c").write_text("")
    assert source_hash("rl78") not in (before, after)


@pytest.mark.parametrize("family", ["rl78", "avr", "msp430"])
def test_what_a_family_includes_is_part_of_its_identity(family, sources):
    wanted, seen = [file.name for file in sources.glob(f"{family}*.c")] + ["sim.c"], set()
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            wanted += re.findall(r'^#.*"(\w+\.(?:h|def))"', (sources / name).read_text(), re.M)
    for name in seen:
        before = source_hash(family)
        with (sources / name).open("a") as file:
            file.write("int more;\n")
        assert source_hash(family) != before, name


CODE = """#define TEXT "/* no comment */  // nor this"
#define QUOTE '"'
int  f(void) { return QUOTE; }
"""


@pytest.mark.parametrize(
    "same",
    [
        CODE.replace("int ", "/* why */\n\n// and how \\\n so\nint /* two\nlines */"),
        CODE.replace("return", "/* it's */ return /* \" */"),
        CODE.replace("\n", "  // the end\n\n").replace("{ ", "{\t"),
    ],
)
def test_a_comment_moves_no_identity(same, sources):
    (sources / "rl78.c").write_text(CODE)
    before = source_hash("rl78")
    (sources / "rl78.c").write_text(same)
    assert same != CODE and source_hash("rl78") == before


@pytest.mark.parametrize(
    "other",
    [
        CODE.replace("no comment", "a comment"),
        CODE.replace("nor this", "nor that"),
        CODE.replace("*/  //", "*/ //"),
        CODE.replace("return QUOTE", "returnQUOTE"),
        CODE.replace("\nint", " int"),
    ],
)
def test_other_code_has_another_identity(other, sources):
    (sources / "rl78.c").write_text(CODE)
    before = source_hash("rl78")
    (sources / "rl78.c").write_text(other)
    assert other != CODE and source_hash("rl78") != before


def test_the_cores_are_known_by_name():
    names = cores()
    assert {"rl78-s1", "rl78-s2", "rl78-s3"} <= set(names) and len(set(names)) == len(names)
