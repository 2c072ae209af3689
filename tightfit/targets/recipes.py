"""What `toolchain.yaml` says: the tools of a target and the Debian packages they come from."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache

from tightfit.errors import UsageError
from tightfit.records import canonical_json
from tightfit.targets import FOLDER, load_target
from tightfit.targets.schema import RECIPES, TOOLCHAIN
from tightfit.yamlfile import load_yaml


@dataclass(frozen=True)
class Source:
    """Tools built from a Debian source package.

    `tarball` is the file the package installs (relative to the root), `version_in` a file of the source that
    must hold `version`, `needs` the Debian package of each build tool, `install` (file of the build
    tree, tool).
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
    tests_only: bool = False

    @property
    def folder(self) -> str:
        """Name of its folder in the cache: a change of what is built is a new folder."""
        shapes = {key: value for key, value in asdict(self).items() if key not in ("steps", "tests_only")}
        digest = hashlib.sha256(canonical_json(shapes).encode()).hexdigest()
        return f"{self.name}-{self.version}-{digest[:8]}"


@dataclass(frozen=True)
class Package:
    """What Debian binary packages hold: tools, as `install` (file of a package, tool), and other files."""

    name: str
    packages: tuple[str, ...]
    install: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    tests_only: bool = False

    @property
    def folder(self) -> str:
        """Name of its folder in the cache, used where the package cannot be installed for everyone."""
        return self.name


@dataclass(frozen=True)
class Toolchain:
    """The tools of a target, by the names `as`, `ld`, ..., and the recipes that make them."""

    target: str
    tools: Mapping[str, str]
    recipes: tuple[Source | Package, ...]

    def recipe_of(self, file: str) -> Source | Package | None:
        """The recipe that makes the executable `file`."""
        return next((recipe for recipe in self.recipes if file in recipe.install.values()), None)


@cache
def load_toolchain(target_id: str) -> Toolchain:
    """The toolchain of a target; UsageError where there is no such target or its file is malformed."""
    file = load_target(target_id).folder / "toolchain.yaml"
    data = load_yaml(file, TOOLCHAIN)
    known = load_yaml(FOLDER / "recipes.yaml", RECIPES)
    for name in data["sources"]:
        if name not in known:
            raise UsageError(f"{file}: sources: expected one of {', '.join(known)}, found {name!r}")
    sources = [_source(target_id, name, known[name], **one) for name, one in data["sources"].items()]
    packages = [_package(target_id, name, one) for name, one in data["packages"].items()]
    return Toolchain(target_id, data["tools"], (*sources, *packages))


def _source(target_id: str, name: str, recipe: dict, machine: str, tests_only: bool = False) -> Source:
    """A recipe for one machine: `{machine}` and `{target}` in its words stand for these."""

    def filled(word: str) -> str:
        return word.replace("{machine}", machine).replace("{target}", target_id)

    return Source(
        **{
            "name": f"{target_id}-{name}",
            **recipe,
            "configure": tuple(map(filled, recipe["configure"])),
            "make": tuple(recipe["make"]),
            "install": {filled(file): filled(tool) for file, tool in recipe["install"].items()},
            "tests_only": tests_only,
        }
    )


def _package(target_id: str, name: str, recipe: dict) -> Package:
    words = {key: tuple(recipe[key]) for key in ("packages", "files") if key in recipe}
    return Package(**{"name": f"{target_id}-{name}", **recipe, **words})
