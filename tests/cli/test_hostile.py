"""Input that is meant to break something: numbers and files without end, bytes for a terminal."""

import json
import random

import pytest

from tests.harness.test_elf import image, mutations
from tightfit.printable import one_line, printable, printable_json, printable_lines

ON = ("--target", "rl78")
ASK = ("ask", "aes-128", "encrypt", *ON)
LONG = "9" * 5_000
RED = "\x1b[31mred\x9b2J\u202e\x07"


def assert_one_line(outcome, status: int) -> None:
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (status, "", 1), outcome
    assert outcome.err.removesuffix("\n").isprintable() and len(outcome.err) < 1_500


@pytest.mark.parametrize(
    "arguments",
    [
        (*ASK, "--rom", LONG),
        (*ASK, "--rom", "9" * 20),
        (*ASK, "--ram", f"{LONG}KB"),
        (*ASK, "--rom", f"0x{LONG}"),
        ("ask", "--need", "aes-128:encrypt", *ON, "--weight", f"aes-128={LONG}"),
        ("ask", "--need", "aes-128:encrypt", *ON, "--weight", f"aes-128=1e{LONG}"),
        ("fill", "aes-128", *ON, "--rom", LONG),
        ("export", "aes-128", "encrypt", *ON, "--rom", LONG, "--to", "out"),
        ("export", "aes-128", "encrypt", *ON, "--name", LONG, "--to", "out"),
        ("run", "none.elf", *ON, "--limit", LONG),
        ("run", "none.elf", *ON, "--limit", "9" * 20),
        ("show", LONG),
        ("ask", LONG, *ON),
    ],
    ids=lambda arguments: " ".join(word[:20] for word in arguments),
)
def test_numbers_without_end(tightfit, no_tools, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    assert_one_line(tightfit(*arguments), 2)
    assert not (tmp_path / "out").exists()


FILES = {
    "list": "[" * 100_000,
    "mapping": '{"a":' * 100_000,
    "number": f'{{"vectors": {"9" * 6_000}}}',
    "closed": "[" * 100_000 + "]" * 100_000,
    "bounds": f"rom: [{LONG}]\nram: [64B]\n",
    "lines": "- " * 3_000,
    "bytes": RED,
    "aliases": "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" for n in range(1, 12)),
}


@pytest.mark.parametrize("option", ["--vectors", "--budgets"])
@pytest.mark.parametrize("name", FILES)
def test_files_nested_without_end(tightfit, no_tools, tmp_path, name, option):
    file = tmp_path / "given"
    file.write_text(FILES[name])
    outcome = tightfit({"--vectors": "verify", "--budgets": "fill"}[option], "aes-128", *ON, option, file)
    assert_one_line(outcome, 2)
    assert f"{file}:" in outcome.err and "expected" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        (RED,),
        ("ask", RED, "encrypt", *ON),
        (*ASK, "--rom", RED),
        (*ASK, "--part", RED),
        ("ask", "aes-128", "encrypt", "--target", RED),
        ("run", f"{RED}.elf", *ON),
        ("verify", "aes-128", *ON, "--vectors", RED),
        ("export", "aes-128", "encrypt", *ON, "--to", "out", "--name", RED),
        ("export", "aes-128", "encrypt", *ON, "--to", "out", "--variant", RED),
        ("list", RED),
        (*ASK, f"--{RED}"),
        (*ASK, "\udcff\udcfe"),
    ],
    ids=ascii,
)
def test_no_raw_bytes_in_an_error(tightfit, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    assert_one_line(tightfit(*arguments), 2)


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_no_raw_bytes_in_an_answer(tightfit, tmp_path, monkeypatch, as_json):
    monkeypatch.chdir(tmp_path)
    outcome = tightfit("export", "aes-128", "encrypt", *ON, "--to", f"{RED}\udcff", *as_json)
    assert outcome.status == 0
    for line in (outcome.out + outcome.err).splitlines():
        assert line.isprintable(), line
    if as_json:
        assert json.loads(outcome.out)["folder"] == f"{RED}\udcff"
    assert (tmp_path / f"{RED}\udcff" / "README.md").is_file()


def test_what_a_terminal_would_obey_is_shown():
    assert printable("a\tb\x1b[2J\x7f\x9b\udcff é") == "a\\tb\\x1b[2J\\x7f\\x9b\\udcff é"
    assert printable_lines("a\n\tb\x1b") == "a\n\tb\\x1b"
    assert one_line("a\n \x00b ") == "a \\x00b"
    assert len(one_line("a" * 9_999)) < 1_000
    for text in (RED, "\udcff", "plain", "\n\t\\ é"):
        written = printable_json(json.dumps({text: text}, ensure_ascii=False, indent=1))
        assert json.loads(written) == {text: text}
        assert all(line.isprintable() for line in written.splitlines())


@pytest.mark.parametrize("target", ["avr", "msp430", "rl78"])
def test_a_damaged_image_is_one_line_or_runs(tightfit, tmp_path, target):
    chance, file = random.Random(1), tmp_path / "mutated.elf"
    ended = set()
    for mutated in chance.sample([*mutations(image(target, tmp_path))], 60):
        file.write_bytes(mutated)
        outcome = tightfit("run", file, "--target", target, "--limit", "1000", "--profile")
        assert outcome.err.count("\n") == (outcome.status != 0), outcome
        for line in (outcome.out + outcome.err).splitlines():
            assert line.isprintable(), line
        ended.add(outcome.status)
    assert ended >= {0, 2}
