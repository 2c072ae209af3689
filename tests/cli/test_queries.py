"""`list`, `ask`, `table`, `front`, `show`, `export`: answered from the portfolio, with no toolchain."""

import csv
import io
import json

import pytest

from tests.answers import targets
from tests.cli.fixture_portfolio import measurements
from tightfit.schemas import schema_names, validator

pytestmark = pytest.mark.usefixtures("no_tools")
ON = ("--target", "rl78")


def answer(outcome, schema):
    assert (outcome.status, outcome.err) == (0, "")
    data = json.loads(outcome.out)
    validator(schema).validate(data)
    return data


@pytest.fixture
def ask(tightfit):
    return lambda *options: answer(tightfit("ask", "aes-128", "encrypt", *ON, *options, "--json"), "ask")


def test_the_fastest_that_fits(ask):
    reply = ask("--rom", "1KB", "--ram", "128B")
    assert reply["status"] == "fits"
    assert (reply["cost"]["rom"], reply["cost"]["cycles"], reply["cost"]["waits_apart"]) == (900, 3000, 1)
    assert reply["cost"]["ram"] == sum(reply["cost"]["ram_parts"].values())
    assert reply["variant"]["id"] == measurements("encrypt")[2].variant.id
    assert reply["certificate"]["proved"] and reply["certificate"]["space"] == "1000"
    assert set(reply["limited_by"]) == {"rom", "ram"}
    assert {
        (offer["bound"], offer["budget"]["name"], offer["cost"]["cycles"]) for offer in reply["next"]
    } == {
        ("rom", "2KB/128B", 2500),
        ("ram", "1KB/512B", 2000),
    }


def test_satiated_names_the_smaller_budget(ask):
    reply = ask("--rom", "1KB", "--ram", "256B")
    assert (reply["status"], reply["satiated_by"]) == ("satiated", "1KB/128B")
    assert reply["cost"]["cycles"] == 3000


def test_a_part_is_answered_from_its_core_class(ask, tightfit):
    reply = ask("--part", "R5F100xA", "--rom", "1KB", "--ram", "128B")
    assert (reply["part"], reply["simulated_part"]) == ("R5F100xA", "R5F100xE")
    assert (reply["cost"]["cycles"], reply["certificate"]["proved"]) == (3000, True)
    said = tightfit("ask", "aes-128", "encrypt", *ON, "--part", "R5F100xA").out
    assert "on rl78 (R5F100xA, simulated on R5F100xE) within" in said


def test_a_class_without_cells_says_how_to_fill_them(tightfit):
    said = tightfit("ask", "aes-128", "encrypt", *ON, "--part", "R5F104xC")
    assert said.status == 0 and "on rl78 (R5F104xC, simulated on R5F104xE) within" in said.out
    assert "`tightfit fill aes-128 --target rl78 --part R5F104xE` searches" in " ".join(said.out.split())


def test_where_nothing_is_proved_better_may_exist(tightfit):
    said = tightfit("ask", "aes-128", "encrypt", *ON, "--rom", "899", "--ram", "100", "--constant-time").out
    command = "tightfit fill aes-128 --target rl78 --operation encrypt --rom 899 --ram 100 --constant-time"
    why = f"unexplored: nothing known fits, and nothing proves that nothing can; `{command}` searches"
    assert why in " ".join(said.split()) and f"`{command}`" in said
    said = " ".join(tightfit("ask", "aes-128", "encrypt", *ON, "--rom", "899", "--ram", "100").out.split())
    assert f"BETTER MAY EXIST: no search has closed this budget; `{command[:-16]}` does" in said
    said = tightfit("ask", "aes-128", "encrypt", *ON, "--rom", "1KB", "--ram", "128B").out
    assert "BETTER MAY EXIST" not in said


def test_every_part_shows_which_part_stands_for_it(tightfit):
    parts = answer(tightfit("list", "parts", "--json"), "list")["parts"]
    simulated = {part["part"]: part["simulated_part"] for part in parts}
    assert (simulated["ATmega328P"], simulated["ATtiny84"]) == ("ATmega1284P", "ATtiny85")


