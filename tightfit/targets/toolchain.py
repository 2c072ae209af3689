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

from filelock import AcquireReturnProxy, FileLock, Timeout

from tightfit.errors import UsageError, WorkError
from tightfit.paths import cache_dir
from tightfit.targets.build import build
from tightfit.targets.debian import add_package
from tightfit.targets.progress import Progress, silent
from tightfit.targets.recipes import Package, Source, load_toolchain


@dataclass(frozen=True)
class ToolStatus:
    """Where a tool is, None where it is missing, and its version, None where it does not run."""

    target: str
    tool: str
    file: str
    path: Path | None
    version: str | None


def tool(target_id: str, name: str) -> Path:
    """The executable of a tool, `as`, `ld`, `objdump`, `nm`, `size` or `run`.

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
        raise WorkError(f"{file} is missing; `tightfit setup {target_id}` gets it")
    return path


def version(target_id: str, name: str) -> str:
    """What a tool says its version is, or, for one that says nothing, the recipe it was built by."""
    return _version(target_id, tool(target_id, name))


def status(target_id: str) -> list[ToolStatus]:
    """All tools of a target, the missing ones too."""
    return [_status(target_id, name, file) for name, file in load_toolchain(target_id).tools.items()]


def ensure(target_id: str, progress: Progress = silent) -> list[Path]:
    """Get every tool of a target that is not there yet; the folders that were filled.

    Two at once are safe, and one that fails or is killed leaves nothing that looks finished.

    Raises
    ------
    WorkError
        A package, a build tool or the network is missing, or a build broke.
    """
    recipes = load_toolchain(target_id).recipes
    return [_add(recipe, progress) for recipe in recipes if _incomplete(target_id, recipe)]


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


def _add(recipe: Source | Package, progress: Progress) -> Path:
    destination = toolchains() / recipe.folder
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        with _locked(destination, progress):
            if not all((destination / "bin" / file).exists() for file in recipe.install.values()):
                shutil.rmtree(destination, ignore_errors=True)
                make = build if isinstance(recipe, Source) else add_package
                make(recipe, destination, progress)
    except OSError as error:
        raise WorkError(f"cannot get {recipe.name}: {error}") from error
    return destination


def _locked(destination: Path, progress: Progress) -> AcquireReturnProxy:
    lock = FileLock(destination.with_name(f"{destination.name}.lock"))
    try:
        return lock.acquire(timeout=0)
    except Timeout:
        progress(f"waiting for another process that makes {destination.name}", 0, 1)
        return lock.acquire()


def _incomplete(target_id: str, recipe: Source | Package) -> bool:
    return any(find(target_id, file) is None for file in recipe.install.values())


def _status(target_id: str, name: str, file: str) -> ToolStatus:
    path = find(target_id, file)
    try:
        return ToolStatus(target_id, name, file, path, path and _version(target_id, path))
    except WorkError:
        return ToolStatus(target_id, name, file, path, None)


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


def _file(target_id: str, name: str) -> str:
    tools = load_toolchain(target_id).tools
    if name not in tools:
        raise UsageError(f"target {target_id} has no tool {name!r}; there are: {', '.join(tools)}")
    return tools[name]
