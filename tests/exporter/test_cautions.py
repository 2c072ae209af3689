"""What an exported library warns of: register banks, cores that it is not for, padding to its alignment."""

import re
import subprocess
from dataclasses import replace

import pytest

from tests.answers import BY_NAME, winning
from tests.sampling import some
from tightfit.exporter import export, prepare, toolchains
from tightfit.exporter.outcome import text
from tightfit.exporter.texts import suffix
from tightfit.generator import render
from tightfit.records import Measurement, Padding
from tightfit.reports.cautions import HANDLERS
from tightfit.targets import load_target
from tightfit.targets.recipes import load_toolchain
from tightfit.targets.toolchain import tool

from .firmware.compilers import assemble, compile_c, link, size
from .libraries import exported

WITHOUT_ADDRESSES = ("attiny1614", "atxmega128a1")
CLASSIC = ("atmega1284p", "atmega328p", "attiny85")


def joined(source: str) -> str:
    """A text without line breaks, and without the signs of a comment at the start of each line."""
    return " ".join(re.sub(r"^[ ]*(?:\*|;)", "", source, flags=re.MULTILINE).split())


@pytest.fixture(scope="module")
def banked():
    """A routine that uses register banks."""
    return next(each for each in winning("rl78", "present-80", "encrypt") if each.cost.ram_parts.banks == 24)


@pytest.mark.parametrize("toolchain", toolchains("rl78"))
def test_register_banks_are_warned_of(banked, toolchain, tmp_path):
    done = exported(banked, tmp_path / "out", toolchain)
    warning = f"Register banks 1 to 3: {HANDLERS}."
    header = joined((done.folder / "src/it.h").read_text())
    assert header.count(warning) == 1 + len(done.prepared.rendered.entries)
    assert re.search(re.escape(warning) + r" \*/ void it_encrypt\(", header)
    source = (done.folder / f"src/it{suffix(done.prepared)}").read_text()
    assert warning in joined(source.partition("_it_encrypt")[0])
    sheet = joined((done.folder / "README.md").read_text())
    assert "**Register banks 1 to 3** hold data of a call" in sheet and "--no-banks" in sheet
    assert ("rl78-elf-gcc` makes them save" in sheet) == (toolchain == "gnu")
    assert ("bank=RB1" in sheet) == (toolchain != "gnu")
    assert warning in text(done)


def test_without_banks_there_is_no_word_of_them(tmp_path):
    measured = next(m for m in winning("rl78", "aes-128") if m.reentrant)
    done = exported(measured, tmp_path / "out", "ccrl")
    for file in done.files:
        assert "anks" not in (done.folder / file).read_text(), file


HANDLERS_IN_C = """
volatile long seen;
void other(void);
__attribute__((interrupt)) void leaf(void) { seen += 3; }
__attribute__((interrupt)) void calls(void) { other(); }
"""


def test_handlers_of_gnu_save_what_they_use_of_banks_1_and_2(tmp_path):
    (tmp_path / "handlers.c").write_text(HANDLERS_IN_C)
    compiler = [tool("rl78", "cc"), *load_toolchain("rl78").compile_options(load_target("rl78").part())]
    command = [*compiler, "-O2", "-S", "-o", "-", tmp_path / "handlers.c"]
    for handler in subprocess.check_output(command, text=True).split("; start of function")[1:]:
        pushed = set(re.findall(r"push\s+\w+ ; (r\d+)", handler))
        written = {f"r{int(n) & ~1}" for n in re.findall(r"mo\w+\s+r(\d+),", handler)}
        called = {"r8", "r10", "r12", "r14"} if "_other" in handler else set()
        assert written | called <= pushed, handler
        assert not {f"r{n}" for n in range(24, 32)} & (written | pushed)


@pytest.fixture(scope="module")
def by_address(tmp_path_factory):
    """A library of a routine that reaches registers through their addresses."""
    measured = replace(winning("avr", "present-80")[-1], registers_as_memory=True)
    return exported(measured, tmp_path_factory.mktemp("by_address") / "out")