def test_impossible_is_an_answer(ask):
    reply = ask("--rom", "512B", "--ram", "40B")
    assert (reply["status"], reply["variant"], reply["cost"]) == ("impossible", None, None)
    assert reply["certificate"]["kind"] == "infeasible"
    assert reply["next"][0]["cost"]["cycles"] == 5000


def test_a_budget_that_nothing_proves_anything_about(ask):
    reply = ask("--rom", "250", "--ram", "70")
    assert (reply["status"], reply["cost"]["cycles"]) == ("fits", 9000)
    assert (reply["certificate"]["proved"], reply["certificate"]["kind"]) == (False, "none")
    assert ask("--rom", "100")["status"] == "unexplored"


def test_a_wider_cell_covers_a_budget_of_its_own(ask):
    reply = ask("--rom", "410", "--ram", "100")
    assert (reply["cost"]["cycles"], reply["certificate"]["proved"]) == (5000, True)


def test_the_least_rom(ask):
    reply = ask("--rom", "ROM-min", "--ram", "128B")
    assert (reply["budget"]["name"], reply["cost"]["rom"]) == ("ROM-min/128B", 200)


def test_constant_path_only(ask):
    reply = ask("--rom", "512B", "--ram", "128B", "--constant-path")
    assert (reply["cost"]["cycles"], reply["variant"]["constant_path"]) == (9000, True)
    assert not reply["certificate"]["proved"]


def test_the_text_of_an_answer(tightfit):
    outcome = tightfit("ask", "aes-128", "encrypt", *ON, "--rom", "1KB", "--ram", "128B")
    for words in (
        "3,000",
        "of which hazard 1",
        "900 B",
        "limit      ROM and RAM",
        "proved optimal",
        "2KB/128B",
    ):
        assert words in outcome.out
    impossible = tightfit("ask", "aes-128", "encrypt", *ON, "--rom", "512", "--ram", "20")
    assert impossible.status == 0 and "impossible: no variant" in impossible.out


def test_all_of_a_kind(tightfit):
    reply = answer(
        tightfit("ask", "--kind", "block-cipher", *ON, "--rom", "1KB", "--ram", "128B", "--json"), "ask-all"
    )
    ranked = [(entry["primitive"], entry["cycles_per_byte"]) for entry in reply["answers"]]
    assert ranked[0] == ("aes-128", 187.5)
    assert {figure for _, figure in ranked[1:]} == {None}  # the fixture knows nothing of the others
    assert "187.5" in tightfit("ask", "--kind", "block-cipher", *ON, "--rom", "1KB", "--ram", "128B").out


def test_the_table_as_json(tightfit):
    reply = answer(tightfit("table", *ON, "--primitive", "aes-128", "--json"), "table")
    cells = {(cell["operation"], cell["budget"]["name"]): cell for cell in reply["cells"]}
    assert cells["encrypt", "1KB/128B"]["status"] == "fits"
    assert cells["encrypt", "1KB/256B"]["status"] == "satiated"
    beaten = {
        (figure["operation"], figure["rom"], figure["ram"]): figure["beaten"] for figure in reply["published"]
    }
    assert beaten["encrypt", 486, 128] is True
    assert beaten["encrypt+decrypt", 970, 128] is True
    assert (
        beaten["encrypt+decrypt", 2048, 64] is None or cells["encrypt+decrypt", "2KB/64B"]["status"] != "fits"
    )
    assert beaten["encrypt", 192, None] is False


@pytest.mark.dear("the store is read whole")
def test_the_tables_of_all_targets(tightfit):
    reply = answer(tightfit("table", "--json"), "table")
    assert {cell["target"] for cell in reply["cells"]} == set(targets())
    heading = tightfit("table").out.partition("\n\n")[0]
    assert all(name in heading for name in targets())


