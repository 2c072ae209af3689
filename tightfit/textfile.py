"""Text files that are whole or as they were."""

import os
from pathlib import Path

from tightfit.errors import WorkError


def replace_text(file: Path, text: str) -> None:
    """Give a file this text, at once or not at all; left alone where it has it already.

    Raises
    ------
    WorkError
        It cannot be written; what was there before is still there.
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


def _drop(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError:  # its folder is none, or was never made
        pass
