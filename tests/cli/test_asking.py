"""`ask` as people ask it: names in any spelling or left out, filters, what would fit where nothing does."""

import json

import pytest

from tightfit.generator import generated_targets
from tightfit.names import meant, nearest, spelled
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.schemas import validator

pytestmark = pytest.mark.usefixtures("no_tools")
BUDGET = ("--rom", "1KB", "--ram", "128B")


@pytest.fixture
def ask(tightfit):
    def asked(*words, schema="ask-all"):
        outcome = tightfit("ask", *words, "--json")
        assert (outcome.status, outcome.err) == (0, "")
        data = json.loads(outcome.out)
        validator(schema).validate(data)
        return data

    return asked


def subjects(reply):
    return {(one["primitive"], one["operation"], one["target"]) for one in reply["answers"]}


def test_nothing_said_is_everything(ask, tightfit):
    reply = ask(*BUDGET)
    every = {
        (name, load_primitive(name).first_operation, target)
        for name in primitive_ids()
        for target in generated_targets()
    }
    assert subjects(reply) == every
    kinds = [one["kind"] for one in reply["answers"]]
    assert kinds == sorted(kinds) and len(set(kinds)) == 5
    text = tightfit("ask", *BUDGET, "--all").out
    assert text.startswith("1,024 B of ROM and 128 B of RAM\n\naead, seal\n")
    assert "\nblock-cipher, encrypt\n" in text and "\nhash\n" in text


def test_the_headline_is_the_best_of_each_kind(ask, tightfit):
    """A line for each kind and target, with how many fit; what `--all` has is what it is about."""
    text = tightfit("ask", *BUDGET).out
    assert max(map(len, text.splitlines())) <= 100 and len(text.splitlines()) < 50
    rows = [line.split() for line in text.splitlines() if line.startswith(" ")][2:]
    answers = ask(*BUDGET)["answers"]
    assert len(rows) == len({(one["kind"], one["target"]) for one in answers})
    fitting = [one for one in answers if one["cost"]]
    shown = [row for row in rows if "aes-128" in row]
    assert [one["primitive"] for one in fitting] == ["aes-128"] and len(shown) == 1
    cost = fitting[0]["cost"]
    assert shown[0] == ["rl78", "aes-128", "187.5", str(cost["rom"]), str(cost["ram"]), "1/1"]
    assert "--all: every primitive" in text
    free = tightfit("ask").out
    assert "ROM-min" not in free and "any ROM and any RAM" in free


def test_few_answers_stand_one_by_one(tightfit):
    text = tightfit("ask", "aes128", "rl78", *BUDGET).out
    assert "block-cipher, encrypt+decrypt on rl78" in text and "--all" not in text


@pytest.mark.parametrize(
    "words",
    [
        ("aes128", "encrypt", "RL78"),
        ("rl78", "AES128", "encrypt"),
        ("Aes 128", "encrypt", "--part", "r5f100xe"),
        ("AES-128", "encrypt", "R5F100xE"),
    ],
)
def test_names_in_any_spelling_and_order(ask, words):
    reply = ask(*words, *BUDGET, schema="ask")
    assert (reply["primitive"], reply["operation"], reply["part"]) == ("aes-128", "encrypt", "R5F100xE")
    assert reply["cost"]["cycles"] == 3000
    assert (reply["key_bits"], reply["block_bits"], reply["security_bits"]) == (128, 128, 128)


def _of(**facts):
    """The primitives with such facts."""
    every = map(load_primitive, primitive_ids())
    return [one.id for one in every if all(getattr(one, name) == fact for name, fact in facts.items())]


@pytest.mark.parametrize(
    "words, expected",
    [
        (("present",), {("present-80", operation) for operation in load_primitive("present-80").operations}),
        (("sha3",), {("sha3-256", "hash"), ("sha3-512", "hash")}),
        (("hashes", "--security", "250"), {(name, "hash") for name in _of(digest_bytes=64)}),
        (
            ("--kind", "block cipher", "--key-bits", "80"),
            {("present-80", operation) for operation in ("encrypt",)},
        ),
        (
            ("encrypt-decrypt", "--block-bits", "128"),
            {(name, "encrypt+decrypt") for name in _of(kind="block-cipher", block_bytes=16)},
        ),
    ],
)
def test_what_words_and_filters_leave(ask, words, expected):
    reply = ask("rl78", *words)
    assert {(one["primitive"], one["operation"]) for one in reply["answers"]} >= expected
    assert {one["primitive"] for one in reply["answers"]} == {name for name, _ in expected}
    assert {one["target"] for one in reply["answers"]} == {"rl78"}


def test_what_would_fit_where_nothing_does(ask, tightfit):
    reply = ask("aes128", "encrypt", "rl78", "--rom", "100", "--ram", "80", schema="ask")
    assert reply["status"] == "impossible"
    assert [(one["cost"]["rom"], one["cost"]["ram"]) for one in reply["least"]] == [(200, 58 + 8)]
    both = ask("aes128", "encrypt", "rl78", "--rom", "100", "--ram", "20", schema="ask")
    assert [one["cost"]["rom"] for one in both["least"]] == [200]
    text = tightfit("ask", "aes128", "encrypt", "rl78", "--rom", "100", "--ram", "20").out
    assert "least      200 B of ROM with 66 B of RAM would fit: 9,000 cycles" in text


