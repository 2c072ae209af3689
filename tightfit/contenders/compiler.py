"""The C compiler of a target for one part: where it is, its version, and the flags that select the core."""

import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tightfit.errors import UsageError, WorkError
from tightfit.targets import Part, Target
from tightfit.targets.recipes import load_toolchain
from tightfit.targets.toolchain import tool
from tightfit.targets.toolchain import version as tool_version

CPLUSPLUS = (".cpp", ".cc", ".cxx")
"""How files of C++ end."""
LEVELS = ("-O0", "-O1", "-Os", "-O2", "-O3")
_NOT_FOR_USERS = (
    "-o",
    "-c",
    "-S",
    "-E",
    "-M",
    "-flto",
    "@",
    "-B",
    "-T",
    "-Wl",
    "-Xlinker",
    "-l",
    "-L",
    "-mmcu",
    "-mcpu",
)
"""Flags that change what is made or for which core; users may only say how."""


_FOLDERS = re.compile("-(?:I|iquote|isystem|idirafter)")
_FILES = re.compile("-(?:include|imacros)")
_ABSOLUTE = re.compile(r"(?<![\w.-])/(?:[^/\s]+/)+")


@dataclass(frozen=True)
class Compiler:
    """A compiler, `options` being those that select the core and the part."""

    path: Path
    name: str
    version: str
    options: tuple[str, ...]

    def archive(self, name: str) -> Path | None:
        """Where it has a library for this core; None where it has none."""
        library = Path(_said(self.path, (*self.options, f"-print-file-name={name}")))
        return library if library.is_absolute() and library.is_file() else None

    def headers(self) -> tuple[Path, ...]:
        """The folders of its own headers."""
        told = _told(self.path, (*self.options, "-E", "-Wp,-v", "-xc", "/dev/null"))
        return tuple(Path(line.strip()).resolve() for line in told.splitlines() if line.startswith(" /"))

    def compiles(self, suffix: str) -> bool:
        """Whether it has what compiles sources of that suffix."""
        return suffix not in CPLUSPLUS or Path(_said(self.path, ("-print-prog-name=cc1plus",))).is_absolute()

    def libraries(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The paths of those libraries that it has."""
        return tuple(str(path) for path in map(self.archive, names) if path)


def compiler(target: Target, part: Part) -> Compiler:
    """The C compiler of a target for one of its parts.

    Raises
    ------
    WorkError
        It is missing; the message names the command that gets it.
    """
    path = tool(target.id, "cc")
    options = load_toolchain(target.id).compile_options(part)
    return Compiler(path, path.name, number(tool_version(target.id, "cc")), options)


def number(said: str) -> str:
    """The version in what a tool says of itself: `12.2.0`; all of it where there is none."""
    versions = re.findall(r"\d+(?:\.\d+)+", said)
    return versions[-1] if versions else said


def check_flags(flags: tuple[str, ...]) -> None:
    """Raise UsageError for a flag that says what to make instead of how."""
    for flag in flags:
        alone = _FOLDERS.fullmatch(flag) or _FILES.fullmatch(flag)
        if alone or not flag.startswith("-") or flag.startswith(_NOT_FOR_USERS):
            raise UsageError(
                f"flag {flag!r}: expected one that says how C is compiled, such as -O2, -DNAME=1 or -Ifolder"
            )


def folders_of(flags: Iterable[str]) -> list[Path]:
    """The folders of headers that flags name."""
    return [Path(flag[place.end() :]) for flag in flags if (place := _FOLDERS.match(flag))]


def absolute(flags: Iterable[str]) -> list[str]:
    """Flags for a compiler that runs in another folder."""
    return [_with_path(flag, lambda path: str(path.absolute())) for flag in flags]


def recorded(flags: Iterable[str]) -> list[str]:
    """Flags as the record has them: folders of headers are left out, what is read there is hashed."""
    named = (_with_path(flag, lambda path: path.name) for flag in flags if not _FOLDERS.match(flag))
    return [_ABSOLUTE.sub("", flag) for flag in named]


def _with_path(flag: str, change: Callable[[Path], str]) -> str:
    place = _FOLDERS.match(flag) or _FILES.match(flag)
    return flag[: place.end()] + change(Path(flag[place.end() :])) if place else flag


@cache
def _told(path: Path, arguments: tuple[str, ...]) -> str:
    return _run(path, arguments).stderr


@cache
def _said(path: Path, arguments: tuple[str, ...]) -> str:
    return _run(path, arguments).stdout.strip()


def _run(path: Path, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise WorkError(f"{path}: the compiler does not start: {error.strerror}") from None
