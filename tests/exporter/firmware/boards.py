"""Firmware on our simulators, on simavr and on the GNU simulators."""

import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.simulator.avr_simavr import Simavr
from tightfit.harness.elf import Elf, read_elf
from tightfit.harness.simulator import Simulator, simulator_of
from tightfit.harness.simulator.firmware import load_image
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from .compilers import part_of
from .winners import Winner

CYCLE_LIMIT = 1_000_000_000
SECONDS = 600
RESULT = {"armv6m": "r0", "avr": "r24", "msp430": "r12", "rl78": "ax", "rv32e": "a0"}
"""Where the value of `main` is at the symbol `finish`."""
FAULTS = ("answer", "key", "canary", "registers", "stack pointer", "frame", "depth", "status")
"""Bits of a verdict, as c/check.h has them."""
_SAME_REGISTER = r"^\s+\S+\s+@(r\d+)\+\s*,[^;\n]*\(\3\)"
GNU_WRONG = {
    "msp430": re.compile(r"(?m)^\s+(rrc|rra|swpb|sxt)(\.[bw])?\s+@r\d+\+|" + _SAME_REGISTER, re.IGNORECASE)
}
"""What a GNU simulator gets wrong, see simulator/known_differences.yaml."""
_GNU_NOTICE = re.compile(r"(?m)^ *XXX WRAPPING ADDRESS \w+ on \w+\n?")
"""The GNU simulator of MSP430 tells of an indexed address that wraps at 64 KB, as it must."""
_DUMP = re.compile(r"(?m)^ +[0-9a-f]{5}: ((?:[0-9a-f]{2} ){1,16}) *\|")


@dataclass(frozen=True)
class Ending:
    """How a run ended: `main` returned `code`, or `trouble` says what else happened.

    `verdicts` has the faults of each routine, empty on a simulator whose memory cannot be read.
    """

    code: int
    verdicts: bytes = b""
    trouble: str = ""


Board = Callable[[str, Path], Ending]


def loaded(target: str, image: Path) -> tuple[Simulator, Elf, int]:
    """Our simulator with an image in it, the image, and where it starts.

    Compiled code copies bytes that nobody wrote and then does not use them; that no routine does was checked
    before.
    """
    described = load_target(target)
    simulator = simulator_of(part_of(target), uninit="off")
    simulator.reset()
    start, simulator.symbols = load_image(simulator, image, described.elf_machine)
    return simulator, read_elf(image.read_bytes()), start


def ours(target: str, image: Path) -> Ending:
    """On the simulator of the harness, which is strict about memory, but for what was never written."""
    simulator, elf, start = loaded(target, image)
    run = simulator.run(start, elf.named["finish"].address, cycle_limit=CYCLE_LIMIT)
    if not run.ok:
        return Ending(-1, trouble=run.message)
    code = simulator.registers[RESULT[target]]
    verdicts = elf.named.get("verdicts")
    fault_bytes = simulator.read(verdicts.address, verdicts.size) if verdicts else b""
    return Ending(code >> 8 if target == "rl78" else code & 0xFF, fault_bytes)


def on_simavr(image: Path, part: str) -> tuple[Elf, bytes]:
    """The image and, once it has run, the memory of a part."""
    elf, mcu = read_elf(image.read_bytes()), Simavr(part.lower())
    for section in elf.sections:
        if section.data:
            mcu.load(section.load, section.data)
    mcu.start(0, 0)
    mcu.run()
    return elf, bytes(mcu.data)


def simavr(target: str, image: Path) -> Ending:
    """On simavr."""
    elf, data = on_simavr(image, load_target(target).default_part)
    return Ending(data[int(RESULT["avr"][1:])], _verdicts(elf, data))


def gnu(target: str, image: Path) -> Ending:
    """On the simulator that comes with GDB."""
    done = subprocess.run(
        [tool(target, "run"), image], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    return Ending(done.returncode, trouble=_GNU_NOTICE.sub("", done.stderr).strip())


def mspdebug(target: str, image: Path) -> Ending:
    """On the simulator of mspdebug."""
    elf = read_elf(image.read_bytes())
    start, finish = elf.named["_start"].address, elf.named["finish"].address
    commands = [f"prog {image}", f"set pc {start:#x}", f"setbreak {finish:#x}", "run"]
    verdicts = elf.named.get("verdicts")
    if verdicts:
        commands.append(f"md {verdicts.address:#x} {verdicts.size}")
    command = [tool(target, "mspdebug"), "-q", "-n", "sim", *commands, "exit"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    _, _, end = done.stdout.partition("Running.")
    registers = dict(re.findall(r"\( *(\w+): (\w{5})\)", end))
    if int(registers.get("PC", "0"), 16) != finish:
        return Ending(-1, trouble=done.stderr or done.stdout)
    return Ending(int(registers["R12"], 16) & 0xFF, bytes.fromhex("".join(_DUMP.findall(end))))


def runs_on_gnu(winner: Winner) -> bool:
    """Whether the GNU simulator runs every instruction of the winner correctly."""
    wrong = GNU_WRONG.get(winner.measurement.variant.target)
    return not (wrong and wrong.search(winner.prepared.source))


OTHERS: dict[str, dict[str, Board]] = {
    "armv6m": {},
    "avr": {"simavr": simavr},
    "msp430": {"GNU": gnu, "mspdebug": mspdebug},
    "rl78": {"GNU": gnu},
    "rv32e": {},
}


def boards(target: str, batch: Sequence[Winner]) -> dict[str, Board]:
    """The simulators that run a batch: ours, and the independent ones that run its instructions correctly."""
    others = dict(OTHERS[target])
    if not all(map(runs_on_gnu, batch)):
        del others["GNU"]
    return {"ours": ours, **others}


def check_runs(target: str, image: Path, batch: Sequence[Winner]) -> None:
    """On every simulator the program ends with 0, and no routine of the batch has a fault."""
    for board, run in boards(target, batch).items():
        ending = run(target, image)
        faulty = faults(ending, batch)
        assert not ending.trouble and not ending.code and not faulty, (board, list(batch), ending, faulty)


def faults(ending: Ending, batch: Sequence[Winner]) -> list[str]:
    """The faults, by routine."""
    return [
        f"{winner}: {', '.join(name for bit, name in enumerate(FAULTS) if verdict >> bit & 1)}"
        for winner, verdict in zip(batch, ending.verdicts, strict=False)
        if verdict
    ]


def _verdicts(elf: Elf, data: bytes) -> bytes:
    symbol = elf.named.get("verdicts")
    return data[symbol.address & 0xFFFF :][: symbol.size] if symbol else b""
