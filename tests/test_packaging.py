"""The package, its pins and its front page say the same."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from tightfit.extras import EXTRAS as BROUGHT
from tightfit.textfile import stored

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
OWN = "tightfit["
NEEDED = [*PROJECT["project"]["dependencies"], *(each for extra in EXTRAS.values() for each in extra)]
"""What a part of the package needs, one extra by another included."""
ASKED = [each for each in [*NEEDED, *PROJECT["build-system"]["requires"]] if not each.startswith(OWN)]
LOCKED = dict(
    line.split("==")
    for line in (ROOT / "requirements.txt").read_text().splitlines()
    if not line.startswith("#")
)
README = (ROOT / "README.md").read_text()


def data(folder: str) -> set[str]:
    """Files of a folder of the checkout, made ones left out."""
    files = (file for file in (ROOT / folder).rglob("*") if file.is_file())
    made = {"__pycache__", ".o", ".so"}
    return {str(file.relative_to(ROOT)) for file in files if not made & {file.suffix, *file.parts}}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return wheel


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The wheel's files as an installation lays them out."""
    site = tmp_path_factory.mktemp("site")
    ZipFile(wheel).extractall(site)
    return site


@pytest.mark.parametrize("requirement", dict.fromkeys(ASKED))
def test_every_dependency_is_pinned_and_locked(requirement):
    name, pin = requirement.split("==")
    assert LOCKED[name] == pin


def imported(folder: str) -> set[str]:
    """Top-level modules that the Python files of a folder import."""
    names = set()
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    return names


def test_what_is_imported_is_asked_for_and_nothing_else():
    asked = {each.split("==")[0].lower() for each in NEEDED if each not in EXTRAS["test"]}
    asked -= {each for each in asked if each.startswith(OWN)}
    homes = packages_distributions()
    outside = imported("tightfit") - sys.stdlib_module_names - {"tightfit"}
    assert {homes[name][0].lower() for name in outside} == asked


def test_the_lock_is_what_the_tests_run_on():
    assert {name: version(name) for name in LOCKED} == LOCKED


@pytest.mark.dear("a wheel is built")
def test_the_wheel_carries_all_data(installed):
    for name in data("tightfit"):
        assert (installed / name).is_file(), name
    for folder in ("portfolio", "simulator"):
        assert data(folder)
        for name in data(folder):
            assert stored(installed / "tightfit" / f"_{name}"), name


def test_an_installation_finds_its_data(installed, tmp_path):
    code = (
        "from tightfit import paths\n"
        "from tightfit.targets import load_target\n"
        "print(paths.portfolio_dir(), paths.simulator_source(), load_target('rl78').link_script, sep='\\n')"
    )
    environment = {"PYTHONPATH": str(installed), "PATH": ""}
    said = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, env=environment, text=True)
    places = [Path(line) for line in said.splitlines()]
    assert places == [
        installed / "tightfit/_portfolio",
        installed / "tightfit/_simulator",
        installed / "tightfit/targets/rl78/link.ld",
    ]
    assert all(place.exists() for place in places)


def test_each_extra_brings_what_is_said_of_it():
    homes = packages_distributions()
    for extra, modules in BROUGHT.items():
        own = {each.split("==")[0].lower() for each in EXTRAS[extra]} - {"tightfit[search]"}
        assert {homes[name][0].lower() for name in modules} == own


ON = ("aes-128", "encrypt", "--target", "avr", "--rom", "1KB")
ANSWERED = {
    "ask": (*ON, "--ram", "128B"),
    "table": ("--primitive", "xtea"),
    "front": ON[:4],
    "show": ("ea85a4364de1",),
    "export": (*ON, "--to", "out"),
    "list": (),
    "report": ("--target", "rv32e", "--out", "pages"),
}
"""Commands that need no extra."""
WANTING = {"fill": ("search", ("xtea", "--target", "avr")), "explore": ("explore", ("--out", "page"))}
WANTING["verify"] = ("search", ("xtea", "--target", "avr"))
MEGABYTES = 40


