"""Debian packages: root installs them for everyone, other users unpack them into the cache."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tightfit.errors import WorkError
from tightfit.targets.progress import Progress
from tightfit.targets.recipes import Package

_NOT_STARTED = 127  # what the dynamic linker and the shell exit with


def add_package(recipe: Package, destination: Path, progress: Progress) -> None:
    """Get the tools and files of Debian packages; users other than root unpack them beside `destination`."""
    what = f"getting {recipe.packages[0]}"
    progress(what, 0, 1)
    if is_root():
        install(recipe.packages)
        root = Path("/")
    else:
        root = unpacked(destination)
        unpack(recipe.packages, root)
    with TemporaryDirectory(dir=destination.parent, prefix=f"{destination.name}.building-") as work:
        folder = Path(work) / "out" / "bin"
        folder.mkdir(parents=True)
        for file in (*recipe.install, *recipe.files):
            if not (root / file).exists():
                raise WorkError(f"{recipe.packages[0]} of this system has no {file}")
        if not is_root():
            _check_libraries(recipe, root)
        for file, tool in recipe.install.items():
            (folder / tool).symlink_to(root / file)
        os.replace(folder.parent, destination)
    progress(what, 1, 1)


def _check_libraries(recipe: Package, root: Path) -> None:
    """Packages that were only unpacked lack their dependencies: a tool without a library does not start."""
    for file in recipe.install:
        started = subprocess.run([root / file, "--version"], capture_output=True, check=False)
        if started.returncode == _NOT_STARTED:
            package = recipe.packages[0]
            raise WorkError(f"{package} lacks libraries; `sudo apt-get install {package}` installs both")


def unpacked(destination: Path) -> Path:
    """The folder that packages for `destination` are unpacked into."""
    return destination.with_name(f"{destination.name}.root")


def require(needs: Mapping[str, str], purpose: str, headers: Mapping[str, str] | None = None) -> None:
    """Make sure that commands and C headers (name: package) are there: install them, or say how."""
    missing = [package for command, package in needs.items() if shutil.which(command) is None]
    missing += [package for header, package in (headers or {}).items() if not _has_header(header)]
    if not missing:
        return
    if not is_root():
        packages = " ".join(missing)
        raise WorkError(f"{purpose} needs {packages}; `sudo apt-get install {packages}` gets what is missing")
    install(missing)


def _has_header(header: str) -> bool:
    """Whether the host's C compiler, where there is one, finds a header."""
    command = ["gcc", "-E", "-include", header, "-x", "c", "/dev/null"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def fetch_file(package: str, file: str, cache: Path) -> Path:
    """The file (relative to the root) of a package, fetched if it is not on this machine."""
    roots = [Path("/"), cache / f"{package}.root"]
    for root in roots:
        if (root / file).exists():
            return root / file
    if is_root():
        install([package])
    else:
        unpack([package], roots[1])
    fetched = roots[0 if is_root() else 1] / file
    if not fetched.exists():
        raise WorkError(f"{package} of this system has no {fetched}; Debian 12 has the right version")
    return fetched


def is_root() -> bool:
    """Whether packages can be installed for everyone."""
    return os.geteuid() == 0


def install(packages: Iterable[str]) -> None:
    """Install packages, as root; if that fails, try again with fresh package lists."""
    command = ("install", "-y", "--no-install-recommends", *packages)
    try:
        apt_get(*command)
    except WorkError:
        apt_get("update")
        apt_get(*command)


def unpack(packages: Sequence[str], root: Path) -> None:
    """Download packages and unpack them into the folder `root`, which needs no special rights."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=root.parent, prefix=f"{root.name}-") as folder:
        apt_get("download", *packages, folder=Path(folder))
        for archive in sorted(Path(folder).glob("*.deb")):
            run(["dpkg", "-x", str(archive), f"{folder}/tree"], Path(folder))
        shutil.rmtree(root, ignore_errors=True)
        os.replace(f"{folder}/tree", root)


def apt_get(*words: str, folder: Path = Path("/")) -> None:
    """Run apt-get; WorkError with its own complaint where it fails."""
    run(["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300", *words], folder)


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command quietly; WorkError with the last line of its complaint where it fails."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise WorkError(f"{command[0]} is not on PATH; toolchains come from Debian's packages") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise WorkError(f"`{' '.join(command)}` failed: {said[-1]}")
