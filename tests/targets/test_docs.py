"""The pages on adding a target and a primitive name files that exist, and code that names none."""

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


def test_no_shared_code_names_a_target_or_a_primitive():
    """But for the package's own folder of a primitive, and the module of a target's GNU interface."""
    names = (*target_ids(), *primitive_ids())
    words = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))
    found = {}
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE)
        if place.parts[:2] != ("exporter", "interfaces") and not set(place.parts) & set(names):
            if named := words.findall(file.read_text()):
                found[str(place)] = named
    assert found == {}