def test_the_best_of_each_primitive(tightfit):
    reply = answer(tightfit("table", *ON, "--best-of", "speed", "--json"), "table-best-of")
    ((best,),) = ([target_list["best"] for target_list in reply["lists"]],)
    assert [(variant["primitive"], variant["cost"]["cycles"], variant["figure"]) for variant in best] == [
        ("aes-128", 2000, 125)
    ]
    assert best[0]["area"] == 950 + 4 * best[0]["cost"]["ram"]
    constant = answer(
        tightfit("table", *ON, "--best-of", "rom", "--constant-path", "--json"), "table-best-of"
    )
    assert constant["lists"][0]["best"][0]["cost"]["rom"] == 200
    assert "best by speed on rl78 (R5F100xE)" in tightfit("table", *ON, "--best-of", "speed").out


def test_lines_in_the_format_of_supercop(tightfit):
    lines = [line.split() for line in tightfit("table", *ON, "--format", "supercop").out.splitlines()]
    assert {tuple(line[1:6]) for line in lines} == {
        ("R5F100xE", "rl78", "-", "crypto_core", "aes128encrypt"),
        ("R5F100xE", "rl78", "-", "crypto_core", "aes128decrypt"),
    }
    fast = measurements("encrypt")[4].variant
    at = lines.index([*lines[0][:6], "implementation", f"crypto_core/aes128encrypt/{fast.id}", fast.template])
    told = {line[6]: [int(word) for word in line[7:]] for line in lines[at + 1 : at + 6]}
    ram = measurements("encrypt")[4].cost.ram
    assert told == {
        "outputbytes": [16],
        "keybytes": [16],
        "rombytes": [950],
        "rambytes": [ram],
        "cycles": [16, 2000],
    }
    wrong = tightfit("table", *ON, "--format", "supercop", "--curve")
    assert (wrong.status, wrong.out) == (2, "")


def test_the_ranking_over_targets(tightfit):
    reply = answer(
        tightfit("table", "--ranking", "speed", "--kind", "block-cipher", "--json"), "table-ranking"
    )
    assert reply["standings"] == [
        {"primitive": "aes-128", "kind": "block-cipher", "points": {"rl78": 3}, "sum": 3}
    ]
    assert "points by speed (cycles a byte)" in tightfit("table", "--ranking", "speed").out
    among = ("table", "--ranking", "sha3-finalists")
    assert len(answer(tightfit(*among, "--json"), "table-ranking")["standings"]) == 5
    assert "published" in tightfit(*among).out
    wrong = tightfit("table", "--ranking", "speed", "--curve")
    line = "tightfit: one of --curve, --best-of, --ranking and --measures at a time\n"
    assert (wrong.status, wrong.err) == (2, line)


