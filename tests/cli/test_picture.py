"""The picture of the portfolio: well-formed SVG, a line for each target, all points inside the picture."""

from xml.etree import ElementTree

from tests.cli.fixture_portfolio import COSTS

SVG = "{http://www.w3.org/2000/svg}"


def test_a_panel_has_the_steps_of_the_front(tightfit):
    outcome = tightfit("table", "--primitive", "aes128", "--primitive", "sha-256", "--format", "svg")
    assert (outcome.status, outcome.err) == (0, "")
    root = ElementTree.fromstring(outcome.out)
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "AES-128, encrypt: cycles a block" in words and "rl78" in words
    (line,) = (path for path in root.iter(f"{SVG}path") if path.get("class", "").startswith("l "))
    figures = sorted((rom, cycles[0]) for rom, _, _, cycles, *_ in COSTS["encrypt"])
    best = [one for at, one in enumerate(figures) if all(one[1] < before[1] for before in figures[:at])]
    assert line.get("d").count("H") == len(best)
    width, height = float(root.get("width")), float(root.get("height"))
    for circle in root.iter(f"{SVG}circle"):
        assert 0 < float(circle.get("cx")) < width and 0 < float(circle.get("cy")) < height
    assert not list(root.iter(f"{SVG}script"))


def test_a_picture_of_nothing(tightfit):
    hashes = tightfit("table", "--kind", "hash", "--target", "rl78", "--format", "svg").out
    assert ElementTree.fromstring(hashes) is not None
    wrong = tightfit("table", "--format", "svg", "--curve")
    assert (wrong.status, wrong.out) == (2, "")
    assert wrong.err.startswith("tightfit: --format svg goes with the portfolio: leave out --curve")
