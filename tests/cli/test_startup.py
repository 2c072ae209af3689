"""Short commands import nothing that they do not use, since imports take most of their time."""

import os
import subprocess
import sys

import pytest

HEAVY = {
    "bokeh",
    "cffi",
    "cryptography",
    "distributed",
    "elftools",
    "filelock",
    "jinja2",
    "jsonschema",
    "numpy",
    "ortools",
    "rich",
    "ruamel",
}
CODE = """
import sys
from tightfit.cli import main
assert main(sys.argv[1:]) == 0
print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "ask --help",
        "list",
        "ask aes-128 encrypt --target rl78 --rom 1KB --ram 128B",
        "ask --kind hash --target avr --rom 2KB --json",
    ],
)
def test_a_short_command_imports_what_it_uses(words, tmp_path):
    environment = {**os.environ, "TIGHTFIT_STORE": str(tmp_path / "store")}

    command = [sys.executable, "-c", CODE, *words.split()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & HEAVY
