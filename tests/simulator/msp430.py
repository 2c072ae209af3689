"""The MSP430 parts and cores that the tests run on, and the way from text to bytes."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tightfit.harness.simulator import Profile, Run, Simulator, regions_of
from tightfit.targets import load_target, toolchain

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


@dataclass
class Snippet:
    """A machine with code at 04000 and a stack from 3000 down to 2F00; labels are its symbols."""

    sim: Simulator
    labels: dict[str, int]

    def run(self, *, cycle_limit: int = 10_000, **registers: int) -> Run:
        self._set(registers)
        return self.sim.run(START, self.labels["end"], cycle_limit=cycle_limit)

    def profile(self, *, cycle_limit: int = 10_000, **registers: int) -> Profile:
        self._set(registers)
        return self.sim.run_profiled(START, self.labels["end"], cycle_limit=cycle_limit)

    def _set(self, registers: dict[str, int]) -> None:
        for name, value in registers.items():
            self.sim.registers[name] = value


def snippet(folder: Path, source: str, core: str = "msp430", **options) -> Snippet:
    """Assemble instructions, `;` between them; a label `end` follows the last where there is none."""
    lines = [line.strip() for line in source.replace(";", "\n").splitlines()]
    text = "\n".join(line if ":" in line.split(" ")[0] else f" {line}" for line in lines)
    if "end:" not in text:
        text += "\nend: nop"
    code, labels = assemble(text + "\n", folder, core=core)
    sim = msp430(core, **options)
    sim.load(START, code)
    sim.reset()
    sim.set_stack(0x3000, 0x2F00)
    sim.symbols = {address: name for name, address in labels.items()}
    return Snippet(sim, labels)
