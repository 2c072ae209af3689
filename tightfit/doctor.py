"""What tightfit needs on this machine: what is there, what is missing, and the one command that gets it."""

import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tightfit import extras
from tightfit.errors import TightfitError, WorkError
from tightfit.harness import portfolio
from tightfit.paths import cache_dir, portfolio_dir, store_path
from tightfit.reports.view import view
from tightfit.targets import target_ids, toolchain
from tightfit.targets.recipes import load_toolchain

LEAST_PYTHON = (3, 11)
FOR_COMPILERS = "C baselines, measure of C, tests"


@dataclass(frozen=True)
class Check:
    """One thing that tightfit needs.

    `detail` is its version and place, or what is wrong; `fix` the command that mends it, None where it is
    `ok` or where no single command mends it; `needed_for` what fails without it. A check that is not `needed`
    is optional.
    """

    name: str
    ok: bool
    detail: str
    fix: str | None
    needed_for: str
    needed: bool = True

    @property
    def state(self) -> str:
        """One word: ok, missing, or optional for what is not there and not needed."""
        if self.ok:
            return "ok"
        return "missing" if self.needed else "optional"


def examine() -> list[Check]:
    """All checks, in the order in which their faults are best mended."""
    return [*_host(), *_tools(), *_others(), *_extras(), _simulator(), _store(), _portfolio(), _cache()]


def _host() -> Iterator[Check]:
    least = ".".join(map(str, LEAST_PYTHON))
    yield _check(
        "python",
        sys.version_info >= LEAST_PYTHON,
        f"{platform.python_version()} {sys.executable}",
        f"apt-get install python{least}",
        "everything",
    )
    compiler = shutil.which("cc")
    needed_for = "fill, verify, replay, run, setup"
    yield _check(
        "cc", compiler is not None, compiler or "not on PATH", "apt-get install gcc libc6-dev", needed_for
    )


def _tools() -> Iterator[Check]:
    for target in target_ids():
        for tool in toolchain.status(target):
            if tool.step == "tests":
                continue
            ok, detail, fix = _tool(tool)
            name, needed = f"{target} {tool.tool}", tool.step != "compilers"
            needed_for = "fill, verify, replay, listings of show" if needed else FOR_COMPILERS
            yield Check(name, ok, detail, None if ok else fix, needed_for, needed)


def _tool(tool: toolchain.ToolStatus) -> tuple[bool, str, str]:
    """(whether it runs, its version and place or what is wrong, the command that gets it)."""
    setup = f"tightfit setup {toolchain.option_of(tool.step)}{tool.target}"
    if tool.path is None:
        return False, f"{tool.file} is missing", setup
    if tool.version is None:
        return False, f"{tool.path} does not run", f"rm {tool.path} && {setup}"
    return True, f"{tool.version} {tool.path}", setup


def _others() -> Iterator[Check]:
    """Compilers that tightfit cannot get: they are used if they are on PATH."""
    for target in target_ids():
        for name in load_toolchain(target).others:
            path = toolchain.other_compiler(target, name)
            detail = str(path) if path else f"no {name} for {target} on PATH; tightfit cannot get it"
            yield Check(f"{target} {name}", path is not None, detail, None, "tests of exported text", False)


def _simulator() -> Check:
    return _tried("simulator", _built_simulator, None, "fill, verify, replay, run")


def _built_simulator() -> str:
    if absent := extras.missing("search"):
        raise WorkError(absent)
    from tightfit.harness.simulator import build_library

    return str(build_library())


def _extras() -> Iterator[Check]:
    """The parts of the package that `pip install tightfit` leaves out."""
    needed_for = {
        "search": "fill, verify, replay, measure, try",
        "explore": "explore",
        "cluster": "fill --cluster",
    }
    for extra, commands in needed_for.items():
        ok = extras.missing(extra) is None
        detail = "there" if ok else extras.missing(extra).partition(";")[0]
        fix = None if ok else f"pip install 'tightfit[{extra}]'"
        yield Check(f"extra {extra}", ok, detail, fix, commands, extra == "search")


def _store() -> Check:
    return _tried("store", _open_store, None, "ask, fill, table, front, show, export, verify, replay")


def _open_store() -> str:
    with view() as store:
        measured, cells = store.counts()
    own = f"{store_path()}" if store_path().exists() else "nothing of your own yet"
    return f"{measured} variants measured, {cells} cells; {own}"


def _portfolio() -> Check:
    folder = portfolio_dir()
    files = portfolio.files(folder)
    detail = f"{len(files)} files {folder}" if files else f"nothing in {folder}"
    return _check(
        "portfolio", bool(files), detail, f"tightfit fill --portfolio {folder}", "answers before a fill"
    )


def _cache() -> Check:
    return _tried("cache", lambda: _writable(cache_dir()), None, "setup and the simulator")


def _writable(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".doctor"
    probe.touch()
    probe.unlink()
    return str(folder)


def _tried(name: str, attempt: Callable[[], str], fix: str | None, needed_for: str) -> Check:
    """A check that passes unless `attempt` raises; the error says what to do."""
    try:
        return _check(name, True, attempt(), fix, needed_for)
    except TightfitError as error:
        return _check(name, False, str(error), fix, needed_for)
    except OSError as error:
        detail = f"{error.filename} cannot be written: {error.strerror}"
        return _check(name, False, detail, fix, needed_for)


def _check(name: str, ok: bool, detail: str, fix: str | None, needed_for: str) -> Check:
    return Check(name, ok, detail, None if ok else fix, needed_for)
