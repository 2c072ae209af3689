"""Exports in one folder, such as `libraries/`, that cannot be in one firmware."""

import json
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tightfit.exporter.folder import MARKER


def twin(folder: Path, files: Iterable[str], target: str, command: str) -> Path | None:
    """An export beside `folder` with a source file of the same name; None where there is none.

    One that the same command wrote is the same library, and one for another target is for other firmware.
    """
    own = _sources(files)
    for marker in sorted(folder.absolute().parent.glob(f"*/{MARKER}")):
        if marker.parent != folder.absolute():
            told = _told(marker)
            if told and told[0] == target and told[1] != command and own & _sources(told[2]):
                return folder.parent / marker.parent.name
    return None


def _sources(files: Iterable[str]) -> set[str]:
    """Names without their endings, in lower case, as some file systems compare them."""
    paths = map(PurePosixPath, files)
    return {path.stem.lower() for path in paths if path.parts[:1] == ("src",)}


def _told(marker: Path) -> tuple[str, str, list[str]] | None:
    """Target, command and files of an export; None where it does not say them."""
    try:
        facts = json.loads(marker.read_text(encoding="utf-8"))
        return str(facts["target"]), str(facts["command"]), [*map(str, facts["files"])]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
