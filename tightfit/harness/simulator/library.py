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
SHARED = ("sim.c", "sim.h", "sim_api.h", "sim_run.h")
COMPILE = ("-std=gnu11", "-O2", "-fPIC")


def source_hash(family: str) -> str:
    """SHA-256 over what the figures of a family of cores rest on: its identity in provenance.

    That is what all cores share, the sources whose names start with the family's, and the compile flags.
    """
    return _digest(file for file in _sources() if file.name in SHARED or file.name.startswith(family))


def library_hash() -> str:
    """SHA-256 over all sources and the compile flags: the compiled library's place in the cache."""
    return _digest(_sources())


def _sources() -> list[Path]:
    return sorted(file for file in simulator_source().iterdir() if file.suffix in (".c", ".h", ".def"))


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256(" ".join(COMPILE).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def build_library() -> Path:
    """Path of the compiled simulator, built first if the cache has none for these sources.

    Raises
    ------
    WorkError
        There is no C compiler, it fails, or the cache cannot be written.
    """
    folder = cache_dir() / "simulator" / library_hash()[:16]
    library = folder / LIBRARY
    if library.exists():
        return library
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            if not library.exists():
                _compile(library)
    except OSError as error:
        raise WorkError(f"the cache {folder} cannot be written: {error.strerror}") from error
    return library


def _compile(library: Path) -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise WorkError("no C compiler: the simulator is built with cc; install gcc or clang, or set CC")
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        made = Path(scratch) / LIBRARY
        objects = {file: f"{scratch}/{file.stem}.o" for file in _sources() if file.suffix == ".c"}
        commands = [[compiler, *COMPILE, "-c", "-o", made, str(file)] for file, made in objects.items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(_run, commands))
        _run([compiler, "-shared", "-o", str(made), *objects.values()])
        made.replace(library)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = (done.stderr.strip() or "no message").splitlines()[0]
        raise WorkError(f"the simulator does not compile with {command[0]}: {first}")


@cache
def load() -> tuple[cffi.FFI, Any]:
    """The foreign-function interface and the library behind it."""
    ffi = cffi.FFI()
    text = (simulator_source() / "sim_api.h").read_text()
    ffi.cdef(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    return ffi, ffi.dlopen(str(build_library()))
