"""What `toolchain.yaml` says: the tools of a target and the Debian packages they come from."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache

from tightfit.records import canonical_json
from tightfit.targets import load_target
from tightfit.targets.schema import TOOLCHAIN
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

    @property
    def folder(self) -> str:
        """Name of its folder in the cache: a change of the recipe is a new folder."""
        shapes = {key: value for key, value in asdict(self).items() if key != "steps"}
        digest = hashlib.sha256(canonical_json(shapes).encode()).hexdigest()
        return f"{self.name}-{self.version}-{digest[:8]}"


@dataclass(frozen=True)
class Package:
    """Tools that are a Debian binary package; `install` (file of the package, tool)."""

    name: str
    package: str
    install: Mapping[str, str]

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
    data = load_yaml(load_target(target_id).folder / "toolchain.yaml", TOOLCHAIN)
    sources = [_source(target_id, name, recipe) for name, recipe in data["sources"].items()]
    packages = [Package(name, **recipe) for name, recipe in data["packages"].items()]
    return Toolchain(target_id, data["tools"], (*sources, *packages))


def _source(target_id: str, name: str, recipe: dict) -> Source:
    words = {key: tuple(recipe[key]) for key in ("configure", "make")}
    return Source(**{"name": f"{target_id}-{name}", **recipe, **words})
