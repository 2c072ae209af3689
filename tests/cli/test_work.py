"""`fill`, `verify`, `replay`, `show` with its listing, `run`: with the toolchain, on a few variants."""

import json
import re
import subprocess
from dataclasses import replace

import pytest

from tests.harness.samples import measurement
from tightfit.generator import load_space
from tightfit.harness import montecarlo
from tightfit.harness.pool import Pool
from tightfit.harness.portfolio import beside
from tightfit.harness.store import Store
from tightfit.schemas import validator
from tightfit.targets.toolchain import tool

ON = ("--target", "rl78")
BUDGETS = "rom: [ROM-min, 2KB, Fast]\nram: [64B, 512B]\n"


@pytest.fixture
def tightfit_alone(tightfit, no_compiler, monkeypatch, tmp_path):
    """The commands with an empty portfolio, and no compiler."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "nothing"))
    return tightfit


@pytest.fixture
def filled(tightfit_alone, small_space, tmp_path):
    """The commands with the small space filled."""
    (tmp_path / "budgets.yaml").write_text(BUDGETS)
    options = ("--operation", "encrypt", "--budgets", tmp_path / "budgets.yaml", "--workers", "1")
    fill = ("fill", "aes-128", *ON, *options, "--json")
    first = tightfit_alone(*fill)
    assert first.status == 0, first.err
    return tightfit_alone, fill, json.loads(first.out)


def test_fill_answers_every_budget_and_resumes(filled, small_space, tmp_path):
    tightfit, fill, first = filled
    validator("fill").validate(first)
    assert len(first[0]["cells"]) == 4 * 6  # in constant time, without register banks, at any address as well
    assert first[0]["measured"] > small_space.count("encrypt")  # all, and the winners in full
    again = json.loads(tightfit(*fill, "--portfolio", tmp_path / "written").out.partition("\nwrote")[0])
    assert (again[0]["searched"], again[0]["measured"]) == (False, 0)
    assert again[0]["cells"] == first[0]["cells"]
    anew = json.loads(tightfit(*fill, "--anew").out)
    assert (anew[0]["searched"], anew[0]["measured"], anew[0]["cells"]) == (True, 0, first[0]["cells"])
    assert (tmp_path / "written" / "rl78" / "aes-128.json").is_file()
    with Store.open() as store:
        assert {measurement.provenance["gate"] for measurement in store.measurements()} == {
            "search",
            "full",
        } or len(store.measurements()) == len({cell["variant"] for cell in first[0]["cells"]})


def test_fill_says_why_there_are_no_new_baselines(filled):
    tightfit, fill, first = filled
    assert first[0]["baselines"]["missing"] == "no compiler"
    line = "C baselines on rl78 not measured, the shipped ones stay: no compiler"
    assert line in tightfit(*fill[:-1]).out.splitlines()


def test_fill_says_what_was_rejected_and_why(filled, small_space, monkeypatch):
    tightfit, fill, first = filled
    assert first[0]["rejected"] == 0

    def refused(pool, variants):
        return [
            measurement(variant, rejected=f"stray write: {number}h")
            for number, variant in enumerate(variants)
        ]

    monkeypatch.setattr(Pool, "measure", refused)
    outcome = tightfit(*fill[:-1], "--anew")
    count = small_space.count("encrypt")
    assert f"\n  {count} rejected; 1 of them: stray write: 0h\n" in outcome.out
    again = json.loads(tightfit(*fill, "--anew").out)
    assert {cell["status"] for cell in again[0]["cells"]} == {"impossible"}


def test_progress_is_plain_where_there_is_no_terminal(filled):
    tightfit, fill, _ = filled
    outcome = tightfit(*fill, "--anew")
    assert "aes-128 encrypt on rl78 (R5F100xE)" in outcome.err
    assert "winners through the full gate" in outcome.err
    assert "\x1b" not in outcome.err


def test_a_winner_that_fails_the_full_gate_is_searched_past(filled, small_space, tmp_path, monkeypatch):
    tightfit, fill, first = filled
    winners = {cell["variant"] for cell in first[0]["cells"]}
    fast = next(cell["variant"] for cell in first[0]["cells"] if cell["budget"] == "Fast/512B")
    real = Pool.measure

    def failing(pool, variants):
        measured = real(pool, variants)
        if pool.gate != "full":
            return measured
        bad = replace(measured[0], cost=None, rejected="wrong answer: iterated") if measured else None
        return [bad if measurement.variant.id == fast and bad else measurement for measurement in measured]

    monkeypatch.setattr(Pool, "measure", failing)
    second = json.loads(tightfit(*fill, "--anew").out)
    assert fast in winners
    assert fast not in {cell["variant"] for cell in second[0]["cells"]}


def test_verify_runs_every_winner_against_a_file(filled, tmp_path):
    tightfit, _, first = filled
    vectors = load_space("rl78", "aes-128").folder.parents[2] / "primitives" / "aes-128" / "vectors.json"
    outcome = tightfit("verify", "aes-128", *ON, "--vectors", vectors, "--json")
    data = json.loads(outcome.out)
    validator("verify").validate(data)
    assert (outcome.status, all(winner["passed"] for winner in data["winners"])) == (0, True)
    assert {winner["variant"] for winner in data["winners"]} == {
        cell["variant"] for cell in first[0]["cells"]
    } - {None}
    wrong = json.loads(vectors.read_text())
    wrong["vectors"][0]["ciphertext"] = "00" * 16
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    failed = tightfit("verify", "aes-128", *ON, "--vectors", tmp_path / "wrong.json")
    assert failed.status == 1
    assert "wrong answer: encrypt" in failed.out
    assert "winners fail, the first: wrong answer: encrypt" in failed.err


def test_verify_runs_every_winner_on_its_own_answers(filled, monkeypatch):
    tightfit, _, _ = filled
    monkeypatch.setattr(montecarlo, "_CIPHER_CALLS", 20)
    outcome = tightfit("verify", "aes-128", *ON, "--monte-carlo", "--groups", "1-3", "--json")
    data = json.loads(outcome.out)
    validator("verify").validate(data)
    assert (outcome.status, all(winner["passed"] for winner in data["winners"])) == (0, True)
    chains = [chain for winner in data["winners"] for chain in winner["chains"]]
    assert {(chain["function"], chain["answers"]) for chain in chains} == {("encrypt", 60)}
    shown = tightfit("verify", "aes-128", *ON, "--monte-carlo", "--groups", "2")
    assert f"{40 * len(data['winners']):,} right answers" in shown.out


def test_verify_says_which_winner_is_wrong_in_a_chain(filled, monkeypatch):
    tightfit, _, _ = filled
    monkeypatch.setattr(montecarlo, "_CIPHER_CALLS", 20)
    run = montecarlo.run
    monkeypatch.setattr(montecarlo, "run", lambda *given: run(*given[:3], _with_zeros(given[3]), *given[4:]))
    outcome = tightfit("verify", "aes-128", *ON, "--monte-carlo", "--groups", "2")
    assert outcome.status == 1
    assert "fail, the first: wrong answer: encrypt, group 0 of 20 calls: expected 0000" in outcome.err


REQUEST = "# AESVS VarTxt test data for ECB\n\n[ENCRYPT]\n\nCOUNT = 0\nKEY = {key}\nPLAINTEXT = {text}\n"


def test_verify_answers_a_request_of_nist(filled, tmp_path):
    tightfit, _, _ = filled
    request, response = tmp_path / "asked.req", tmp_path / "answered.rsp"
    request.write_text(REQUEST.format(key="00" * 16, text="80" + "00" * 15))
    outcome = tightfit("verify", "aes-128", *ON, "--nist", request, "--write-rsp", response)
    assert (outcome.status, response.read_text()) == (
        0,
        request.read_text() + "CIPHERTEXT = 3ad78e726c1ec02b7ebfe92b23d9ec34\n",
    )
    assert "1 of files" in outcome.out
    again = tightfit("verify", "aes-128", *ON, "--nist", response, "--write-rsp", response)
    assert (again.status, "has its answers already" in again.err) == (2, True)
    response.write_text(response.read_text().replace("3ad7", "3ad8"))
    assert tightfit("verify", "aes-128", *ON, "--nist", response).status == 1


def _with_zeros(test):
    """The test with answers that no routine gives."""
    return replace(test, expected=(bytes(16),) * test.groups)


def test_verify_without_a_winner(tightfit_alone):
    outcome = tightfit_alone("verify", "aes-128", *ON)
    assert outcome.status == 1
    assert "no winner to check" in outcome.out
    assert outcome.err.endswith("no winner of aes-128 to check; `tightfit fill aes-128` finds some\n")


def test_export_is_measured_with_its_shim_and_kept_within_the_budget(filled, tmp_path):
    tightfit, _, _ = filled
    export = ("export", "aes-128", "encrypt", *ON, "--to", tmp_path / "out", "--json")
    roomy = json.loads(tightfit(*export, "--rom", "8KB").out)
    validator("export").validate(roomy)
    assert roomy["fits"] and roomy["cost"]["cycles"] > roomy["portfolio_cost"]["cycles"]
    exact = ("--rom", roomy["portfolio_cost"]["rom"], "--ram", roomy["portfolio_cost"]["ram"])
    outcome = tightfit(*export, *exact)
    if outcome.status == 0:
        tight = json.loads(outcome.out)
        assert tight["fits"] and tight["cost"]["rom"] <= roomy["portfolio_cost"]["rom"]
    else:
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (1, "", 1)


def test_replay_finds_every_figure_as_before(filled):
    tightfit, _, first = filled
    winner = first[0]["cells"][0]["variant"]
    outcome = tightfit("replay", winner, "--json")
    data = json.loads(outcome.out)
    validator("replay").validate(data)
    assert (outcome.status, data["same"], data["moved"]) == (0, True, [])


@pytest.mark.dear("a fill, and three replays of it")
def test_replay_of_the_portfolio(filled, monkeypatch, tmp_path):
    tightfit, fill, _ = filled
    folder = tmp_path / "written"
    tightfit(*fill, "--portfolio", folder)
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(folder))
    outcome = tightfit("replay", "--all", "--json")
    data = json.loads(outcome.out)
    validator("replay-all").validate(data)
    assert outcome.status == 0 and data["replayed"] > 0 and data["moved"] == []
    alone = tightfit("replay", "--all", "--workers", "1", "--json")
    assert alone.out == outcome.out and "replay of aes-128 on rl78" in alone.err

    file = beside(folder / "rl78" / "aes-128.json")
    first_line = next(line for line in file.read_text().splitlines() if '"cost"' in line)
    moved = json.loads(first_line)
    moved["cost"]["rom"] += 1
    file.write_text(file.read_text().replace(first_line, json.dumps(moved)))
    outcome = tightfit("replay", "--all")
    assert outcome.status == 1
    assert "1 moved" in outcome.out and "cost.rom" in outcome.out
    assert re.search(r"^1 of \d+ measurements moved, that of variant \w+ first$", outcome.err, re.MULTILINE)


def test_replay_says_what_moved(filled):
    tightfit, _, first = filled
    winner = first[0]["cells"][0]["variant"]
    with Store.open() as store:
        then = store.by_id(winner)
        store.add(replace(then, cost=replace(then.cost, rom=then.cost.rom + 1)))
    outcome = tightfit("replay", winner)
    assert outcome.status == 1
    assert "cost.rom" in outcome.out
    assert outcome.err == f"1 of 1 measurements moved, that of variant {winner} first\n"


def test_the_listing_holds_every_byte_of_code_and_every_cycle(filled):
    tightfit, _, first = filled
    winner = first[0]["cells"][0]["variant"]
    outcome = tightfit("show", winner, "--json")
    data = json.loads(outcome.out)
    validator("show").validate(data)
    assert outcome.err == ""
    listed = sum(line["cycles"].get("encrypt", 0) for line in data["listing"])
    timing = data["timing"]["encrypt"]
    call = 3  # the caller's own instruction
    assert timing["minimum"] <= listed + call <= timing["maximum"]
    code = sum(line["bytes"] for line in data["listing"])
    assert 0 < code <= data["cost"]["rom"]
    assert sum(fragment["rom"] for fragment in data["fragments"]) == data["cost"]["rom"]
    assert "listing: bytes, and cycles of one call" in tightfit("show", winner).out


PROGRAM = """
        .text
        .global _start
