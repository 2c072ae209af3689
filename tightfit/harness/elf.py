"""What the harness needs of an ELF file: its allocated sections, its segments and its symbols.

Read here rather than with pyelftools, which takes longer than the linker; the tests compare the two. All that
is read is checked to be there, so that a malformed file is a ValueError and nothing else.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

# Fields of the 32-bit little-endian structures, System V ABI chapter 4 and 5.
_FILE = struct.Struct("<16sHHIIIIIHHHHHH")
_SECTION = struct.Struct("<10I")
_SEGMENT = struct.Struct("<8I")
_SYMBOL = struct.Struct("<IIIBBH")
_MAGIC = b"\x7fELF\x01\x01"
_LOADED, _SYMBOL_TABLE, _STRINGS, _NO_BITS, _RESERVED, _LOCAL = 1, 2, 3, 8, 0xFF00, 0
_ALLOCATED, _EXECUTABLE = 2, 4
_FUNCTION = "function"
_KINDS = {0: "notype", 1: "object", 2: _FUNCTION}
_ARM = 40


@dataclass(frozen=True)
class Section:
    """An allocated section; `load` is where its bytes are in flash, `data` is empty where it stores none."""

    index: int
    name: str
    address: int
    load: int
    size: int
    alignment: int
    data: bytes
    offset: int = 0
    executable: bool = False

    @property
    def stored(self) -> int:
        """Bytes that it occupies in non-volatile memory."""
        return len(self.data)


@dataclass(frozen=True)
class Segment:
    """A segment that is loaded: where it is in the file, where it runs, where in flash; `data` is stored."""

    offset: int
    address: int
    load: int
    size: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol that is defined in a section, or absolute (`section` None); `exported` if not local."""

    name: str
    address: int
    size: int
    kind: str
    section: int | None
    exported: bool = True


@dataclass(frozen=True)
class Elf:
    """Sections and segments in file order, symbols in table order; `kind` is that of the file."""

    kind: int
    machine: int
    entry: int
    sections: tuple[Section, ...]
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...]

    @cached_property
    def named(self) -> dict[str, Symbol]:
        """The symbols by name."""
        return {symbol.name: symbol for symbol in self.symbols}


def read_elf(data: bytes) -> Elf:
    """The non-empty allocated sections, the loaded segments and the named symbols of a 32-bit ELF file.

    Raises
    ------
    ValueError
        The data is no such file, or what its headers name is not in it.
    """
    if not data.startswith(_MAGIC) or len(data) < _FILE.size:
        raise ValueError("expected a 32-bit little-endian ELF file")
    _, kind, machine, _, entry, segments_at, sections_at, _, _, *tables = _FILE.unpack_from(data)
    segment_bytes, segment_count, section_bytes, section_count, names_index = tables
    rows = _table(_SEGMENT, data, segments_at, segment_count, segment_bytes, "program headers")
    segments = tuple(_segment(data, row) for row in rows if row[0] == _LOADED)
    headers = _table(_SECTION, data, sections_at, section_count, section_bytes, "section headers")
    names = _strings(data, headers, names_index) if headers else b""
    sections = tuple(
        _section(index, row, _text(names, row[0]), segments, data)
        for index, row in enumerate(headers)
        if row[2] & _ALLOCATED and row[5]
    )
    symbols = (
        symbol
        for row in headers
        if row[1] == _SYMBOL_TABLE
        for symbol in _symbols(data, row, _strings(data, headers, row[6]), len(headers), machine)
    )
    return Elf(kind, machine, entry, sections, segments, tuple(symbols))


def _table(
    layout: struct.Struct, data: bytes, start: int, count: int, size: int, what: str
) -> list[tuple[int, ...]]:
    if count and size != layout.size:
        raise ValueError(f"expected {what} of {layout.size} bytes each, found {size}")
    return list(layout.iter_unpack(_span(data, start, layout.size * count, what)))


def _span(data: bytes, start: int, size: int, what: str) -> bytes:
    if size and start + size > len(data):
        raise ValueError(
            f"expected {what} inside the file, found bytes {start} to {start + size} of {len(data)}"
        )
    return data[start : start + size]


def _strings(data: bytes, headers: list[tuple[int, ...]], index: int) -> bytes:
    if index >= len(headers) or headers[index][1] != _STRINGS:
        raise ValueError(f"expected a table of names in section {index}, found none")
    return _span(data, *headers[index][4:6], "a table of names")


def _text(strings: bytes, start: int) -> str:
    end = strings.find(b"\0", start)
    if end < 0:
        raise ValueError(f"expected a name at {start} of {len(strings)} bytes of names, found none")
    return strings[start:end].decode(errors="replace")


def _segment(data: bytes, row: tuple[int, ...]) -> Segment:
    _, offset, address, load, stored, size, _, _ = row
    return Segment(offset, address, load, size, _span(data, offset, stored, "a segment"))


def _section(
    index: int, row: tuple[int, ...], name: str, segments: tuple[Segment, ...], data: bytes
) -> Section:
    _, kind, flags, address, offset, size, _, _, alignment, _ = row
    stored = b"" if kind == _NO_BITS else _span(data, offset, size, f"section {name}")
    load, executable = _load_address(address, segments), bool(flags & _EXECUTABLE)
    return Section(index, name, address, load, size, max(1, alignment), stored, offset, executable)


def _load_address(address: int, segments: tuple[Segment, ...]) -> int:
    for segment in segments:
        if segment.address <= address < segment.address + segment.size:
            return address - segment.address + segment.load
    return address


def _symbols(
    data: bytes, row: tuple[int, ...], strings: bytes, sections: int, machine: int
) -> Iterator[Symbol]:
    """Bit 0 in the address of a function of Arm's says that Thumb code is there."""
    offset, size = row[4:6]
    if size % _SYMBOL.size:
        raise ValueError(f"expected symbols of {_SYMBOL.size} bytes each, found {size} bytes of them")
    for name, value, length, info, _, index in _SYMBOL.iter_unpack(_span(data, offset, size, "the symbols")):
        if sections <= index < _RESERVED:
            raise ValueError(f"expected a symbol in one of {sections} sections, found section {index}")
        if name and index:
            kind = _KINDS.get(info & 15, "other")
            yield Symbol(
                _text(strings, name),
                value & ~1 if machine == _ARM and kind == _FUNCTION else value,
                length,
                kind,
                index if index < _RESERVED else None,
                info >> 4 != _LOCAL,
            )
