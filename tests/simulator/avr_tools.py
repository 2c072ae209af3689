"""Assembler, linker and disassembler of the AVR binutils."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tightfit.targets import toolchain


def link(source: str, folder: Path, *, mcu: str = "atmega1284p", machine: str = "avr51") -> Path:
    """An executable with the text section at 0."""
    text, obj, elf = (folder / f"t.{kind}" for kind in ("s", "o", "elf"))
    text.write_text(source)
    run(["as", f"-mmcu={mcu}", "-o", obj, text])
    run(["ld", f"-m{machine}", "-Ttext=0", "-e0", "-o", elf, obj])
    return elf


def assemble(source: str, folder: Path, **options) -> tuple[bytes, dict[str, int]]:
    """Bytes of the linked text section, and its symbols."""
    with link(source, folder, **options).open("rb") as file:
        image = ELFFile(file)
        table = image.get_section_by_name(".symtab")
        symbols = {s.name: s["st_value"] for s in table.iter_symbols() if s.name}
        return image.get_section_by_name(".text").data(), symbols


def disassemble(code: bytes, folder: Path) -> Iterator[tuple[int, str]]:
    """(address, text) of each instruction; no text where the disassembler calls it undefined."""
    path = folder / "code.bin"
    path.write_bytes(code)
    for line in run(["objdump", "-D", "-z", "-bbinary", "-mavr:51", path]).splitlines():
        match = re.match(r" *([0-9a-f]+):\t[^\t]+\t(.*)", line)
        if match:
            words = match[2].partition(";")
            yield int(match[1], 16), "" if words[2].strip() == "undefined" else words[0].strip()


def run(command: list) -> str:
    """Run a tool by its name in the target's toolchain; what it printed."""
    command = [str(toolchain.tool("avr", command[0])), *map(str, command[1:])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