_start:
        mov     b, #3
        call    !!_work
.Lend:  br      $.Lend
        .global _work
        .type   _work, @function
_work:  dec     b
        bnz     $_work
        ret
        .size   _work, . - _work
"""


def test_run_counts_a_firmware_image(tightfit, tmp_path):
    source, obj, image = (tmp_path / name for name in ("a.s", "a.o", "a.elf"))
    source.write_text(PROGRAM)
    subprocess.run([tool("rl78", "as"), "-o", obj, source], check=True)
    subprocess.run([tool("rl78", "ld"), "-Ttext=0x100", "-o", image, obj], check=True, capture_output=True)
    outcome = tightfit("run", image, *ON, "--profile", "--json")
    data = json.loads(outcome.out)
    validator("run").validate(data)
    assert (outcome.status, data["ended"]) == (0, True)
    work = next(function for function in data["functions"] if function["name"] == "_work")
    assert (work["calls"], work["instructions"], work["cycles"]) == (1, 7, 3 + 2 * 4 + 2 + 6)
    assert data["cycles"] == sum(data["cycles_parts"].values())
    assert "_work" in tightfit("run", image, *ON, "--profile").out
    given_up = tightfit("run", image, *ON, "--limit", "5")
    assert given_up.status == 1 and "cycle limit" in given_up.err


def test_doctor_names_what_is_there(tightfit):
    outcome = tightfit("doctor", "--json")
    data = json.loads(outcome.out)
    validator("doctor").validate(data)
    checks = {check["name"]: check for check in data["checks"]}
    assert checks["rl78 as"]["ok"]
    assert outcome.status == (0 if all(check["ok"] or not check["needed"] for check in data["checks"]) else 1)


def test_doctor_names_the_command_that_gets_what_is_missing(tightfit, no_tools):
    outcome = tightfit("doctor")
    assert outcome.status == 1
    assert "rl78-elf-as is missing" in outcome.out and "tightfit setup rl78" in outcome.out
