"""How fast the explorer loads and answers with many variants, measured in Debian's Chromium.

    python benchmarks/explorer_speed.py [--variants N] [--moves N]

The portfolio is written as a folder: CPU and wall-clock time, what the page weighs, and what all that loads
before the first view weighs, are printed, and how long that view takes.

Then a store of invented variants of one operation is served, and written as a folder. For each, two loads of
the trade-off are timed in seconds, from the request until all is drawn: the first, which includes reading the
store (first), and a second one (again). Then the ROM budget moves through its range, and each move is timed
until two frames after it: 33 ms means no delay at all.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import Browser, Page, sync_playwright

from tightfit.harness.store import Store
from tightfit.records import Measurement, Timing, Variant

SUBJECT = {"target": "rl78", "part": "R5F100xE", "primitive": "aes-128", "operation": "encrypt"}
ADDRESS = "#target=rl78&part=R5F100xE&primitive=aes-128&operation=encrypt"
SEED, LIMIT_SECONDS, LIMIT_MILLISECONDS = 1, 3.0, 100.0
FIRST_VIEW = ("index.html", "data/bokeh.js", "data/first.js")
FIRST_SECONDS, FIRST_BYTES = 1.0, 1_500_000
_MOVES = """async (moves) => {
    const slider = Bokeh.documents[0].get_model_by_name("rom")
    const frame = () => new Promise(requestAnimationFrame)
    const spent = []
    for (let at = 0; at < moves; at++) {
        const begun = performance.now()
        slider.value = 7 + 6 * at / moves
        await frame(); await frame()
        spent.push(performance.now() - begun)
    }
    return spent
}"""


def invented(base: Measurement, count: int) -> Iterator[Measurement]:
    """Variants with knobs of their own and costs at random."""
    draw = random.Random(SEED)
    for number in range(count):
        rom = round(2 ** draw.uniform(7, 13))
        cycles = round(2_000_000 / rom * draw.uniform(1, 8))
        timings = {name: Timing(64, 64 * cycles, cycles, cycles, True) for name in base.cost.by_entry}
        parts = replace(base.cost.ram_parts, stack=draw.randrange(4, 300))
        knobs = {**base.variant.knobs, "number": number}
        variant = Variant.from_json({**base.variant.to_json(), "knobs": knobs})
        cost = replace(base.cost, rom=rom, ram_parts=parts, by_entry=timings)
        yield replace(base, variant=variant, cost=cost)


def fill(file: Path, count: int) -> None:
    """A store in which one operation has `count` variants."""
    with Store.open(file) as store:
        known = store.measurements(**SUBJECT)
        with patch("tightfit.harness.store.text_now", lambda variant: known[0].source_sha256):
            for measurement in invented(known[0], count - len(known)):
                store.add(measurement)


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """The address of a server that shows the store."""
    line = [sys.executable, "-m", "tightfit.cli", "explore", "--port", "0", "--no-browser"]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait()


def written(folder: Path, environment: dict[str, str]) -> Path:
    """The page of the explorer as a folder; prints what writing it takes."""
    line = [sys.executable, "-m", "tightfit.cli", "explore", "--out", str(folder)]
    before, begun = os.times(), time.perf_counter()
    subprocess.run(line, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after, wall = os.times(), time.perf_counter() - begun
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"written in {wall:.1f} s, {spent:.1f} s of CPU", flush=True)
    return folder / "index.html"


def first_view(browser: Browser, index: Path) -> bool:
    """Print what the first view of the portfolio weighs and takes; tells whether it is within the limits."""
    weights = [(index.parent / name).stat().st_size for name in FIRST_VIEW]
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    seconds = statistics.median(load(page, index.as_uri(), "") for _ in range(5))
    page.close()
    print(f"{FIRST_VIEW[0]} {weights[0]:,} B, with {' and '.join(FIRST_VIEW[1:])} {sum(weights):,} B", end="")
    print(f"; seen after {seconds:.2f} s", flush=True)
    return seconds < FIRST_SECONDS and sum(weights) < FIRST_BYTES


def load(page: Page, address: str, state: str = ADDRESS) -> float:
    """Seconds until everything is drawn."""
    page.goto("about:blank")
    begun = time.perf_counter()
    page.goto(address + state)
    page.wait_for_selector("html[data-ready=yes]", state="attached", timeout=120_000)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return time.perf_counter() - begun


def measure(browser: Browser, name: str, address: str, moves: int) -> bool:
    """Print a line of figures; tells whether they are within the limits."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    first, again = load(page, address), load(page, address)
    shown = page.get_by_label("What fits").get_by_text("known variants fit").inner_text().partition(".")[0]
    spent = page.evaluate(_MOVES, moves)
    median, worst = statistics.median(spent), max(spent)
    loads = f"first {first:.2f} s, again {again:.2f} s"
    print(f"{name}: {shown}; {loads}; a move {median:.0f} ms, the slowest {worst:.0f} ms", flush=True)
    page.close()
    return max(first, again) < LIMIT_SECONDS and median < LIMIT_MILLISECONDS


def main() -> int:
    """Exit status 1 where a figure is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--variants", type=int, default=20_000)
    parser.add_argument("--moves", type=int, default=60)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        environment = {**os.environ, "TIGHTFIT_STORE": f"{folder}/store.sqlite"}
        Store.open(Path(folder) / "store.sqlite").close()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        kept = first_view(browser, written(Path(folder) / "portfolio", environment))
        fill(Path(folder) / "store.sqlite", asked.variants)
        with served(environment) as address:
            kept &= measure(browser, "server", address, asked.moves)
        index = written(Path(folder) / "invented", environment)
        kept &= measure(browser, "folder", index.as_uri(), asked.moves)
        browser.close()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
