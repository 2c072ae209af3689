"""What `toolchain.yaml` says: the tools of a target and the Debian packages they come from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from tightfit.errors import UsageError
from tightfit.records import canonical_json
from tightfit.targets import FOLDER, Part, load_target
from tightfit.targets.schema import RECIPES, TOOLCHAIN
from tightfit.yamlfile import load_yaml

STEPS = ("tools", "compilers", "tests")
"""The steps of a set-up: each gets all that the steps before it get, and more."""


@dataclass(frozen=True)
class Staged:
    """What is installed into a stage of the build tree, and what is kept from it.

    `touch` are files of the tree made beforehand, `make` the targets that install, `keep` files and folders
    of the stage, `aliases` other names of kept files (path, name of the file beside it).
    """

    touch: tuple[str, ...]
    make: tuple[str, ...]
    keep: tuple[str, ...]
    aliases: Mapping[str, str]


@dataclass(frozen=True)
class Source:
    """Tools built from a Debian source package.

    `tarball` is the file the package installs (relative to the root), `version_in` a file of the source that
    must hold `version`, `needs` the Debian package of each build tool, `headers` that of each C header,
    `install` (file of the build tree, tool). `calls` are the places, below its folder, where the built tools
    look for other tools of the target (path, tool), which the build needs too. `variables` are set in
    every `make`, those that it runs included.
    """

    name: str
    version: str
    version_in: str
    package: str
    tarball: str
    needs: Mapping[str, str]
    configure: tuple[str, ...]
    make: tuple[str, ...]
    steps: int
    install: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    staged: Staged | None = None
    step: str = "tools"

    @property
    def folder(self) -> str:
        """Name of its folder in the cache; if the recipe changes, the folder is another one."""
        shapes = {key: value for key, value in asdict(self).items() if value and key not in ("steps", "step")}
        digest = hashlib.sha256(canonical_json(shapes).encode()).hexdigest()
        return f"{self.name}-{self.version}-{digest[:8]}"


@dataclass(frozen=True)
class Package:
    """What Debian binary packages hold: tools, as `install` (file of a package, tool), and other files."""

    name: str
    packages: tuple[str, ...]
    install: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    step: str = "tools"

    @property
    def folder(self) -> str:
        """Name of its folder in the cache, used where the package cannot be installed for everyone."""
        return self.name


@dataclass(frozen=True)
class Other:
    """A compiler that is used if it is on PATH: `file`, where the option `knows[0]` prints `knows[1]`."""

    file: str
    knows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toolchain:
    """The tools of a target, by the names `as`, `ld`, ..., and the recipes that make them.

    `compiling` are the options of `cc` by core, `others` the compilers that are used if they are on PATH.
    """

    target: str
    tools: Mapping[str, str]
    recipes: tuple[Source | Package, ...]
    compiling: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: Mapping[str, Other] = field(default_factory=dict)

    def recipe_of(self, file: str) -> Source | Package | None:
        """The recipe that makes the executable `file`."""
        return next((recipe for recipe in self.recipes if file in recipe.install.values()), None)

    def compile_options(self, part: Part) -> tuple[str, ...]:
        """Options of `cc` that select a part; UsageError where there are none for its core."""
        if part.core.name not in self.compiling:
            cores = ", ".join(self.compiling)
            raise UsageError(
                f"no C compiler is known for core {part.core.name} of {part.name}, only for {cores}"
            )
        return _filled(self.compiling[part.core.name], {"{part}": part.name.lower()})


@cache
def load_toolchain(target_id: str) -> Toolchain:
    """The toolchain of a target; UsageError where there is no such target or its file is malformed."""
    file = load_target(target_id).folder / "toolchain.yaml"
    data = load_yaml(file, TOOLCHAIN)
    recipes = load_yaml(FOLDER / "recipes.yaml", RECIPES)
    for name in data["sources"]:
        if name not in recipes:
            raise UsageError(f"{file}: sources: expected one of {', '.join(recipes)}, found {name!r}")
    sources = [_source(target_id, name, recipes[name], **source) for name, source in data["sources"].items()]
    packages = [_package(target_id, name, recipe) for name, recipe in data["packages"].items()]
    others = {
        name: Other(other["file"], tuple(other.get("knows", ())))
        for name, other in data.get("others", {}).items()
    }
    return Toolchain(target_id, data["tools"], (*sources, *packages), _filled(data["compile"], {}), others)


def _source(
    target_id: str,
    name: str,
    recipe: dict,
    machine: str,
    configure: Sequence[str] = (),
    variables: Sequence[str] = (),
    **changed: Any,
) -> Source:
    """A recipe for one machine: `{machine}` and `{target}` in its words stand for these."""
    words = _filled({**recipe, **changed}, {"{machine}": machine, "{target}": target_id})
    if "staged" in words:
        words["staged"] = Staged(**words["staged"])
    words["configure"] = (*words["configure"], *configure)
    words["variables"] = (*words.get("variables", ()), *variables)
    return Source(**{"name": f"{target_id}-{name}", **words})


def _filled(value: Any, meaning: Mapping[str, str]) -> Any:
    """Data with its words replaced by what they mean, and its lists by tuples."""
    match value:
        case str():
            for word, meant in meaning.items():
                value = value.replace(word, meant)
            return value
        case list() | tuple():
            return tuple(_filled(item, meaning) for item in value)
        case dict():
            return {_filled(key, meaning): _filled(item, meaning) for key, item in value.items()}
    return value


def _package(target_id: str, name: str, recipe: dict) -> Package:
    words = {key: tuple(recipe[key]) for key in ("packages", "files") if key in recipe}
    return Package(**{"name": f"{target_id}-{name}", **recipe, **words})
