"""Builds a toolchain from a Debian source package, all or nothing."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tightfit.errors import WorkError
from tightfit.targets.debian import fetch_file, require, run
from tightfit.targets.progress import Progress
from tightfit.targets.recipes import Source


def build(recipe: Source, destination: Path, progress: Progress) -> None:
    """Fetch, unpack, configure and make in a folder beside `destination`, which appears last, and whole.

    The caller holds the lock of `destination`.
    """
    require(recipe.needs, f"building {recipe.name}")
    progress(f"fetching {recipe.package}", 0, 1)
    tarball = fetch_file(recipe.package, recipe.tarball, destination.parent)
    progress(f"fetching {recipe.package}", 1, 1)
    _clear_leftovers(destination)
    prefix = _building(destination)
    with TemporaryDirectory(dir=destination.parent, prefix=prefix, ignore_cleanup_errors=True) as work:
        _build_in(Path(work), recipe, tarball, destination, progress)


def _build_in(work: Path, recipe: Source, tarball: Path, destination: Path, progress: Progress) -> None:
    what = f"building {recipe.name} {recipe.version}"
    total = recipe.steps + 1
    progress(what, 0, total)
    source = _unpack(tarball, work / "source")
    if recipe.version not in (source / recipe.version_in).read_text():
        raise WorkError(f"{tarball} is not version {recipe.version}, which {recipe.package} of Debian 12 is")
    tree = work / "tree"
    tree.mkdir()
    log = destination.with_name(f"{destination.name}.log")
    done = 0

    def step() -> None:
        nonlocal done
        done = min(done + 1, recipe.steps)
        progress(what, done, total)

    jobs = len(os.sched_getaffinity(0))
    _run([str(source / "configure"), *recipe.configure], tree, log, what, step)
    _run(["make", f"-j{jobs}", "MAKEINFO=true", *recipe.make], tree, log, what, step)
    _keep(recipe, tree, work / "out" / "bin")
    os.replace(work / "out", destination)
    log.unlink()
    progress(what, total, total)


def _unpack(tarball: Path, folder: Path) -> Path:
    folder.mkdir()
    run(["tar", "xf", str(tarball), "--exclude=*/testsuite/*/*"], folder)
    return next(folder.iterdir())


def _keep(recipe: Source, tree: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for file, tool in recipe.install.items():
        if not (tree / file).exists():
            raise WorkError(f"building {recipe.name} {recipe.version} failed: the build made no {file}")
        shutil.copy2(tree / file, folder / tool)


def _run(command: Sequence[str], folder: Path, log: Path, what: str, step: Callable[[], None]) -> None:
    """Run a command, its output in `log`, with a `step` a line; what it started ends with it."""
    environment = {**os.environ, "LC_ALL": "C"}
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
        raise WorkError(f"{what} failed at `{Path(command[0]).name}`: {_complaint(log)} (all it said: {log})")


def _complaint(log: Path) -> str:
    """The first line of a log that names an error."""
    lines = log.read_text(errors="replace").splitlines()
    return next((line for line in lines if "error: " in line.lower()), lines[-1] if lines else "nothing said")


def _building(destination: Path) -> str:
    return f"{destination.name}.building-"


def _clear_leftovers(destination: Path) -> None:
    """Remove what a killed build left; the lock is held, so nobody is building there."""
    for folder in destination.parent.glob(f"{_building(destination)}*"):
        shutil.rmtree(folder, ignore_errors=True)
    destination.with_name(f"{destination.name}.log").unlink(missing_ok=True)
