"""Labels before the lines of a source, which tell where in an image the bytes of each line are."""

import re
from collections.abc import Iterator, Sequence

from tightfit.harness.elf import Elf

_LABEL = "__tf_line_"
# A label before these would be in a section that they leave, or be copied with what they copy.
_BARE = re.compile(r"\s*(;|$|\.(section|text|data|bss|pushsection|popsection|previous)\b)")
_COPIES, _COPIES_END = re.compile(r"\s*\.(macro|rept|irpc?)\b"), re.compile(r"\s*\.end[mr]\b")


def with_labels(source: Sequence[str]) -> str:
    """The source with a label, numbered from 0, before each line that can put bytes into a section."""
    lines, copies = [], 0
    for number, line in enumerate(source):
        if not copies and not _BARE.match(line) and not _COPIES_END.match(line):
            lines.append(f"{_LABEL}{number}:")
        copies += bool(_COPIES.match(line)) - bool(_COPIES_END.match(line))
        lines.append(line)
    return "\n".join(lines) + "\n"


def places(elf: Elf) -> Iterator[tuple[int, int, int, str]]:
    """Number, address, bytes and section of every labelled line: up to the next one's in its section."""
    labels: dict[int | None, list[tuple[int, int]]] = {}
    for symbol in elf.symbols:
        if symbol.name.startswith(_LABEL):
            number = int(symbol.name.removeprefix(_LABEL))
            labels.setdefault(symbol.section, []).append((symbol.address, number))
    for section in filter(lambda one: one.stored, elf.sections):
        mine = sorted(labels.get(section.index, ()))
        ends = [*(address for address, _ in mine[1:]), section.address + section.stored]
        for (address, number), end in zip(mine, ends, strict=False):
            yield number, address, end - address, section.name
