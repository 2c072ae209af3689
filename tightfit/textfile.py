"""Text files that are replaced as a whole or not at all, plain or packed."""

import lzma
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile

from tightfit.errors import WorkError

_PACKED = ".xz"


def replace_text(file: Path, text: str) -> None:
    """As `replace_texts`, for one file."""
    replace_texts({file: text})


def replace_texts(texts: Mapping[Path, str]) -> None:
    """Give files these texts, all of them or none; a file that has its text already is left alone.

    The text of a file that ends in `.xz` is packed; one that unpacks to it has it, however it was packed.

    Raises
    ------
    WorkError
        One cannot be written; its former text is still there, and where room is missing those of all.
    """
    written: dict[Path, Path] = {}
    try:
        for file, text in texts.items():
            if not _has(file, text):
                file.parent.mkdir(parents=True, exist_ok=True)
                written[file] = file.with_name(f".{file.name}.{os.getpid()}")
                written[file].write_bytes(_data(file, text))
        for file, beside in written.items():
            beside.replace(file)
    except OSError as error:
        raise WorkError(f"{file}: cannot be written: {error.strerror}") from None
    finally:
        for beside in written.values():
            _drop(beside)


def stored(file: Path) -> Path | None:
    """A file, or that beside it which holds its text packed; None where there is neither."""
    beside = file.with_name(f"{file.name}{_PACKED}")
    return next((one for one in (file, beside) if one.is_file()), None)


def read_stored(file: Path) -> str:
    """The text of a file, plain or packed beside it; the errors are those of `read_packed`."""
    found = stored(file)
    if found is None or found == file:
        return file.read_text(encoding="utf-8")
    return read_packed(found)


def stored_in(directory: Path, pattern: str) -> list[Path]:
    """The files of a folder that a pattern names, plain or packed, by the names of the plain ones."""
    if not directory.is_dir():
        return []
    packed_ones = (file.with_suffix("") for file in directory.glob(f"{pattern}{_PACKED}"))
    return sorted({*directory.glob(pattern), *packed_ones})


def read_packed(file: Path) -> str:
    """The text of a file that is packed with xz.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It holds no such text.
    """
    try:
        return lzma.decompress(file.read_bytes()).decode("utf-8")
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(f"not packed with xz: {error}") from None


def _data(file: Path, text: str) -> bytes:
    data = text.encode("utf-8")
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME) if file.suffix == _PACKED else data


def _has(file: Path, text: str) -> bool:
    if not file.is_file():
        return False
    try:
        return (read_packed(file) if file.suffix == _PACKED else file.read_text(encoding="utf-8")) == text
    except ValueError:  # damaged: it is written anew
        return False


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
