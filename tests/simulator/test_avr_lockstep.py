"""Every instruction form and long random programs, step by step beside simavr."""

import random

import pytest

from .avr_encoding import ENDS, Operands, choose, encode
from .avr_parts import DATA, EVERY, LPM_REACH, RAMPZ, SPL, AvrPart
from .avr_programs import FAR_TABLE, TABLE, add_instruction, chosen, new_program
from .avr_simavr import Simavr

IO = 0x20
POINTERS = (26, 28, 30)


class LockStep:
    """One part on both simulators."""

    def __init__(self, part: AvrPart):
        self.part = part
        self.ours = part.simulator(uninit="off")
        self.ours.reset()
        self.other = Simavr(part.mcu)
        assert len(self.other.data) == part.ram.stop

    def load(self, address: int, code: bytes) -> None:
        self.ours.load(address, code)
        self.other.load(address, code)

    def write(self, address: int, data: bytes) -> None:
        """Registers, I/O or RAM of both."""
        self.ours.write(DATA + address, data)
        self.other.data[address : address + len(data)] = data

    def start(self, pc: int, sreg: int) -> None:
        self.ours.registers["pc"] = pc
        self.ours.registers["sreg"] = sreg
        self.other.start(pc, sreg)

    def step(self, where: str) -> None:
        """One instruction on both, and their states compared."""
        run = self.ours.step()
        clocks = self.other.step()
        assert run.status == "steps", f"{where}: {run.message}"
        assert run.cycles == clocks, f"{where}: {run.cycles} clocks, simavr {clocks}"
        assert run.pc == self.other.pc, f"{where}: at {run.pc:05X}, simavr at {self.other.pc:05X}"
        registers = self.ours.registers
        assert f"{registers['sreg']:08b}" == f"{self.other.sreg:08b}", where
        data = bytes(self.other.data)
        assert self.ours.read(DATA, 32) == data[:32], where
        assert self.ours.read(DATA + IO + SPL, 2) == data[IO + SPL : IO + SPL + 2], where
        ram = self.part.ram
        assert self.ours.read(DATA + ram.start, len(ram)) == data[ram.start :], where
        for address in (*self.part.spare, *((RAMPZ,) if self.part.flash > LPM_REACH else ())):
            assert self.ours.read(DATA + IO + address, 1)[0] == data[IO + address], where


def place(part: AvrPart) -> int:
    """Where single instructions are: on small parts jumps from there wrap, on others they do not."""
    return 0x0200 if part.flash <= 0x2000 else 0x2000


def registers_for(form, part: AvrPart, chance: random.Random) -> bytes:
    """Random registers with pointers into RAM, into flash for LPM, to code for IJMP and ICALL."""
    registers = bytearray(chance.randbytes(32))
    for low in POINTERS:
        at = chance.randrange(part.ram.start + 1, part.ram.stop - 64)
        registers[low : low + 2] = at.to_bytes(2, "little")
    z = None
    if "LPM" in form.text:
        z = chance.randrange(min(part.flash, LPM_REACH))
    elif form.text in ("IJMP", "ICALL"):
        z = chance.randrange(part.flash // 2)
    if z is not None:
        registers[30:32] = z.to_bytes(2, "little")
    return bytes(registers)


def operands_for(form, part: AvrPart, chance: random.Random) -> Operands:
    """Random operands that touch no I/O but CPU registers and bytes without a purpose."""
    o = choose(form, chance)
    if form.layout == "D5_K16":
        k = chance.choice((*range(32), IO + SPL, IO + SPL + 1, IO + SPL + 2, *part.ram))
    elif form.layout == "A5_B":
        k = part.spare[0]
    elif form.layout == "D5_A6":
        k = chance.choice((*part.spare, SPL, SPL + 1, SPL + 2))
    elif form.layout == "K22":
        k = chance.randrange(part.flash // 2)
    else:
        k = o.k
    here = place(part) // 2
    target = {"RJMP k": here + 1 + k, "JMP k": k}.get(form.text)
    if target is not None and target % (part.flash // 2) == here:
        k -= 1  # a jump to itself ends our run
    return Operands(o.d, o.r, k, o.b)


@pytest.mark.parametrize("part", EVERY, ids=lambda part: part.name)
def test_every_form_with_random_state(part):
    chance = random.Random(part.name)
    both = LockStep(part)
    next_words = [b"\x00\x00", b"\x00\x90\x00\x01", b"\x00\x92\x00\x01", b"\x01\xc0"]
    for form in chosen(part.forms(), chance, 200):
        code = encode(form, operands_for(form, part, chance))
        both.load(place(part), code + chance.choice(next_words))
        ram = part.ram
        stack = chance.randrange(ram.start + 4, ram.stop - 4)
        content = bytearray(chance.randbytes(len(ram)))
        if form.text in ("RET", "RETI"):
            back = chance.randrange(part.flash // 2).to_bytes(2, "big")
            content[stack + 1 - ram.start : stack + 3 - ram.start] = back
        both.write(ram.start, bytes(content))
        both.write(0, registers_for(form, part, chance))
        both.write(IO + SPL, stack.to_bytes(2, "little"))
        for address in part.spare:
            both.write(IO + address, chance.randbytes(1))
        if part.flash > LPM_REACH:
            both.write(IO + RAMPZ, bytes([chance.randrange(2)]))
        both.start(place(part), chance.randrange(256))
        both.step(f"{form.text} {code.hex()}")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("part", EVERY[1:], ids=lambda part: part.name)
def test_long_random_programs(part, seed):
    chance = random.Random(seed)
    program = new_program(part, 100 + seed, TABLE.stop)
    room = min(part.flash, 0x6000) - TABLE.stop - 64
    forms = [form for form in part.forms() if form.text not in ENDS]
    while len(program.code) < room:
        add_instruction(program, chance.choice(forms))
    both = LockStep(part)
    both.load(TABLE.start, chance.randbytes(len(TABLE)))
    if part.flash > LPM_REACH:
        both.load(FAR_TABLE.start, chance.randbytes(len(FAR_TABLE)))
    both.load(program.start, bytes(program.code))
    both.start(program.start, 0)
    steps = 0
    while both.other.pc < program.here():
        both.step(f"step {steps} at {both.other.pc:05X}")
        steps += 1
    assert steps > (1000 if part.flash < 0x6000 else 5000)