def compiled(folder, file, part):
    options = [f"-mmcu={part}", "-Isrc", "-c", "-o", "it.o", file]
    return subprocess.run([tool("avr", "cc"), *options], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("file", ["src/it.S", "src/it_selftest.c"])
def test_a_core_whose_registers_have_no_addresses_is_refused(by_address, file):
    for part in WITHOUT_ADDRESSES:
        done = compiled(by_address.folder, file, part)
        (line,) = [line for line in done.stderr.splitlines() if "#error" in line and ": error:" in line]
        assert done.returncode and "it reaches registers through their addresses: not for AVRxt" in line
    for part in CLASSIC:
        assert compiled(by_address.folder, file, part).returncode == 0


def test_an_assembler_without_preprocessor_takes_it(by_address):
    assemble("avr", by_address.folder / "src/it.S", by_address.folder / "it.o")
    sheet = joined((by_address.folder / "README.md").read_text())
    assert "**Not for AVRxt" in sheet and "Its cycles are those of the classic cores" in sheet


def fastest_on(part):
    """A winner of AES-128 that has no caution."""
    found = (m for m in winning("avr", "aes-128") if m.variant.part == part and not m.registers_as_memory)
    return next(found)


@pytest.mark.parametrize("part", WITHOUT_ADDRESSES)
def test_other_routines_assemble_for_these_cores(part, tmp_path):
    measured = fastest_on("ATmega1284P")
    done = exported(measured, tmp_path / "out")
    assert compiled(done.folder, "src/it.S", part).returncode == 0
    assert "take other clocks there" in joined((done.folder / "README.md").read_text())


def test_a_library_for_avrxt(tmp_path):
    """Other clocks, no timers."""
    prepared = prepare(fastest_on("ATtiny1614"), "it")
    done = export(prepared, tmp_path / "out", command="tightfit export ...", part="ATtiny402")
    sheet = joined((done.folder / "README.md").read_text())
    assert "Its cycles are those of AVRxt." in sheet and "mirror" not in sheet
    assert not [file for file in done.files if "clocks" in file or "timed" in file]
    assert "-mmcu=avrxmega3" in (done.folder / "Makefile").read_text()


IO = re.compile(r"^\s*(?:in|out|cbi|sbi|sbic|sbis)\s|^\s*lds\s+\w+,\s*\d|^\s*sts\s+\d", re.MULTILINE)


@pytest.mark.dear("texts of winners of every primitive")
def test_winners_of_avr_touch_no_register_of_the_part():
    """So nothing but addresses of registers keeps them from other cores."""
    for primitive in (primitive for target, primitive in BY_NAME if target == "avr"):
        for measurement in some(winning("avr", primitive), 2, lambda each: each.source_sha256):
            assert not IO.search(render(measurement.variant, markers=False).source), measurement.variant.id


OFFSETS = (0, 1, 2, 115, 116, 117, 118, 200, 255)
BEFORE = """
        .section .progmem.data, "a"
        .skip   {offset}
        .section .data
        .skip   {offset}
        .text
        .global f
f:      {code}
"""


def samples() -> dict[Padding, Measurement]:
    """Winners for the default part with every padding that there is, the first of each."""
    found: dict[Padding, Measurement] = {}
    for primitive in ("aes-128", "present-80"):
        for measurement in winning("avr", primitive):
            if measurement.cost.alignment > 2 and measurement.variant.part == load_target("avr").default_part:
                found.setdefault(measurement.cost.padding, measurement)
    return found


def grown(folder, entries, routine, options=()) -> dict[int, int]:
    """Bytes by which firmware grows by a routine that is called, by the bytes of constants in front of it."""
    (folder / "main.c").write_text("void f(void); int main(void) { f(); return 0; }\n")
    main = compile_c("avr", ["-Os"], folder / "main.c", folder / "main.o")
    calls, sizes = [f"call it_{entry}" for entry in entries], {}
    for offset in OFFSETS:
        for code, last in ((f".skip {4 * len(calls)}", []), ("\n".join(calls), [routine])):
            (folder / "f.s").write_text(BEFORE.format(offset=offset, code=code))
            before = assemble("avr", folder / "f.s", folder / "f.o")
            image = link("avr", options, [main, before, *last], folder / "image")
            sizes[offset] = size("avr", image) - sizes.get(offset, 0)
    return sizes


def test_firmware_grows_by_no_more_than_is_said(tmp_path):
    assert {most.rom for most in samples()} >= {255, 510}
    for most, measurement in samples().items():
        prepared = prepare(measurement, "it")
        (tmp_path / "it.s").write_text(prepared.source)
        routine = assemble("avr", tmp_path / "it.s", tmp_path / "it.o")
        sizes = grown(tmp_path, prepared.rendered.entries, routine)
        padding = {offset: bytes_ - measurement.cost.rom for offset, bytes_ in sizes.items()}
        assert max(padding.values()) <= most.rom, (measurement.variant.id, padding)
        assert max(padding.values()) > most.rom // 2 or not most.rom, (measurement.variant.id, padding)
