"""The source keeps to the rules of pyproject.toml."""

import subprocess
import sys
from pathlib import Path


def test_the_source_is_tidy():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
