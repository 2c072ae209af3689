"""The timing mode: MSP430 on mspdebug with its Timer A, RL78 and ARMv6-M with a timer that the test plays.

mspdebug counts operands of the constant generator wrongly, so its clocks are not those claimed; but what
the mode prints must be what mspdebug itself counts between the two looks at the timer. No simulator has the
timers of RL78 and ARMv6-M: before every look at one the test puts there what it would have counted by then.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.answers import targets, winning
from tests.coverings import covering
from tests.exporter.firmware.boards import loaded
from tests.exporter.firmware.compilers import compile_c, levels, link
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from . import libraries
from .libraries import exported, run

_LOOK = re.compile(r"^ *(\d+): read\.w => 0x0170", re.MULTILINE)
_ROW = re.compile(r"^ {4}[0-9a-f]{5}: ((?:[0-9a-f]{2} ){1,16}) *\|", re.MULTILINE)
_CALL_AND_RETURN = 8


FASTEST, SLOWEST = 0, -1


def library(target: str, primitive: str, end: int, folder: Path) -> Path:
    """The sources of the fastest or slowest winner, exported."""
    part, operation = load_target(target).default_part, "encrypt" if primitive == "aes-128" else "hash"
    known = [each for each in winning(target, primitive, operation) if each.variant.part == part]
    exported(known[end], folder / "it")
    (folder / "main.c").write_text(libraries.timing())
    return folder / "it" / "src"


def timing(target: str, source: Path, level: str, frame, folder: Path) -> Path:
    """Firmware that runs the self-test and the timing mode."""
    sources = [folder / "main.c", *sorted(source.glob("*.[cS]")), *frame(target).start]
    return link(target, [level, f"-I{source}"], sources, folder / "timing.elf")


def on_mspdebug(elf: Path, folder: Path) -> tuple[str, int, list[int]]:
    """What was printed, what the self-test returned, and the clocks at every reading of the timer."""
    symbols = run(tool("msp430", "nm"), elf)
    at = {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\w+)$", symbols, re.MULTILINE)}
    commands = ["simio add timer ta", "simio config ta base 0x160", "simio add tracer t 500", f"prog {elf}"]
    commands += [f"set pc {at['_start']:#x}", "set sr 0", f"setbreak {at['finish']:#x}", "run"]
    commands += [f"md {at['out']:#x} 400", "echo right", f"md {at['right']:#x} 2", "simio info t", "exit"]
    shown = run(tool("msp430", "mspdebug"), "-q", "-n", "sim", input="\n".join(commands) + "\n")
    before, _, after = shown.partition("(mspdebug) echo right")
    text = bytes.fromhex("".join(_ROW.findall(before.partition("(mspdebug) md")[2])))
    right = bytes.fromhex("".join(_ROW.findall(after)))
    return text.split(b"\0")[0].decode(), right[0], [int(clocks) for clocks in _LOOK.findall(after)]


MSP430 = [("aes-128", FASTEST), ("aes-128", SLOWEST), ("sha-256", FASTEST), ("sha3-256", SLOWEST)]
RL78 = [("aes-128", FASTEST), ("sha-256", SLOWEST), ("sha3-256", SLOWEST)]


def at_levels(cases, *levels):
    """Each case at some level, and each level with what is fastest and slowest."""
    every = [(*case, level) for case in cases for level in levels]
    return covering(every, lambda case: (case[:2], case[1:]))


@pytest.mark.parametrize("primitive, end, level", at_levels(MSP430, "-Os", "-O3"))
def test_the_clocks_on_msp430_are_those_that_mspdebug_counts(frame, tmp_path, primitive, end, level):
    elf = timing("msp430", library("msp430", primitive, end, tmp_path), level, frame, tmp_path)
    text, right, looks = on_mspdebug(elf, tmp_path)
    assert right == 0, text
    printed = [int(clocks) for clocks in re.findall(r": (\d+) clocks, claimed \d+", text)]
    calls = [end - begin for begin, end in zip(looks[::2], looks[1::2], strict=True)]
    stages = [calls[n : n + 2] for n in range(0, len(calls), 4)]  # each figure: two of routine and nothing
    assert printed and printed == [own - nothing + _CALL_AND_RETURN for own, nothing in stages]
    if end == SLOWEST:
        assert max(printed) > 2**16
    if primitive == "aes-128" and end == SLOWEST:
        assert max(printed) > 2**19  # the flag of the overflow counts


@dataclass(frozen=True)
class Timer:
    """A timer that counts down from ones: its count, its divider as a power of two, what code reads it."""

    count: int
    size: int
    divider: int | None
    read: str
    stages: int


TIMERS = {
    "rl78": Timer(0xF0180, 2, 0xF01B6, r"movw\tax, \[hl\]", 2),
    "armv6m": Timer(0xE000E018, 3, None, r"ldr\tr\d, \[r\d, #\d+\]", 1),
}


class PlayedTimer:
    """Firmware on our simulator, with the timer as the clocks have it."""

    def __init__(self, target: str, elf: Path):
        self.simulator, image, self.pc = loaded(target, elf)
        self.timer, self.symbol = TIMERS[target], load_target(target).abi.symbol
        self.symbols = image.named
        self.clocks = 0

    def run(self, stop: int) -> None:
        done = self.simulator.run(self.pc, stop, cycle_limit=100_000_000)
        assert done.ok, done.message
        self.pc, self.clocks = stop, self.clocks + done.cycles

    def look(self, address: int) -> None:
        """Run to an instruction that reads the timer, and let it read."""
        self.run(address)
        timer = self.timer
        by = self.simulator.read(timer.divider, 2)[0] & 0x0F if timer.divider else 0
        left = ~(self.clocks >> by) & (1 << 8 * timer.size) - 1
        self.simulator.write(timer.count, left.to_bytes(timer.size, "little"))

    def byte(self, symbol: str, length: int = 1) -> bytes:
        return self.simulator.read(self.symbols[self.symbol(symbol)].address, length)


def looks(target: str, elf: Path, name: str) -> list[int]:
    """Addresses of the two instructions of a function that read the timer."""
    function = load_target(target).abi.symbol(name)
    listed = run(tool(target, "objdump"), "-d", elf).partition(f"<{function}>:\n")[2].partition("\n\n")[0]
    addresses = re.findall(rf"^ *([0-9a-f]+):.*\t{TIMERS[target].read}$", listed, re.MULTILINE)
    assert len(addresses) == 2, listed
    return [int(address, 16) for address in addresses]


PLAYED = [
    (target, *case)
    for target in TIMERS
    for case in at_levels(RL78, "-Os", "-O2")
    if target in targets(case[0])
]


@pytest.mark.parametrize("target, primitive, end, level", PLAYED)
def test_the_clocks_are_those_claimed(frame, tmp_path, target, primitive, end, level):
    elf = timing(target, library(target, primitive, end, tmp_path), level, frame, tmp_path)
    entry, figures = ("encrypt", 1) if primitive == "aes-128" else ("hash", 3)
    board = PlayedTimer(target, elf)
    timed = [looks(target, elf, f"time_{entry}"), looks(target, elf, "time_nothing")]
    stages = TIMERS[target].stages
    for address in [address for _ in range(stages * figures) for pair in timed for address in pair]:
        board.look(address)
    board.run(board.symbols["finish"].address)
    text = board.byte("out", 400).split(b"\0")[0].decode()
    printed = re.findall(r": (\d+) clocks, claimed (\d+)(?: to (\d+))?$", text, re.MULTILINE)
    assert len(printed) == figures and board.byte("right", 2) == board.byte("other", 2) == b"\0\0", text
    assert all(int(least) <= int(clocks) <= int(most or least) for clocks, least, most in printed), text
    if (target, primitive) == ("rl78", "sha3-256"):
        assert int(printed[0][0]) > 2**16


@pytest.mark.parametrize(
    "target, primitive, level",
    covering(
        (target, primitive, level)
        for primitive in ("aes-128", "sha-256")
        for target in targets(primitive)
        if target != "avr"
        for level in levels(target)
    ),
)
def test_the_whole_library_compiles(tmp_path, target, primitive, level):
    source = library(target, primitive, FASTEST, tmp_path)
    for file in (*sorted(source.glob("*.[cS]")), tmp_path / "it" / "examples" / "main.c"):
        flags = [flag for flag in levels(target)[level] if not flag.startswith("-Wl,")]
        compile_c(target, [*flags, f"-I{source}"], file, tmp_path / "file.o")
