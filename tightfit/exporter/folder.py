"""A folder that may be written: a new or empty one, or one that the same command wrote earlier."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from tightfit.errors import UsageError, WorkError
from tightfit.textfile import expect_writable

MARKER = ".tightfit-export.json"
_WITHIN = ".tightfit-export."


def write_folder(folder: Path, files: Mapping[str, str], facts: Mapping[str, object]) -> None:
    """Write files and a marker that lists them; files that the same command wrote earlier are removed.

    The first two words of `command` in `facts` are the command. All is written to a folder within first and
    then moved into its place; if that fails, everything is as it was.

    Raises
    ------
    UsageError
        The folder holds files that are not ours or that another command wrote, or a file of ours was edited
        since.
    WorkError
        It cannot be written.
    """
    hashes = {name: _hash(text) for name, text in files.items()}
    marker = json.dumps({**facts, "files": hashes}, indent=2) + "\n"
    try:
        earlier = _replaceable(folder, _made_by(facts))
        _expect_free(folder, files.keys() - set(earlier))
        with _made(folder), TemporaryDirectory(prefix=_WITHIN, dir=folder) as within:
            _write(Path(within), {**files, MARKER: marker})
            _replace(folder, Path(within), dict.fromkeys((*earlier, MARKER)), (*files, MARKER))
    except OSError as error:
        raise WorkError(f"{folder}: cannot be written: {error.strerror}") from None


def expect_folder(folder: Path, command: str) -> None:
    """Raise as `write_folder` does where a folder cannot be written or is not the command's."""
    _replaceable(folder, command)
    try:
        expect_writable(folder)
    except OSError as error:
        raise WorkError(f"{folder}: cannot be written: {error.strerror}") from None


def _made_by(facts: Mapping[str, object]) -> str:
    return " ".join(str(facts.get("command", "")).split()[:2])


def _replaceable(folder: Path, made_by: str) -> list[str]:
    """Names of the files of an earlier export, after a check that nothing else would be lost."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: expected a folder to export to")
    if not folder.exists() or not any(folder.iterdir()):
        return []
    marker = folder / MARKER
    if not marker.is_file():
        raise UsageError(
            f"{folder} is not empty and was not made by tightfit: expected a new or empty folder"
        )
    try:
        facts = json.loads(marker.read_text(encoding="utf-8"))
        hashes, other = facts["files"], _made_by(facts)
        ours = {name: digest for name, digest in hashes.items() if _is_inside(name)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{marker} cannot be read: expected what an earlier export wrote") from None
    if other != made_by:
        raise UsageError(f"{folder} holds what `{other}` wrote: expected a new or empty folder")
    for name, digest in ours.items():
        file = folder / name
        if file.is_file() and _hash(file.read_text(encoding="utf-8", errors="replace")) != digest:
            raise UsageError(
                f"{file} was edited since it was exported: move it away, or export to another folder"
            )
    return list(ours)


def _expect_free(folder: Path, names: Iterable[str]) -> None:
    """Raise UsageError where a new file would overwrite one that is there."""
    for name in sorted(names):
        if os.path.lexists(folder / name):
            raise UsageError(
                f"{folder / name} was not made by tightfit: move it away, or export to another folder"
            )


def _is_inside(name: str) -> bool:
    """Whether a name is a path that stays inside its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder and those above it; those that were made are gone again where the block fails."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in missing:
            with suppress(OSError):
                place.rmdir()
        raise


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _replace(folder: Path, within: Path, earlier: Iterable[str], names: Iterable[str]) -> None:
    """Move files from `within` to `folder`, in the place of earlier ones; all or none."""
    try:
        with ExitStack() as undo:
            for name in earlier:
                _move(folder / name, within / "earlier" / name, undo)
            for name in names:
                _move(within / name, folder / name, undo)
            undo.pop_all()
    finally:
        for name in (*earlier, *names):
            _drop_empty(folder, name)


def _move(file: Path, to: Path, undo: ExitStack) -> None:
    """Move a file, if it is there."""
    if file.is_file() or file.is_symlink():
        to.parent.mkdir(parents=True, exist_ok=True)
        file.rename(to)
        undo.callback(to.rename, file)


def _drop_empty(folder: Path, name: str) -> None:
    """Remove the folders above a file and below `folder` that are empty."""
    for parent in PurePosixPath(name).parents[:-1]:
        inner = folder / parent
        if inner.is_symlink() or not inner.is_dir() or any(inner.iterdir()):
            return
        inner.rmdir()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()