@pytest.mark.dear("an environment is made and filled")
def test_what_pip_installs_answers_and_is_small(wheel, tmp_path):
    """No more than answers need; a command that needs more says which extra brings it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python]
    subprocess.run(
        [*pip, "install", "--no-compile", "--constraint", ROOT / "requirements.txt", wheel], check=True
    )
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    assert sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) < MEGABYTES * 10**6
    homes = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": ""}

    def tightfit(command, *words):
        run = [python, "-m", "tightfit.cli", command, *words]
        return subprocess.run(run, env=homes, cwd=tmp_path, capture_output=True, text=True)

    for command, words in ANSWERED.items():
        done = tightfit(command, *words)
        assert done.returncode == 0 and done.stdout, (command, done.stderr)
    assert not (tmp_path / "home").exists()
    for command, (extra, words) in WANTING.items():
        done = tightfit(command, *words)
        assert (done.returncode, done.stdout) == (1, ""), (command, done.stdout)
        assert re.fullmatch(
            rf"tightfit: \w+ is missing; `pip install 'tightfit\[{extra}\]'` .*\n", done.stderr
        )


@pytest.mark.long(seconds=35)
@pytest.mark.parametrize("extra", [*BROUGHT, "all"])
def test_each_extra_installs(wheel, tmp_path, extra):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    wanted = f"{wheel}[{extra}]"
    lock = ROOT / "requirements.txt"
    subprocess.run([python, "-m", "pip", "--quiet", "install", "--constraint", lock, wanted], check=True)
    modules = BROUGHT.get(extra, tuple(name for names in BROUGHT.values() for name in names))
    subprocess.run([python, "-c", f"import {', '.join(modules)}"], check=True)


def test_ci_runs_the_command_of_the_readme():
    assert "\nmake test " in README
    last = (ROOT / ".ci/run").read_text().strip().splitlines()[-1]
    assert last == "exec make test"


def test_the_commands_of_the_readme_are_targets_of_make():
    for name in re.findall(r"^make (\w+)", README, re.MULTILINE):
        subprocess.run(["make", "--dry-run", name], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    "given, fill, table",
    [
        ([], "fill aes-128 --operation encrypt ", "table --primitive aes-128"),
        (["PRIMITIVES=xtea sha-256"], "fill xtea sha-256 ", "table --primitive xtea --primitive sha-256"),
        (["PRIMITIVES=all"], "fill  ", "table "),
    ],
)
def test_the_main_job_begins_with_nothing(given, fill, table):
    """It takes nothing from the portfolio that ships, and leaves that and the user's store alone."""
    run = ["make", "--dry-run", "portfolio", *given]
    lines = subprocess.check_output(run, cwd=ROOT, text=True).splitlines()
    made = f"{ROOT}/build/portfolio"
    before = f"TIGHTFIT_PORTFOLIO={made} TIGHTFIT_STORE={made}/store.sqlite .venv/bin/tightfit "
    work = [line.removeprefix(before) for line in lines if line.startswith(before)]
    assert work == [f"{fill}--portfolio {made}", table]


@pytest.fixture
def no_venv_module(tmp_path, monkeypatch):
    """A Debian whose python3 makes environments only once python3-venv is installed."""
    commands = tmp_path / "commands"
    commands.mkdir()
    installed = tmp_path / "installed"
    scripts = {
        "python3": f'test -e {installed} && mkdir -p "$3/bin" && touch "$3/bin/pip"',
        "apt-get": f'case "$*" in *"install "*python3-venv) touch {installed} ;; esac',
        "id": "echo $TEST_USER_ID",
    }
    for name, script in scripts.items():
        (commands / name).write_text(f"#!/bin/sh\n{script}\n")
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return tmp_path / "venv"


@pytest.mark.parametrize("user, made", [("0", True), ("1000", False)])
def test_debian_without_the_venv_module(no_venv_module, monkeypatch, user, made):
    monkeypatch.setenv("TEST_USER_ID", user)
    command = ["make", f"VENV={no_venv_module}", f"{no_venv_module}/bin/pip"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode == 0) == made, done.stderr
    assert (no_venv_module / "bin/pip").exists() == made
    if not made:
        assert done.stderr.splitlines()[0] == (
            'python3 has no venv module; "sudo apt-get install python3-venv" gets it'
        )


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_the_links_of_the_readme_lead_somewhere(link):
    assert (ROOT / link.partition("#")[0]).exists()
