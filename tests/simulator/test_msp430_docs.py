"""The MSP430 part of docs/simulator.md says what the table says."""

import re

from tightfit.paths import PACKAGE

from .msp430 import msp430

PAGE = (PACKAGE.parent / "docs" / "simulator.md").read_text().partition("## MSP430\n")[2]
WORDS = " ".join(PAGE.split())


def test_counts_of_forms():
    forms = list(msp430().forms())
    assert f"The table has {len(forms)} forms" in WORDS
    assert f"and {sum(bool(form.core) for form in forms)} forms that only the CPUX has" in WORDS


def test_sources_are_explained():
    named = {word.strip(";") for form in msp430().forms() for word in form.sources.split()}
    for name in named - {"CPUX"}:
        assert re.search(rf"^\| {re.escape(name)} \|", PAGE, re.M), name


def test_rulings_named_elsewhere_are_there():
    for number in set(re.findall(r"\((M\d+)\)", PAGE)):
        assert f"| {number} |" in PAGE
