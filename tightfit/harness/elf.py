"""What the harness needs of an ELF file: its allocated sections and its symbols."""

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

_SYMBOL = struct.Struct("<IIIBBH")
_KINDS = {0: "notype", 1: "object", 2: "function"}


@dataclass(frozen=True)
class Section:
    """An allocated section; `load` is where its bytes are in flash, `data` is empty where none are."""

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


@dataclass(frozen=True)
class Symbol:
    """A symbol that is defined in an allocated section, or absolute (`section` None)."""

    name: str
    address: int
    size: int
    kind: str
    section: int | None


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
    """The sections and symbols of a 32-bit little-endian ELF file."""
    file = ELFFile(io.BytesIO(data))
    segments = [segment.header for segment in file.iter_segments("PT_LOAD")]
    sections, table = [], None
    for index, section in enumerate(file.iter_sections()):
        header = section.header
        if header.sh_type == "SHT_SYMTAB":
            table = section
        elif header.sh_flags & SH_FLAGS.SHF_ALLOC and header.sh_size:
            sections.append(_section(index, section, segments, data))
    symbols = tuple(_symbols(table, data, file)) if table is not None else ()
    return Elf(tuple(sections), symbols)


def _section(index: int, section, segments: list, data: bytes) -> Section:
    header = section.header
    stored = b"" if header.sh_type == "SHT_NOBITS" else data[header.sh_offset :][: header.sh_size]
    return Section(
        index=index,
        name=section.name,
        address=header.sh_addr,
        load=_load_address(header, segments),
        size=header.sh_size,
        alignment=max(1, header.sh_addralign),
        data=stored,
    )


def _load_address(header, segments: list) -> int:
    for segment in segments:
        if segment.p_vaddr <= header.sh_addr < segment.p_vaddr + segment.p_memsz:
            return header.sh_addr - segment.p_vaddr + segment.p_paddr
    return header.sh_addr


def _symbols(table, data: bytes, file: ELFFile) -> Iterator[Symbol]:
    # pyelftools parses symbols one at a time, slower than the assembler; the table is 16 bytes an entry
    header = table.header
    strings = file.get_section(header.sh_link).header.sh_offset
    entries = data[header.sh_offset :][: header.sh_size]
    for name, value, size, info, _, index in _SYMBOL.iter_unpack(entries):
        if name and index:
            start = strings + name
            text = data[start : data.index(b"\0", start)].decode()
            section = index if index < 0xFF00 else None
            yield Symbol(text, value, size, _KINDS.get(info & 15, "other"), section)
