"""Implementations in the folders of SUPERCOP and XBX: `KIND/PRIMITIVE/IMPLEMENTATION/` with an `api.h`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tightfit.contenders.called import Sources, measure_calls
from tightfit.contenders.linking import ASSEMBLY
from tightfit.contenders.measure import EXTERNAL, Question
from tightfit.contenders.supercopheaders import calls_of, full_name, headers, names_of_spaces
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.records import Contender
from tightfit.targets import load_target
from tightfit.yamlfile import load_yaml, mapping, named

SUPERCOP = "supercop"
_API = "api.h"
_INCLUDED = re.compile(r'#\s*include\s*[<"]crypto_hashblocks_(\w+)\.h[>"]')
_WORD = {"type": "string"}
_NAMES = named(named(mapping({"primitive": _WORD, "operation": _WORD})))
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
    def sources(self) -> list[Path]:
        """Its C and assembly."""
        return [file for folder in (self.folder, self.blocks) if folder for file in _sources(folder)]

    def runs_on(self, target: str) -> bool:
        """Whether its file `architectures`, if it has one, names the target."""
        file = self.folder / "architectures"
        return not file.is_file() or any(word.startswith(target) for word in _text(file).split())


def _sources(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in _SUFFIXES)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


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
    folders = (api.parent for api in sorted(path.resolve().rglob(_API)))
    implementations = [each for folder in folders for each in _implementations(folder)]
    if not implementations:
        raise UsageError(
            f"{path}: expected SUPERCOP's layout, crypto_hash/PRIMITIVE/IMPLEMENTATION/{_API}, found none"
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
    included = {found for file in _sources(folder) for found in _INCLUDED.findall(_text(file))}
    apis = (plain.tree.glob(f"crypto_hashblocks/{name}/*/{_API}") for name in sorted(included))
    return [replace(plain, blocks=api.parent) for each in apis for api in sorted(each)] or [plain]


def measure(
    implementation: Implementation,
    target: str,
    part: str | None,
    *,
    flags: Sequence[str] = ("-Os",),
    gate: str = "full",
) -> Contender:
    """Measure an implementation, compiled with some flags.

    Raises
    ------
    UsageError
        It computes no primitive of ours, has no sources, is for other processors, or the part has too little
        RAM.
    WorkError
        A tool is missing.
    """
    if implementation.subject is None:
        known = ", ".join(f"{kind}/{name}" for kind, rest in names().items() for name in rest)
        theirs = f"{implementation.kind}/{implementation.primitive}"
        raise UsageError(f"{theirs}: no primitive of tightfit; it knows {known}")
    if not _sources(implementation.folder):
        raise UsageError(f"{implementation.folder}: expected C or assembly beside {_API}, found none")
    place = load_target(target)
    if not implementation.runs_on(place.id):
        raise UsageError(f"{implementation.title}: its file `architectures` does not name {place.id}")
    primitive, operation = implementation.subject
    asked = Question(
        target=place,
        part=place.part(part),
        primitive=load_primitive(primitive),
        operation=operation,
        origin=EXTERNAL,
        name=implementation.title,
        flags=tuple(flags),
        gate=gate,
        defines=names_of_spaces(implementation),
    )
    sources = Sources(
        files=tuple(implementation.sources),
        include=(implementation.folder, implementation.tree),
        headers=headers(implementation),
        aliases={implementation.kind: (full_name(implementation),)},
    )
    return measure_calls(asked, sources, calls_of(implementation, asked.primitive), SUPERCOP)
