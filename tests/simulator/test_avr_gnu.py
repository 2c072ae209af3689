"""Every instruction form beside the GNU simulator, which prints its state after each.

The GNU simulator has two special ports: a byte sent to one is printed, any byte sent to the other ends the
run. It does not print clocks.
"""

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tightfit.harness.simulator import Form
from tightfit.paths import simulator_source
from tightfit.targets import toolchain
from tightfit.yamlfile import load_yaml

from .avr_encoding import Operands, encode
from .avr_parts import LARGE, SPH, SPL, SREG
from .avr_programs import FAR_TABLE, TABLE, Program, add_instruction, chosen, new_program
from .avr_tools import link

PRINT, EXIT = 0x32, 0x2F
REGISTERS, STATE = 32, 35
CODE_END = 0xF800


def known() -> dict:
    listed = load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})
    return {name: listed[f"avr-gnu-{name}"] for name in ("function", "excluded")}


def excluded() -> set[str]:
    return {text for entry in known()["excluded"] for text in entry["forms"]}


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


def program(forms: Sequence[Form], seed: int) -> tuple[Program, list[str]]:
    """Instructions, each followed by a print of the state, and their forms; differences do not last."""
    p = new_program(LARGE, seed, TABLE.stop)
    differing = {text for entry in known()["function"] for text in entry["forms"]}
    names = []
    for form in forms:
        if len(p.code) > CODE_END:
            break
        add_instruction(p, form)
        print_state(p)
        if form.text in differing:
            p.out(SREG, 0)
        names.append(form.text)
    print_memory(p)
    return p, names


def image(p: Program, chance: random.Random) -> dict[int, bytes]:
    """What lies where in the flash; it starts at 0, the only start that the GNU simulator gets right."""
    (jump,) = (form for form in LARGE.forms() if form.text == "JMP k")
    return {
        0: encode(jump, Operands(k=p.start // 2)),
        TABLE.start: chance.randbytes(len(TABLE)),
        p.start: bytes(p.code),
        FAR_TABLE.start: chance.randbytes(len(FAR_TABLE)),
    }


def ours(flash: dict[int, bytes]) -> bytes:
    """What the image prints on our simulator."""
    sim = LARGE.simulator(uninit="off")
    for address, content in flash.items():
        sim.load(address, content)
    sim.reset()
    out = next(form.index for form in LARGE.forms() if form.text == "OUT A,Rr")
    printed = bytearray()
    at = 0
    while True:
        if sim.form_at(at)[0] == out:
            word = int.from_bytes(sim.read(at, 2), "little")
            port = word & 15 | word >> 5 & 0x30
            if port == PRINT:
                printed.append(sim.registers[f"r{word >> 4 & 31}"])
            elif port == EXIT:
                return bytes(printed)
        run = sim.step()
        assert run.status == "steps", run.message
        at = run.pc


def gnu(flash: dict[int, bytes], folder: Path) -> bytes:
    """What the image prints on the GNU simulator."""
    source = []
    for address, content in flash.items():
        (folder / f"{address}.bin").write_bytes(content)
        source.append(f'.org {address}\n.incbin "{folder}/{address}.bin"')
    elf = link("\n".join(source) + "\n", folder, mcu="avr5", machine="avr5")
    done = subprocess.run([toolchain.tool("avr", "run"), elf], capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(p: Program, names: list[str], folder: Path, seed: int) -> set[str]:
    """Ids of the known differences that showed; any other fails."""
    flash = image(p, random.Random(seed))
    mine, other = ours(flash), gnu(flash, folder)
    assert len(mine) == len(other) == STATE * len(names) + len(LARGE.ram)
    met = set()
    for n, name in enumerate(names):
        a, b = (all_of[STATE * n : STATE * (n + 1)] for all_of in (mine, other))
        if a != b:
            met.add(allowed(name, a, b, f"{n} {name}"))
    assert mine[STATE * len(names) :] == other[STATE * len(names) :]
    return met


def allowed(name: str, mine: bytes, other: bytes, where: str) -> str:
    """The id of the known difference that explains two unequal states."""
    differs = mine[REGISTERS] ^ other[REGISTERS]
    for entry in known()["function"]:
        bits = sum(1 << "CZNVSHTI".index(flag) for flag in entry["flags"])
        same = bytearray(mine)
        same[REGISTERS] = other[REGISTERS]
        if name in entry["forms"] and not differs & ~bits and bytes(same) == other:
            return entry["id"]
    raise AssertionError(f"{where}: {mine.hex()} {other.hex()}")


@pytest.mark.parametrize("seed", range(3))
def test_every_form(seed, tmp_path):
    chance = random.Random(seed)
    runnable = [form for form in LARGE.forms() if form.text not in excluded()]
    p, names = program(chosen(runnable, chance, 7), seed)
    assert set(names) == {form.text for form in runnable}
    met = compare(p, names, tmp_path, seed)
    if seed == 0:
        assert met == {entry["id"] for entry in known()["function"]}
