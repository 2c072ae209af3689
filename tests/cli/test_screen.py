"""Tables on a terminal: what people want first, in its width, in colour, and paged where they are long."""

import re

import pytest

from tightfit.commands import output, screen
from tightfit.reports.document import Document, Table

TABLE = Table(
    "figures",
    ("name", "ROM", "kept", "missed"),
    (("aes", "1,024", "1", "x"), ("sha", "3", "22", "?")),
    frozenset({1, 2}),
    ("missed", "name"),
)


@pytest.fixture
def terminal(monkeypatch, capsys):
    """Print a page on a terminal of some size; what it shows, and whether a pager has shown it."""

    def shown(document, columns, lines):
        paged = []
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr(output.sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr(screen.click, "echo_via_pager", lambda text, **_: paged.append(text))
        output.show(None, document, False)
        return (*paged, capsys.readouterr().out)[0], bool(paged)

    return shown


def test_a_narrow_terminal_does_without_spare_columns():
    assert TABLE.fitted(TABLE.width) is TABLE
    assert TABLE.fitted(TABLE.width - 1).columns == ("name", "ROM", "kept")
    least = TABLE.fitted(1)
    assert (least.columns, least.right, least.rows[1]) == (("ROM", "kept"), frozenset({0, 1}), ("3", "22"))


def test_a_page_fits_and_has_colour(terminal):
    text, paged = terminal(Document("title", (TABLE,), ("a note " * 9,)), 24, 40)
    assert not paged
    assert "\x1b[" in text and "missed" not in text and "1,024" in text
    plain = click_free(text)
    assert max(map(len, plain.splitlines())) <= 24


def test_a_long_page_is_paged_and_so_is_a_wide_one(terminal):
    assert terminal(Document("title", (TABLE,) * 9), 80, 24)[1]
    figures = Table("figures", ("a" * 90,), (("1",),))
    assert terminal(Document("title", (figures,)), 80, 24)[1]


def test_the_facts_of_an_answer_are_broken_beside_their_names(monkeypatch, tightfit):
    monkeypatch.setenv("COLUMNS", "40")
    text = "on rl78\n\n  ROM        900 B\n  banks      1 to 3: an interrupt handler that changes one"
    assert output.fitted(text) == text
    monkeypatch.setattr(output.sys.stdout, "isatty", lambda: True)
    broken = "  banks      1 to 3: an interrupt\n             handler that changes one"
    assert output.fitted(text) == f"on rl78\n\n  ROM        900 B\n{broken}"


def click_free(text):
    from click import unstyle

    return unstyle(text)


def test_elsewhere_nothing_is_left_out(tightfit):
    outcome = tightfit("ask", "aes128", "rl78", "--rom", "1KB", "--ram", "128B")
    assert "\x1b[" not in outcome.out and "variant" in outcome.out


def test_the_table_says_first_what_people_want(tightfit, no_tools):
    every = tightfit("table").out
    assert re.match(r"tightfit portfolio: .*\bavr \(ATmega1284P\), ", every)
    assert "least ROM  512B ROM  1KB ROM  2KB ROM  any ROM" in every
    assert re.search(r"rl78 +aes-128 +200 B +5,000~ +2,000 +2,000 +2,000\n", every)
    assert "): beside the published" not in every and "proved optimal" not in every
    single = tightfit("table", "--target", "rl78", "--primitive", "AES128").out
    assert "beside the published figures" in single and "proved optimal" not in single
    wide = tightfit("table", "--target", "rl78", "--primitive", "AES128", "--wide").out
    assert "proved optimal" in wide and "template and knobs" in wide
