"""`measure`: somebody else's routine beside ours, and one line for what is wrong with it."""

import json
import os
import shutil
from dataclasses import replace

import pytest

from tests.contenders import guests
from tests.harness import routines
from tests.harness.present_routines import AROUND, correct
from tightfit.harness.store import Store
from tightfit.schemas import validator

PRESENT = ("--target", "avr", "--primitive", "present-80")


pytestmark = pytest.mark.usefixtures("search_gate")


def answer(outcome) -> dict:
    data = json.loads(outcome.out)
    validator("measure").validate(data)
    return data


def test_a_file_is_measured_at_several_levels_and_kept(tightfit):
    outcome = tightfit("measure", guests.PRESENT, *PRESENT, "--json")
    assert outcome.status == 0 and outcome.err == "measure present.c\n"
    contenders = answer(outcome)["contenders"]
    assert sorted(contender["flags"].split()[-1] for contender in contenders) == ["-O2", "-O3", "-Os"]
    assert {contender["origin"] for contender in contenders} == {"external"}
    with Store.open() as store:
        assert {contender.id for contender in store.contenders(origin="external")} == {
            contender["id"] for contender in contenders
        }
    shown = tightfit("show", contenders[0]["id"][:8])
    assert shown.status == 0 and "present.c" in shown.out and "cc: avr-gcc" in shown.out
    assert answer(tightfit("show", contenders[0]["id"], "--json"))["contenders"][0] == contenders[0]


def test_levels_and_flags_are_those_that_were_asked_for(tightfit):
    outcome = tightfit(
        "measure", guests.PRESENT, *PRESENT, "--level=-O1", "--cc", "-Os -fno-inline", "--json"
    )
    flags = {contender["flags"].partition(" ")[2] for contender in answer(outcome)["contenders"]}
    assert flags == {"-O1", "-Os -fno-inline"}


def test_the_text_has_figures_and_reasons(tightfit, tmp_path):
    right = guests.implementation(tmp_path, "sha256", "sha-256")
    wrong = guests.implementation(tmp_path / "wrong", "sha256", "sha-256", after="out[0]++")
    wrong.rename(right.with_name("wrong"))
    outcome = tightfit("measure", tmp_path, "--target", "avr", "--level=-Os")
    assert outcome.status == 1
    assert "crypto_hash/sha256/guest" in outcome.out and "external" in outcome.out
    assert "RAM has one block of the message, theirs as ours" in outcome.out
    (line,) = (line for line in outcome.out.splitlines() if line.startswith("rejected"))
    assert line.startswith(
        "rejected: crypto_hash/sha256/wrong -mmcu=atmega1284p -Os: wrong answer: crypto_hash of"
    )


def test_what_is_rejected_is_kept_and_exit_status_is_1(tightfit, tmp_path):
    source = guests.present(tmp_path, after="for (;;) ((volatile uint8_t *)block)[0]++")
    outcome = tightfit("measure", source, *PRESENT, "--level=-Os", "--json")
    assert outcome.status == 1
    (rejected,) = answer(outcome)["rejected"]
    assert "cycle limit" in rejected["reason"]
    with Store.open() as store:
        assert store.contenders() == []
        assert [kept.rejected for kept in store.contenders(rejected=True)] == [rejected["reason"]]
    assert "cycle limit" in tightfit("show", rejected["id"]).out


def test_a_file_that_does_not_compile_is_rejected(tightfit, tmp_path):
    source = guests.present(tmp_path, extra="int x = ;")
    outcome = tightfit("measure", source, *PRESENT, "--level=-Os")
    assert outcome.status == 1
    assert "compiler: present.c:" in outcome.out


def test_other_primitives_of_a_tree_are_left_out(tightfit, tmp_path):
    guests.implementation(tmp_path, "sha256", "sha-256")
    guests.implementation(tmp_path, "blake256", "sha-256")
    (guests.implementation(tmp_path, "keccakc512", "keccak-256") / "hash.c").unlink()
    outcome = tightfit("measure", tmp_path, "--target", "avr", "--level=-Os", "--json")
    assert outcome.status == 0
    assert outcome.err.startswith("left out, no primitive of tightfit: crypto_hash/blake256\n")
    assert (
        "left out: " in outcome.err and "keccakc512/guest: expected C or assembly beside api.h" in outcome.err
    )
    assert len(answer(outcome)["contenders"]) == 1


FILES = ("cipher.c", "cipher_keys.c")
CALLED = {
    "call": "cipher_encrypt(round_keys, in, out)",
    "setup": "cipher_init(round_keys[sizeof(struct cipher)], key)",
}


