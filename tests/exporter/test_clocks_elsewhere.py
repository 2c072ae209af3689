"""The timing mode on MSP430, run on mspdebug with its Timer A, and on RL78, with a timer that the test plays.

mspdebug counts operands of the constant generator wrongly, so its clocks are not those claimed; but what
the mode prints must be what mspdebug itself counts between the two looks at the timer. No simulator has the
timer of RL78: before every look at it the test puts there what it would have counted by then.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.exporter.firmware.compilers import HERE, LEVELS, RUNTIME
from tightfit.exporter import export, prepare
from tightfit.harness.elf import read_elf
from tightfit.harness.portfolio import read
from tightfit.harness.simulator import simulator_of
from tightfit.harness.simulator.firmware import load_image
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
    known = [
        measurement
        for measurement in measurements
        if measurement.variant.id in won and measurement.variant.part == part
    ]
    return pick(known, key=lambda measurement: (measurement.cost.cycles, measurement.variant.id))


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
    """What was printed, what the self-test returned, and the clocks at every reading of the timer."""
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


class PlayedTimer:
    """Firmware for RL78 on our simulator, with channel 0 of timer array unit 0 as the clocks have it."""

    TPS0, TCR00 = 0xF01B6, 0xF0180

    def __init__(self, elf: Path):
        described = load_target("rl78")
        self.simulator = simulator_of(described.part(), uninit="off")  # gcc copies bytes that nobody wrote
        self.simulator.reset()
        self.symbols = read_elf(elf.read_bytes()).named
        self.pc, self.simulator.symbols = load_image(self.simulator, elf, described.elf_machine)
        self.clocks = 0

    def run(self, stop: int) -> None:
        done = self.simulator.run(self.pc, stop, cycle_limit=100_000_000)
        assert done.ok, done.message
        self.pc, self.clocks = stop, self.clocks + done.cycles

    def look(self, address: int) -> None:
        """Run to an instruction that reads the timer, and let it read."""
        self.run(address)
        divided = self.clocks >> (self.simulator.read(self.TPS0, 2)[0] & 0x0F)
        self.simulator.write(self.TCR00, (0xFFFF - (divided & 0xFFFF)).to_bytes(2, "little"))

    def byte(self, symbol: str, length: int = 1) -> bytes:
        return self.simulator.read(self.symbols[symbol].address, length)


def looks(elf: Path, function: str) -> list[int]:
    """Addresses of the two instructions of a function that read the timer."""
    listed = run([tool("rl78", "objdump"), "-d", elf]).partition(f"<{function}>:\n")[2].partition("\n\n")[0]
    addresses = re.findall(r"^ +([0-9a-f]+):.*\tmovw\tax, \[hl\]$", listed, re.MULTILINE)
    assert len(addresses) == 2, listed
    return [int(address, 16) for address in addresses]


@pytest.mark.parametrize("level", ["-Os", "-O2"])
@pytest.mark.parametrize("primitive, pick", [("aes-128", min), ("sha-256", max), ("sha3-256", max)])
def test_the_clocks_on_rl78_are_those_claimed(tmp_path, primitive, pick, level):
    source, own = library("rl78", primitive, pick, tmp_path), HERE / "rl78"
    elf, files = tmp_path / "timing.elf", sorted(source.glob("*.[cS]"))
    alone = ["-nostartfiles", "-nodefaultlibs", "-T", own / "link.ld"]
    inputs = [own / "start.s", tmp_path / "main.c", *files, RUNTIME / "string.c", "-lgcc"]
    run([*compiler("rl78", source), level, *alone, "-o", elf, *inputs])
    entry, figures = ("encrypt", 1) if primitive == "aes-128" else ("hash", 3)
    board = PlayedTimer(elf)
    timed = [looks(elf, f"_time_{entry}"), looks(elf, "_time_nothing")]
    for address in [address for _ in range(2 * figures) for pair in timed for address in pair]:
        board.look(address)
    board.run(board.symbols["finish"].address)
    text = board.byte("_out", 400).split(b"\0")[0].decode()
    printed = re.findall(r": (\d+) clocks, claimed (\d+)(?: to (\d+))?$", text, re.MULTILINE)
    assert len(printed) == figures and board.byte("_right", 2) == board.byte("_other", 2) == b"\0\0", text
    assert all(int(least) <= int(clocks) <= int(most or least) for clocks, least, most in printed), text
    if primitive == "sha3-256":
        assert int(printed[0][0]) > 2**16


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("primitive", ["aes-128", "sha-256"])
@pytest.mark.parametrize("target", ["rl78", "msp430"])
def test_the_whole_library_compiles(tmp_path, target, primitive, level):
    source = library(target, primitive, min, tmp_path)
    for file in (*sorted(source.glob("*.[cS]")), tmp_path / "it" / "examples" / "main.c"):
        flags = [flag for flag in LEVELS[level] if not flag.startswith("-Wl,")]
        run([*compiler(target, source), *flags, "-c", "-o", tmp_path / "file.o", file])
