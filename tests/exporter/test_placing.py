"""Aligned tables of AVR, placed as the data sheet says: firmware grows by the ROM that is claimed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.answers import winning
from tests.exporter.firmware.boards import simavr
from tests.exporter.firmware.compilers import link
from tests.exporter.test_cautions import grown
from tests.exporter.test_cautions import samples as every_padding
from tightfit.exporter import Export
from tightfit.harness.elf import read_elf
from tightfit.records import Padding

from .libraries import exported, run

MAIN = """
#include "it_selftest.h"
volatile int right = RIGHT; /* start-up copies initial values only where C has some */
int main(void)
{
    return it_selftest() ? 1 : right;
}
"""
RIGHT = 7
SORTED = "-Wl,--sort-section=alignment"


def archived(measurement, folder: Path) -> Export:
    """A library `it` with its archive."""
    done = exported(measurement, folder)
    run("make", "-C", folder)
    return done


def options(library: Path) -> list[str]:
    """The options that the data sheet names."""
    sheet = (library / "README.md").read_text()
    placed = [f"-Wl,-T,{library / 'tables.ld'}"] if "`-Wl,-T,tables.ld`" in sheet else []
    assert bool(placed) == (library / "tables.ld").is_file()
    return placed + ([SORTED] if f"`{SORTED}`" in sheet else [])


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """Winners with every padding that there is, exported."""
    folder = tmp_path_factory.mktemp("samples")
    return [archived(each, folder / f"it{n}") for n, each in enumerate(every_padding().values())]


def test_firmware_grows_by_the_rom_that_is_claimed(samples, tmp_path):
    assert any((library.folder / "tables.ld").is_file() for library in samples)
    assert any(SORTED in options(library.folder) for library in samples)
    for library in samples:
        entries, archive = library.prepared.rendered.entries, library.folder / "libit.a"
        sizes = grown(tmp_path, entries, archive, options(library.folder))
        assert set(sizes.values()) == {library.cost.rom}, (library.measurement.variant.id, sizes)


@pytest.mark.parametrize("address", [None, 0x6100])
def test_placed_tables_give_the_known_answers(samples, frame, tmp_path, address):
    placed = [library for library in samples if (library.folder / "tables.ld").is_file()]
    for library in placed:
        image = selftest(library.folder, frame("avr").start, tmp_path, address)
        sections = read_elf(image.read_bytes()).sections
        tables = next(section for section in sections if section.name == ".it_tables")
        end = tables.address + tables.size
        assert tables.address == address if address else 0x10000 - 256 < end <= 0x10000
        assert simavr("avr", image).code == RIGHT, library.measurement.variant.id


def selftest(library: Path, start: Sequence[Path], folder: Path, address: int | None) -> Path:
    """Firmware with the self-test, linked as the data sheet says."""
    (folder / "selftest.c").write_text(MAIN)
    sources = [folder / "selftest.c", library / "src" / "it_selftest.c", library / "libit.a", *start]
    own = [f"-Wl,--defsym,it_tables={address}"] if address else []
    flags = ["-Os", f"-DRIGHT={RIGHT}", f"-I{library / 'src'}", *options(library), *own]
    return link("avr", flags, sources, folder / "selftest.elf")


def test_a_library_without_aligned_tables_has_no_script(tmp_path):
    plain = next(m for m in winning("avr", "aes-128") if m.cost.padding == Padding())
    library = archived(plain, tmp_path / "it").folder
    assert options(library) == [] and "tables.ld" not in (library / "README.md").read_text()
