"""The Python interface: its examples in docs/python.md run, and the commands print what it answers."""

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tightfit as package
from tests.contenders import guests
from tightfit import api
from tightfit.errors import UsageError
from tightfit.reports.forms import asked_form

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
ON = {"target": "rl78", "rom": "1KB", "ram": 128}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: re.search(r"tightfit\.(\w+)\(", text)[1])
@pytest.mark.usefixtures("portfolio", "small_space", "no_compiler", "search_gate")
def test_an_example_of_the_page_runs(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copy(guests.PRESENT, tmp_path)
    (tmp_path / "budgets.yaml").write_text("rom: [ROM-min]\nram: [1KB]\n")
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out


def test_the_page_names_every_function():
    named = set(re.findall(r"`tightfit\.(\w+)`", PAGE.read_text(encoding="utf-8")))
    own = {name for name, value in vars(api).items() if getattr(value, "__module__", None) == api.__name__}
    assert set(package.HOMES) <= own & named
    for name in package.HOMES:
        assert "Parameters\n" in inspect.getdoc(getattr(package, name))


def test_a_command_prints_what_its_function_answers(tightfit):
    answer = package.ask("aes-128", "encrypt", **ON)
    printed = tightfit(
        "ask", "aes-128", "encrypt", "--target", "rl78", "--rom", "1KB", "--ram", "128B", "--json"
    )
    assert json.loads(printed.out) == json.loads(json.dumps(asked_form(answer)))
    assert answer.status == "fits" and answer.measurement.cost.cycles == 3000


def test_a_store_of_ones_own(portfolio, tmp_path):
    package.ask("aes-128", "encrypt", **ON, store=tmp_path / "mine" / "store.sqlite")
    assert (tmp_path / "mine" / "store.sqlite").is_file()
    assert not (tmp_path / "store.sqlite").exists()


@pytest.mark.parametrize(
    "call, line",
    [
        (lambda: package.ask("aes-129", target="rl78"), "no primitive 'aes-129'; the nearest: aes-128"),
        (lambda: package.ask("aes-128", target="rl78"), "aes-128: which operation? there are: encrypt"),
        (lambda: package.ask("aes-128", "encrypt", target="rl87"), "no target 'rl87'; the nearest: rl78"),
        (lambda: package.ask("aes-128", "encrypt", target="rl78", rom="much"), "'much' is no size"),
        (lambda: package.table(part="R5F100xE"), "--part R5F100xE: of which target?"),
        (lambda: package.measure("none.c", target="avr", primitive="aes-128"), "none.c: no such file"),
        (lambda: package.fill("aes-128", workers=2, cluster="tcp://x:1"), "--workers counts processes"),
        (
            lambda: api.ask_together(["aes-128:encrypt"], target="rl78", weights={"aes-128": 0}),
            "--weight aes-128=0: expected NEED=NUMBER",
        ),
        (
            lambda: package.export("aes-128", "encrypt", target="avr", to="x", toolchain="iar"),
            "toolchain 'iar': expected one that avr has: gnu",
        ),
    ],
)
def test_a_wrong_question_is_one_line(portfolio, call, line):
    with pytest.raises(UsageError) as caught:
        call()
    assert str(caught.value).startswith(line) and "\n" not in str(caught.value)


def test_a_name_that_is_none():
    with pytest.raises(AttributeError, match="module 'tightfit' has no attribute 'asks'"):
        package.asks  # noqa: B018


def test_the_package_alone_imports_nothing_heavy():
    code = "import sys, tightfit; print(*{name.split('.')[0] for name in sys.modules})"
    alone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(alone.stdout.split()) & {"click", "numpy", "ortools", "ruamel", "sqlite3"}