def test_calls_are_described_by_options_or_in_a_file(tightfit, tmp_path):
    for name in (*FILES, "cipher.h"):
        shutil.copy(guests.DATA / name, tmp_path / name)
    options = [word for name, calls in CALLED.items() for word in (f"--{name}", calls)]
    sources = [tmp_path / name for name in FILES]
    outcome = tightfit(
        "measure", *sources, *PRESENT, *options, "--header", "cipher.h", "--level=-Os", "--json"
    )
    contenders = answer(outcome)["contenders"]
    assert [each["operation"] for each in contenders] == ["encrypt", "encrypt-next"]
    assert {each["interface"] for each in contenders} == {f"setup: {CALLED['setup']}; {CALLED['call']}"}
    assert contenders[0]["name"] == f"{tmp_path.name}/cipher.c cipher_keys.c"
    os.mkfifo(tmp_path / "pipe.s")
    described = tmp_path / "cipher.yaml"
    lines = [f"sources: [{', '.join(FILES)}]", "primitive: present-80", "headers: [cipher.h]"]
    lines += [f"{name}: {calls}" for name, calls in CALLED.items()]
    described.write_text("\n".join(lines))
    again = tightfit("measure", described, "--target", "avr", "--level=-Os", "--json")
    assert answer(again)["contenders"] == contenders
    questions = {
        (described, *PRESENT): "cipher.yaml: says what is measured; expected no --primitive beside it",
        (described, sources[0], *PRESENT): "cipher.yaml: expected it alone, or files of one routine",
        (*sources, *PRESENT, "--setup", "f(key)"): "--setup and --decrypt: expected --call beside them",
        (*sources, *PRESENT, *options, "--name", "x"): "--name goes with one pointer",
        (*sources, *sources, *options): "cipher.c: expected each file once",
        (tmp_path / "pipe.s",): "pipe.s: expected a file of C or assembly, found none",
        (tmp_path, *PRESENT, *options): "--call, --interface and --header go with files",
    }
    for words, reason in questions.items():
        outcome = tightfit("measure", *(words if "--target" in words else (*words, *PRESENT)))
        assert outcome.status == 2 and reason in outcome.err, words
    shown = tightfit("show", contenders[0]["id"]).out
    assert f"cipher.c cipher_keys.c: {contenders[0]['interface']}" in shown
    described.write_text("sources: [none.c]\nprimitive: present-80\n")
    outcome = tightfit("measure", described, "--target", "avr")
    assert outcome.status == 2 and outcome.err.endswith("cipher.yaml: sources: none.c: no such file\n")


def test_a_rejected_routine_of_the_same_name_overwrites_nothing(tightfit, tmp_path):
    ids = []
    for tree, after in (("right", ""), ("wrong", "block->text[0]++")):
        folder = tmp_path / tree / "guest"
        folder.mkdir(parents=True)
        outcome = tightfit("measure", guests.present(folder, after=after), *PRESENT, "--level=-Os", "--json")
        found = answer(outcome)
        ids += [each["id"] for each in (*found["contenders"], *found["rejected"])]
        assert {each["name"] for each in (*found["contenders"], *found["rejected"])} == {"guest/present.c"}
    assert len(set(ids)) == 2
    with Store.open() as store:
        assert {
            kept.id: kept.rejected is None for kept in store.contenders(origin="external", rejected=True)
        } == {
            ids[0]: True,
            ids[1]: False,
        }


def test_flags_that_assembly_does_not_heed_are_told(tightfit, tmp_path):
    source = tmp_path / "inner.s"
    source.write_text(f"        .equ    inner_work, {AROUND['avr'].work}\n{correct('avr')}")
    outcome = tightfit("measure", source, *PRESENT, "--level=-O3", "--cc", "-Os -DX=1")
    assert outcome.status == 0
    assert outcome.err.startswith("left out, assembly is not compiled: -O3 -Os -DX=1\n")


