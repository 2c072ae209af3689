"""A folder that may be written: a new or empty one, or one that the same command wrote earlier."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from tightfit.errors import UsageError, WorkError

MARKER = ".tightfit-export.json"


def write_folder(folder: Path, files: Mapping[str, str], facts: Mapping[str, object]) -> None:
    """Write files and a marker that lists them; files that the same command wrote earlier are removed.

    The first two words of `command` in `facts` are the command.

    Raises
    ------
    UsageError
        The folder holds files that are not ours or that another command wrote, or a file of ours was edited
        since.
    WorkError
        It cannot be written.
    """
    try:
        earlier = _replaceable(folder, _made_by(facts))
        _expect_free(folder, files.keys() - set(earlier))
        for name in earlier:
            _remove(folder, name)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        hashes = {name: _hash(text) for name, text in files.items()}
        (folder / MARKER).write_text(
            json.dumps({**facts, "files": hashes}, indent=2) + "\n", encoding="utf-8"
        )
    except OSError as error:
        raise WorkError(f"{error.filename}: cannot be written: {error.strerror}") from None


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
    except (ValueError, KeyError, TypeError, AttributeError):
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
        if (folder / name).exists():
            raise UsageError(
                f"{folder / name} was not made by tightfit: move it away, or export to another folder"
            )


def _is_inside(name: str) -> bool:
    """Whether a name is a path that stays inside its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


def _remove(folder: Path, name: str) -> None:
    """Remove a file, and the folders below `folder` that are then empty."""
    (folder / name).unlink(missing_ok=True)
    for parent in PurePosixPath(name).parents[:-1]:
        inner = folder / parent
        if inner.is_symlink() or not inner.is_dir() or any(inner.iterdir()):
            return
        inner.rmdir()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()