def test_message_lengths_of_the_winners(tightfit):
    reply = answer(tightfit("table", *ON, "--primitive", "aes-128", "--curve", "--json"), "table-curve")
    fastest = next(winner for winner in reply["curves"] if "Fast/512B" in winner["budgets"])
    lengths, cycles = fastest["curve"]["lengths"], fastest["curve"]["cycles"]
    assert lengths == [0, 1, 8, 16, 40, 64, 512, 576, 1024, 1500, 1536, 2048]
    assert cycles == [2000 * -(-length // 16) for length in lengths]
    assert fastest["curve"]["slope"] == 125
    text = tightfit("table", *ON, "--curve").out
    assert "aes-128 encrypt on rl78 (R5F100xE): cycles by message length" in text
    assert any(line.endswith("125") and "256,000" in line for line in text.splitlines())


def test_a_pair_is_beaten_only_in_every_entry(tightfit):
    reply = answer(tightfit("table", *ON, "--json"), "table")
    pair = next(
        figure
        for figure in reply["published"]
        if figure["operation"] == "encrypt+decrypt" and figure["rom"] == 1024
    )
    assert (pair["by_entry"], pair["beaten"]) == ({"encrypt": 7339, "decrypt": 10636}, True)
    assert pair["ours"]["budget"]["below"] == pair["by_entry"]


@pytest.mark.parametrize(
    "form, words",
    [
        ("text", ("7,288 (486 B)", "of which hazard", "FSE 2013", "Counted: code and tables in ROM")),
        ("md", ("| 128B | ours |", "| fse2013 ROM-min |", "# tightfit portfolio")),
        ("html", ("<!doctype html>", "<td>128B</td>", "fse2013 ROM-min")),
        ("latex", (r"\begin{tabular}", "fse2013 ROM-min", r"\hline")),
    ],
)
def test_the_table_in_a_format(tightfit, form, words):
    outcome = tightfit("table", *ON, "--format", form, "--wide")
    assert (outcome.status, outcome.err) == (0, "")
    for word in words:
        assert word in (" ".join(outcome.out.split()) if " " in word else outcome.out)


def test_the_table_as_csv_is_one_row_a_cell(tightfit):
    rows = list(csv.DictReader(io.StringIO(tightfit("table", *ON, "--format", "csv").out)))
    row = next(row for row in rows if (row["operation"], row["budget"]) == ("encrypt", "1KB/128B"))
    assert (row["whose"], row["cycles"], row["rom"], row["proved"]) == ("ours", "3000", "900", "true")
    published = [row for row in rows if row["whose"] == "published"]
    assert any(row["cycles"] == "7288" and "FSE 2013" in row["source"] for row in published)


def test_the_front_and_what_shapes_it(tightfit):
    reply = answer(tightfit("front", "aes-128", "encrypt", *ON, "--json"), "front")
    figures = [
        (point["cost"]["rom"], point["cost"]["ram"], point["cost"]["cycles"]) for point in reply["front"]
    ]
    assert [rom for rom, _, _ in figures] == [200, 400, 900, 950, 1500]
    assert figures == sorted(figures)
    shown = tightfit("front", "aes-128", "encrypt", *ON)
    assert "knobs that shape it" in shown.out


def test_show_without_tools_says_so_and_shows_the_rest(tightfit):
    variant = measurements("encrypt")[2].variant
    outcome = tightfit("show", variant.id[:8], "--json")
    data = json.loads(outcome.out)
    validator("show").validate(data)
    assert outcome.status == 0
    assert (data["listing"], data["fragments"][0]["fragment"], data["fragments"][0]["rom"]) == (
        None,
        "body",
        900,
    )
    assert "no listing: rl78-elf-as is missing; `tightfit setup rl78` gets it" in outcome.err
    text = tightfit("show", variant.id)
    assert "3,000" in text.out and "body" in text.out and "wins 1KB/128B" in text.out


def test_export_without_tools_says_what_was_not_measured(tightfit, tmp_path):
    options = ("--rom", "1KB", "--ram", "128B", "--to", tmp_path / "out")
    outcome = tightfit("export", "aes-128", "encrypt", *ON, *options, "--json")
    data = json.loads(outcome.out)
    validator("export").validate(data)
    assert (outcome.status, data["cost"], data["fits"]) == (0, None, True)
    assert "not measured" in outcome.err
    assert "not measured when this was made" in (tmp_path / "out" / "README.md").read_text()
    assert all((tmp_path / "out" / file).is_file() for file in data["files"])


@pytest.mark.parametrize(
    "what", [(), ("primitives",), ("operations",), ("targets",), ("parts",), ("budgets",)]
)
def test_list(tightfit, what):
    reply = answer(tightfit("list", *what, "--json"), "list")
    assert set(reply) == set(what or ("primitives", "operations", "targets", "parts", "budgets"))
    assert all(reply.values())
    assert tightfit("list", *what).status == 0


def test_every_schema_is_itself_valid():
    for name in schema_names():
        validator(name).check_schema(validator(name).schema)


def test_a_schema_notices_what_is_wrong(ask):
    reply = ask("--rom", "1KB", "--ram", "128B")
    for wrong in (
        {**reply, "cost": {}},
        {**reply, "status": "maybe"},
        {**reply, "extra": 1},
        {**reply, "variant": 3},
    ):
        assert not validator("ask").is_valid(wrong)
