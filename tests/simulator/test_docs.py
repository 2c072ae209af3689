"""docs/simulator.md says what the code and the data say."""

import re

import pytest

from tightfit.paths import PACKAGE, simulator_source
from tightfit.yamlfile import load_yaml

from .rl78 import rl78

PAGE = (PACKAGE.parent / "docs" / "simulator.md").read_text()
WORDS = " ".join(PAGE.split())


def differences():
    listed = load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})
    return [entry for group in listed.values() for entry in group]


@pytest.mark.parametrize("entry", differences(), ids=lambda e: e.get("id") or e.get("what") or e["forms"][0])
def test_every_known_difference_is_on_the_page(entry):
    for key in ("what", "why"):
        assert " ".join(entry.get(key, "").split()) in WORDS
    if "what" not in entry:
        assert all(f"`{form}`" in PAGE for form in entry["forms"])


def test_every_way_to_end_is_on_the_page():
    names = set(rl78().status_names())
    assert {"steps", "host out of memory"} <= names
    missing = {name for name in names - {"steps", "host out of memory"} if f"`{name}`" not in WORDS}
    assert not missing


def test_counts_of_forms():
    forms = list(rl78().forms())
    assert f"All {len(forms)} forms of the table, {sum(f.es for f in forms)} of them also with ES" in WORDS


def test_sources_are_explained():
    used = {re.sub(r"sim[!:].*", "sim!n", word) for f in rl78().forms() for word in f.sources.split()}
    for name in used - {"flash", "rule", "flash;"}:
        assert re.search(rf"^\| (SIM, )?{re.escape(name.strip(';'))}\b", PAGE, re.M), name


def test_example(capsys):
    example = re.search(r"```python\n(.*?)\n\nimage", PAGE, re.S)[1]
    exec(example, {})
    assert capsys.readouterr().out == "11 4 \n"
