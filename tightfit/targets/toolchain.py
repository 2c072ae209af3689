"""Finds the tools of a target, and gets them where they are missing.

A tool is looked for in the folder that `TIGHTFIT_<TARGET>_BIN` names, then in the per-user cache, then on
PATH.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tightfit.errors import UsageError, WorkError
from tightfit.paths import cache_dir
from tightfit.targets.build import build, link
from tightfit.targets.debian import add_package, unpacked
from tightfit.targets.progress import Progress, silent
from tightfit.targets.recipes import STEPS, Package, Source, load_toolchain

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy


@dataclass(frozen=True)
class ToolStatus:
    """Where a tool is, None where it is missing, and its version, None where it does not run.

    `step` is the step of the set-up that gets it.
    """

    target: str
    tool: str
    file: str
    path: Path | None
    version: str | None
    step: str = "tools"


def tool(target_id: str, name: str) -> Path:
    """The executable of a tool: `as`, `ld`, `objdump` or another that the target's `toolchain.yaml` names.

    Raises
    ------
    WorkError
        It is not there; the message names the one command that gets it.
    UsageError
        The target has no such tool.
    """
    file = _file(target_id, name)
    path = find(target_id, file)
    if path is None:
        recipe = load_toolchain(target_id).recipe_of(file)
        raise WorkError(f"{file} is missing; `{_setup(target_id, recipe)}` gets it")
    return path


def package_root(target_id: str, name: str) -> Path:
    """The folder that the files of a package lie under: the root, or where the package was unpacked.

    Raises
    ------
    WorkError
        They are not there; the message names the one command that gets them.
    UsageError
        The target's `toolchain.yaml` has no such package.
    """
    recipes = load_toolchain(target_id).recipes
    packages = {
        recipe.name.removeprefix(f"{target_id}-"): recipe for recipe in recipes if isinstance(recipe, Package)
    }
    recipe = packages.get(name)
    if recipe is None:
        raise UsageError(f"target {target_id} has no package {name!r}; there are: {', '.join(packages)}")
    root = _root_of(recipe)
    if root is None:
        raise WorkError(f"{recipe.packages[0]} is missing; `{_setup(target_id, recipe)}` gets it")
    return root


def other_compiler(target_id: str, name: str) -> Path | None:
    """A compiler that tightfit does not get, such as `ccrl`, where it is on PATH and serves the target.

    Raises
    ------
    UsageError
        The target's `toolchain.yaml` names no such compiler.
    """
    others = load_toolchain(target_id).others
    if name not in others:
        raise UsageError(f"target {target_id} knows no compiler {name!r}; it knows: {', '.join(others)}")
    path = shutil.which(others[name].file)
    return Path(path) if path and _knows(path, others[name].knows) else None


def version(target_id: str, name: str) -> str:
    """The version that a tool states, or, where it states none, the recipe it was built by."""
    return _version(target_id, tool(target_id, name))


def status(target_id: str) -> list[ToolStatus]:
    """All tools of a target, the missing ones too."""
    return [_status(target_id, name, file) for name, file in load_toolchain(target_id).tools.items()]


def ensure(target_id: str, progress: Progress = silent, step: str = "tools") -> list[Path]:
    """Get every tool of a target that is not there yet; returns the folders that were filled.

    `step` is the last step of the set-up to take. Two set-ups at once are safe, and a set-up that fails or is
    killed leaves nothing that looks finished.

    Raises
    ------
    WorkError
        A package, a build tool or the network is missing, or a build broke.
    """
    steps = STEPS[: STEPS.index(step) + 1]
    recipes = (recipe for recipe in load_toolchain(target_id).recipes if recipe.step in steps)
    return [_add(target_id, recipe, progress) for recipe in recipes if _incomplete(target_id, recipe)]


def option_of(step: str) -> str:
    """Option of `tightfit setup` for a step, with a blank after it; "" for the first step."""
    return "" if step == STEPS[0] else f"--{step} "


def toolchains() -> Path:
    """Folder of the cache that holds the toolchains."""
    return cache_dir() / "toolchains"


def find(target_id: str, file: str) -> Path | None:
    """The executable `file`, or None."""
    named = os.environ.get(f"TIGHTFIT_{target_id.upper()}_BIN")
    recipe = load_toolchain(target_id).recipe_of(file)
    cached = toolchains() / recipe.folder / "bin" if recipe else None
    places = [str(folder) for folder in (named, cached) if folder]
    path = shutil.which(file, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))
    return Path(path) if path else None


def _add(target_id: str, recipe: Source | Package, progress: Progress) -> Path:
    destination = toolchains() / recipe.folder
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        with _locked(destination, progress):
            if not (destination.exists() and _whole(recipe, destination)):
                shutil.rmtree(destination, ignore_errors=True)
                if isinstance(recipe, Source):
                    build(recipe, destination, progress, _called(target_id, recipe))
                else:
                    add_package(recipe, destination, progress)
            elif isinstance(recipe, Source):
                link(_called(target_id, recipe), destination, destination)
    except OSError as error:
        raise WorkError(f"cannot get {recipe.name}: {error}") from error
    return destination


def _called(target_id: str, recipe: Source) -> dict[str, Path]:
    """The tools that the built tools call, by their places below the folder of the recipe."""
    return {place: tool(target_id, name) for place, name in recipe.calls.items()}


def _locked(destination: Path, progress: Progress) -> "AcquireReturnProxy":
    from filelock import FileLock, Timeout

    lock = FileLock(destination.with_name(f"{destination.name}.lock"))
    try:
        return lock.acquire(timeout=0)
    except Timeout:
        progress(f"waiting for another process that makes {destination.name}", 0, 1)
        return lock.acquire()


def _incomplete(target_id: str, recipe: Source | Package) -> bool:
    if any(find(target_id, file) is None for file in recipe.install.values()):
        return True
    return not _linked(recipe) if isinstance(recipe, Source) else _root_of(recipe) is None


def _linked(recipe: Source) -> bool:
    """Whether the tools that a cached recipe calls are linked; true where the cache has none of it."""
    folder = toolchains() / recipe.folder
    return not folder.exists() or all((folder / place).exists() for place in recipe.calls)


def _whole(recipe: Source | Package, destination: Path) -> bool:
    tools = all((destination / "bin" / file).exists() for file in recipe.install.values())
    return tools and (isinstance(recipe, Source) or _root_of(recipe) is not None)


def _root_of(recipe: Package) -> Path | None:
    """The folder with all files of a package besides its tools; None where some are missing."""
    roots = (Path("/"), unpacked(toolchains() / recipe.folder))
    return next((root for root in roots if all((root / file).exists() for file in recipe.files)), None)


def _setup(target_id: str, recipe: Source | Package | None) -> str:
    return f"tightfit setup {option_of(recipe.step) if recipe else ''}{target_id}"


def _status(target_id: str, name: str, file: str) -> ToolStatus:
    path, recipe = find(target_id, file), load_toolchain(target_id).recipe_of(file)
    step = recipe.step if recipe else STEPS[0]
    try:
        version = path and _version(target_id, path)
    except WorkError:
        version = None
    return ToolStatus(target_id, name, file, path, version, step)


@cache
def _version(target_id: str, path: Path) -> str:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise WorkError(f"{path} does not run: {error.strerror}") from None
    if said.returncode == 0 and said.stdout:
        return said.stdout.splitlines()[0]
    recipe = load_toolchain(target_id).recipe_of(path.name)
    if isinstance(recipe, Source) and recipe.folder in path.parts:
        return f"{path.name} of {recipe.package} {recipe.version}"
    return f"{path.name}, version not stated"


def _knows(path: str, words: tuple[str, ...]) -> bool:
    """Whether a compiler, run with the first word as its option, prints the second."""
    if not words:
        return True
    option, wanted = words
    try:
        said = subprocess.run([path, option], capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return False
    return wanted in said.stdout.split()


def _file(target_id: str, name: str) -> str:
    tools = load_toolchain(target_id).tools
    if name not in tools:
        raise UsageError(f"target {target_id} has no tool {name!r}; there are: {', '.join(tools)}")
    return tools[name]
