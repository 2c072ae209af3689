"""A browser, and the explorer served or written from the fixture portfolio."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.cli import fixture_portfolio
from tests.cli.fixture_portfolio import PRIMITIVE, TARGET
from tests.reports.test_contenders import EVERY as CONTENDERS
from tightfit.harness.contenders import shipped
from tightfit.harness.store import Store

SIZE = {"width": 1366, "height": 768}
SUBJECT = "#target=rl78&primitive=aes-128&operation=encrypt"
# The command line in a process of its own, with another portfolio than the package's.
_COMMAND = """
import sys
from pathlib import Path
from tightfit import cli
from tightfit.export import figures
from tightfit.harness import store
store.portfolio_dir = figures.portfolio_dir = lambda: Path(sys.argv[1])
sys.exit(cli.main(sys.argv[2:]))
"""


@dataclass
class Explorer:
    """A page, and what its console complained of."""

    page: Page
    errors: list[str] = field(default_factory=list)

    def open(self, address: str) -> None:
        """Go to an address and wait until the explorer has drawn it."""
        self.page.goto("about:blank")
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready=yes]", state="attached")

    def go(self, state: str) -> None:
        """Another state of the page that is there, as one that was sent and pasted into the address."""
        self.page.evaluate("state => { location.hash = state }", state)

    def says(self, label: str, *words: str) -> None:
        """Wait until all these words stand in a region."""
        for word in words:
            expect(self.page.get_by_label(label, exact=True)).to_contain_text(word, timeout=20_000)

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


@pytest.fixture
def explorer(browser):
    """A fresh page; whatever its console calls an error fails the test."""
    context = browser.new_context(viewport=SIZE, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(20_000)
    found = Explorer(page)
    page.on("console", lambda one: found.errors.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    yield found
    context.close()
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
    portfolio = fixture_portfolio.write(folder / "portfolio")
    file = portfolio / TARGET / PRIMITIVE / "c.json"
    file.parent.mkdir()
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
    monkeypatch.setattr("tightfit.harness.store.portfolio_dir", lambda: served_to_writers.portfolio)
    with Store.open(served_to_writers.store) as opened:
        yield opened


@pytest.fixture(scope="session")
def standalone(tmp_path_factory):
    """The fixture portfolio as a file, written where no toolchain is."""
    folder = tmp_path_factory.mktemp("standalone")
    portfolio = _portfolio(folder)
    file = folder / "explorer.html"
    line = command(portfolio, "explore", "--out", file)
    no_tools = {"PATH": "", "TIGHTFIT_CACHE": str(folder / "cache"), "TIGHTFIT_RL78_BIN": ""}
    bare = {**environment(folder), **no_tools}
    done = subprocess.run(line, env=bare, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, str(file)), done.stderr
    return file


@pytest.fixture(params=("server", "file"))
def address(request):
    """The explorer's address, once served and once as a file."""
    if request.param == "server":
        return request.getfixturevalue("served").address
    return request.getfixturevalue("standalone").as_uri()
