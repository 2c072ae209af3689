"""The C library: compiled with cc once for each state of its sources, loaded through cffi."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import cffi
from filelock import FileLock

from tightfit.errors import WorkError
from tightfit.harness.simulator.sources import COMPILE, library_hash, sources
from tightfit.paths import cache_dir, simulator_source

LIBRARY = "libtightfit_sim.so"
INTERFACE = ("sim_api.h", "taint_api.h", "chain_api.h", "behaviour_api.h")


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
        objects = {file: f"{scratch}/{file.stem}.o" for file in sources(source) if file.suffix == ".c"}
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
        ffi.cdef(((source or simulator_source()) / header).read_text(encoding="utf-8"))
    return ffi, ffi.dlopen(str(build_library(source)))
