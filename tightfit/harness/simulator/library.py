"""The C library: compiled with cc once for each state of its sources, loaded through cffi."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import cffi
from filelock import FileLock

from tightfit.errors import WorkError
from tightfit.paths import cache_dir, simulator_source

LIBRARY = "libtightfit_sim.so"
SOURCES = ("sim.c", "rl78.c", "rl78_run.c")
COMPILE = ("-std=gnu11", "-O2", "-fPIC", "-shared")


def source_hash() -> str:
    """SHA-256 over the simulator's sources and its compile flags: the simulator's identity in provenance."""
    digest = hashlib.sha256(" ".join(COMPILE).encode())
    folder = simulator_source()
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".c", ".h", ".def")):
        if path.name in SOURCES or path.suffix != ".c":
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def build_library() -> Path:
    """Path of the compiled simulator, built first if the cache has none for these sources.

    Raises
    ------
    WorkError
        There is no C compiler, it fails, or the cache cannot be written.
    """
    folder = cache_dir() / "simulator" / source_hash()[:16]
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
    source = simulator_source()
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        made = Path(scratch) / LIBRARY
        command = [compiler, *COMPILE, "-o", str(made), *(str(source / name) for name in SOURCES)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            first = (done.stderr.strip() or "no message").splitlines()[0]
            raise WorkError(f"the simulator does not compile with {compiler}: {first}")
        made.replace(library)


@cache
def load() -> tuple[cffi.FFI, Any]:
    """The foreign-function interface and the library behind it."""
    ffi = cffi.FFI()
    text = (simulator_source() / "sim_api.h").read_text()
    ffi.cdef(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    return ffi, ffi.dlopen(str(build_library()))
