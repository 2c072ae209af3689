"""Libraries as the tests export them, and commands that must succeed."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tightfit.exporter import GNU, Export, export, prepare
from tightfit.records import Measurement

STRICT = ("cc", "-Wall", "-Wextra", "-Werror")
"""A C compiler of this machine, for which a warning is an error."""
TIMING = """
#include "NAME_selftest.h"
volatile char out[ROOM];
volatile int used, right = -1, other = -1;
static void put(char c)
{
    if (used < ROOM)
        out[used++] = c;
}
int main(void)
{
    right = NAME_selftest();
    BEFORE
    other = NAME_selftest_clocks(put);
    AFTER
    return 0;
}
"""


def timing(name: str = "it", room: int = 400, head: str = "", before: str = "", after: str = "") -> str:
    """C that keeps what the self-test returns, and what the timing mode prints and returns."""
    words = {"NAME": name, "ROOM": str(room), "BEFORE": before, "AFTER": after}
    return head + filled(TIMING, words)


def filled(text: str, words: Mapping[str, str]) -> str:
    """A text with values for its words."""
    return re.sub("|".join(words), lambda match: words[match[0]], text)


def exported(measurement: Measurement, folder: Path, toolchain: str = GNU, name: str = "it") -> Export:
    return export(prepare(measurement, name, toolchain), folder, command="tightfit export ...")


def run(*command: object, cwd: Path | None = None, **more) -> str:
    """What a command prints."""
    asked = {"capture_output": True, "text": True, "check": False, **more}
    done = subprocess.run(list(map(str, command)), cwd=cwd, **asked)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tells(*command: object, cwd: Path | None = None) -> str:
    """What a command complains of."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def ends(program: Path) -> int:
    """What a program returns."""
    return subprocess.run([program], check=False).returncode
