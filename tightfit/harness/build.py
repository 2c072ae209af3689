"""Source to linked image: assembler, linker, and the two counts of ROM that must agree."""

import os
import re
import shutil
import signal
import tempfile
import weakref
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightfit.errors import WorkError
from tightfit.harness.elf import Elf, Section, Symbol, read_elf
from tightfit.harness.routine import Rejected, Routine
from tightfit.records import Padding
from tightfit.targets import Part, Target
from tightfit.targets.toolchain import tool

STUB_SECTION = ".stub"
CODE_SECTION = ".text"
_IN_MEMORY = Path("/dev/shm")
_ENVIRONMENT = {"LC_ALL": "C"}
# messages of tools when the machine is at fault, not the candidate
_TROUBLE = re.compile("No space left|memory exhausted|[Cc]annot allocate|out of memory|Read-only file system")


@dataclass(frozen=True)
class Image:
    """A linked routine with a caller for each entry.

    `rom` in bytes by section; `calls` maps an entry to the address of the call and of the instruction after
    it; `static` holds (address, bytes) of initialised and zeroed data; RAM from `free` to `end` belongs to
    the harness, which puts parameter blocks at multiples of `block_alignment`.
    """

    elf: Elf
    rom: int
    alignment: int
    padding: Padding
    calls: dict[str, tuple[int, int]]
    static: tuple[tuple[int, bytes], ...]
    free: int
    end: int
    block_alignment: int = 2

    @property
    def flash(self) -> tuple[tuple[int, bytes], ...]:
        """(address, bytes) of what is stored in flash."""
        return tuple((section.load, section.data) for section in self.elf.sections if section.data)

    @property
    def symbols(self) -> dict[str, Symbol]:
        """Its symbols by name."""
        return self.elf.named

    @property
    def static_bytes(self) -> int:
        """Bytes of RAM that the sections take."""
        return sum(len(data) for _, data in self.static)


