"""Templates as Python's bytecode, kept between runs: compiling them takes most of the time of a rendering."""

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from tightfit.paths import cache_dir

COMPILERS = ("tags.py", "linemarks.py", "rendering.py")


class Compiled(FileSystemBytecodeCache):
    """Bytecode in a folder of the user's cache; where that cannot be written, templates are compiled anew.

    Parameters
    ----------
    mode : what templates are compiled for; each has bytecode of its own.
    """

    def __init__(self, mode: str) -> None:
        folder = cache_dir() / "templates" / f"{mode}-{_compilers()}"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def _compilers() -> str:
    """A digest of what decides how a template becomes bytecode, besides its own source."""
    own = [Path(__file__).with_name(name).read_bytes() for name in COMPILERS]
    return hashlib.sha256(b"\0".join([jinja2.__version__.encode(), *own])).hexdigest()[:16]
