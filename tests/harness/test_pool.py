"""Pool and replay: stored results are not measured again, a killed run loses nothing, nothing moves."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import islice

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.harness.pool import pool_here
from tightfit.harness.provenance import of_variant
from tightfit.harness.replay import replay
from tightfit.harness.store import Store
from tightfit.records import Variant


def some_variants(count: int) -> list[Variant]:
    variants = (
        Variant("rl78", "R5F100xE", "aes-128", operation, spec.name, knobs)
        for operation in ("encrypt", "encrypt+decrypt")
        for spec in load_space("rl78", "aes-128").of(operation)
        for knobs in spec.variants(operation)
    )
    return list(islice(variants, count))


def pool(opened, **options):
    """A pool of processes of this machine, or of this one alone."""
    return pool_here(opened, **{"workers": 1, **options})


def test_workers_give_what_one_process_gives(opened, tmp_path):
    variants = some_variants(6)
    with pool(opened, workers=2) as mine:
        measurements = mine.measure([*variants, variants[0]])
        assert mine.measured == len(variants)
        assert [m.variant.id for m in measurements] == [v.id for v in [*variants, variants[0]]]
    with Store.open(tmp_path / "other.sqlite") as other, pool(other) as mine:
        assert mine.measure([*variants, variants[0]]) == measurements
    assert all(m.cost or m.rejected for m in measurements)


def test_a_variant_with_the_text_of_another_is_kept_by_its_own_id(opened, monkeypatch):
    one, other = some_variants(2)
    with pool(opened) as mine:
        (first,) = mine.measure([one])
        monkeypatch.setattr(Store, "_text", lambda *_: first.source_sha256)
        (second,) = mine.measure([other])
        assert mine.measured == 1
    assert (second.variant, second.cost) == (other, first.cost)
    assert opened.holds(second) and opened.by_id(other.id) == second


def test_results_are_in_the_store_when_they_are_reported_and_not_measured_again(opened):
    present = []

    def look(measurement):
        with Store.open(opened.path) as other:
            present.append(other.get(measurement.variant, measurement.provenance["context"]) == measurement)

    variants = some_variants(3)
    with pool(opened, on_result=look) as mine:
        first = mine.measure(variants)
    assert present == [True] * len(variants)
    with pool(opened, on_result=look) as mine:
        assert mine.measure(variants) == first
        assert mine.measured == 0
    assert len(present) == len(variants)


FILL = """
import os
import sys
from pathlib import Path
from tightfit.generator import load_space
from tightfit.harness import store
from tightfit.harness.pool import pool_here
from tightfit.records import Variant

os.environ["TIGHTFIT_PORTFOLIO"] = "none"


class Forgetful:
    def get(self, variant, context):
        return None

    def add(self, measurement):
        pass


if __name__ == "__main__":
    spec = next(iter(load_space("rl78", "aes-128").of("encrypt")))
    knobs = next(spec.variants("encrypt"))
    variant = Variant("rl78", "R5F100xE", "aes-128", "encrypt", spec.name, knobs)
    with store.Store.open(Path(sys.argv[1])) as mine:
        with pool_here(mine, 2, gate="full") as pool:
            pool.measure([variant])
            print("started", *pool.crew.ids(), flush=True)
            pool._store = Forgetful()
            while True:
                pool.measure([variant])
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_ended_run_leaves_no_process_behind(no_portfolio, tmp_path, how):
    script = tmp_path / "fill.py"
    script.write_text(FILL)
    command = [sys.executable, str(script), str(tmp_path / "store.sqlite")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.Popen(command, **pipes, env=environment)
    word, *workers = run.stdout.readline().split()
    assert word == "started" and workers, run.stderr.read()
    time.sleep(0.2)
    run.send_signal(how)
    run.wait(300)
    deadline = time.monotonic() + 300
    while any(_alive(int(pid)) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if _alive(int(pid))]
    with Store.open(tmp_path / "store.sqlite") as kept:
        assert len(kept.measurements()) == 1


def _alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killed_worker_is_one_clear_line(opened):
    first, *others = some_variants(4)
    with pool(opened, workers=2) as mine:
        mine.measure([first])
        for process in mine.crew.ids():
            os.kill(process, signal.SIGKILL)
        with pytest.raises(WorkError, match="a measuring process ended unexpectedly"):
            mine.measure(others)
        mine.crew.close()
        assert len(mine.measure(others)) == len(others)
    assert opened.get(first, of_variant(first, "search")["context"]) is not None


def test_missing_tool_is_said_once(opened, monkeypatch, tmp_path):
    monkeypatch.setenv("TIGHTFIT_RL78_BIN", str(tmp_path / "empty"))
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WorkError, match="rl78-elf-as is missing"), pool(opened, workers=None) as mine:
        mine.measure(some_variants(1))


def test_variant_of_another_bench():
    (variant,) = some_variants(1)
    with Bench("rl78", None, "aes-128") as bench:
        with pytest.raises(UsageError, match="is for rl78 R5F100xE sha-256"):
            bench.measure(replace(variant, primitive="sha-256"))
        with pytest.raises(UsageError, match="no gate 'none': expected one of search, full"):
            bench.measure(variant, "none")


def test_replay_says_what_moved():
    (variant,) = some_variants(1)
    with Bench("rl78", None, "aes-128") as bench:
        then = bench.measure(variant)
        again = replay(then, bench)
        assert again.same and again.changed == ()
        assert again.now == then
        facts = {**then.provenance, "as": "an older one"}
        older = replace(then, cost=replace(then.cost, rom=then.cost.rom + 2), provenance=facts)
        again = replay(older, bench)
    assert again.moved == (("cost.rom", then.cost.rom + 2, then.cost.rom),)
    assert again.changed == (("as", "an older one", then.provenance["as"]),)


def test_context_changes_with_what_goes_in():
    (variant,) = some_variants(1)
    search, full = of_variant(variant, "search"), of_variant(variant, "full")
    assert search["context"] != full["context"]
    assert {key for key in search if search[key] != full[key]} == {"context", "gate"}
    for key in ("target", "primitive", "simulator", "as", "ld", "rules", "ortools"):
        assert search[key]