def test_the_wrong_question_is_one_line(tightfit, tmp_path):
    guests.implementation(tmp_path / "other", "blake256", "sha-256")
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("")
    questions = {
        ("nowhere.c", *PRESENT): "nowhere.c: no such file or folder",
        (guests.PRESENT, "--target", "avr"): "what does it compute? say --primitive",
        (
            guests.PRESENT,
            "--target",
            "avr",
            "--primitive",
            "presnet",
        ): "no primitive 'presnet'; the nearest: present-80",
        (guests.PRESENT, "--target", "pic", "--primitive", "present-80"): "no target 'pic'",
        (
            guests.PRESENT,
            *PRESENT,
            "--operation",
            "encrypt+decrypt",
        ): "expected NAME_encrypt and NAME_decrypt",
        (guests.PRESENT, *PRESENT, "--name", "host"): "expected host_encrypt, found guest_encrypt",
        (guests.PRESENT, *PRESENT, "--cc", "-Os -o x"): "flag '-o'",
        (guests.PRESENT, *PRESENT, "--cc", "'"): "--cc: No closing quotation",
        (
            tmp_path / "text.txt",
            *PRESENT,
        ): "expected a file that ends in .c, .cpp, .cc, .cxx, .s, .S, .sx or .asm",
        (tmp_path / "empty", "--target", "avr"): "expected SUPERCOP's layout",
        (tmp_path / "other", "--target", "avr"): "crypto_hash/blake256 is no primitive of tightfit; it knows",
        (tmp_path / "other", "--target", "avr", "--primitive", "sha-256"): "no implementation of sha-256",
        (
            tmp_path / "other",
            "--target",
            "avr",
            "--name",
            "x",
        ): "--operation and --name go with a single file",
    }
    for words, reason in questions.items():
        outcome = tightfit("measure", *words)
        assert outcome.status == 2, words
        assert reason in outcome.err.removeprefix("measure present.c\n").partition("\n")[0]


def test_a_tree_of_which_nothing_can_be_measured_is_told(tightfit, tmp_path):
    for name, primitive in (("sha256", "sha-256"), ("keccakc512", "keccak-256")):
        (guests.implementation(tmp_path, name, primitive) / "hash.c").unlink()
    outcome = tightfit("measure", tmp_path, "--target", "avr", "--level=-Os")
    assert outcome.status == 2 and outcome.out == ""
    assert (
        outcome.err.splitlines()[-1] == f"tightfit: {tmp_path}: none of its implementations can be measured"
    )


def test_a_missing_compiler_is_told(tightfit, no_tools):
    outcome = tightfit("measure", guests.PRESENT, *PRESENT)
    assert outcome.status == 1
    assert outcome.err == "tightfit: avr-gcc is missing; `tightfit setup --compilers avr` gets it\n"


def test_it_stands_beside_ours_and_changes_no_answer(tightfit, tmp_path):
    """A guest faster than all our variants, here with a single cycle, is shown but never the answer."""
    ask = ("ask", "aes-128", "encrypt", "--target", "rl78", "--rom", "2KB", "--ram", "512B", "--json")
    before = tightfit(*ask)
    assert "external" not in tightfit(*ask[:-1]).out
    source = tmp_path / "inner.s"
    source.write_text(f"        .equ    inner_work, 26\n{routines.CORRECT}")
    measured = tightfit("measure", source, "--target", "rl78", "--primitive", "aes-128", "--json")
    (guest,) = answer(measured)["contenders"]
    with Store.open() as store:
        (kept,) = store.contenders(origin="external")
        timing = replace(kept.cost.by_entry["encrypt"], total=kept.cost.by_entry["encrypt"].inputs)
        fast = replace(kept, cost=replace(kept.cost, by_entry={"encrypt": timing}))
        assert fast.id == guest["id"] and fast.cost.cycles == 1
        store.add_contender(fast)
    shown = tightfit("table", "--target", "rl78", "--format", "md")
    (row,) = (line for line in shown.out.splitlines() if guest["id"] in line)
    assert "external" in row and f"{guest['cost']['rom']}" in row
    assert json.loads(tightfit(*ask).out)["variant"] == json.loads(before.out)["variant"]
    line = " ".join(tightfit(*ask[:-1]).out.partition("  external ")[2].split())
    rom, ram = guest["cost"]["rom"], guest["cost"]["ram"]
    assert f"/inner.s reaches 1 cycles with {rom:,} B of ROM, {ram} B of RAM: rl78-elf-as" in line
    assert f"{guest['id']} is no variant of ours" in tightfit("replay", guest["id"]).err


def test_a_core_whose_clocks_are_not_verified_is_told(tightfit, tmp_path):
    source = tmp_path / "inner.s"
    source.write_text(f"        .equ    inner_work, {AROUND['msp430'].work}\n{correct('msp430')}")
    asked = ("--target", "msp430", "--part", "MSP430FG4618", "--primitive", "present-80")
    assert "the timing of core msp430x is not verified" in tightfit("measure", source, *asked).out
