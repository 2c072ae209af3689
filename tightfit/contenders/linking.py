"""Somebody else's sources to a linked image: each compiled or assembled, what nobody calls left out."""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from tightfit.contenders import limits
from tightfit.contenders.compiler import Compiler, absolute, folders_of
from tightfit.contenders.convention import load_convention
from tightfit.contenders.reading import Reading
from tightfit.errors import UsageError, WorkError
from tightfit.harness.build import Builder, Image
from tightfit.harness.elf import Elf, Section, read_elf
from tightfit.harness.routine import Rejected, Routine
from tightfit.targets import FOLDER, Part, Target

RUNTIME = FOLDER / "runtime"
"""memcpy and its like for targets without a C library."""
ASSEMBLY = (".s", ".S", ".sx", ".asm")
"""How files of assembly end; all but the first go through the preprocessor of C."""
_ELSEWHERE = re.compile(r"(?<![\w.])/(?:[^/\s:'`]+/)+(?=[^/\s])")
_DIRECTIVE = re.compile(rb"^#(?:include|define|undef|if|ifdef|ifndef)\b|^#[ \t]+include[ \t]*[\"<]", re.M)
_AT = re.compile(r"\w+: (/[^:]+):\d")
_STRING = ("memcpy", "memmove", "memset", "memcmp")
_ENDS = ("abort", "exit", "_exit")
_LIBC = "libc.a"
_SECTIONS = ("-ffunction-sections", "-fdata-sections")


def check_source(source: Path) -> None:
    """Raise UsageError for what is no file of C or assembly that can be read."""
    if not source.is_file():
        raise UsageError(f"{source}: expected a file of C or assembly, found none")
    if not os.access(source, os.R_OK):
        raise UsageError(f"{source}: expected a file that you may read")
    if source.stat().st_size > limits.OUTPUT_MB << 20:
        raise UsageError(
            f"{source}: expected at most {limits.OUTPUT_MB} MB, found {source.stat().st_size:,} bytes"
        )


def is_preprocessed(source: Path) -> bool:
    """Whether assembly goes through the preprocessor of C: by its suffix, or because it has directives."""
    return source.suffix != ".s" or bool(_DIRECTIVE.search(source.read_bytes()))


class ContenderBuilder(Builder):
    """Compiles with `cc`, or only assembles where it is None, and links what the entries need.

    The image holds no function that they do not call. There is no second count of ROM by symbols: what a
    compiler and its library emit is not all inside symbols that have a size.
    """

    def __init__(self, target: Target, part: Part, cc: Compiler | None, foreign: bool = True):
        super().__init__(target, part)
        self.cc = cc
        self.reading = Reading()
        self._foreign = foreign
        self._convention = load_convention(target.folder)
        self._made: tuple[Path, ...] = ()
        self._root = ""
        self._at = self._folder
        self._libraries = cc.libraries(self._convention.libraries) if cc else ()
        self.reading.others.update({self._folder.resolve(), RUNTIME.resolve(), *(cc.headers() if cc else ())})

    def objects(
        self, sources: Sequence[Path], flags: Sequence[str] = (), include: Sequence[Path] = ()
    ) -> tuple[Path, ...]:
        """The object file of each source, by its suffix; `include` are further folders of headers.

        Raises
        ------
        Rejected
            The compiler or the assembler refuses a source, with its first message; or it reads a file
            that is neither in its folder nor in one of headers.
        UsageError
            The compiler makes no object file with these flags.
        """
        return tuple(
            self._object(source, f"part{number}", flags, include) for number, source in enumerate(sources)
        )

    def link(self, routine: Routine, objects: Sequence[Path]) -> Image:
        """The image of a routine that is in those object files."""
        self._made, self._root = tuple(objects), routine.entries[0]
        if self.cc:
            self._made += self._runtime
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
        self.reading.allow((source.parent, *include, *folders_of(flags)))
        self.reading.allow([source])
        self._at = source.absolute().parent
        try:
            return self._translated(source, stem, flags, include)
        finally:
            self._at = self._folder

    def _translated(self, source: Path, stem: str, flags: Sequence[str], include: Sequence[Path]) -> Path:
        output, assembled = self._folder / f"{stem}.o", self._folder / f"{stem}.d"
        assembled.unlink(missing_ok=True)
        if source.suffix == ".s" and not is_preprocessed(source):
            options = [*self.part.assemble, "--MD", str(assembled)]
            self._run("assembler", self._as, [*options, "-o", str(output), source.name])
        else:
            self._compile(source, output, assembled, flags, include)
        if not output.is_file():
            raise UsageError(f"flags {' '.join(flags)!r}: {self.cc.name} makes no object with them")
        self.reading.take(assembled.read_text(errors="replace"), self._at)
        return output

    def _compile(
        self, source: Path, output: Path, assembled: Path, flags: Sequence[str], include: Sequence[Path]
    ) -> None:
        """Compile a source, after a look at the files that it includes."""
        if not self.cc.compiles(source.suffix):
            raise UsageError(f"{source.name}: {self.cc.name} compiles no C++")
        folders = [Path("."), *(folder.absolute() for folder in include), *self._libc()]
        includes = [f"-I{folder}" for folder in folders]
        language = ["-x", "assembler-with-cpp"] if source.suffix in ASSEMBLY else []
        how = [*self.cc.options, *absolute(flags), *_SECTIONS, *includes]
        rule = self._folder / "included.d"
        self._run("compiler", str(self.cc.path), [*how, "-M", "-MF", str(rule), *language, source.name])
        if rule.is_file():
            self.reading.take(rule.read_text(errors="replace"), self._at)
        how.append(f"-Wa,--MD,{assembled}")
        self._run("compiler", str(self.cc.path), [*how, "-c", "-o", str(output), *language, source.name])

    def _run(self, what: str, program: str, arguments: Sequence[str]) -> None:
        """As `Builder._run`; the reason names files without their folders."""
        try:
            super()._run(what, program, arguments)
        except Rejected as reason:
            place = _AT.match(str(reason))
            if place:
                self.reading.read(Path(place[1]), place[1])
            raise Rejected(_ELSEWHERE.sub("", str(reason))) from None

    def _status(self, what: str, command: Sequence[str], messages: Path) -> int:
        """As `Builder._status`, within limits."""
        environment = {"LC_ALL": "C", "TMPDIR": str(self._folder)}
        status = limits.run(command, self._at, messages, environment)
        exceeded = limits.exceeded(status, messages)
        if exceeded:
            raise (Rejected if self._foreign else WorkError)(f"{what}: {exceeded}")
        return status

    def _libc(self) -> tuple[Path, ...]:
        return () if self.cc.archive(_LIBC) else (RUNTIME,)

    @cached_property
    def _runtime(self) -> tuple[Path, ...]:
        """What stands in for a C library, and for the end of a program, which a firmware has of its own.

        A source may have functions of these names.
        """
        parts = {"stdlib.c": _ENDS}
        if _LIBC not in {Path(library).name for library in self._libraries}:
            parts["string.c"] = _STRING
        return tuple(
            self.compile_text(
                "".join(f"#pragma weak {name}\n" for name in names) + f'#include "{RUNTIME / file}"\n',
                f"runtime_{file.removesuffix('.c')}",
                ("-Os", "-fno-builtin"),
            )
            for file, names in parts.items()
        )

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
