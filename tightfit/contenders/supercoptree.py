"""Trees of SUPERCOP and XBX: implementations are folders `KIND/PRIMITIVE/IMPLEMENTATION/` with an `api.h`."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tightfit.contenders.linking import ASSEMBLY
from tightfit.errors import UsageError
from tightfit.yamlfile import load_yaml, mapping, named

API, CHECKSUM = "api.h", "checksumsmall"
_INCLUDED = re.compile(r'#\s*include\s*[<"]crypto_hashblocks_(\w+)\.h[>"]')
_WORD = {"type": "string"}
_NAMES = named(named(mapping({"primitive": _WORD, "operation": _WORD}, {CHECKSUM: _WORD})))
_MOST = 1 << 20
_SUFFIXES = (".c", *ASSEMBLY)


@dataclass(frozen=True)
class Implementation:
    """A folder of sources: its `kind` and `primitive` in SUPERCOP's names, `name` the path from there on.

    `tree` is the folder that has the kinds. `blocks` is the folder of the `crypto_hashblocks` that it is made
    of, None where it is made of none.
    """

    folder: Path
    tree: Path
    kind: str
    primitive: str
    name: str
    blocks: Path | None = None

    @property
    def title(self) -> str:
        """Its place in a tree of SUPERCOP."""
        parts = f" with {'/'.join(self.blocks.parts[-3:])}" if self.blocks else ""
        return f"{self.kind}/{self.primitive}/{self.name}{parts}"

    @property
    def subject(self) -> tuple[str, str] | None:
        """(primitive, operation) that it computes here; None where no primitive of ours is meant."""
        ours = names().get(self.kind, {}).get(self.primitive)
        return ours and (ours["primitive"], ours["operation"])

    @property
    def checksum(self) -> str | None:
        """The checksum that answers of its primitive have; None where none is known.

        Raises
        ------
        UsageError
            The tree has another one.
        """
        ours = names()[self.kind][self.primitive].get(CHECKSUM)
        file = self.tree / self.kind / self.primitive / CHECKSUM
        theirs = text_of(file).strip() if file.is_file() else ours
        if ours and theirs != ours:
            shown = theirs if re.fullmatch("[0-9a-f]{64}", theirs) else repr(theirs[:64])
            raise UsageError(f"{file}: expected {ours}, that of {self.subject[0]}, found {shown}")
        return ours

    @property
    def sources(self) -> list[Path]:
        """Its C and assembly."""
        return [file for folder in (self.folder, self.blocks) if folder for file in sources_in(folder)]

    def runs_on(self, target: str) -> bool:
        """Whether its file `architectures`, if it has one, names the target."""
        file = self.folder / "architectures"
        return not file.is_file() or any(word.startswith(target) for word in text_of(file).split())


def sources_in(folder: Path) -> list[Path]:
    """The C and assembly of a folder."""
    return sorted(file for file in folder.iterdir() if file.suffix in _SUFFIXES and file.is_file())


def text_of(file: Path) -> str:
    """The beginning of a file, as long as any that people write."""
    with file.open(encoding="utf-8", errors="replace") as opened:
        return opened.read(_MOST)


@cache
def names() -> dict:
    """What is meant by SUPERCOP's names, by kind and primitive."""
    return load_yaml(Path(__file__).with_name("supercop.yaml"), _NAMES)


def find(path: Path) -> list[Implementation]:
    """The implementations at and below a folder, those of other primitives too.

    Raises
    ------
    UsageError
        There is none.
    """
    folders = (api.parent for api in sorted(path.resolve().rglob(API)) if api.is_file())
    implementations = [each for folder in folders for each in _implementations(folder)]
    if not implementations:
        raise UsageError(
            f"{path}: expected SUPERCOP's layout, crypto_hash/PRIMITIVE/IMPLEMENTATION/{API}, found none"
        )
    return implementations


def _implementations(folder: Path) -> list[Implementation]:
    """What a folder holds: nothing, an implementation, or one for each `crypto_hashblocks` that suits it."""
    parts = folder.parts
    kinds = [at for at, part in enumerate(parts) if part in names()]
    if not kinds or len(parts) < kinds[-1] + 3:
        return []
    kind, primitive, *rest = parts[kinds[-1] :]
    plain = Implementation(folder, Path(*parts[: kinds[-1]]), kind, primitive, "/".join(rest))
    included = {found for file in sources_in(folder) for found in _INCLUDED.findall(text_of(file))}
    apis = (plain.tree.glob(f"crypto_hashblocks/{name}/*/{API}") for name in sorted(included))
    return [replace(plain, blocks=api.parent) for each in apis for api in sorted(each)] or [plain]
