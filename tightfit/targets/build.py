"""Builds a toolchain from a Debian source package, all or nothing."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tightfit.errors import WorkError
from tightfit.targets.debian import fetch_file, require, run
from tightfit.targets.progress import Progress
from tightfit.targets.recipes import Source, Staged

_OF_AN_OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEFILES", "MAKEOVERRIDES", "MAKELEVEL")
_ERROR = re.compile(r"error: |: (command )?not found$", re.IGNORECASE)


def build(recipe: Source, destination: Path, progress: Progress, called: Mapping[str, Path]) -> None:
    """Fetch, unpack, configure and make in a folder beside `destination`, which appears last, and whole.

    `called` are the tools that it is built with, by their places in `destination`. The caller must hold the
    lock of `destination`.
    """
    require(recipe.needs, f"building {recipe.name}", recipe.headers)
    progress(f"fetching {recipe.package}", 0, 1)
    tarball = fetch_file(recipe.package, recipe.tarball, destination.parent)
    progress(f"fetching {recipe.package}", 1, 1)
    _clear_leftovers(destination)
    prefix = _building(destination)
    with TemporaryDirectory(dir=destination.parent, prefix=prefix, ignore_cleanup_errors=True) as work:
        log = destination.with_name(f"{destination.name}.log")
        built = _Build(recipe, Path(work), log, progress, _path(called)).build(tarball)
        link(called, built, destination)
        os.replace(built, destination)
        log.unlink()
    progress(_what(recipe), recipe.steps + 1, recipe.steps + 1)


def link(called: Mapping[str, Path], folder: Path, destination: Path) -> None:
    """Link tools to where the build looks for them, in `folder`, which is or becomes `destination`.

    Tools in the same cache are linked by relative paths, so that the cache can be moved.
    """
    for place, executable in called.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        beside = executable.is_relative_to(destination.parent)
        file.symlink_to(os.path.relpath(executable, (destination / place).parent) if beside else executable)


@dataclass
class _Build:
    """A build in the folder `work`: its progress and its PATH."""

    recipe: Source
    work: Path
    log: Path
    progress: Progress
    path: str
    done: int = 0

    def build(self, tarball: Path) -> Path:
        """Build, and return the folder with the files to keep."""
        recipe = self.recipe
        self.progress(_what(recipe), 0, recipe.steps + 1)
        source = _unpack(tarball, self.work / "source")
        if recipe.version not in (source / recipe.version_in).read_text():
            raise WorkError(
                f"{tarball} is not version {recipe.version}, that of {recipe.package} in Debian 12"
            )
        tree, out = self.work / "tree", self.work / "out"
        tree.mkdir()
        self._run([str(source / "configure"), *recipe.configure], tree)
        self._make(tree, recipe.make)
        if recipe.staged:
            self._stage(recipe.staged, tree, out)
        self._keep(recipe.install, tree, out / "bin")
        return out

    def _make(self, tree: Path, words: Sequence[str]) -> None:
        jobs = len(os.sched_getaffinity(0))
        self._run(["make", f"-j{jobs}", "MAKEINFO=true", *words], tree, {"MAKEFILES": str(self._variables())})

    def _variables(self) -> Path:
        """The makefile that every `make` reads first, by MAKEFILES."""
        file = self.work / "variables.mk"
        file.write_text("".join(f"override {variable}\n" for variable in self.recipe.variables))
        return file

    def _stage(self, staged: Staged, tree: Path, out: Path) -> None:
        for file in staged.touch:
            (tree / file).touch()
        self._make(tree, [f"DESTDIR={tree}", *staged.make])
        self._keep({f"stage/{name}": name for name in staged.keep}, tree, out)
        for alias, name in staged.aliases.items():
            (out / alias).unlink(missing_ok=True)
            (out / alias).symlink_to(name)

    def _keep(self, kept: Mapping[str, str], tree: Path, folder: Path) -> None:
        for name, place in kept.items():
            built, file = tree / name, folder / place
            if not built.exists():
                raise WorkError(f"{_what(self.recipe)} failed: the build made no {name}")
            file.parent.mkdir(parents=True, exist_ok=True)
            if built.is_dir():
                shutil.copytree(built, file, symlinks=True)
            else:
                shutil.copy2(built, file)

    def _run(self, command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None) -> None:
        environment = {"PATH": self.path, **(variables or {})}
        run_logged(command, folder, environment, self.log, _what(self.recipe), self._step)

    def _step(self) -> None:
        self.done = min(self.done + 1, self.recipe.steps)
        self.progress(_what(self.recipe), self.done, self.recipe.steps + 1)


def _what(recipe: Source) -> str:
    return f"building {recipe.name} {recipe.version}"


def _path(called: Mapping[str, Path]) -> str:
    """PATH, with the folders of the called tools in front."""
    folders = dict.fromkeys(str(executable.parent) for executable in called.values())
    return os.pathsep.join([*folders, os.environ.get("PATH", "")])


def _unpack(tarball: Path, folder: Path) -> Path:
    folder.mkdir()
    run(["tar", "xf", str(tarball), "--exclude=*/testsuite/*/*"], folder)
    return next(folder.iterdir())


def run_logged(
    command: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    log: Path,
    what: str,
    step: Callable[[], None],
) -> None:
    """Run a command, its output in `log`, with a `step` for each line; its children end with it.

    `variables` are set in its environment.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in _OF_AN_OUTER_MAKE}
    environment = {**inherited, "LC_ALL": "C", **variables}
    with (
        log.open("a") as out,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        try:
            for line in process.stdout:
                out.write(line)
                step()
        except BaseException:
            os.killpg(process.pid, 15)
            raise
    if process.returncode != 0:
        raise WorkError(f"{what} failed at `{Path(command[0]).name}`: {_complaint(log)} (full output: {log})")


def _complaint(log: Path) -> str:
    """The first line of a log that names an error."""
    lines = log.read_text(errors="replace").splitlines()
    return next((line for line in lines if _ERROR.search(line)), lines[-1] if lines else "nothing said")


def _building(destination: Path) -> str:
    return f"{destination.name}.building-"


def _clear_leftovers(destination: Path) -> None:
    """Remove what a killed build left behind; the lock is held, so no other build is at work."""
    for folder in destination.parent.glob(f"{_building(destination)}*"):
        shutil.rmtree(folder, ignore_errors=True)
    destination.with_name(f"{destination.name}.log").unlink(missing_ok=True)
