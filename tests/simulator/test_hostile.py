"""The C side by itself, under sanitizers: its own test, and a bounded number of hostile runs."""

import subprocess

import pytest

from tightfit.paths import simulator_source


@pytest.mark.parametrize("goal", [("test",), ("fuzz", "RUNS=250", "SEED=20130311")])
def test_under_sanitizers(goal, tmp_path):
    command = ["make", "-s", "-C", str(simulator_source()), f"BUILD={tmp_path}", *goal]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
