"""What an edit of the simulator makes `fill` measure, in a copy of the source."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from tests.answers import measurements, targets
from tests.simulator.test_behaviour import edit, spelled_otherwise
from tightfit.paths import PACKAGE

ROOT = PACKAGE.parent
FILLED = "trivium"
"""All variants of its spaces are in the portfolio."""


@pytest.fixture
def copy(tmp_path):
    """A copy of all that `fill` reads, but the portfolio of other primitives."""
    for name in ("tightfit", "simulator"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for target in targets(FILLED):
        folder = ROOT / "portfolio" / target
        shutil.copytree(folder / FILLED, tmp_path / "portfolio" / target / FILLED)
        shutil.copy(folder / f"{FILLED}.json", tmp_path / "portfolio" / target)
    return tmp_path


def fill(copy) -> dict[str, tuple[int, int]]:
    """What was measured and what was followed, variants and C baselines together, by target."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "TIGHTFIT_STORE": str(copy / "store.sqlite")}
    command = [sys.executable, "-m", "tightfit.cli", "fill", FILLED, "--json"]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=True)
    work: dict[str, tuple[int, int]] = {}
    for job in json.loads(done.stdout):
        measured, followed = work.get(job["target"], (0, 0))
        compiled = job["baselines"]
        work[job["target"]] = (
            measured + job["measured"] + compiled["measured"],
            followed + job["followed"] + compiled["followed"],
        )
    return work


def test_all_variants_of_what_is_filled_ship():
    for target in targets(FILLED):
        file = ROOT / "portfolio" / target / f"{FILLED}.json"
        shipped = Counter((m.variant.operation, m.variant.part) for m in measurements(file))
        searches = json.loads(file.read_text())["searches"]
        assert shipped == {(each["operation"], each["part"]): int(each["space"]) for each in searches}


@pytest.mark.long(seconds=5)
def test_another_spelling_and_a_further_core_measure_nothing(copy):
    spelled_otherwise(copy / "simulator")
    assert fill(copy) == {target: (0, 0) for target in targets(FILLED)}


@pytest.mark.long(seconds=25)
def test_a_clock_makes_the_figures_of_its_target_stale_and_no_other(copy):
    edit(copy / "simulator" / "avr_forms.def", "D5_R5,   ADD,     1,", "D5_R5,   ADD,     2,")
    work = fill(copy)
    assert work["avr"][0] > 0 and work["msp430"] == work["rl78"] == (0, 0)


@pytest.mark.long(seconds=10)
def test_a_rule_of_taint_makes_the_secrecy_of_its_target_stale_and_no_cycles(copy):
    edit(
        copy / "simulator" / "taint_msp430.c",
        "case BIS: return bits_or(d, s);",
        "case BIS: return bits_and(d, s);",
    )
    work = fill(copy)
    assert work["msp430"][0] == 0 and work["msp430"][1] > 0
    assert work["avr"] == work["rl78"] == (0, 0)
