"""Wrong input gets one clear line on standard error, exit status 2; work that fails, exit status 1."""

import json
import sqlite3
import sys
from dataclasses import replace

import pytest

from tests.cli.fixture_portfolio import measurements
from tightfit.generator import load_space

ASK = ("ask", "aes-128", "encrypt", "--target", "rl78")


@pytest.mark.parametrize(
    "arguments, line",
    [
        (("aks",), "no command 'aks'; the nearest: ask"),
        (("table", "--part", "R5F100xE"), "--part R5F100xE: of which target? say --target, one of armv6m,"),
        (("ask", "aes-127", "encrypt", "--target", "rl78"), "no primitive 'aes-127'; the nearest: aes-128"),
        (
            ("ask", "aes-128", "encypt", "--target", "rl78"),
            "no operation 'encypt'; the nearest: encrypt, ",
        ),
        (("ask", "aes-128", "encrypt", "--target", "rl87"), "no target 'rl87'; the nearest: rl78"),
        ((*ASK, "--part", "R5F100xF"), "no part 'R5F100xF' of target rl78; the nearest: R5F100xG, R5F100xE"),
        (
            ("front", "aes-128", "encrypt", "--target", "rl78", "--template", "flaat"),
            "no template 'flaat'; the nearest: flat",
        ),
        ((*ASK, "--rom", "1MB"), "'1MB' is no size: write bytes or KB, such as 486, 512B, 1KB or 0x200"),
        ((*ASK, "--ram", "lots"), "'lots' is no size"),
        ((*ASK, "--ram", "0"), "'0' is no size"),
        (("export", "aes-128", "encrypt", "--to", "x"), "Missing option '--target'"),
        (("ask", "--need", "aes-128:encrypt"), "--need: on which target? say --target, one of armv6m, avr,"),
        (
            ("fill", "aes-128", "--target", "rl78", "--constant-path"),
            "--constant-path: no search closes cells under it; `ask` and `table` filter by it",
        ),
        (
            ("fill", "aes-128", "--budgets", "budgets.yaml", "--rom", "1KB"),
            "--budgets names budgets in a file; expected it without --rom, --ram and conditions",
        ),
        (
            ("front", "aes-128", "encrypt-decript", "--target", "rl78"),
            "no operation 'encrypt-decript' of primitive aes-128; the nearest:",
        ),
        (("ask", "avr", "rl78"), "expected one target, found avr and rl78"),
        (("ask", "e"), "no operation 'e'; it may be encrypt or encrypt+decrypt or encrypt-next"),
        (("ask", "xyzzy", "aes"), "no primitive"),
        (("ask", "sha-256", "encrypt"), "no operation 'encrypt' of primitive sha-256; there are: hash"),
        (("ask", "present", "--key-bits", "128"), "no primitive is all of present-80, key of 128 bits;"),
        ((*ASK, "--clock", "fast"), "'fast' is no clock: write it such as 8MHz, 32.768kHz or 8000000"),
        (
            (*ASK, "--clock", "8MHz", "--under", "5"),
            "'5' is no duration: write it such as 5ms, 250us or 1.5s",
        ),
        ((*ASK, "--under", "5ms"), "--under needs --clock"),
        ((*ASK, "--message", "0"), "a message of 0 bytes: expected 1 to"),
        ((*ASK, "--toolchain", "abc"), "toolchain 'abc': expected one that rl78 has: gnu"),
        (("ask", "--kind", "hush", "--target", "rl78"), "no kind 'hush'; the nearest: hash"),
        (("table", "--target", "rl78", "--format", "pdf"), "'pdf' is not one of"),
        (("list", "things"), "'things' is not one of"),
        (("show", "xyz"), "'xyz' is no variant id: expected hexadecimal digits"),
        (("show", "000000000000"), "no variant '000000000000' in the store"),
        (
            ("verify", "aes-128", "--target", "rl78", "--vectors", "none.json"),
            "none.json: expected a vector file",
        ),
        (
            ("verify", "aes-128", "--target", "rl78", "--groups", "3"),
            "--groups and --workers: expected chains, of --monte-carlo or a file, found none",
        ),
        (
            ("verify", "aes-128", "--target", "rl78", "--monte-carlo", "--groups", "9-3"),
            "--groups: expected a number such as 20, or numbers such as 100-199, found '9-3'",
        ),
        (
            ("verify", "aes-128", "--target", "rl78", "--nist", "none.rsp"),
            "none.rsp: expected a file of NIST's, found none that can be read",
        ),
        (
            ("verify", "aes-128", "--target", "rl78", "--write-rsp", "x"),
            "--write-rsp: expected one --nist beside it, found 0",
        ),
        (
            ("export", "aes-128", "encrypt", "--target", "rl78", "--to", "x", "--name", "1st"),
            "'1st' is no C name",
        ),
        (
            ("export", "aes-128", "encrypt", "--target", "rl78", "--to", "x", "--toolchain", "abc"),
            "toolchain 'abc': expected one that rl78 has: gnu",
        ),
    ],
)
def test_a_wrong_question(tightfit, no_tools, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    outcome = tightfit(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert line in outcome.err


@pytest.mark.parametrize(
    "image, line",
    [
        ("none.elf", "none.elf cannot be read: No such file or directory"),
        (sys.executable, "is not an ELF file that can be read: expected a 32-bit little-endian ELF file"),
        (__file__, "is not an ELF file"),
    ],
)
def test_an_image_that_cannot_run(tightfit, image, line):
    outcome = tightfit("run", image, "--target", "rl78")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert line in outcome.err


def test_an_ambiguous_prefix_names_some(tightfit):
    ids = [
        measurement.variant.id for measurement in measurements("encrypt") + measurements("encrypt+decrypt")
    ]
    shared = next(
        (variant[0] for variant in ids if sum(other_variant[0] == variant[0] for other_variant in ids) > 1),
        None,
    )
    outcome = tightfit("show", shared or "")
    assert outcome.status == 2
    assert ("is ambiguous" if shared else "is no variant id") in outcome.err


@pytest.mark.parametrize(
    "text, line",
    [
        ("{", ":1: expected JSON"),
        ("[]", "top level: "),
        ([{"key": "00"}], "vectors/0: 'plaintext' is a required property"),
        ([{"key": "00", "plaintext": "zz", "ciphertext": "00"}], "vectors/0/plaintext: expected"),
        ([{"key": "00", "plaintext": "00", "ciphertext": "00"}], "key: expected 16 bytes, found 1"),
        ([], "vectors"),
    ],
)
def test_a_vector_file_that_does_not_parse(tightfit, tmp_path, text, line):
    file = tmp_path / "vectors.json"
    whole = {"primitive": "AES-128", "source": "test", "checked_by": "nobody", "vectors": text}
    file.write_text(text if isinstance(text, str) else json.dumps(whole))
    outcome = tightfit("verify", "aes-128", "--target", "rl78", "--vectors", file)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert str(file) in outcome.err and line in outcome.err


def test_filling_an_operation_that_no_template_offers(tightfit, no_tools, monkeypatch):
    space = load_space("rl78", "aes-128")
    walk = replace(space.templates["walk"], operations=("encrypt", "encrypt+decrypt"))
    small = replace(space, templates={"walk": walk})
    monkeypatch.setattr("tightfit.filling.jobs.load_space", lambda *_, **__: small)
    outcome = tightfit("fill", "aes-128", "--target", "rl78", "--operation", "encrypt-next")
    assert outcome.status == 2
    assert outcome.err == (
        "tightfit: no template of aes-128 on rl78 offers encrypt-next; they offer encrypt, encrypt+decrypt\n"
    )


def test_a_malformed_budgets_file(tightfit, tmp_path):
    file = tmp_path / "budgets.yaml"
    file.write_text("rom: [512B]\nram: [64B]\nalso:\n- {rom: 1KB}\n")
    outcome = tightfit("fill", "aes-128", "--target", "rl78", "--budgets", file)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"{file}:4: expected a key 'ram', found the keys rom" in outcome.err


def test_a_malformed_template_file(tightfit, tmp_path, monkeypatch):
    from tightfit.generator import folders, load_space

    folder = tmp_path / "templates" / "rl78" / "aes-128" / "tiny"
    folder.mkdir(parents=True)
    (folder / "template.yaml").write_text("doc: one\noperations: encrypt\n")
    monkeypatch.setattr(folders, "PACKAGE", tmp_path)
    load_space.cache_clear()
    try:
        outcome = tightfit("front", "aes-128", "encrypt", "--target", "rl78", "--template", "tiny")
    finally:
        load_space.cache_clear()
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "template.yaml:" in outcome.err and "expected" in outcome.err


@pytest.mark.parametrize(
    "version, advice", [(99, "upgrade tightfit"), (-1, "this is no store of tightfit; move")]
)
def test_a_store_of_another_schema(tightfit, tmp_path, monkeypatch, version, advice):
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    monkeypatch.setenv("TIGHTFIT_STORE", str(path))
    outcome = tightfit(*ASK)
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert str(path) in outcome.err and advice in outcome.err


@pytest.mark.dear("a space of many templates is declared")
@pytest.mark.parametrize(
    "command", [("fill", "aes-128"), ("verify", "aes-128")], ids=lambda command: command[0]
)
def test_a_missing_toolchain(tightfit, no_tools, command):
    outcome = tightfit(*command, "--target", "rl78")
    assert outcome.status == 1
    assert outcome.err.splitlines()[-1] == "tightfit: rl78-elf-as is missing; `tightfit setup rl78` gets it"


def test_replay_without_a_toolchain(tightfit, no_tools):
    outcome = tightfit("replay", measurements("encrypt")[0].variant.id)
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert "rl78-elf-as is missing; `tightfit setup rl78` gets it" in outcome.err


@pytest.mark.parametrize("words, given", [((), "neither"), (("abc", "--all"), "both")])
def test_replay_of_one_or_of_all(tightfit, no_tools, words, given):
    outcome = tightfit("replay", *words)
    assert outcome.status == 2
    assert outcome.err == f"tightfit: expected a VARIANT or --all, found {given}\n"


def test_replay_of_one_takes_no_workers(tightfit, no_tools):
    outcome = tightfit("replay", "abc", "--workers", "2")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "--workers goes with --all" in outcome.err


def test_an_export_folder_that_is_not_ours(tightfit, no_tools, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    export = ("export", "aes-128", "encrypt", "--target", "rl78", "--rom", "1KB", "--to", tmp_path / "mine")
    outcome = tightfit(*export)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "is not empty and was not made by tightfit" in outcome.err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_nothing_to_export(tightfit, no_tools, tmp_path):
    outcome = tightfit(
        "export", "aes-128", "encrypt", "--target", "rl78", "--ram", "20", "--to", tmp_path / "out"
    )
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert "impossible, nothing to export" in outcome.err
    assert not (tmp_path / "out").exists()
