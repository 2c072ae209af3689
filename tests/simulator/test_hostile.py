"""The C side by itself, under sanitizers: its own test, and hostile runs of each target."""

import subprocess

import pytest
from filelock import FileLock

from tightfit.paths import simulator_source


@pytest.mark.long(seconds=45)
def test_under_sanitizers(pytestconfig):
    build = pytestconfig.cache.mkdir("simulator")  # make knows what is to be compiled again
    goals = ["test", "fuzz", "RUNS=360", "SEED=20130311"]
    command = ["make", "-s", "-j2", "-C", str(simulator_source()), f"BUILD={build}", *goals]
    with FileLock(build / "lock"):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok\n") == 2 and "HALT reached" in done.stdout
