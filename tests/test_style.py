"""The source keeps to the rules of pyproject.toml and of docs/layout.md."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tightfit"
ROOMS = (
    "errors extras lazily names units paths printable textfile jsonform records readyfile yamlfile yamlcheck",
    "primitives targets",
    "budgets conditions curve skeletons",
    "generator",
    "harness",
    "contenders",
    "reports",
    "exporter",
    "explorer filling",
    "doctor api settings",
    "commands",
    "cli",
)
"""Upstream first; rooms of one line are beside one another and import each other in no circle."""


def test_the_source_is_tidy():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def modules() -> dict[str, Path]:
    """The files of the package by their names; references and oracles have none, they are loaded by path."""
    files = {file.relative_to(ROOT).with_suffix("").parts: file for file in PACKAGE.rglob("*.py")}
    named = {tuple(part for part in parts if part != "__init__"): file for parts, file in files.items()}
    return {".".join(parts): file for parts, file in named.items() if all(map(str.isidentifier, parts))}


MODULES = modules()


@cache
def imported(name: str) -> set[str]:
    """The files that a file imports anywhere: at its top, in functions, for type checkers."""
    found = set()
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            found |= {home_of(home, alias.name) for alias in node.names}
    return found & MODULES.keys() - {name}


def home_of(home: str, name: str) -> str:
    """The file that `from home import name` gets the name from."""
    if f"{home}.{name}" in MODULES:
        return f"{home}.{name}"
    homes = getattr(import_module(home), "HOMES", {}) if home in MODULES else {}
    return f"{home}.{homes[name]}" if name in homes else home


def room(name: str) -> str:
    return (name.split(".") + [""])[1]


def test_files_import_each_other_in_no_circle():
    try:
        TopologicalSorter({name: imported(name) for name in MODULES}).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_nothing_upstream_imports_anything_downstream():
    place = {name: number for number, line in enumerate(ROOMS) for name in line.split()}
    assert {room(name) for name in MODULES} - {"", "schemas"} == place.keys()
    wrong = [
        f"{name} imports {other}"
        for name in MODULES
        if name != "tightfit"
        for other in imported(name)
        if other != "tightfit" and room(other) != "schemas" and place[room(other)] > place[room(name)]
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rooms_are_those_of_the_layout():
    layout = (ROOT / "docs/layout.md").read_text(encoding="utf-8").split("```")[1]
    missing = [name for line in ROOMS for name in line.split() if name not in layout]
    assert not missing
