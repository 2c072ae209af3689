"""The pages on adding a target and a primitive agree with the tree; shared code names neither."""

import re

import pytest

from tightfit.paths import PACKAGE
from tightfit.primitives import primitive_ids
from tightfit.targets import target_ids

ROOT = PACKAGE.parent
PAGES = ["adding-a-target.md", "adding-a-primitive.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page):
    text = (ROOT / "docs" / page).read_text().partition("## Files")[2]
    named = re.findall(r"`((?:tightfit|simulator|tests|docs)/[^`*<>]+)`", text)
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []


LISTED = re.findall(
    r"^`(tightfit/[^`]+)`(, in part)?:\n\n```\w*\n(.*?\n)```$",
    (ROOT / "docs" / "adding-a-primitive.md").read_text(),
    re.MULTILINE | re.DOTALL,
)


def test_the_page_holds_a_whole_template():
    whole = [file.rpartition("/")[2] for file, in_part, _ in LISTED if not in_part]
    construction = ["primitive.yaml"]
    assert whole == [
        "primitive.yaml",
        "reference.py",
        "template.yaml",
        "main.s.j2",
        "notes.yaml",
        *construction,
    ]


@pytest.mark.parametrize(("file", "in_part", "text"), LISTED)
def test_a_listing_is_what_the_file_says(file, in_part, text):
    there = (ROOT / file).read_text()
    assert text.rstrip() in there if in_part else text == there


def test_every_macro_that_the_template_uses_is_listed():
    shown = "".join(text for file, _, text in LISTED if file.endswith(".j2"))
    macros = set(re.findall(r"{% macro (\w+)", shown))
    used = set(re.findall(r"{{ (?:\w+\.)?(\w+)\(", shown)) - {"times"}  # of a branch not taken here
    assert len(used) > 5 and used <= macros


def test_no_shared_code_names_a_target_or_a_primitive():
    """Exceptions are the package's own folder of a primitive, and the module of a target's GNU interface."""
    names = (*target_ids(), *primitive_ids())
    words = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))
    names_in = {}
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE)
        if place.parts[:2] != ("exporter", "interfaces") and not set(place.parts) & set(names):
            if named := words.findall(file.read_text()):
                names_in[str(place)] = named
    assert names_in == {}
