"""The README and the page of benchmarks show what the portfolio holds."""

import re
from itertools import takewhile
from pathlib import Path
from statistics import geometric_mean

import pytest

from tightfit import ask
from tightfit.cli import main
from tightfit.curve import message_cycles
from tightfit.harness import portfolio
from tightfit.harness.store import Store
from tightfit.paths import portfolio_dir
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports import words
from tightfit.reports.filters import Filters
from tightfit.reports.known import Current
from tightfit.targets import load_target

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


ANSWERS = re.findall(r"^```\n\$ tightfit (.+)\n((?:.*\n)+?)```$", README, re.MULTILINE)


@pytest.mark.dear("the store is read whole")
@pytest.mark.parametrize("question, shown", ANSWERS)
def test_the_answers_shown_are_the_portfolios(capsys, question, shown):
    assert main(question.split()) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == shown.rstrip().splitlines()


def test_the_first_screen_has_three_lines_to_run_and_a_picture():
    lines = README.partition("```\n")[2].partition("```")[0].splitlines()
    assert len(lines) == 3 and README.index(lines[0]) < 400
    assert README.index("](docs/portfolio.svg)") < 1200


@pytest.mark.dear("the store is read whole")
def test_the_lines_to_run_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in README.partition("```\n")[2].partition("```")[0].splitlines()[1:]:
        assert main(line.split()[1:]) == 0
    assert (tmp_path / "aes128" / "README.md").is_file()


def test_the_picture_is_the_portfolios(capsys):
    command = re.search(r"`tightfit (table .+ --format svg)` draws", README)[1]
    assert main(command.split()) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "portfolio.svg").read_text(encoding="utf-8")


IDS = {load_primitive(primitive_id).name.lower(): primitive_id for primitive_id in primitive_ids()}
"""Primitives by the names that the page gives them."""
HEAD = re.compile(r"^\| (.+) \| published \| tightfit \|$")


def _tables():
    """(subject, rows) of each table that has our figures in the last column."""
    lines = iter(BENCHMARKS.splitlines())
    for line in lines:
        if head := HEAD.match(line):
            next(lines)
            rows = [row.strip("| ").split(" | ") for row in takewhile(lambda row: row.startswith("|"), lines)]
            yield head[1], rows


@pytest.mark.dear("files of thousands of measurements")
@pytest.mark.parametrize("of, rows", list(_tables()))
def test_the_figures_of_the_tables_are_the_portfolios(of, rows):
    primitive, target = re.fullmatch(r"(.+) on (.+)", of).groups()
    ours = set()
    for file in portfolio.files(portfolio_dir()):
        if (file.stem, file.parent.name) != (IDS[primitive.lower()], target.lower()):
            continue
        measurements, cells = portfolio.read(file)
        winners = {cell.variant_id for cell in cells}
        ours |= {cell.status for cell in cells if cell.variant_id is None}
        for measurement in measurements:
            if measurement.variant.id in winners:
                ours.add(words.by_entry(measurement.cost).replace(" / ", " + "))
            ours.add(f"{measurement.cost.rom} B")
    assert rows
    for within, _, figures in rows:
        if message := re.fullmatch(r"(.+) of (\d+) bytes, ([\d,]+) B", within):
            operation, size, rom = message.groups()
            primitive_id = IDS[primitive.lower()]
            bounds = {"target": target.lower(), "rom": int(rom.replace(",", ""))}
            answer = ask(primitive_id, operation, **bounds, filters=Filters(message=int(size)))
            of_message = message_cycles(answer.measurement, load_primitive(primitive_id), int(size))
            assert figures == words.cycles(of_message), (of, within)
            continue
        for figure in figures.split("; "):
            assert figure.removesuffix(" in constant time") in ours, (of, within, figure)


def _cycles(figures: str) -> list[float] | None:
    """The cycles that a row has in a column, by entry, without ranges; None where it says anything else."""
    terms = re.sub(r" \(to [^)]*\)", "", figures).split(" + ")
    numbers = [re.fullmatch(r"[\d,]+(\.\d+)?", term) for term in terms]
    return [float(number[0].replace(",", "")) for number in numbers] if all(numbers) else None


def test_the_page_begins_with_how_far_ours_are_ahead():
    ratios = {}
    for of, rows in _tables():
        for within, published, figures in rows:
            theirs, ours = _cycles(published), _cycles(figures)
            if theirs and ours and len(theirs) == len(ours):
                ratios[of, within] = sum(ours) / sum(theirs)
    mean = geometric_mean(ratios.values())
    head = " ".join(BENCHMARKS.split("\n\n")[1].split())
    assert f"In the {len(ratios)} rows below" in head and f"ours are {mean:.2f} of print" in head
    behind = {of: ratio for (of, _), ratio in ratios.items() if ratio > 1}
    said = re.findall(r"([A-Z]\S+ on [A-Z]\w+)[^;]*?, (\d\.\d\d)[;.]", head.partition("ahead in")[2])
    assert dict(said) == {of: f"{ratio:.2f}" for of, ratio in behind.items()}


C_TABLE = re.search(r"^\| C alone / tightfit (.+)\n.+\n((?:\|.+\n)+)", BENCHMARKS, re.MULTILINE)


@pytest.mark.parametrize("row", C_TABLE[2].splitlines())
def test_c_alone_and_our_fastest_are_the_portfolios(row):
    targets = [target.lower() for target in C_TABLE[1].strip("| ").split(" | ")]
    primitive, *figures = row.strip("| ").split(" | ")
    primitive_id = IDS[primitive.lower()]
    operation = load_primitive(primitive_id).first_operation
    with Store.open(read_only=True) as store:
        for target, shown in zip(targets, figures, strict=True):
            part = load_target(target).default_part
            known = Current(store).known(target, part, primitive_id, operation)
            least = (
                min(baseline.cost.cycles for baseline in known.baselines),
                min(m.cost.cycles for m in known.usable),
            )
            assert shown == " / ".join(map(words.cycles, least)), target


def test_every_family_has_a_table_on_every_target():
    families = {primitive_id: load_primitive(primitive_id).templates for primitive_id in primitive_ids()}
    shown = {re.fullmatch(r"(.+) on (.+)", of).groups() for of, _ in _tables()}
    there = {(families[IDS[primitive.lower()]], target.lower()) for primitive, target in shown}
    assert there >= {(families[file.stem], file.parent.name) for file in portfolio.files(portfolio_dir())}


CONSTANT = re.search(r"^\| constant time / any (.+)\n.+\n((?:\|.+\n)+)", BENCHMARKS, re.MULTILINE)


@pytest.mark.parametrize("row", CONSTANT[2].splitlines())
def test_constant_time_is_the_portfolios_and_proved(row):
    targets = [target.lower() for target in CONSTANT[1].strip("| ").split(" | ")]
    what, *figures = row.strip("| ").split(" | ")
    primitive, operation, rom = re.fullmatch(r"(\S+) ([a-z+ -]+), (.+) of ROM", what).groups()
    named = {"any amount": None}.get(rom, rom.replace(" ", ""))
    for target, shown in zip(targets, figures, strict=True):
        subject = (IDS[primitive.lower()], operation.replace(" + ", "+"))
        bounds = {"target": target, "rom": named, "ram": "512B"}
        answers = [ask(*subject, **bounds, only=only) for only in (["constant-time"], [])]
        assert all(answer.certificate.proved for answer in answers)
        costs = [answer.measurement and answer.measurement.cost for answer in answers]
        assert shown == " / ".join("none" if cost is None else words.cycles(cost.cycles) for cost in costs)