def test_a_primitive_without_templates_says_so(tightfit, monkeypatch):
    monkeypatch.setattr("tightfit.reports.ranking.has_templates", lambda *names: False)
    said = tightfit("ask", "aes128", "R5F104xC").out
    assert "There are no templates of aes-128 on rl78; `tightfit measure` takes C." in said


def test_a_class_without_cells_says_how_to_fill_them(tightfit):
    said = tightfit("ask", "aes128", "R5F104xC").out
    assert said.count("?\n") >= 3
    assert (
        "Nothing is known of aes-128 there: `tightfit fill aes-128 --target rl78 --part R5F104xE` searches."
        in said
    )


def test_reentrant(ask):
    reply = ask("aes128", "encrypt", "rl78", *BUDGET, "--reentrant", schema="ask")
    assert (reply["cost"]["cycles"], reply["variant"]["reentrant"]) == (5000, True)
    assert not reply["certificate"]["proved"]  # a faster one that is not kept may be re-entrant
    same = ask("aes128", "encrypt", "rl78", "--rom", "512", "--ram", "128", "--reentrant", schema="ask")
    assert (same["cost"]["cycles"], same["certificate"]["proved"]) == (5000, True)


def test_whole_messages(ask, tightfit):
    reply = ask("aes128", "encrypt", "rl78", *BUDGET, "--message", "33", schema="ask")
    assert reply["cost"]["cycles"] == 3 * 3000
    assert (reply["certificate"]["proved"], reply["certificate"]["bound"]) == (True, 9000)
    pair = ask("aes128", "encrypt+decrypt", "rl78", *BUDGET, "--message", "33", schema="ask")
    assert not pair["certificate"]["proved"]  # the fastest pair need not be the one that encrypts fastest
    ranked = ask("--kind", "block-cipher", "rl78", *BUDGET, "--message", "33")["answers"][0]
    assert ranked["cycles_per_byte"] == pytest.approx(9000 / 33)
    assert "a message of 33 B" in tightfit("ask", "aes128", "encrypt", "rl78", "--message", "33").out


def test_a_clock_adds_milliseconds(ask, tightfit):
    reply = ask("aes128", "encrypt", "rl78", *BUDGET, "--clock", "8 MHz", schema="ask")
    assert (reply["milliseconds"], reply["certificate"]["proved"]) == (0.375, True)
    assert (
        "time       0.375 ms at 8 MHz"
        in tightfit("ask", "aes128", "encrypt", "rl78", *BUDGET, "--clock", "8MHz").out
    )
    assert "  0.375  " in tightfit("ask", "aes128", "rl78", *BUDGET, "--clock", "8MHz").out


def test_a_deadline(ask):
    words = ("aes128", "encrypt", "rl78", "--clock", "1MHz")
    least = ask(*words, "--rom", "ROM-min", "--under", "5ms", schema="ask")
    assert least["cost"]["rom"] == 900  # that of 400 B takes 5,007 cycles at its slowest
    late = ask(*words, *BUDGET, "--under", "2.9ms", schema="ask")
    assert (late["status"], late["certificate"]["proved"]) == ("impossible", True)
    assert [one["cost"]["cycles"] for one in late["least"]] == [2500, 2000]  # with more ROM, with more RAM
    never = ask(*words, "--under", "1ms", schema="ask")
    assert [one["cost"]["cycles"] for one in never["least"]] == [2000]
    open_ = ask(*words, "--rom", "899", "--ram", "100", "--under", "2.9ms", schema="ask")
    assert open_["status"] == "unexplored"


def test_the_interface_of_a_toolchain(ask, tightfit):
    """RL78's shim adds to ROM, RAM and cycles; without tools only what ships with figures is counted so."""
    reply = ask("aes128", "encrypt", "rl78", "--toolchain", "gnu", schema="ask")
    assert reply["status"] == "unexplored"
    same = ask("aes128", "encrypt", "rl78", *BUDGET, "--toolchain", "ccrl", schema="ask")
    assert (same["cost"]["cycles"], same["certificate"]["proved"]) == (3000, True)


def test_meant_names():
    choices = ["aes-128", "sha-256", "sha3-256", "sha3-512", "block-cipher"]
    assert meant("SHA 256", choices) == ["sha-256"]
    assert meant("sha3", choices) == ["sha3-256", "sha3-512"]
    hashes = ["sha-384", "sha3-256", "blake-256", "blake2s-256"]
    assert (meant("sha3", hashes), meant("blake2", hashes)) == (["sha3-256"], ["blake2s-256"])
    assert meant("sha38", hashes) == ["sha-384"]
    assert meant("block ciphers", choices) == ["block-cipher"]
    assert (spelled("aes", choices), spelled("sha3", choices)) == ("aes-128", "sha3")
    assert nearest("aes-127", choices)[0] == "aes-128"
    assert meant("", choices) == meant("-", choices) == []
