"""The C library: compiled with cc once for each state of its sources, loaded through cffi."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import cffi
from filelock import FileLock

from tightfit.errors import WorkError
from tightfit.paths import cache_dir, simulator_source

LIBRARY = "libtightfit_sim.so"
SHARED = frozenset("sim.c sim.h sim_api.h sim_core.h sim_run.h watch.c taint.c taint.h taint_api.h".split())
INTERFACE = ("sim_api.h", "taint_api.h", "chain_api.h")
COMPILE = ("-std=gnu11", "-O2", "-fPIC")
_LITERAL = r"""(?P<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
_SPACE = r"(?:/\*.*?\*/|//(?:\\\n|[^\n])*|[^\S\n])+"  # comments are white space
_LITERAL_OR_SPACE = re.compile(f"{_LITERAL}|{_SPACE}", re.S)


def source_hash(family: str) -> str:
    """SHA-256 over what the figures of a family of cores rest on: its identity in provenance.

    It covers the sources that all cores share, those whose names start with the family's, and the compile
    flags, but no comments, blank lines and indentation.
    """
    own = (family, f"taint_{family}")
    files = _sources(simulator_source())
    return _digest(file for file in files if file.name in SHARED or file.name.startswith(own))


def library_hash(source: Path | None = None) -> str:
    """SHA-256 over all sources and the compile flags: the compiled library's place in the cache."""
    return _digest(_sources(source or simulator_source()))


def _sources(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in (".c", ".h", ".def"))


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256(" ".join(COMPILE).encode())
    for file in files:
        digest.update(f"{file.name}\0{_code(file)}\0".encode())
    return digest.hexdigest()


def _code(file: Path) -> str:
    """C source without comments and blank lines, each run of white space in a line as one space."""
    folded = _LITERAL_OR_SPACE.sub(lambda match: match["literal"] or " ", file.read_text(encoding="utf-8"))
    return "\n".join(line for line in map(str.strip, folded.split("\n")) if line)


def build_library(source: Path | None = None) -> Path:
    """Path of the compiled simulator, built first if the cache has none for these sources.

    Parameters
    ----------
    source : folder of other C sources than the package's

    Raises
    ------
    WorkError
        There is no C compiler, it fails, or the cache cannot be written.
    """
    source = source or simulator_source()
    folder = cache_dir() / "simulator" / library_hash(source)[:16]
    library = folder / LIBRARY
    if library.exists():
        return library
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            if not library.exists():
                _compile(source, library)
    except OSError as error:
        raise WorkError(f"the cache {folder} cannot be written: {error.strerror}") from error
    return library


def _compile(source: Path, library: Path) -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise WorkError("no C compiler: the simulator is built with cc; install gcc or clang, or set CC")
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        library_file = Path(scratch) / LIBRARY
        objects = {file: f"{scratch}/{file.stem}.o" for file in _sources(source) if file.suffix == ".c"}
        commands = [[compiler, *COMPILE, "-c", "-o", output, str(file)] for file, output in objects.items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(_run, commands))
        _run([compiler, "-shared", "-o", str(library_file), *objects.values()])
        library_file.replace(library)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = (done.stderr.strip() or "no message").splitlines()[0]
        raise WorkError(f"the simulator does not compile with {command[0]}: {first}")


@cache
def load(source: Path | None = None) -> tuple[cffi.FFI, Any]:
    """The foreign-function interface and the library behind it, built as `build_library` does."""
    ffi = cffi.FFI()
    for header in INTERFACE:
        ffi.cdef(_code((source or simulator_source()) / header))
    return ffi, ffi.dlopen(str(build_library(source)))
