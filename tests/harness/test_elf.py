"""Our reader of ELF files against pyelftools."""

import io

import pytest
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from tightfit.harness.bench import Bench
from tightfit.harness.build import Builder
from tightfit.harness.elf import read_elf

from .routines import routine

TABLES = """
        .section .data
        .type filled, @object
filled: .byte 1, 2, 3
        .size filled, 3
        .section .bss
        .type zeroed, @object
zeroed: .zero 5
        .size zeroed, 5
"""


@pytest.fixture(scope="module")
def files():
    """An object and an image that have every kind of section."""
    with Bench("rl78", None, "aes-128") as bench:
        builder: Builder = bench._builder
        builder.build(routine(extra=TABLES, static=8))
        yield [(builder._folder / name).read_bytes() for name in ("routine.o", "image.elf")]


def theirs(data: bytes):
    file = ELFFile(io.BytesIO(data))
    segments = [s.header for s in file.iter_segments("PT_LOAD")]
    for index, section in enumerate(file.iter_sections()):
        header = section.header
        if header.sh_flags & SH_FLAGS.SHF_ALLOC and header.sh_size:
            stored = b"" if header.sh_type == "SHT_NOBITS" else section.data()
            inside = [s for s in segments if s.p_vaddr <= header.sh_addr < s.p_vaddr + s.p_memsz]
            load = header.sh_addr + (inside[0].p_paddr - inside[0].p_vaddr if inside else 0)
            yield index, section.name, header.sh_addr, load, header.sh_size, stored


def test_sections_agree(files):
    for data in files:
        ours = [(s.index, s.name, s.address, s.load, s.size, s.data) for s in read_elf(data).sections]
        assert ours == list(theirs(data))
        assert {".text", ".rodata", ".data", ".bss"} <= {name for _, name, *_ in ours}


def test_symbols_agree(files):
    for data in files:
        table = ELFFile(io.BytesIO(data)).get_section_by_name(".symtab")
        expected = [
            (s.name, s["st_value"], s["st_size"])
            for s in table.iter_symbols()
            if s.name and s["st_shndx"] != "SHN_UNDEF" and s["st_info"]["type"] != "STT_SECTION"
        ]
        read = [(s.name, s.address, s.size) for s in read_elf(data).symbols]
        assert read == expected
        assert len(read) > 3


def test_initial_values_are_loaded_elsewhere(files):
    (data,) = (s for s in read_elf(files[1]).sections if s.name == ".data")
    assert data.load < 0x10000 < data.address


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"not an ELF file at all"])
def test_no_elf(data):
    with pytest.raises(ValueError, match="expected a 32-bit little-endian ELF file"):
        read_elf(data)
