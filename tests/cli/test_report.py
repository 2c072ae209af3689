"""`report`: pages whose links lead somewhere and whose figures are the store's."""

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO

import pytest

from tests.cli.conftest import answer_from, leave_no_tools
from tests.cli.fixture_portfolio import COSTS, PRIMITIVE, TARGET, measurements
from tests.reports.test_contenders import EVERY as CONTENDERS
from tightfit.cli import main
from tightfit.exporter.figures import read_figures
from tightfit.harness import shipped
from tightfit.harness.store import Store
from tightfit.schemas import validator

pytestmark = pytest.mark.usefixtures("no_tools")


class Page(HTMLParser):
    """Ids, links, and the rows of tables by caption."""

    def __init__(self, text: str):
        super().__init__()
        self.ids, self.links, self.outside = set(), [], []
        self.tables: dict[str, list[list[str]]] = {}
        self.text, self._caption, self._cell, self._link = "", None, None, None
        self.leads: dict[tuple[str, str], str] = {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            assert given["id"] not in self.ids
            self.ids.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
            self._link = given["href"]
        if tag in ("link", "img", "script"):
            self.outside.append(given.get("href") or given.get("src"))
        if tag == "caption":
            self._caption = ""
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._cell = ""

    @property
    def rows(self):
        return list(self.tables.values())[-1]

    def handle_data(self, data):
        self.text += data
        if self._link and self._cell is not None:
            self.leads[list(self.tables)[-1], data] = self._link
        if self._cell is not None:
            self._cell += data
        elif self._caption is not None:
            self._caption += data

    def handle_endtag(self, tag):
        if tag == "caption":
            self.tables[self._caption], self._caption = [], None
        if tag == "a":
            self._link = None
        if tag in ("td", "th"):
            self.rows[-1].append(self._cell)
            self._cell = None


@pytest.fixture(scope="module")
def pages(written, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    portfolio = shutil.copytree(written, folder / "portfolio")
    baselines = portfolio / TARGET / PRIMITIVE / "c.json"
    baselines.parent.mkdir(exist_ok=True)
    baselines.write_text(shipped.render(TARGET, PRIMITIVE, CONTENDERS))
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        answer_from(portfolio, folder, patch)
        leave_no_tools(folder, patch)
        status = main(["report", "--out", str(folder / "out"), "--json"])
    read_figures.cache_clear()
    assert (status, err.getvalue()) == (0, "report\n")
    form = json.loads(out.getvalue())
    validator("report").validate(form)
    assert {file.name for file in (folder / "out").iterdir()} == {*form["files"], ".tightfit-export.json"}
    return {name: Page((folder / "out" / name).read_text()) for name in form["files"] if name.endswith("l")}


def test_every_link_leads_somewhere(pages):
    for name, page in pages.items():
        assert page.links
        for link in page.links:
            file, _, anchor = link.partition("#")
            assert not anchor or anchor in pages[file or name].ids, (name, link)
            assert (file or name) in pages
        assert page.outside == ["style.css"]


def test_the_cells_are_the_stores(pages):
    page = pages["rl78-aes-128.html"]
    rows = page.tables["aes-128 encrypt on rl78 (R5F100xE): cells"]
    columns = rows[0]
    by_budget = {row[0]: dict(zip(columns, row, strict=True)) for row in rows[1:]}
    assert by_budget["1KB/128B"]["cycles"] == "3,000"
    assert by_budget["1KB/128B"]["variant"] == measurements("encrypt")[2].variant.id
    assert "proved optimal: of 1,000 variants, 50 measured" in by_budget["1KB/128B"]["proof"]
    grid = page.tables["aes-128 encrypt on rl78 (R5F100xE): cycles a block"]
    assert grid[0][2:] == ["ROM-min", "512B", "1KB", "2KB", "Fast"]


def test_every_variant_is_told_of_with_what_it_rests_on(pages):
    page = pages["rl78-aes-128.html"]
    captions = [caption for caption in page.tables if caption.endswith(": cells")]
    winners = {row[-1] for caption in captions for row in page.tables[caption][1:]}
    assert len(winners) > len(COSTS)
    for operation in COSTS:
        for measurement in measurements(operation):
            assert measurement.variant.id in page.ids
            if measurement.variant.id in winners:
                assert f"tightfit replay {measurement.variant.id}" in page.text
                assert measurement.source_sha256[:16] in page.text


def test_pictures_show_every_variant_and_need_no_script(pages):
    page = pages["rl78-aes-128.html"]
    for operation in COSTS:
        for measurement in measurements(operation):
            cost = measurement.cost
            assert f"{cost.rom:,} B of ROM, {cost.ram:,} B of RAM: {cost.cycles:,} cycles" in page.text
    assert "ROM and cycles of all variants" in page.text
    assert "block cipher on rl78 (R5F100xE): cycles a byte of the fastest" in pages["index.html"].text


def test_a_figure_in_the_grid_leads_to_its_variant_and_a_source_to_how_it_counted(pages):
    page = pages["rl78-aes-128.html"]
    caption = "aes-128 encrypt on rl78 (R5F100xE): cycles a block"
    won = measurements("encrypt")[2].variant.id
    assert page.leads[caption, "3,000"] == f"#{won}"
    assert page.leads[caption, "fse2013"] == "#encrypt-fse2013"
    assert page.leads["aes-128 encrypt on rl78 (R5F100xE): beside the published figures", "fse2013"]


def test_routines_that_are_not_ours_are_told_of_with_what_made_them(pages):
    page = pages["rl78-aes-128.html"]
    for contender in CONTENDERS:
        if contender.cost is None:
            assert contender.id not in page.ids
            continue
        assert contender.id in page.ids and f"#{contender.id}" in page.links
        assert f"{contender.compiler} {contender.version}" in page.text and contender.flags in page.text


def test_the_index_has_the_lists_and_the_ranking(pages):
    index = pages["index.html"]
    assert "rl78-aes-128.html" in index.links
    assert index.tables["block-cipher: best by speed on rl78 (R5F100xE)"][1][1:4] == [
        "aes-128",
        "encrypt",
        "8.00",
    ]
    heads, best, *_ = index.tables["block-cipher: points by ROM (bytes of ROM)"]
    assert best == ["aes-128", *("3" if head in ("rl78", "sum") else "" for head in heads[1:])]


def test_the_page_of_the_studies(pages):
    page = pages["study.html"]
    rows = page.tables["AES-128, encrypt, on R5F100xE"]
    assert rows[0] == ["RAM", "whose", "ROM-min", "512B", "1KB", "2KB", "Fast"]
    assert rows[1] == ["128 B", "print", "7,288 (486 B)", "6,622", "-", "", ""]
    assert rows[3] == ["64 B", "print", "x", "x", "3,855", "-", ""]
    best = min(
        one.cost.cycles for one in measurements("encrypt") if one.cost.rom <= 1024 and one.cost.ram <= 128
    )
    assert rows[2][:2] + [rows[2][4]] == ["128 B", "ours", f"{best:,}"]
    assert "block ciphers, encryption: cycles a byte within 1KB of ROM and 128B of RAM" in page.text
    assert "study.html" in pages["index.html"].links
    assert [row[0] for row in page.tables["SHA-3 finalists: points by speed and by area (ROM + 4 x RAM)"]][1:]


def test_every_page_says_which_part_was_simulated_and_for_which_it_stands(pages):
    about = {
        "avr": "simulated on ATmega1284P, which stands for ATmega328P (32,768 B of ROM, 2,048 B of RAM)",
        "rl78": "simulated on R5F100xE, which stands for R5F100xA (16,384 B of ROM, 2,048 B of RAM)",
    }
    for target, words in about.items():
        assert words in pages["index.html"].text
        assert words in pages[f"{target}-aes-128.html"].text


def test_classes_without_cells_are_said_with_what_fills_them(tightfit, portfolio, tmp_path):
    done = tightfit("report", "--out", tmp_path / "out", "--target", "rl78")
    _, *lines = done.out.splitlines()
    command = "`tightfit fill --target rl78 --part R5F104xE` searches and measures"
    assert lines == [f"No cells of rl78 (R5F104xE), which stands for R5F104xC, R5F104xG too: {command}."]
    assert lines[0] in Page((tmp_path / "out" / "index.html").read_text()).text


def test_a_class_that_was_filled_has_pages_of_its_own(tightfit, portfolio, tmp_path):
    with Store.open() as store:
        for measurement in measurements("encrypt"):
            store.add(replace(measurement, variant=replace(measurement.variant, part="R5F104xE")))
    done = tightfit("report", "--out", tmp_path / "out", "--target", "rl78")
    assert len(done.out.splitlines()) == 1
    page = Page((tmp_path / "out" / "rl78-r5f104xe-aes-128.html").read_text())
    assert "simulated on R5F104xE, which stands for R5F104xC" in page.text
    assert "aes-128 encrypt on rl78 (R5F104xE): cells" in page.tables


@pytest.mark.parametrize("folder", ["/proc/report", "file/report"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tightfit, tmp_path, monkeypatch, folder):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr("tightfit.commands.report.write_report", None)
    outcome = tightfit("report", "--out", tmp_path / folder)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith(f"tightfit: {tmp_path / folder}: cannot be written: ")
    assert outcome.err.count("\n") == 1


def test_a_folder_that_is_not_ours(tightfit, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    outcome = tightfit("report", "--out", tmp_path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "is not empty and was not made by tightfit" in outcome.err
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_an_empty_store_says_what_to_run(tightfit, tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "nothing"))
    monkeypatch.setattr("tightfit.primitives.Primitive.published", lambda *_: [])
    outcome = tightfit("report", "--out", tmp_path / "out")
    said = "tightfit: nothing is known of any primitive; `tightfit fill` searches"
    assert (outcome.status, outcome.err.splitlines()[-1]) == (1, said)
