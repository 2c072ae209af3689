"""The writers of a page."""

import csv
import io

import pytest

from tightfit.reports.document import FORMATS, Document, Table, write

PAGE = Document(
    "title & more",
    (Table("caption", ("name", "figure"), (("a|b", "1"), ("<c>", "10,000")), frozenset({1})),),
    ("note_1",),
)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_holds_every_cell(form):
    text = write(PAGE, form)
    assert text.endswith("\n")
    assert "10,000" in text and "name" in text


def test_text_aligns_figures_to_the_right():
    lines = write(PAGE, "text").splitlines()
    assert "  a|b        1" in lines
    assert "  <c>   10,000" in lines


def test_html_and_latex_and_markdown_escape():
    assert "&lt;c&gt;" in write(PAGE, "html") and "title &amp; more" in write(PAGE, "html")
    assert r"\textless{}c\textgreater{}" in write(PAGE, "latex") and r"note\_1" in write(PAGE, "latex")
    assert r"| a\|b | 1 |" in write(PAGE, "md")


def test_csv_reads_back():
    rows = list(csv.reader(io.StringIO(write(PAGE, "csv"))))
    assert rows == [["name", "figure"], ["a|b", "1"], ["<c>", "10,000"]]


def test_a_column_that_says_nothing_is_dropped():
    table = Table("costs", ("name", "hazard", "cycles"), (("a", "0", "5"), ("b", "", "6")), frozenset({1, 2}))
    dropped = table.dropping("hazard")
    assert (dropped.columns, dropped.rows) == (("name", "cycles"), (("a", "5"), ("b", "6")))
    assert dropped.right == {1}
    telling = Table("costs", ("name", "hazard"), (("a", "0"), ("b", "1")))
    assert telling.dropping("hazard") is telling
