"""A browser, and the explorer served or written from the fixture portfolio."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.cli import fixture_portfolio
from tests.cli.fixture_portfolio import PRIMITIVE, TARGET
from tests.reports.test_contenders import EVERY as CONTENDERS
from tightfit.explorer import written as writing
from tightfit.harness import shipped
from tightfit.harness.store import Store

SIZE = {"width": 1366, "height": 768}
SUBJECT = "#target=rl78&primitive=aes-128&operation=encrypt"
SEVERAL = ("xtea", "speck64-128", "present-80", "speck64-128-cmac", "trivium")
"""Primitives of the shipped portfolio."""
LARGE = "encrypt+decrypt"
"""An operation with variants that fit the simulated part, and not every part of its class."""
LARGE_COSTS = [
    (700, 0, 8, (7000, 9000), 0, True),
    (1900, 24, 8, (3800, 6000), 10, True),
    (120_000, 0, 8, (1000, 2000), 0, True),
    (1500, 3000, 8, (500, 700), 0, False),
]
EVERY_COST = {**fixture_portfolio.COSTS, LARGE: LARGE_COSTS}
# The command line in a process of its own, with another portfolio than the package's.
_COMMAND = """
import os
import sys
from tightfit import cli
os.environ["TIGHTFIT_PORTFOLIO"] = sys.argv[1]
sys.exit(cli.main(sys.argv[2:]))
"""


# Another state, also where the address is the same; the number of the state that was shown before.
_GO = """state => {
    history.replaceState(null, "", "#")
    location.hash = state
    return Number(document.documentElement.dataset.shown)
}"""
_SHOWN = "before => Number(document.documentElement.dataset.shown) > before"


class Tab:
    """A page of the browser, and what its console complained of."""

    def __init__(self, browser: Browser):
        self.page = browser.new_context(viewport=SIZE, accept_downloads=True).new_page()
        self.page.set_default_timeout(120_000)
        self.errors: list[str] = []
        self.page.on("console", lambda one: self.errors.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def load(self, address: str) -> None:
        """Load an address and wait until the explorer has drawn it."""
        self.page.goto("about:blank")
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready=yes]", state="attached")

    def close(self) -> None:
        """Close it with all that it kept."""
        self.page.context.close()


class Explorer:
    """The explorer in a browser: one page for each place it is at, which goes from state to state."""

    def __init__(self, browser: Browser, tabs: dict[str, Tab]):
        self._browser, self._tabs = browser, tabs
        self._own: list[Tab] = []
        self._tab: Tab | None = None

    @property
    def page(self) -> Page:
        """The page that is looked at."""
        return self._tab.page

    @property
    def errors(self) -> list[str]:
        """What the consoles of the pages complained of."""
        return [text for tab in (*self._tabs.values(), *self._own) for text in tab.errors]

    def fresh(self) -> Page:
        """A page of its own, which goes away with the test."""
        self._tab = Tab(self._browser)
        self._own.append(self._tab)
        return self._tab.page

    def load(self, address: str) -> None:
        """Load an address into the page of its own."""
        if self._tab not in self._own:
            self.fresh()
        self._tab.load(address)

    def open(self, address: str) -> None:
        """Show an address that stays the same place for all tests."""
        place, _, state = address.partition("#")
        known = place in self._tabs
        self._tab = self._tabs[place] if known else self._tabs.setdefault(place, Tab(self._browser))
        if known:
            self.go(f"#{state}")
        else:
            self._tab.load(address)

    def go(self, state: str) -> None:
        """Another state of the page that is there, as one that was sent and pasted into the address."""
        before = self.page.evaluate(_GO, state)
        self.page.wait_for_function(_SHOWN, arg=before)

    def forgive(self) -> list[str]:
        """What the console of the page that is looked at complained of, which is then no fault."""
        said = list(self._tab.errors)
        self._tab.errors.clear()
        return said

    def end(self) -> None:
        """Close the pages of its own."""
        for tab in self._own:
            tab.close()

    def says(self, label: str, *words: str) -> None:
        """Wait until all these words stand in a region."""
        for word in words:
            expect(self.page.get_by_label(label, exact=True)).to_contain_text(word, timeout=120_000)

    def state(self) -> dict[str, str]:
        """What the address carries."""
        pairs = self.page.evaluate("Array.from(new URLSearchParams(location.hash.slice(1)))")
        return dict(pairs)

    def shot(self, name: str) -> Path:
        """A screenshot, kept in the folder that TIGHTFIT_ARTEFACTS names, if it does."""
        folder = Path(os.environ.get("TIGHTFIT_ARTEFACTS") or _TEMPORARY["folder"])
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"explorer-{name}.png"
        self.page.screenshot(path=file)
        return file


_TEMPORARY: dict[str, Path] = {}


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    _TEMPORARY["folder"] = tmp_path_factory.mktemp("screenshots")
    chromium = shutil.which("chromium")
    assert chromium, "chromium is missing; `tightfit setup --tests` gets it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tabs():
    """The pages that stay open, by place."""
    return {}


@pytest.fixture
def explorer(browser, tabs):
    """The explorer; whatever a console calls an error fails the test."""
    for tab in tabs.values():
        tab.errors.clear()
    found = Explorer(browser, tabs)
    yield found
    found.end()
    assert found.errors == []


@dataclass(frozen=True)
class Served:
    """A server of a process of its own, and the store it shows."""

    address: str
    store: Path
    portfolio: Path


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command that has a store of its own."""
    return {**os.environ, "TIGHTFIT_STORE": str(folder / "store.sqlite")}


