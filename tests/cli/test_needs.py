"""`ask --need`: several primitives under one budget, from the fixture portfolio."""

import json

import pytest

from tightfit.schemas import validator

pytestmark = pytest.mark.usefixtures("no_tools")
BOTH = ("--need", "aes-128:encrypt", "--need", "aes-128:encrypt+decrypt", "--target", "rl78")


@pytest.fixture
def ask(tightfit):
    def run(*options):
        outcome = tightfit("ask", *BOTH, *options, "--json")
        assert (outcome.status, outcome.err) == (0, "")
        data = json.loads(outcome.out)
        validator("ask-need").validate(data)
        return data

    return run


def sizes(split):
    return [(choice["operation"], choice["cost"]["rom"]) for choice in split["chosen"]]


def test_the_weight_decides_who_gets_the_rom(ask):
    even = ask("--rom", "2300", "--ram", "512B")
    assert sizes(even["split"]) == [("encrypt", 400), ("encrypt+decrypt", 1900)]
    assert even["split"]["time"] == 5000 + 3800 + 6000
    often = ask("--rom", "2300", "--ram", "512B", "--weight", "aes-128:encrypt=10")
    assert sizes(often["split"]) == [("encrypt", 950), ("encrypt+decrypt", 700)]
    assert often["split"]["time"] == 10 * 2000 + 7000 + 9000


def test_ram_is_static_data_and_the_largest_work_area_or_the_sum(ask):
    reply = ask("--rom", "1100", "--ram", "128B")
    assert (reply["ram_rule"], reply["split"]["ram"]) == ("largest", 66)
    summed = ask("--rom", "1100", "--ram", "140B", "--sum-ram")
    assert (summed["ram_rule"], summed["split"]["ram"]) == ("sum", 132)
    assert ask("--rom", "1100", "--ram", "128B", "--sum-ram")["status"] == "impossible"


def test_what_the_next_bytes_buy(ask):
    reply = ask("--rom", "900", "--ram", "128B")
    assert (reply["split"]["rom"], reply["split"]["time"]) == (900, 25000)
    (rom, ram) = reply["next"]
    assert (rom["bound"], rom["bytes"], sizes(rom["split"])) == (
        "rom",
        256,
        [("encrypt", 400), ("encrypt+decrypt", 700)],
    )
    assert (ram["bound"], ram["split"]) == ("ram", None)


def test_impossible_says_what_the_least_is(ask):
    reply = ask("--rom", "512B", "--ram", "128B")
    assert (reply["status"], reply["split"]) == ("impossible", None)
    assert reply["least"] == {"rom": 900, "ram": None}


def test_the_text(tightfit):
    outcome = tightfit("ask", *BOTH, "--rom", "2300", "--ram", "512B", "--weight", "aes-128=2")
    assert outcome.status == 0
    assert "within 2,300 B of ROM and 512 B of RAM" in outcome.out
    assert "256 B more ROM: " in outcome.out
    assert "the least of 10 combinations of measured variants" in outcome.out
    none = tightfit("ask", *BOTH, "--rom", "200")
    assert "impossible: no combination of measured variants fits\n  least  900 B of ROM" in none.out


def test_a_weight_is_shown_as_it_is(tightfit):
    assert "  1/3  " in tightfit("ask", *BOTH, "--weight", "aes-128:encrypt=1/3").out
    assert "  1/4  " in tightfit("ask", *BOTH, "--weight", "aes-128:encrypt=0.25").out


def test_weights_far_apart_are_weighed_exactly(ask):
    often = ("--weight", "aes-128:encrypt=1000000000", "--weight", "aes-128:encrypt+decrypt=1/1000")
    reply = ask("--rom", "2300", "--ram", "512B", *often)
    assert sizes(reply["split"]) == [("encrypt", 950), ("encrypt+decrypt", 700)]


def test_constant_path_is_said(tightfit):
    outcome = tightfit("ask", *BOTH, "--constant-path")
    assert "within any ROM and any RAM, constant path only " in " ".join(outcome.out.split())
    none = tightfit("ask", "--need", "present-80:encrypt", "--target", "rl78", "--constant-path")
    assert "unexplored: nothing is known of present-80 encrypt, constant path only" in none.out


@pytest.mark.parametrize(
    "arguments, line",
    [
        (
            ("--need", "aes-128"),
            "--need aes-128: which operation? say one of aes-128:encrypt, aes-128:encrypt+dec",
        ),
        (("--need", "aes-128:hash"), "no operation 'hash' of primitive aes-128"),
        (("--need", "aes-129:encrypt"), "no primitive 'aes-129'; the nearest: aes-128"),
        (("--need", "aes-128:encrypt", "--need", "aes-128:encrypt"), "expected each need once"),
        (("--need", "aes-128:encrypt", "--weight", "aes"), "--weight aes: expected NEED=NUMBER"),
        (("--need", "aes-128:encrypt", "--weight", "aes-128=0"), "--weight aes-128=0: expected NEED=NUMBER"),
        (
            ("--need", "aes-128:encrypt", "--weight", "des=2"),
            "no need in --weight 'des'; there are: aes-128:encrypt",
        ),
        (
            (*BOTH[:4], "--weight", f"{BOTH[1]}=1000000000", "--weight", f"{BOTH[3]}=1/999983"),
            "weights 1000000000, 1/999983: too far apart to be added up exactly",
        ),
        (("aes-128", "encrypt", "--weight", "aes-128=2"), "--weight and --sum-ram go with --need"),
        (
            ("aes-128", "--need", "aes-128:encrypt"),
            "--need stands alone: expected no names beside it",
        ),
    ],
)
def test_a_wrong_question(tightfit, arguments, line):
    outcome = tightfit("ask", *arguments, "--target", "rl78")
    assert (outcome.status, outcome.out) == (2, "")
    assert line in outcome.err and outcome.err.count("\n") == 1
