"""The way from assembly text to bytes and to an executable, with a target's binutils."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from elftools.elf.elffile import ELFFile

from tightfit.targets import toolchain

Assembled = tuple[bytes, Mapping[str, int]]


@dataclass(frozen=True)
class Tools:
    """Assembler and linker of a core, with their options; code is linked at `start`."""

    target: str
    assembler: tuple[str, ...]
    linker: tuple[str, ...] = ()
    start: int = 0
    script: str = ""
    """A link script with $start and $data, where -Ttext will not do."""
    head: str = ""
    """Directives before each source."""

    def run(self, command: str, *arguments: object) -> str:
        """What a tool of the toolchain prints; it must succeed."""
        words = [str(toolchain.tool(self.target, command)), *map(str, arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def link(self, source: str, folder: Path, *, start: int | None = None, data: int = 0) -> Path:
        """An executable with the text section at `start`, and with a script the data section at `data`."""
        start = self.start if start is None else start
        text, obj, elf, script = (folder / f"t.{kind}" for kind in ("s", "o", "elf", "ld"))
        text.write_text(self.head + source)
        places: Sequence[object] = (f"-Ttext={start:#x}",)
        if self.script:
            script.write_text(self.script.replace("$start", hex(start)).replace("$data", hex(data)))
            places = ("-T", script)
        self.run("as", *self.assembler, "-o", obj, text)
        self.run("ld", *self.linker, *places, f"-e{start:#x}", "-o", elf, obj)
        return elf

    def assemble(self, source: str, *, start: int | None = None, data: int = 0) -> Assembled:
        """Bytes of the linked text section, and its symbols."""
        return _assemble(self, source, start, data)


@cache
def _assemble(tools: Tools, source: str, start: int | None, data: int) -> Assembled:
    with TemporaryDirectory() as folder:
        with tools.link(source, Path(folder), start=start, data=data).open("rb") as file:
            image = ELFFile(file)
            table = image.get_section_by_name(".symtab")
            symbols = {s.name: s["st_value"] for s in table.iter_symbols() if s.name and s.name[0] != "$"}
            return image.get_section_by_name(".text").data(), symbols