def command(portfolio: Path, *arguments: object) -> list[str]:
    """A command line that answers from a portfolio."""
    return [sys.executable, "-c", _COMMAND, str(portfolio), *map(str, arguments)]


def _portfolio(folder: Path) -> Path:
    """The fixture portfolio with routines that are not ours beside it."""
    portfolio = fixture_portfolio.write(folder / "portfolio", EVERY_COST)
    file = portfolio / TARGET / PRIMITIVE / "c.json"
    file.write_text(shipped.render(TARGET, PRIMITIVE, CONTENDERS))
    return portfolio


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """The fixture portfolio, served; nobody writes to its store."""
    folder = tmp_path_factory.mktemp("served")
    yield from _serve(folder, _portfolio(folder))


@pytest.fixture
def served_to_writers(tmp_path):
    """The fixture portfolio, served to a test that writes to its store."""
    yield from _serve(tmp_path, _portfolio(tmp_path))


@pytest.fixture
def served_empty(tmp_path):
    """Nothing known, served."""
    yield from _serve(tmp_path, tmp_path / "nothing")


def _serve(folder: Path, portfolio: Path):
    line = command(portfolio, "explore", "--port", "0", "--no-browser")
    process = subprocess.Popen(line, env=environment(folder), stdout=subprocess.PIPE, text=True)
    try:
        yield Served(process.stdout.readline().strip(), folder / "store.sqlite", portfolio)
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture
def store(served_to_writers, monkeypatch):
    """The store that is served, to be written while it is shown."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(served_to_writers.portfolio))
    with Store.open(served_to_writers.store) as opened:
        yield opened


def write(folder: Path, *options: object) -> subprocess.CompletedProcess:
    """`explore` with options, which answers from the fixture portfolio, where no toolchain is."""
    line = command(_portfolio(folder), "explore", *options)
    no_tools = {"PATH": "", "TIGHTFIT_CACHE": str(folder / "cache"), "TIGHTFIT_RL78_BIN": ""}
    bare = {**environment(folder), **no_tools}
    done = subprocess.run(line, env=bare, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The fixture portfolio as a folder; its page."""
    folder = tmp_path_factory.mktemp("written")
    done = write(folder, "--out", folder / "explorer")
    page = folder / "explorer" / "index.html"
    assert done.stdout.startswith(f"{page}: ")
    return page


@pytest.fixture(scope="session")
def several(tmp_path_factory, ready_answers):
    """Some primitives of the portfolio as a folder; its page."""
    folder = tmp_path_factory.mktemp("several")
    every = writing.known_subjects

    def some(_):
        return [one for one in every(None) if one.primitive in SEVERAL]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.cpu_count", lambda: 1)
        patch.setattr(writing, "known_subjects", some)
        writing.write(folder / "explorer")
    return folder / "explorer" / "index.html"


@pytest.fixture(params=("server", "folder"))
def address(request):
    """The explorer's address, once served and once as a folder."""
    if request.param == "server":
        return request.getfixturevalue("served").address
    return request.getfixturevalue("written").as_uri()
