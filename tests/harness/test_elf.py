"""Our reader of ELF files against pyelftools."""

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from tightfit.errors import UsageError
from tightfit.harness.bench import Bench
from tightfit.harness.build import Builder
from tightfit.harness.elf import read_elf
from tightfit.harness.simulator import run_elf, simulator_of
from tightfit.harness.simulator.firmware import load_image
from tightfit.targets import load_target

from .programs import program
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


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\x7fELF\x01\x01", b"not an ELF file at all"])
def test_no_elf(data):
    with pytest.raises(ValueError, match="expected a 32-bit little-endian ELF file"):
        read_elf(data)


ENDS = {"rl78": "halt", "avr": "sleep", "msp430": "bis #0x10, sr"}
PROGRAM = """
        .text
        .global _start
        .type _start, @function
_start: nop
inner:  {end}
        .size _start, . - _start
        .data
        .byte 1, 2, 3
"""
VALUES = (0, 1, 2, 3, 0x7F, 0xFF, 0x100, 0xFF00, 0xFFF1, 0x7FFFFFFF, 0xFFFFFFFF)
FIELDS = {2: [16, 18, *range(40, 52, 2)], 4: [20, 24, 28, 32, 36]}
"""Where the fields of the file header are, by their size."""


def image(target_id: str, folder: Path) -> bytes:
    """A small program that ends at once."""
    return program(target_id, PROGRAM.replace("{end}", ENDS[target_id]), folder).read_bytes()


def changed(data: bytes, at: int, size: int, value: int) -> bytes:
    return data[:at] + (value & (1 << 8 * size) - 1).to_bytes(size, "little") + data[at + size :]


def tables(data: bytes) -> list[range]:
    """Where the section headers, the program headers and the symbols are."""
    file = ELFFile(io.BytesIO(data))
    header, symbols = file.header, file.get_section_by_name(".symtab")
    spans = [(header.e_shoff, header.e_shnum * 40), (header.e_phoff, header.e_phnum * 32)]
    spans.append((symbols["sh_offset"], symbols["sh_size"]))
    return [range(start, start + size, 4) for start, size in spans]


def mutations(data: bytes) -> Iterator[bytes]:
    """The file with every field of its headers changed, with random bytes changed, and cut short."""
    for size, places in FIELDS.items():
        yield from (changed(data, at, size, value) for at in places for value in VALUES)
    for places in tables(data):
        for at in places:
            old = int.from_bytes(data[at : at + 4], "little")
            values = (*VALUES[-3:], old + 1, old ^ 0x02, len(data))
            yield from (changed(data, at, 4, value) for value in values)
            yield from (changed(data, at + 2, 2, value) for value in (0, 0x7FFF, 0xFFFF))
    chance = random.Random(1)
    for _ in range(500):
        yield changed(data, chance.randrange(len(data)), 1, chance.randrange(256))
    yield from (data[:kept] for kept in range(0, len(data), 61))


@pytest.mark.parametrize("target_id", ENDS)
def test_a_malformed_image_is_one_line_or_runs(target_id, tmp_path):
    target, data, file = load_target(target_id), image(target_id, tmp_path), tmp_path / "mutated.elf"
    simulator = simulator_of(target.part())
    loaded = refused = 0
    for number, mutated in enumerate(mutations(data)):
        file.write_bytes(mutated)
        try:
            load_image(simulator, file, target.elf_machine)
            loaded += 1
            if number % 10 == 0:
                run_elf(file, target, target.part(), cycle_limit=1000, profile=True)
        except UsageError as error:
            assert "\n" not in str(error) and len(str(error)) < 300
            refused += 1
    assert loaded + refused > 1000 and loaded and refused


def test_a_symbol_table_that_is_none(tmp_path):
    data = image("avr", tmp_path)
    symbols = next(at for at in tables(data)[0][::10] if int.from_bytes(data[at + 4 : at + 8], "little") == 2)
    for at, value, said in (
        (symbols + 24, 99, "expected a table of names in section 99, found none"),
        (symbols + 20, 17, "expected symbols of 16 bytes each, found 17"),
        (symbols + 16, len(data), "expected the symbols inside the file"),
    ):
        with pytest.raises(ValueError, match=said):
            read_elf(changed(data, at, 4, value))
    assert read_elf(changed(data, symbols + 4, 4, 1)).symbols == ()
