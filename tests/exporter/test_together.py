"""Several routines in one library: from the shipped portfolio to an archive, a self-test and clocks."""

import json
import re
import shlex
from fractions import Fraction

import pytest

from tests.answers import targets
from tests.exporter.test_clocks import timed
from tightfit.exporter import facts
from tightfit.schemas import validator
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from .libraries import run

BUDGET = ("--rom", "2KB", "--ram", "384B")
NEEDS = ("--need", "aes-128:encrypt", "--need", "sha-256")
WARNED = (("aes128", "aes-128"), ("sha256", "sha-256"))


def exported(tightfit, folder, *options):
    status, out, err = tightfit("export", *options, "--to", folder, "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    validator("export-need").validate(data)
    assert all((folder / file).is_file() for file in data["files"])
    return data


@pytest.mark.parametrize("target", targets("aes-128", "sha-256"))
def test_it_is_the_answer_of_ask_and_fits(tightfit, tmp_path, target):
    on = (*NEEDS, *BUDGET, "--target", target)
    done = exported(tightfit, tmp_path / "out", *on)
    status, out, _ = tightfit("ask", *on, "--json")
    asked = json.loads(out)["split"]
    assert status == 0 and done["rom"] <= 2048 and done["ram"] <= 384
    costs = [routine["cost"] for routine in done["routines"]]
    assert done["rom"] == sum(cost["rom"] for cost in costs)
    parts = [cost["ram_parts"] for cost in costs]
    deepest = max(routine["block"] + routine["stack"] for routine in parts)
    assert done["ram"] == sum(routine["static"] for routine in parts) + deepest
    if all(routine["cost"] == routine["portfolio_cost"] for routine in done["routines"]):
        found, wanted = (
            [routine["variant"]["id"] for routine in of] for of in (done["routines"], asked["chosen"])
        )
        assert found == wanted
    else:
        assert target == "rl78" and sum(Fraction(cost["cycles"]) for cost in costs) > asked["time"]


@pytest.mark.parametrize("target", targets("aes-128", "sha-256"))
def test_one_archive_holds_all_and_takes_what_is_said(tightfit, tmp_path, target):
    done = exported(tightfit, tmp_path / "out", *NEEDS, *BUDGET, "--target", target, "--name", "box")
    cross = str(tool(target, "as")).removesuffix("as")
    run("make", "-C", tmp_path / "out", f"CROSS={cross}")
    place = load_target(target)
    symbols = [place.abi.symbol(f"box_{name}") for name in ("aes128_encrypt", "sha256_hash")]
    listed = run(f"{cross}nm", tmp_path / "out" / "libbox.a")
    assert set(re.findall(r" T (\S+)", listed)) == set(symbols)
    options = [*place.link_options(place.part()), *(word for symbol in symbols for word in ("-u", symbol))]
    run(f"{cross}ld", *options, "-o", "box.elf", "libbox.a", cwd=tmp_path / "out")
    sizes = run(f"{cross}size", "-A", tmp_path / "out" / "box.elf")
    stored = re.findall(r"^\.(?:text|rodata|data|progmem\.data)\s+(\d+)", sizes, re.MULTILINE)
    gaps = done["rom"] - sum(map(int, stored))
    assert -256 < gaps <= 0, sizes  # padding that aligns the second of two routines


def test_self_test_clocks_and_example_on_simavr(tightfit, tmp_path):
    done = exported(tightfit, tmp_path / "out", *NEEDS, *BUDGET, "--target", "avr", "--name", "box")
    text, right, other = timed(tmp_path / "out", "box", "ATmega1284P", ["-Os"])
    assert (right, other) == (0, 0)
    aes, sha = (routine["cost"]["by_entry"] for routine in done["routines"])
    assert f"box_aes128_encrypt: {aes['encrypt']} clocks" in text
    assert all(f"box_sha256_hash, {figure}: {clocks} clocks" in text for figure, clocks in sha.items())
    flags = "CFLAGS=-std=c11 -O2 -Wall -Wextra -Werror -mmcu=atmega1284p"
    run("make", "-C", tmp_path / "out", "example", flags)
    assert (tmp_path / "out" / "example.elf").is_file()
    source = tmp_path / "out" / "src" / "box_sha256.S"
    source.write_text(source.read_text().replace("box_sha256_hash:", "box_sha256_hash:\n        ret"))
    _, right, other = timed(tmp_path / "out", "box", "ATmega1284P", ["-Os"])
    assert (right, other) == (2, 3)  # the self-test names the routine that is wrong


def test_room_is_shared_or_not(tightfit, tmp_path):
    on = ("--target", "avr", "--rom", "3KB", "--ram", "512B")
    for name, more in (("union", ()), ("struct", ("--sum-ram",))):
        done = exported(tightfit, tmp_path / name / "out", *NEEDS, *on, *more)
        header = (tmp_path / name / "out" / "src" / "aes128_sha256.h").read_text()
        assert f"typedef {name} aes128_sha256_room {{" in header
        block = [routine["cost"]["ram_parts"]["block"] for routine in done["routines"]]
        text = '#include "aes128_sha256.h"\nint size[sizeof(aes128_sha256_room) == SIZE ? 1 : -1];\n'
        (tmp_path / "size.c").write_text(text)
        even = [size + size % 2 for size in block]
        size = max(even) if name == "union" else sum(even)
        include = tmp_path / name / "out" / "src"
        run("cc", "-fsyntax-only", f"-DSIZE={size}", "-I", include, tmp_path / "size.c")


def test_two_operations_of_one_primitive_have_names_of_their_own(tightfit, tmp_path):
    needs = ("--need", "present-80:encrypt", "--need", "present-80:encrypt+decrypt")
    done = exported(tightfit, tmp_path / "out", *needs, "--target", "msp430", "--rom", "4KB", "--ram", "1KB")
    names = [routine["name"] for routine in done["routines"]]
    whole = "present80_present80_encrypt_decrypt"
    assert names == [f"{whole}_present80_encrypt", f"{whole}_present80_encrypt_decrypt"]
    assert all((tmp_path / "out" / f"{name}.md").is_file() for name in names)


@pytest.mark.parametrize(
    "options, status, words",
    [
        ((*NEEDS, "--rom", "600"), 1, "aes-128 encrypt + sha-256 hash on avr (ATmega1284P) within 600B/any"),
        ((*NEEDS, "--variant", "abc"), 2, "--variant goes with a PRIMITIVE"),
        (("aes-128", "encrypt", *NEEDS), 2, "export a PRIMITIVE and an OPERATION, or each --need"),
        (("aes-128", "encrypt", "--sum-ram"), 2, "--weight and --sum-ram go with --need"),
        (("aes-128",), 2, "aes-128: which operation? there are: encrypt"),
        ((), 2, "export a PRIMITIVE and an OPERATION, or each --need"),
        ((*NEEDS, "--name", "1st"), 2, "name '1st' is no C name"),
        ((*NEEDS, "--toolchain", "ccrl"), 2, "toolchain 'ccrl': expected one that avr has: gnu"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(tightfit, tmp_path, options, status, words):
    code, out, err = tightfit("export", *options, "--target", "avr", "--to", tmp_path / "out")
    assert (code, out, err.count("\n")) == (status, "", 1)
    assert words in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        (*NEEDS, "--weight", "sha-256=10", *BUDGET, "--sum-ram", "--name", "box"),
        ("present-80", "encrypt", "--ram", "64 B", "--constant-path"),
        ("sha-256", "--name", "hasher"),
    ],
)
def test_the_command_in_the_files_makes_them_again(tightfit, tmp_path, options):
    assert tightfit("export", *options, "--target", "avr", "--to", tmp_path / "one")[0] == 0
    command = re.search(r"with `tightfit (.*)`\.", (tmp_path / "one" / "README.md").read_text())[1]
    assert tightfit(*shlex.split(command), "--to", tmp_path / "two")[0] == 0
    first, second = (
        {file.relative_to(folder): file.read_text() for file in folder.rglob("*.*")}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert first == second and len(first) > 10


def test_the_sheet_says_what_is_proved_of_the_variant(tightfit, tmp_path):
    on = ("aes-128", "encrypt", "--target", "avr")
    tightfit("export", *on, "--rom", "1KB", "--ram", "64B", "--to", tmp_path / "winner")
    sheet = (tmp_path / "winner" / "README.md").read_text()
    assert re.search(r"^- 1KB/64B: proved optimal: of \d+ variants, \d+ measured$", sheet, re.MULTILINE)
    of = re.compile(r"\b[0-9a-f]{12}\b")
    front = of.findall(tightfit("front", *on, "--json")[1])
    table = tightfit("table", "--primitive", "aes-128", "--target", "avr", "--json")[1]
    winners = set(of.findall(table))
    other = next(variant for variant in front if variant not in winners)
    tightfit("export", *on, "--variant", other, "--to", tmp_path / "other")
    assert "is not the answer for any budget" in (tmp_path / "other" / "README.md").read_text()


def test_cautions_of_each_routine_stand_in_the_common_sheet(tightfit, tmp_path, monkeypatch):
    monkeypatch.setattr(facts, "sentences", lambda measurement: [f"{measurement.variant.primitive} warns."])
    exported(tightfit, tmp_path / "out", *NEEDS, *BUDGET, "--target", "avr")
    sheet = (tmp_path / "out/README.md").read_text()
    assert all(f"- `aes128_sha256_{name}`: {primitive} warns." in sheet for name, primitive in WARNED)


def test_the_sheet_says_how_to_place_tables_without_loss(tightfit, tmp_path):
    exported(tightfit, tmp_path / "lib", *NEEDS, "--target", "avr", "--rom", "4KB", "--ram", "512B")
    assert (tmp_path / "lib" / "tables.ld").is_file()
    assert "`-Wl,-T,tables.ld`" in (tmp_path / "lib" / "README.md").read_text()
