"""Folders for assemblers other than GNU's: text, header and data sheet, and how the text was checked."""

import json
import re
import subprocess

import pytest

from tests.answers import winning
from tightfit.cli import main
from tightfit.errors import UsageError, WorkError
from tightfit.exporter import check_toolchain, export, pages, prepare, texts, toolchains
from tightfit.exporter import prepared as preparing
from tightfit.exporter.dialects import dialects
from tightfit.targets import target_ids

CASES = [(target, name) for target in target_ids() for name in toolchains(target)[1:]]
PRIMITIVES = ("aes-128", "sha-256")


def winner(target: str, primitive: str):
    """A winner that is neither long nor slow."""
    known = winning(target, primitive)
    return known[len(known) // 2]


def test_rl78_has_three_beside_gnu():
    assert set(toolchains("rl78")) == {"gnu", "ccrl", "llvm", "iar"}
    assert toolchains("avr") == toolchains("msp430") == ("gnu",)


@pytest.mark.parametrize("primitive", PRIMITIVES)
@pytest.mark.parametrize("target, name", CASES)
def test_the_folder(tmp_path, target, name, primitive):
    measurement, dialect = winner(target, primitive), dialects(target)[name]
    done = export(prepare(measurement, "it", name), tmp_path / "out", command="tightfit export ...")
    assert done.cost == measurement.cost and done.toolchain == name
    text = (done.folder / "src" / f"it{dialect.extension}").read_text()
    assert "Do not edit" in text and measurement.variant.id in text and "cycles in" in text
    assert dialect.back(text)
    sheet = (done.folder / "README.md").read_text()
    assert f"Text only, for {dialect.words}, checked by round trip" in sheet
    assert all(line.format(name="it") in sheet for line in dialect.command_lines)
    assert "AX" in sheet and "shim" not in sheet and f"| ROM | {measurement.cost.rom} B" in sheet
    assert not {"Makefile", "CMakeLists.txt", "src/it_timed.c"} & set(done.files)
    assert set(re.findall(r"^\| `(src/it\.\w+|src/\S+\.c)`", sheet, re.MULTILINE)) <= set(done.files)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", "src"]
    sources = [file for file in done.files if file.endswith(".c")]
    assert subprocess.run([*command, *sources], cwd=done.folder, check=False).returncode == 0


def test_a_text_that_is_read_back_as_other_bytes_is_not_written(tmp_path, monkeypatch):
    measurement = winner("rl78", "aes-128")
    good = texts.written

    def wrong(prepared, gnu):
        return re.sub(r"(?m)^( +)ret\b", r"\1nop", good(prepared, gnu), count=1)

    monkeypatch.setattr("tightfit.exporter.pages.written", wrong)
    with pytest.raises(WorkError, match=r"read back has other bytes: \.text"):
        export(prepare(measurement, "it", "ccrl"), tmp_path / "out", command="tightfit export ...")
    assert not (tmp_path / "out").exists()


def test_without_tools_the_sheet_says_that_nothing_was_checked(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "missing_tool", lambda target: "rl78-elf-as is missing")
    done = export(prepare(winner("rl78", "aes-128"), "it", "iar"), tmp_path, command="tightfit export ...")
    assert "the round trip was not made, as rl78-elf-as is missing" in (done.folder / "README.md").read_text()
    assert done.cost and preparing.GNU not in done.toolchain


def test_why_functions_for_messages_have_no_figures(tmp_path, monkeypatch):
    def sheet(name):
        folder = tmp_path / name
        export(prepare(winner("rl78", "aes-128"), "it", name), folder, command="tightfit export ...")
        return " ".join((folder / "README.md").read_text().split())

    assert "was not measured when this was made: figures come from GNU's compiler" in sheet("ccrl")
    monkeypatch.setattr(pages, "missing_tool", lambda target, programs: "rl78-elf-gcc is missing")
    assert "was not measured when this was made: rl78-elf-gcc is missing" in sheet("gnu")


@pytest.mark.parametrize("target, name", [("avr", "iar"), ("msp430", "ccrl"), ("rl78", "keil")])
def test_a_toolchain_that_a_target_does_not_have(target, name):
    with pytest.raises(UsageError, match=f"toolchain '{name}': expected one that {target} has: gnu"):
        check_toolchain(target, name)


def test_what_a_dialect_has_no_words_for_is_one_line(tmp_path, monkeypatch):
    measurement = winner("rl78", "aes-128")
    prepared = prepare(measurement, "it", "ccrl")
    monkeypatch.setattr("tightfit.exporter.facts.annotated", lambda member: "        .weak _x\n")
    with pytest.raises(UsageError) as raised:
        export(prepared, tmp_path / "out", command="tightfit export ...")
    assert ".weak" in str(raised.value) and "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("more", [(), ("--sum-ram",)], ids=["room shared", "room of its own"])
def test_several_needs_with_rooms_that_are_even(tmp_path, monkeypatch, capfd, more):
    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))
    needs = ("--need", "aes-128:encrypt", "--need", "sha-256", "--rom", "3KB", "--ram", "600")
    on = ("--target", "rl78", "--toolchain", "ccrl", "--to", tmp_path / "out", *more, "--json")
    assert main([str(argument) for argument in ("export", *needs, *on)]) == 0
    done = json.loads(capfd.readouterr().out)
    assert all(routine["cost"] == routine["portfolio_cost"] for routine in done["routines"])
    assert done["rom"] <= 3072 and done["ram"] <= 600
    strict = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-U__GNUC__", "-I", "src", "-c"]
    for source in (tmp_path / "out").rglob("*.c"):
        command = [*strict, "-o", tmp_path / "it.o", source]
        assert subprocess.run(command, cwd=tmp_path / "out", check=False).returncode == 0
    (tmp_path / "even.c").write_text(
        '#include "aes128_sha256.h"\nint even[_Alignof(aes128_sha256_room) >= 2 ? 1 : -1];\n'
    )
    command = ["cc", "-U__GNUC__", "-fsyntax-only", "-I", tmp_path / "out" / "src", tmp_path / "even.c"]
    assert subprocess.run(command, check=False).returncode == 0
