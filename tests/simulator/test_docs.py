"""docs/simulator.md says what the code and the data say."""

import re

import pytest

from tightfit.paths import PACKAGE, simulator_source
from tightfit.yamlfile import load_yaml

from .cores import CORES, avr, rl78

PAGE = (PACKAGE.parent / "docs" / "simulator.md").read_text()
WORDS = " ".join(PAGE.split())
described = pytest.mark.parametrize("core", [core for core in CORES if any(core.section)], ids=repr)


def section(core) -> str:
    begin, end = core.section
    text = PAGE[PAGE.index(begin) :]
    return text[: text.index(end)] if end else text


def first_cells(core) -> set[str]:
    """What the rows of the section's tables are of."""
    rows = [row for row in section(core).splitlines() if row.startswith("| ")]
    return {name.strip("`") for row in rows for name in row.split("|")[1].strip().split(", ")}


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
    names = set(rl78.CORE.simulator().status_names())
    assert {"steps", "host out of memory"} <= names
    missing = {name for name in names - {"steps", "host out of memory"} if f"`{name}`" not in WORDS}
    assert not missing


@described
def test_counts_of_forms(core):
    words = " ".join(section(core).split())
    for sentence in core.counted(list(core.simulator().forms())):
        assert sentence in words


@described
def test_sources_are_explained(core):
    used = {word.strip(";") for form in core.simulator().forms() for word in form.sources.split()}
    used = {re.sub(r"sim[!:].*", "sim!n", word) for word in used}
    assert used - set(core.no_sources) <= first_cells(core)


@described
def test_rulings_named_elsewhere_are_there(core):
    assert set(re.findall(r"\(([A-Z]\d+)\)", section(core))) <= first_cells(core)


@pytest.mark.parametrize("core", [*(core for core in CORES if any(core.section)), avr.XT_SMALL], ids=repr)
def test_the_memory_map_is_the_part_s(core):
    text, digits = section(core), core.digits
    assert core.part.name in text
    for region in core.regions:
        assert f"| {region.start:0{digits}X}-{region.end - 1:0{digits}X} |" in text, region


def test_example(capsys):
    example = re.search(r"```python\n(.*?)\n\nimage", PAGE, re.S)[1]
    exec(example, {})
    assert capsys.readouterr().out == "11 4 \n"
