"""Text files that are replaced as a whole or not at all."""

import os
from pathlib import Path
from tempfile import TemporaryFile

from tightfit.errors import WorkError


def replace_text(file: Path, text: str) -> None:
    """Give a file this text, as a whole or not at all; a file that has it already is left alone.

    Raises
    ------
    WorkError
        The file cannot be written; its former text is still there.
    """
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise WorkError(f"{file}: cannot be written: {error.strerror}") from None
    finally:
        _drop(beside)


def expect_writable(path: Path) -> None:
    """Raise OSError unless files can be made in a folder, or in the nearest one above it that is there."""
    while not path.exists():
        path = path.parent
    with TemporaryFile(dir=path):
        pass


def _drop(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError:  # its folder is no folder, or was never made
        pass
