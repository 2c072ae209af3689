"""The GNU simulator of the AVR, where a program prints its state after each instruction, and ours beside it.

The GNU simulator has two special ports: a byte sent to one is printed, any byte sent to the other ends the
run. It does not print clocks.
"""

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tightfit.harness.simulator import Form
from tightfit.targets import toolchain

from .avr_encoding import Operands, encode
from .avr_parts import DATA, LARGE, SPH, SPL, SREG
from .avr_programs import FAR_TABLE, TABLE, Program, add_instruction, chosen, new_program
from .beside import Other, Seen, excluded, known
from .tools import Tools

PRINT, EXIT, IO = 0x32, 0x2F, 0x20
REGISTERS, STATE = 32, 35
CODE_END = 0xF800
TOOLS = Tools("avr", ("-mmcu=avr5",), ("-mavr5",))


def print_state(p: Program) -> None:
    """32 registers, SREG, SP; the register that SREG and SP go through is lost."""
    through = p.chance.randrange(16)
    for register in range(32):
        p.emit("OUT A,Rr", register, k=PRINT)
    for address in (SREG, SPL, SPH):
        p.emit("IN Rd,A", through, k=address)
        p.emit("OUT A,Rr", through, k=PRINT)


def print_memory(p: Program) -> None:
    """All of the RAM, in a loop, and the end."""
    ram = LARGE.ram
    p.set_pair(26, ram.start)
    p.emit("LD Rd,X+", 16)
    p.emit("OUT A,Rr", 16, k=PRINT)
    p.emit("CPI Rd,K", 27, k=ram.stop >> 8)
    p.emit("BRNE k", k=-4)
    p.emit("OUT A,Rr", 16, k=EXIT)


def program(forms: Sequence[Form], seed: int) -> tuple[Program, list[tuple[str, int, int]]]:
    """Instructions, each with its form and where its state is printed; differences do not last."""
    p = new_program(LARGE, seed, TABLE.stop)
    differing = {text for entry in known("avr-gnu-function") for text in entry["forms"]}
    listed = []
    for form in forms:
        if len(p.code) > CODE_END:
            break
        add_instruction(p, form)
        begin = p.here()
        print_state(p)
        listed.append((form.text, begin, p.here()))
        if form.text in differing:
            p.out(SREG, 0)
    print_memory(p)
    return p, listed


def image(p: Program, chance: random.Random) -> dict[int, bytes]:
    """What lies where in the flash; it starts at 0, the only start that the GNU simulator gets right."""
    (jump,) = (form for form in LARGE.forms() if form.text == "JMP k")
    return {
        0: encode(jump, Operands(k=p.start // 2)),
        TABLE.start: chance.randbytes(len(TABLE)),
        p.start: bytes(p.code),
        FAR_TABLE.start: chance.randbytes(len(FAR_TABLE)),
    }


def ours(flash: dict[int, bytes], listed: list[tuple[str, int, int]]) -> bytes:
    """What the image prints on our simulator: what is to be printed is read where the printing begins."""
    sim = LARGE.simulator(uninit="off")
    for address, content in flash.items():
        sim.load(address, content)
    sim.reset()
    printed, at = bytearray(), 0
    for name, begin, end in listed:
        run = sim.run(at, begin, cycle_limit=10_000)
        assert run.ok, f"{name}: {run.message}"
        printed += sim.read(DATA, 32) + sim.read(DATA + IO + SREG, 1) + sim.read(DATA + IO + SPL, 2)
        assert sim.run(begin, end, cycle_limit=10_000).ok
        at = end
    return bytes(printed) + sim.read(DATA + LARGE.ram.start, len(LARGE.ram))


def gnu(flash: dict[int, bytes], folder: Path) -> bytes:
    """What the image prints on the GNU simulator."""
    source = []
    for address, content in flash.items():
        (folder / f"{address}.bin").write_bytes(content)
        source.append(f'.org {address}\n.incbin "{folder}/{address}.bin"')
    elf = TOOLS.link("\n".join(source) + "\n", folder)
    done = subprocess.run([toolchain.tool("avr", "run"), elf], capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(p: Program, listed: list[tuple[str, int, int]], folder: Path, seed: int) -> set[str]:
    """Ids of the known differences that showed; any other fails."""
    flash = image(p, random.Random(seed))
    mine, other = ours(flash, listed), gnu(flash, folder)
    assert len(mine) == len(other) == STATE * len(listed) + len(LARGE.ram)
    met = set()
    for n, (name, *_) in enumerate(listed):
        a, b = (all_of[STATE * n : STATE * (n + 1)] for all_of in (mine, other))
        if a != b:
            met.add(allowed(name, a, b, f"{n} {name}"))
    assert mine[STATE * len(listed) :] == other[STATE * len(listed) :]
    return met


def allowed(name: str, mine: bytes, other: bytes, where: str) -> str:
    """The id of the known difference that explains two unequal states."""
    differs = mine[REGISTERS] ^ other[REGISTERS]
    for entry in known("avr-gnu-function"):
        bits = sum(1 << "CZNVSHTI".index(flag) for flag in entry["flags"])
        same = bytearray(mine)
        same[REGISTERS] = other[REGISTERS]
        if name in entry["forms"] and not differs & ~bits and bytes(same) == other:
            return entry["id"]
    raise AssertionError(f"{where}: {mine.hex()} {other.hex()}")


def runnable() -> list[Form]:
    return [form for form in LARGE.forms() if form.text not in excluded("avr-gnu-excluded")]


def every_form(seed: int, folder: Path) -> Seen:
    p, listed = program(chosen(runnable(), random.Random(seed), 7), seed)
    return Seen({name for name, *_ in listed}, compare(p, listed, folder, seed), len(listed))


GNU = Other(
    name="avr and GNU",
    every_form=every_form,
    seeds=range(3),
    wanted=lambda: {form.text for form in runnable()},
    differences=lambda: [entry["id"] for entry in known("avr-gnu-function")],
)
