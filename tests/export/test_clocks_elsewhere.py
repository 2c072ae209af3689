"""The timing mode on MSP430, run on mspdebug with its Timer A, and on RL78, compiled.

mspdebug counts operands of the constant generator wrongly, so its clocks are not those claimed; but what the
timing mode prints must be what mspdebug itself counts between the two looks at the timer.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.export.firmware.compilers import HERE, LEVELS, RUNTIME
from tightfit.export import export, prepare
from tightfit.harness.portfolio import read
from tightfit.paths import portfolio_dir
from tightfit.targets import load_target
from tightfit.targets.recipes import load_toolchain
from tightfit.targets.toolchain import tool

MAIN = """
#include "it_selftest.h"
volatile char out[400];
volatile int used, right = -1, other = -1;
static void put(char c)
{
    out[used++] = c;
}
int main(void)
{
    right = it_selftest();
    other = it_selftest_clocks(put);
    return 0;
}
"""
_LOOK = re.compile(r"^ *(\d+): read\.w => 0x0170", re.MULTILINE)
_ROW = re.compile(r"^ {4}[0-9a-f]{5}: ((?:[0-9a-f]{2} ){1,16}) *\|", re.MULTILINE)
_CALL_AND_RETURN = 8


def winner(target: str, primitive: str, pick):
    measurements, cells = read(portfolio_dir() / target / f"{primitive}.json")
    won = {cell.variant_id for cell in cells if cell.operation in ("encrypt", "hash")}
    part = load_target(target).default_part
    known = [one for one in measurements if one.variant.id in won and one.variant.part == part]
    return pick(known, key=lambda one: (one.cost.cycles, one.variant.id))


def library(target: str, primitive: str, pick, folder: Path) -> Path:
    export(prepare(winner(target, primitive, pick), "it"), folder / "it", command="tightfit export ...")
    (folder / "main.c").write_text(MAIN)
    return folder / "it" / "src"


def compiler(target: str, source: Path) -> list:
    options = load_toolchain(target).compile_options(load_target(target).part())
    return [
        tool(target, "cc"),
        *options,
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-I",
        RUNTIME,
        "-I",
        source,
    ]


def run(command: list, **more) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def on_mspdebug(elf: Path, folder: Path) -> tuple[str, int, list[int]]:
    """What was printed, what the self-test returned, and the clocks at every look at the timer."""
    symbols = run([tool("msp430", "nm"), elf])
    at = {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\w+)$", symbols, re.MULTILINE)}
    commands = ["simio add timer ta", "simio config ta base 0x160", "simio add tracer t 500", f"prog {elf}"]
    commands += [f"set pc {at['_start']:#x}", "set sr 0", f"setbreak {at['finish']:#x}", "run"]
    commands += [f"md {at['out']:#x} 400", "echo right", f"md {at['right']:#x} 2", "simio info t", "exit"]
    shown = run(
        [tool("msp430", "mspdebug"), "-q", "-n", "sim"], input="\n".join(commands) + "\n", timeout=300
    )
    before, _, after = shown.partition("(mspdebug) echo right")
    text = bytes.fromhex("".join(_ROW.findall(before.partition("(mspdebug) md")[2])))
    right = bytes.fromhex("".join(_ROW.findall(after)))
    return text.split(b"\0")[0].decode(), right[0], [int(clocks) for clocks in _LOOK.findall(after)]


@pytest.mark.parametrize("level", ["-Os", "-O3"])
@pytest.mark.parametrize(
    "primitive, pick", [("aes-128", min), ("aes-128", max), ("sha-256", min), ("sha3-256", max)]
)
def test_the_clocks_on_msp430_are_those_that_mspdebug_counts(tmp_path, primitive, pick, level):
    source, own = library("msp430", primitive, pick, tmp_path), HERE / "msp430"
    elf, files = tmp_path / "timing.elf", sorted(source.glob("*.[cS]"))
    alone = ["-nostartfiles", "-nodefaultlibs", "-T", own / "link.ld"]
    inputs = [own / "start.s", tmp_path / "main.c", *files, RUNTIME / "string.c", "-lgcc"]
    run([*compiler("msp430", source), level, *alone, "-o", elf, *inputs])
    text, right, looks = on_mspdebug(elf, tmp_path)
    assert right == 0, text
    printed = [int(clocks) for clocks in re.findall(r": (\d+) clocks, claimed \d+", text)]
    calls = [end - begin for begin, end in zip(looks[::2], looks[1::2], strict=True)]
    fine = [
        calls[n : n + 2] for n in range(0, len(calls), 4)
    ]  # each figure: two stages of routine and nothing
    assert printed and printed == [own - nothing + _CALL_AND_RETURN for own, nothing in fine]
    if pick is max:
        assert max(printed) > 2**16
    if primitive == "aes-128" and pick is max:
        assert max(printed) > 2**19  # the flag of the overflow counts


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("primitive", ["aes-128", "sha-256"])
@pytest.mark.parametrize("target", ["rl78", "msp430"])
def test_the_whole_library_compiles(tmp_path, target, primitive, level):
    source = library(target, primitive, min, tmp_path)
    for file in (*sorted(source.glob("*.[cS]")), tmp_path / "it" / "examples" / "main.c"):
        flags = [flag for flag in LEVELS[level] if not flag.startswith("-Wl,")]
        run([*compiler(target, source), *flags, "-c", "-o", tmp_path / "file.o", file])
