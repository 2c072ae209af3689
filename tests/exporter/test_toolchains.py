"""Folders for assemblers other than GNU's: text, header and data sheet, and how the text was checked."""

import json
import re

import pytest

from tests.answers import winning
from tightfit.errors import UsageError, WorkError
from tightfit.exporter import check_toolchain, pages, texts, toolchains
from tightfit.exporter import prepared as preparing
from tightfit.exporter.dialects import dialects
from tightfit.targets import target_ids

from .libraries import STRICT, exported, run

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
    done = exported(measurement, tmp_path / "out", name)
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
    sources = [file for file in done.files if file.endswith(".c")]
    run(*STRICT, "-std=c99", "-fsyntax-only", "-I", "src", *sources, cwd=done.folder)


def test_a_text_that_is_read_back_as_other_bytes_is_not_written(tmp_path, monkeypatch):
    measurement = winner("rl78", "aes-128")
    good = texts.written

    def wrong(prepared, gnu):
        return re.sub(r"(?m)^( +)ret\b", r"\1nop", good(prepared, gnu), count=1)

    monkeypatch.setattr("tightfit.exporter.pages.written", wrong)
    with pytest.raises(WorkError, match=r"read back has other bytes: \.text"):
        exported(measurement, tmp_path / "out", "ccrl")
    assert not (tmp_path / "out").exists()


def test_without_tools_the_sheet_says_that_nothing_was_checked(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "missing_tool", lambda target: "rl78-elf-as is missing")
    done = exported(winner("rl78", "aes-128"), tmp_path, "iar")
    assert "the round trip was not made, as rl78-elf-as is missing" in (done.folder / "README.md").read_text()
    assert done.cost and preparing.GNU not in done.toolchain


def test_why_functions_for_messages_have_no_figures(tmp_path, monkeypatch):
    def sheet(name):
        done = exported(winner("rl78", "aes-128"), tmp_path / name, name)
        return " ".join((done.folder / "README.md").read_text().split())

    assert "was not measured when this was made: figures come from GNU's compiler" in sheet("ccrl")
    monkeypatch.setattr(pages, "missing_tool", lambda target, programs: "rl78-elf-gcc is missing")
    assert "was not measured when this was made: rl78-elf-gcc is missing" in sheet("gnu")


@pytest.mark.parametrize("target, name", [("avr", "iar"), ("msp430", "ccrl"), ("rl78", "keil")])
def test_a_toolchain_that_a_target_does_not_have(target, name):
    with pytest.raises(UsageError, match=f"toolchain '{name}': expected one that {target} has: gnu"):
        check_toolchain(target, name)


def test_what_a_dialect_has_no_words_for_is_one_line(tmp_path, monkeypatch):
    measurement = winner("rl78", "aes-128")
    monkeypatch.setattr("tightfit.exporter.facts.annotated", lambda member: "        .weak _x\n")
    with pytest.raises(UsageError) as raised:
        exported(measurement, tmp_path / "out", "ccrl")
    assert ".weak" in str(raised.value) and "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("more", [(), ("--sum-ram",)], ids=["room shared", "room of its own"])
def test_several_needs_with_rooms_that_are_even(tightfit, tmp_path, more):
    needs = ("--need", "aes-128:encrypt", "--need", "sha-256", "--rom", "3KB", "--ram", "600")
    on = ("--target", "rl78", "--toolchain", "ccrl", "--to", tmp_path / "out", *more, "--json")
    status, out, _ = tightfit("export", *needs, *on)
    done = json.loads(out)
    assert status == 0
    assert all(routine["cost"] == routine["portfolio_cost"] for routine in done["routines"])
    assert done["rom"] <= 3072 and done["ram"] <= 600
    strict = (*STRICT, "-std=c99", "-U__GNUC__", "-I", "src", "-c", "-o", tmp_path / "it.o")
    for source in (tmp_path / "out").rglob("*.c"):
        run(*strict, source, cwd=tmp_path / "out")
    even = '#include "aes128_sha256.h"\nint even[_Alignof(aes128_sha256_room) >= 2 ? 1 : -1];\n'
    (tmp_path / "even.c").write_text(even)
    run("cc", "-U__GNUC__", "-fsyntax-only", "-I", tmp_path / "out" / "src", tmp_path / "even.c")
