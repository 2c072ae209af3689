"""Which line of a source a rejection is about, where it knows a line or an address."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from tightfit.generator.sourcelines import SourceLine, source_lines
from tightfit.harness import linelabels
from tightfit.harness.build import Builder
from tightfit.harness.elf import Elf, read_elf
from tightfit.harness.routine import Rejected, Routine
from tightfit.records import Variant

_ASSEMBLER = re.compile(r"assembler: \S+\.s:(\d+):")
_OFFSET = re.compile(r"linker: .*\((\.[\w.]+)\+0x([0-9a-f]+)\)")


def blamed(variant: Variant, routine: Routine, builder: Builder, rejected: Rejected) -> SourceLine | None:
    """The line of a variant's source that a rejection is about; None where that is not known."""
    lines = routine.source.split("\n")
    index = _index(lines, routine, builder, rejected)
    return None if index is None else source_lines(variant)[index]


def _index(lines: Sequence[str], routine: Routine, builder: Builder, rejected: Rejected) -> int | None:
    if said := _ASSEMBLER.match(str(rejected)):
        return int(said[1]) - 1
    labelled = linelabels.with_labels(lines)
    try:
        if said := _OFFSET.match(str(rejected)):
            elf = read_elf(builder.assemble(labelled).read_bytes())
            return _at(elf, int(said[2], 16), said[1])
        if rejected.address is not None:
            return _at(builder.build(routine.with_source(labelled)).elf, rejected.address)
    except Rejected:  # it cannot be built with labels
        pass
    return None


def _at(elf: Elf, address: int, section: str | None = None) -> int | None:
    """Index of the line whose bytes are at an address, or at an offset of a section."""
    places = sorted(
        (begin, size, number)
        for number, begin, size, name in linelabels.places(elf)
        if size and section in (None, name)
    )
    at = bisect_right(places, (address, float("inf"))) - 1
    if at < 0 or address >= places[at][0] + places[at][1]:
        return None
    return places[at][2]
