"""The lines of a source by section, and where its symbols are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tightfit.exporter.dialects.lines import LOCAL, Directive, Line

SECTIONS = (".text", ".rodata", ".data", ".bss")
FLASH = (".text", ".rodata")


@dataclass(frozen=True)
class Program:
    """Comments before the first section, then the lines of each section in the order of its bytes."""

    preamble: tuple[Line, ...]
    blocks: Mapping[str, tuple[Line, ...]]
    spaces: Mapping[str, str] = field(default_factory=dict)

    def space(self, symbol: str) -> str:
        """`flash` or `ram`: where a symbol is; a symbol that is defined elsewhere counts as code."""
        return self.spaces.get(symbol, "flash")


def gather(lines: Iterable[Line]) -> Program:
    """The program of lines that switch between sections, with each section in one piece.

    A section with a longer name, such as `.rodata.initial`, follows the section it is named after, and common
    symbols end `.bss`, as the linker places them.
    """
    preamble: list[Line] = []
    chunks: dict[str, list[Line]] = {}
    common: list[Line] = []
    current = preamble
    for line in lines:
        if isinstance(line.item, Directive) and line.item.name == "section":
            moved = _loose(current) if current is not preamble else []
            current = chunks.setdefault(line.item["name"], [])
            current += moved
        elif isinstance(line.item, Directive) and line.item.name == "common":
            common += _reserved(line)
        elif isinstance(line.item, Directive) and line.item.name == "local":
            continue  # a label is local unless it is exported
        else:
            if current is preamble and (line.item or line.label):
                current = chunks.setdefault(".text", [])
            current.append(line)
    if common:
        chunks.setdefault(".bss", []).extend(common)
    return with_spaces(tuple(preamble), _joined(chunks))


def with_spaces(preamble: tuple[Line, ...], blocks: Mapping[str, tuple[Line, ...]]) -> Program:
    """The program of these blocks, with the memory that each label is in."""
    spaces = {
        line.label: "flash" if section in FLASH else "ram"
        for section, lines in blocks.items()
        for line in lines
        if line.label
    }
    return Program(preamble, blocks, spaces)


def _loose(lines: list[Line]) -> list[Line]:
    """Comments and blank lines taken off the end: they belong to what follows."""
    kept = len(lines)
    while kept and not (lines[kept - 1].item or lines[kept - 1].label):
        kept -= 1
    loose = lines[kept:]
    del lines[kept:]
    return loose


def _reserved(line: Line) -> list[Line]:
    """A common symbol as a label in `.bss`."""
    item = line.item
    return [
        Line(0, item=Directive("align", (("bytes", item["bytes"]),))),
        Line(line.number, label=item["symbol"], comment=line.comment),
        Line(0, item=Directive("space", (("count", item["count"]),))),
        *_size(item["symbol"]),
    ]


def _joined(chunks: Mapping[str, list[Line]]) -> dict[str, tuple[Line, ...]]:
    blocks: dict[str, tuple[Line, ...]] = {}
    for base in SECTIONS:
        names = [name for name in chunks if name == base]
        names += [name for name in chunks if name.startswith(base + ".")]
        lines = tuple(line for name in names for line in chunks[name])
        if lines:
            blocks[base] = lines
    return blocks


def with_sizes(program: Program) -> Program:
    """The program with the extent of every symbol that is not local: up to the next such label."""
    return replace(program, blocks={name: _sized(lines) for name, lines in program.blocks.items()})


def _sized(lines: Iterable[Line]) -> tuple[Line, ...]:
    sized: list[Line] = []
    symbol: str | None = None
    for line in lines:
        if line.label and not line.label.startswith(LOCAL):
            sized += _size(symbol)
            symbol = line.label
        sized.append(line)
    return (*sized, *_size(symbol))


def _size(symbol: str | None) -> list[Line]:
    if symbol is None:
        return []
    return [Line(0, item=Directive("size", (("symbol", symbol), ("extent", f". - {symbol}"))))]
