"""The AVR section of docs/simulator.md says what the code says."""

import re

from tightfit.paths import PACKAGE

from .avr_parts import LARGE, MEGA, TARGET, TINY

PAGE = (PACKAGE.parent / "docs" / "simulator.md").read_text().split("\n## AVR\n")[1].split("\n## ")[0]


def test_counts_of_forms():
    assert PAGE.strip().startswith(f"All {len(LARGE.forms())} forms of AVRe+")
    lacking = {text.split()[0] for text in forms(MEGA) - forms(TINY)}
    assert lacking == {"MUL", "MULS", "MULSU", "FMUL", "FMULS", "FMULSU", "JMP", "CALL"}


def forms(part) -> set[str]:
    return {form.text for form in part.forms()}


def test_sources_are_explained():
    used = {re.sub(r"sim!.*", "sim!n", word) for form in LARGE.forms() for word in form.sources.split()}
    rows = [row for row in PAGE.splitlines() if row.startswith("| ")]
    listed = {name for row in rows for name in row.split("|")[1].strip().split(", ")}
    assert used <= listed


def test_the_memory_map_is_the_part_s():
    part = TARGET.part("ATmega1284P")
    assert part.name in PAGE
    for region in part.memory:
        assert f"| {region.start:06X}-{region.end - 1:06X} |" in PAGE, region
