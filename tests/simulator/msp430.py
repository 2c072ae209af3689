"""The MSP430 parts and cores that the tests run on, and the way from text to bytes."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tightfit.harness.simulator import Simulator, regions_of
from tightfit.targets import load_target, toolchain

from .snippets import Snippet, lines, machine

TARGET = load_target("msp430")
PARTS = {part.core.name: part for part in map(TARGET.part, ("MSP430F1611", "MSP430FG4618"))}
CORES = tuple(PARTS)
CPU = {"msp430": "430", "msp430x": "430x"}
START = 0x4000
RAM = range(0x1100, 0x3100)
"""RAM that both parts have."""


def msp430(core: str = "msp430", **options) -> Simulator:
    """A simulator with the memory of the core's part, unless other regions are given."""
    return Simulator(core, **{"regions": regions_of(PARTS[core]), **options})


def assemble(
    source: str, folder: Path, *, core: str = "msp430", start: int = START
) -> tuple[bytes, dict[str, int]]:
    """Bytes of the text section linked at `start`, and its symbols."""
    with link(source, folder, core=core, start=start).open("rb") as file:
        image = ELFFile(file)
        symbols = {
            s.name: s["st_value"] for s in image.get_section_by_name(".symtab").iter_symbols() if s.name
        }
        return image.get_section_by_name(".text").data(), symbols


def link(
    source: str, folder: Path, *, core: str = "msp430", start: int = START, data: int = RAM.start
) -> Path:
    """An executable with the text section at `start` and the data section, if any, at `data`."""
    text, obj, elf, script = (folder / f"t.{kind}" for kind in ("s", "o", "elf", "ld"))
    text.write_text(source)
    script.write_text(
        f"SECTIONS {{ .text {start:#x} : {{ *(.text) }} .data {data:#x} : {{ *(.data) }}"
        " .bss : { *(.bss) } /DISCARD/ : { *(*) } }\n"
    )
    run([toolchain.tool("msp430", "as"), f"-mcpu={CPU[core]}", "-o", obj, text])
    flags = ["--no-relax", "--no-warn-rwx-segments", "--defsym=__crt0_movedata=0"]
    run([toolchain.tool("msp430", "ld"), *flags, "-T", script, f"-e{start:#x}", "-o", elf, obj])
    return elf


def run(command: Sequence) -> str:
    """What the command prints; it must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def snippet(folder: Path, source: str, core: str = "msp430", **options) -> Snippet:
    """Assemble instructions with `;` between them; code at 04000, stack from 3000 down to 2F00."""
    code, labels = assemble(lines(source), folder, core=core)
    return machine(msp430(core, **options), code, labels, START, (0x3000, 0x2F00))
