"""Somebody else's sources to a linked image: each compiled or assembled, what nobody calls left out."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tightfit.contenders.compiler import Compiler
from tightfit.contenders.convention import load_convention
from tightfit.errors import UsageError
from tightfit.harness.build import Builder, Image
from tightfit.harness.elf import Elf, Section, read_elf
from tightfit.harness.routine import Rejected, Routine
from tightfit.targets import FOLDER, Part, Target

RUNTIME = FOLDER / "runtime"
"""memcpy and its like for targets without a C library."""
_STRING = ("memcpy", "memmove", "memset", "memcmp")
_LIBC = "libc.a"
_SECTIONS = ("-ffunction-sections", "-fdata-sections")


class ContenderBuilder(Builder):
    """Compiles with `cc`, or only assembles where it is None, and links what the entries need.

    The image holds no function that they do not call. There is no second count of ROM by symbols: what a
    compiler and its library emit is not all inside symbols that have a size.
    """

    def __init__(self, target: Target, part: Part, cc: Compiler | None):
        super().__init__(target, part)
        self.cc = cc
        self._convention = load_convention(target.folder)
        self._made: tuple[Path, ...] = ()
        self._root = ""
        self._libraries = cc.libraries(self._convention.libraries) if cc else ()

    def objects(
        self, sources: Sequence[Path], flags: Sequence[str] = (), include: Sequence[Path] = ()
    ) -> tuple[Path, ...]:
        """The object file of each source, assembly by its suffix `.s` or `.S`.

        Raises
        ------
        Rejected
            The compiler or the assembler refuses a source; with its first message.
        UsageError
            The compiler makes no object file with these flags.
        """
        return tuple(
            self._object(source, f"part{number}", flags, include) for number, source in enumerate(sources)
        )

    def link(self, routine: Routine, objects: Sequence[Path]) -> Image:
        """The image of a routine that is in those object files."""
        self._made, self._root = tuple(objects), routine.entries[0]
        if self.cc and _LIBC not in {Path(library).name for library in self._libraries}:
            self._made += self._runtime()
        return self.build(routine)

    def compile_text(
        self, text: str, stem: str, flags: Sequence[str] = (), include: Sequence[Path] = ()
    ) -> Path:
        """The object file of C source as text."""
        file = self._folder / f"{stem}.c"
        file.write_text(text)
        return self._object(file, stem, flags, include)

    def headers(self, files: Mapping[str, str]) -> Path:
        """A folder with those headers, for the include path."""
        folder = self._folder / "include"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        return folder

    def read(self, made: Path) -> Elf:
        """The symbols and sections of an object file."""
        return read_elf(made.read_bytes())

    def _object(self, source: Path, stem: str, flags: Sequence[str], include: Sequence[Path]) -> Path:
        try:
            return self._translated(source, stem, flags, include)
        except Rejected as reason:
            raise Rejected(str(reason).replace(f"{source.parent}/", "")) from None

    def _translated(self, source: Path, stem: str, flags: Sequence[str], include: Sequence[Path]) -> Path:
        output = self._folder / f"{stem}.o"
        if source.suffix == ".s":
            self._run("assembler", self._as, [*self.part.assemble, "-o", str(output), str(source)])
            return output
        includes = [f"-I{folder}" for folder in (source.parent, *include, *self._libc())]
        arguments = [*self.cc.options, *flags, *_SECTIONS, *includes, "-c", "-o", str(output), str(source)]
        self._run("compiler", str(self.cc.path), arguments)
        if not output.is_file():
            raise UsageError(f"flags {' '.join(flags)!r}: {self.cc.name} makes no object with them")
        return output

    def _libc(self) -> tuple[Path, ...]:
        return () if self.cc.archive(_LIBC) else (RUNTIME,)

    def _runtime(self) -> tuple[Path, ...]:
        """What stands in for a C library; a source may have functions of its own of these names."""
        weak = "".join(f"#pragma weak {name}\n" for name in _STRING)
        text = f'{weak}#include "{RUNTIME / "string.c"}"\n'
        return (self.compile_text(text, "runtime", ("-Os", "-fno-builtin")),)

    def _objects(self, routine: Routine) -> tuple[Path, ...]:
        return self._made

    def _check_rom(self, rom: int, own: Sequence[Section], elf: Elf) -> None:
        if rom == 0:
            raise Rejected("it has no code")

    def _options(self) -> tuple[str, ...]:
        absent = (f"--defsym={symbol}=0" for symbol in self._convention.startup)
        kept = (f"--undefined=__tf_call_{self._root}",) if self._root else ()
        return (*super()._options(), "--strip-debug", "--gc-sections", *kept, *absent)

    def _link(self, *objects: Path) -> Elf:
        return super()._link(*objects, Path("-("), *map(Path, self._libraries), Path("-)"))
