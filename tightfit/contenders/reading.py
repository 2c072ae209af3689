"""Which files a source reads: its own folders', which belong to what is measured, and the compiler's."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tightfit.harness.routine import Rejected


@dataclass
class Reading:
    """The files that sources read, `files` those in their `own` folders; the compiler's are in `others`."""

    own: set[Path] = field(default_factory=set)
    others: set[Path] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)

    def allow(self, folders: Iterable[Path]) -> None:
        """More folders that belong to what is measured."""
        self.own.update(folder.resolve() for folder in folders)

    def take(self, rule: str, folder: Path) -> None:
        """The files of a rule for make, whose relative paths are from `folder`.

        Raises
        ------
        Rejected
            One of them is in none of the folders.
        """
        for name in _prerequisites(rule):
            self.read(folder / name, name)

    def read(self, file: Path, name: str) -> None:
        """A file that is read under a name; raises as `take`."""
        file = file.resolve()
        if _within(file, self.others):
            return
        if not _within(file, self.own):
            raise Rejected(
                f"reads {name}: expected files of its own folder, of one that -I names, or of the compiler"
            )
        self.files.add(file)


def _within(file: Path, folders: set[Path]) -> bool:
    return file in folders or any(parent in folders for parent in file.parents)


def _prerequisites(rule: str) -> list[str]:
    """The names behind the colon of a rule; a backslash hides a space."""
    names = rule.replace("\\\n", " ").partition(": ")[2]
    return [re.sub(r"\\([ #])", r"\1", name).replace("$$", "$") for name in re.findall(r"(?:\\.|\S)+", names)]
