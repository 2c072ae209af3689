"""Aligned tables of AVR, placed as the data sheet says: firmware grows by the ROM that is claimed."""

import subprocess
from pathlib import Path

import pytest

from tests.exporter.firmware.compilers import assemble, compile_c, link, size
from tests.exporter.test_cautions import BEFORE, MAIN, OFFSETS, _samples, _winners
from tests.simulator.avr_simavr import Simavr
from tightfit.exporter import export, prepare
from tightfit.harness.elf import read_elf

SELFTEST = """
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include "it_selftest.h"
volatile int right = -1;
int main(void)
{
    right = it_selftest();
    cli();
    sleep_enable();
    sleep_cpu();
}
"""
SORTED = "-Wl,--sort-section=alignment"


def exported(measurement, folder: Path) -> Path:
    """A library `it` with its archive."""
    export(prepare(measurement, "it"), folder, command="tightfit export ...")
    subprocess.run(["make", "-C", folder], check=True, capture_output=True)
    return folder


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
    return [
        (measurement, exported(measurement, folder / f"it{n}"))
        for n, measurement in enumerate(_samples().values())
    ]


def grown(library: Path, measurement, offset: int, folder: Path) -> int:
    """Bytes by which firmware with so many constants in front grows by a routine that is called."""
    main = compile_c("avr", ["-Os"], folder / "main.c", folder / "main.o")
    calls = [f"call it_{entry}" for entry in prepare(measurement, "it").rendered.entries]
    sizes = []
    for code, more in ((f".skip {4 * len(calls)}", []), ("\n".join(calls), [library / "libit.a"])):
        (folder / "f.s").write_text(BEFORE.format(offset=offset, code=code))
        before = assemble("avr", folder / "f.s", folder / "f.o")
        image = link("avr", options(library), [main, before, *more], folder / "image")
        sizes.append(size("avr", image))
    return sizes[1] - sizes[0]


def test_firmware_grows_by_the_rom_that_is_claimed(samples, tmp_path):
    (tmp_path / "main.c").write_text(MAIN)
    assert any((library / "tables.ld").is_file() for _, library in samples)
    assert any(SORTED in options(library) for _, library in samples)
    for measurement, library in samples:
        bytes_ = {offset: grown(library, measurement, offset, tmp_path) for offset in OFFSETS}
        assert set(bytes_.values()) == {measurement.cost.rom}, (measurement.variant.id, bytes_)


@pytest.mark.parametrize("address", [None, 0x6100])
def test_placed_tables_give_the_known_answers(samples, tmp_path, address):
    placed = [case for case in samples if (case[1] / "tables.ld").is_file()]
    for measurement, library in placed:
        elf = read_elf(selftest(library, tmp_path, address).read_bytes())
        tables = next(section for section in elf.sections if section.name == ".it_tables")
        end = tables.address + tables.size
        assert tables.address == address if address else 0x10000 - 256 < end <= 0x10000
        machine = Simavr("atmega1284p")
        for section in elf.sections:
            if section.data:
                machine.load(section.load, section.data)
        machine.start(0, 0)
        machine.run()
        right = elf.named["right"].address & 0xFFFF
        assert bytes(machine.data[right : right + 2]) == b"\0\0", measurement.variant.id


def selftest(library: Path, folder: Path, address: int | None) -> Path:
    """Firmware with the self-test, linked as the data sheet says."""
    main = (
        SELFTEST.replace("NAME", "it").replace("ROOM", "100").replace("other = it_selftest_clocks(put);", "")
    )
    (folder / "selftest.c").write_text(main.replace("static void put", "void put"))
    sources = [folder / "selftest.c", library / "src" / "it_selftest.c", library / "libit.a"]
    own = [f"-Wl,--defsym,it_tables={address}"] if address else []
    flags = ["-Os", "-mmcu=atmega1284p", f"-I{library / 'src'}", *options(library), *own]
    image = folder / "selftest.elf"
    subprocess.run(["avr-gcc", *flags, "-o", image, *sources], check=True)
    return image


def test_a_library_without_aligned_tables_has_no_script(tmp_path):
    plain = next(m for m in _winners("avr", "aes-128") if not m.cost.padding.rom)
    library = exported(plain, tmp_path / "it")
    assert options(library) == [] and "tables.ld" not in (library / "README.md").read_text()
