"""Taint is sound: machines that differ in secrets differ in nothing that is said to be public."""

import subprocess

import pytest

from tightfit.harness.simulator import build_library
from tightfit.paths import simulator_source

PAIRS = 6
SEED = 20261122


@pytest.mark.in_turn(4)
@pytest.mark.dear("pairs of machines, for every form of every core")
def test_every_form_and_random_programs(tmp_path):
    program, library = tmp_path / "pairs", build_library()
    source = simulator_source() / "tests" / "taint_pairs.c"
    build = ["cc", "-std=gnu11", "-O1", "-o", program, source, library, f"-Wl,-rpath,{library.parent}"]
    subprocess.run([str(word) for word in build], check=True)
    done = subprocess.run([str(program), str(PAIRS), str(SEED)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith("\nsound\n"), done.stdout
