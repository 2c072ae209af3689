"""The state of the C sources, by which the compiled library and the transcripts of its cores are found."""

import hashlib
from pathlib import Path

from tightfit.paths import simulator_source

COMPILE = ("-std=gnu11", "-O2", "-fPIC")


def sources(folder: Path) -> list[Path]:
    """The files that the library is compiled from, in alphabetical order."""
    return sorted(file for file in folder.iterdir() if file.suffix in (".c", ".h", ".def"))


def library_hash(folder: Path | None = None) -> str:
    """SHA-256 over all sources, by default the package's, and the options of the compiler.

    It says where things are kept; what figures rest on is what the cores do (`behaviour.py`).
    """
    digest = hashlib.sha256(" ".join(COMPILE).encode())
    for file in sources(folder or simulator_source()):
        text = file.read_bytes()
        digest.update(f"{file.name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