class Builder:
    """Assembles and links for one part, in a folder of its own that goes away with `close`."""

    def __init__(self, target: Target, part: Part):
        self.target = target
        self.part = part
        self._as = str(tool(target.id, "as"))
        self._ld = str(tool(target.id, "ld"))
        parent = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
        self._folder = Path(tempfile.mkdtemp(prefix="tightfit-", dir=parent))
        self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._callers: dict[tuple[str, tuple[str, ...]], tuple[Path, int]] = {}

    def close(self) -> None:
        """Remove the folder."""
        self._remove()

    def build(self, routine: Routine) -> Image:
        """The linked image of a routine.

        Raises
        ------
        Rejected
            It does not assemble or link, or its two ROM counts disagree.
        """
        caller, empty_bytes = self._caller(routine.name, routine.entries)
        elf = self._link(caller, *self._objects(routine))
        own = tuple(section for section in elf.sections if section.name != STUB_SECTION)
        rom = sum(section.stored for section in elf.sections) - empty_bytes
        self._check_rom(rom, own, elf)
        static = tuple(_static(own, elf))
        return Image(
            elf=elf,
            rom=rom,
            alignment=max((section.alignment for section in own), default=1),
            padding=_padding(own, {address for address, _ in static}, self.target.code_alignment),
            calls=_calls(elf, routine.entries),
            static=static,
            free=elf.named["__tf_ram_free"].address,
            end=elf.named["__tf_ram_end"].address,
            block_alignment=self.target.block_alignment,
        )

    def _objects(self, routine: Routine) -> tuple[Path, ...]:
        """The object files of a routine."""
        return (self.assemble(routine.source),)

    def _check_rom(self, rom: int, own: Sequence[Section], elf: Elf) -> None:
        """Count the bytes in another way; both counts must be equal."""
        _check_rom(rom, own, elf)

    def _options(self) -> tuple[str, ...]:
        """Options of the linker."""
        return self.target.link_options(self.part)

    def _caller(self, name: str, entries: tuple[str, ...]) -> tuple[Path, int]:
        """Object that calls each entry, and the bytes of an image of it with an empty routine."""
        if (name, entries) not in self._callers:
            symbols = {entry: self.target.abi.symbol(f"{name}_{entry}") for entry in entries}
            stem = f"caller{len(self._callers)}"
            caller = self.assemble(caller_source(self.part.core.call, symbols), stem)
            empty = self.assemble(functions(self.target, symbols.values()), "empty")
            elf = self._link(caller, empty)
            self._callers[name, entries] = caller, sum(section.stored for section in elf.sections)
        return self._callers[name, entries]

    def assemble(self, source: str, stem: str = "routine") -> Path:
        """The object file of a source; raises `Rejected` with what the assembler says."""
        file, output = self._folder / f"{stem}.s", self._folder / f"{stem}.o"
        try:
            file.write_text(source)
        except OSError as error:
            raise WorkError(f"{file}: the source cannot be written: {error.strerror}") from None
        self._run("assembler", self._as, [*self.part.assemble, "-o", str(output), str(file)])
        return output

    def _link(self, *objects: Path) -> Elf:
        output = self._folder / "image.elf"
        arguments = [*self._options(), "-o", str(output), *map(str, objects)]
        self._run("linker", self._ld, arguments)
        return read_elf(output.read_bytes())

    def _run(self, what: str, program: str, arguments: Sequence[str]) -> None:
        messages = self._folder / "messages"
        try:
            status = self._status(what, [program, *arguments], messages)
        except OSError as error:
            raise WorkError(f"{program}: the {what} does not start: {error.strerror}") from None
        if status < 0:
            raise WorkError(f"{program}: the {what} was ended by {signal.Signals(-status).name}")
        if status:
            reason = f"{what}: {_first_error(messages, self._folder, program)}"
            if "will not fit in region" in reason or "overflowed by" in reason:
                reason += f"; {self.part.name} has {self.part.rom} bytes of ROM, {self.part.ram} of RAM"
            raise (WorkError if _TROUBLE.search(reason) else Rejected)(reason)

    def _status(self, what: str, command: Sequence[str], messages: Path) -> int:
        """The exit status of a tool, less than 0 for a signal; what it says goes to a file."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        actions = [(os.POSIX_SPAWN_OPEN, 2, str(messages), flags, 0o600), (os.POSIX_SPAWN_DUP2, 2, 1)]
        process = os.posix_spawn(command[0], command, _ENVIRONMENT, file_actions=actions)
        return os.waitstatus_to_exitcode(_wait(process))


def caller_source(call: str, symbols: dict[str, str]) -> str:
    """Assembly of one call per entry, between the symbols `__tf_call_<entry>` and `__tf_back_<entry>`."""
    lines = [f'        .section {STUB_SECTION}, "ax"']
    for entry, symbol in symbols.items():
        lines.append(f"        .global __tf_call_{entry}, __tf_back_{entry}")
        lines.append(f"__tf_call_{entry}:")
        lines.append(f"        {call.format(symbol=symbol)}")
        lines.append(f"__tf_back_{entry}:")
        lines.append("        nop")
    return "\n".join(lines) + "\n"


def functions(target: Target, symbols: Iterable[str], *code: str) -> str:
    """Assembly of functions that all have the same instructions, or none."""
    lines = [*target.head, ".text"]
    for symbol in symbols:
        lines += [f".global {symbol}", f".type {symbol}, {target.type_mark}function", f"{symbol}:", *code]
    return "\n        ".join(["", *lines, ""])


def _wait(process: int) -> int:
    try:
        return os.waitpid(process, 0)[1]
    except BaseException:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise


def _first_error(messages: Path, folder: Path, program: str) -> str:
    """The first telling line of what a tool said, without the paths of the tool and of the files."""
    lines = messages.read_text(errors="replace").replace(f"{folder}/", "").splitlines()
    lines = [line for line in lines if line and "n function `" not in line]
    telling = [line for line in lines if "rror" in line or "overflowed by" in line] or lines or ["no message"]
    return telling[0].strip().removeprefix(f"{program}: ")


def _check_rom(rom: int, own: Sequence[Section], elf: Elf) -> None:
    """The linked image minus the empty one must equal sized symbols plus the gaps between them."""
    by_symbols, outside = 0, []
    for section in own:
        covered = _covered(section, elf)
        by_symbols += min(covered, section.stored)
        if covered != section.size:
            outside.append(f"{section.size - covered} of {section.size} bytes of {section.name}")
    if by_symbols != rom or outside:
        detail = f"; outside every sized symbol: {', '.join(outside)}" if outside else ""
        raise Rejected(f"ROM counts disagree: image {rom} bytes, symbols and gaps {by_symbols}{detail}")


def _covered(section: Section, elf: Elf) -> int:
    """Bytes of a section from its first sized symbol to the end of its last, and the padding after that."""
    sized = [symbol for symbol in elf.symbols if symbol.section == section.index and symbol.size]
    if not sized:
        return 0
    first = min(symbol.address for symbol in sized)
    last = max(symbol.address + symbol.size for symbol in sized)
    padding = section.address + section.size - last
    return last - first + (padding if padding < section.alignment else 0)


def _calls(elf: Elf, entries: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    def address(symbol: str) -> int:
        return elf.named[symbol].address

    return {entry: (address(f"__tf_call_{entry}"), address(f"__tf_back_{entry}")) for entry in entries}


def _padding(own: Sequence[Section], in_ram: Container[int], code_alignment: int) -> Padding:
    """Before each section: up to its alignment less that of whatever a firmware has in front of it.

    That is other code before code, and single bytes before data. Initial values are padded in flash as well.
    """
    most = [
        (section, max(0, section.alignment - (code_alignment if section.name == CODE_SECTION else 1)))
        for section in own
    ]
    return Padding(
        rom=sum(bytes_ for section, bytes_ in most if section.stored),
        ram=sum(bytes_ for section, bytes_ in most if section.address in in_ram),
    )


def _static(own: Sequence[Section], elf: Elf):
    """(address, bytes at the start) of the sections that live in RAM."""
    start, end = elf.named["__tf_data_start"].address, elf.named["__tf_ram_end"].address
    for section in own:
        if start <= section.address < end:
            yield section.address, section.data or bytes(section.size)
