"""Progress: bars on a terminal, elsewhere a line for each piece of work."""

from tightfit.targets.progress import shown, silent


def test_where_nobody_watches_each_piece_of_work_is_one_line(capsys):
    with shown() as progress:
        for done in range(4):
            progress("building toy", done, 3)
        progress("fetching toy", 0, 1)
    said = capsys.readouterr()
    assert said.err == "building toy\nfetching toy\n"
    assert said.out == ""


def test_a_terminal_gets_bars(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with shown() as progress:
        progress("building toy", 1, 4)
        progress("building toy", 4, 4)
    said = capsys.readouterr()
    assert "building toy" in said.err
    assert "4/4" in said.err
    assert said.out == ""


def test_silence(capsys):
    silent("building toy", 1, 4)
    assert capsys.readouterr() == ("", "")
