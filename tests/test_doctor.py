"""What `doctor` says of a machine that has everything, and of one that has not."""

import sqlite3

import pytest

from tightfit.doctor import examine
from tightfit.targets import target_ids


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine with nothing on PATH and an empty cache."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    for target in target_ids():
        monkeypatch.delenv(f"TIGHTFIT_{target.upper()}_BIN", raising=False)
    monkeypatch.delenv("CC", raising=False)


def checks():
    return {check.name: check for check in examine()}


def test_what_the_tests_need_is_there():
    found = checks()
    for name in (
        "python",
        "cc",
        "rl78 as",
        "rl78 ld",
        "rl78 objdump",
        "avr as",
        "avr ld",
        "msp430 as",
        "msp430 ld",
        "rl78 cc",
        "avr cc",
        "msp430 cc",
        "simulator",
        "extra search",
        "extra explore",
        "extra cluster",
        "cache",
    ):
        assert found[name].ok, found[name]
        assert found[name].fix is None
    assert "GNU assembler" in found["rl78 as"].detail


@pytest.mark.parametrize("target, prefix", [("rl78", "rl78-elf"), ("avr", "avr"), ("msp430", "msp430-elf")])
def test_missing_tools_come_with_the_one_command(bare, target, prefix):
    found = checks()
    for tool in ("as", "ld", "objdump", "nm", "size"):
        check = found[f"{target} {tool}"]
        assert not check.ok
        assert check.detail == f"{prefix}-{tool} is missing"
        assert check.fix == f"tightfit setup {target}"
    assert f"{target} run" not in found  # only the tests need it
    compiler = found[f"{target} cc"]
    assert (compiler.ok, compiler.needed, compiler.state) == (False, False, "optional")
    assert compiler.fix == f"tightfit setup --compilers {target}"
    assert found["cc"].fix == "apt-get install gcc libc6-dev"
    assert not found["simulator"].ok
    assert "no C compiler" in found["simulator"].detail
    assert found["python"].ok
    assert found["extra search"].ok


def test_what_an_extra_brings_comes_with_the_command(monkeypatch):
    monkeypatch.setattr(
        "tightfit.extras.find_spec", lambda name: None if name in ("numpy", "bokeh") else name
    )
    found = checks()
    search, explore = found["extra search"], found["extra explore"]
    assert (search.state, search.detail) == ("missing", "numpy is missing")
    assert search.fix == "pip install 'tightfit[search]'"
    assert (explore.state, explore.fix) == ("optional", "pip install 'tightfit[explore]'")
    assert "numpy is missing" in found["simulator"].detail


def test_a_tool_that_does_not_run_is_named(bare, tmp_path, monkeypatch):
    broken = tmp_path / "tools" / "rl78-elf-as"
    broken.parent.mkdir()
    broken.write_bytes(b"\x7fELF but no more")
    broken.chmod(0o755)
    monkeypatch.setenv("TIGHTFIT_RL78_BIN", str(broken.parent))
    check = checks()["rl78 as"]
    assert not check.ok
    assert check.detail == f"{broken} does not run"
    assert check.fix == f"rm {broken} && tightfit setup rl78"


def test_compilers_that_nobody_gets_are_used_where_they_are(bare, tmp_path, monkeypatch):
    assert not checks()["rl78 ccrl"].ok and checks()["rl78 ccrl"].fix is None
    folder = tmp_path / "theirs"
    folder.mkdir()
    for name, knows in (("ccrl", ""), ("clang", "x86 arm")):
        (folder / name).write_text(f"#!/bin/sh\necho Registered Targets: {knows}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    assert checks()["rl78 ccrl"].detail == str(folder / "ccrl")
    assert not checks()["rl78 clang"].ok  # one for other machines
    (folder / "clang").write_text("#!/bin/sh\necho Registered Targets: rl78 x86\n")
    assert checks()["rl78 clang"].ok


def test_a_store_of_another_schema_is_named(tmp_path, monkeypatch):
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE measurements (number INTEGER)")
        connection.execute("PRAGMA user_version = 99")
    monkeypatch.setenv("TIGHTFIT_STORE", str(path))
    check = checks()["store"]
    assert not check.ok
    assert str(path) in check.detail


def test_a_cache_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("TIGHTFIT_CACHE", str(file / "cache"))
    found = checks()
    for name in ("cache", "simulator"):
        assert not found[name].ok
        assert f"{file}/cache" in found[name].detail
        assert "cannot be written: " in found[name].detail
