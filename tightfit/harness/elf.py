"""What the harness needs of an ELF file: its allocated sections and its symbols.

Read here rather than with pyelftools, which takes longer than the linker; the tests compare the two.
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
_LOADED, _SYMBOL_TABLE, _NO_BITS, _ALLOCATED, _RESERVED, _LOCAL = 1, 2, 8, 2, 0xFF00, 0
_KINDS = {0: "notype", 1: "object", 2: "function"}


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

    @property
    def stored(self) -> int:
        """Bytes that it occupies in non-volatile memory."""
        return len(self.data)


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
    """Sections in file order and symbols in table order."""

    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]

    @cached_property
    def named(self) -> dict[str, Symbol]:
        """The symbols by name."""
        return {symbol.name: symbol for symbol in self.symbols}


def read_elf(data: bytes) -> Elf:
    """The non-empty allocated sections and the named symbols of a 32-bit little-endian ELF file.

    Raises
    ------
    ValueError
        The data is no such file.
    """
    if not data.startswith(_MAGIC):
        raise ValueError("expected a 32-bit little-endian ELF file")
    header = _FILE.unpack_from(data)
    segments_at, sections_at = header[5:7]
    segment_count, section_count, names_index = header[10], header[12], header[13]
    segments = _table(_SEGMENT, data, segments_at, segment_count)
    headers = _table(_SECTION, data, sections_at, section_count)
    names_at = headers[names_index][4] if headers else 0
    sections = tuple(
        _section(index, row, _text(data, names_at + row[0]), segments, data)
        for index, row in enumerate(headers)
        if row[2] & _ALLOCATED and row[5]
    )
    tables = [row for row in headers if row[1] == _SYMBOL_TABLE]
    symbols = (symbol for row in tables for symbol in _symbols(data, row, headers[row[6]][4]))
    return Elf(sections, tuple(symbols))


def _table(layout: struct.Struct, data: bytes, start: int, count: int) -> list[tuple[int, ...]]:
    return list(layout.iter_unpack(data[start : start + layout.size * count]))


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


def _section(index: int, row: tuple[int, ...], name: str, segments: list, data: bytes) -> Section:
    _, kind, _, address, offset, size, _, _, alignment, _ = row
    stored = b"" if kind == _NO_BITS else data[offset : offset + size]
    return Section(index, name, address, _load_address(address, segments), size, max(1, alignment), stored)


def _load_address(address: int, segments: list) -> int:
    for kind, _, virtual, physical, _, size, _, _ in segments:
        if kind == _LOADED and virtual <= address < virtual + size:
            return address - virtual + physical
    return address


def _symbols(data: bytes, row: tuple[int, ...], strings_at: int) -> Iterator[Symbol]:
    offset, size = row[4:6]
    for name, value, length, info, _, index in _SYMBOL.iter_unpack(data[offset : offset + size]):
        if name and index:
            section = index if index < _RESERVED else None
            yield Symbol(
                _text(data, strings_at + name),
                value,
                length,
                _KINDS.get(info & 15, "other"),
                section,
                info >> 4 != _LOCAL,
            )
