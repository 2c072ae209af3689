"""An AVR part beside simavr: every instruction form, long random programs, routines."""

from collections.abc import Sequence
from random import Random

from tightfit.harness.build import Image

from ..avr_simavr import Simavr
from .avr_encoding import ENDS, Operands, choose, encode
from .avr_forms import XT_CLOCKS
from .avr_parts import DATA, IO, LARGE, LPM_REACH, RAMPZ, SPL, SREG, AvrPart
from .avr_programs import FAR_TABLE, TABLE, add_instruction, chosen, new_program
from .beside import Other, Seen

POINTERS = (26, 28, 30)
NEXT_WORDS = (b"\x00\x00", b"\x00\x90\x00\x01", b"\x00\x92\x00\x01", b"\x01\xc0")
RAM_LASTS = 20
"""Instructions after which the RAM is made random again."""


class LockStep:
    """One part on both simulators."""

    def __init__(self, part: AvrPart):
        self.part, self.seen, self.forms = part, Seen(), part.forms()
        self.classic = {form.text: form.clocks for form in LARGE.forms()}
        self.ours = part.simulator(uninit="off")
        self.ours.reset()
        self.other = Simavr(part.mcu)
        assert len(self.other.data) == part.ram.stop

    def load(self, address: int, code: bytes) -> None:
        self.ours.load(address, code)
        self.other.load(address, code)

    def write(self, address: int, data: bytes) -> None:
        """Registers, I/O or RAM of both."""
        self.ours.write(self.part.at(address), data)
        self.other.data[address : address + len(data)] = data

    def start(self, pc: int, sreg: int) -> None:
        self.ours.registers["pc"] = pc
        self.ours.registers["sreg"] = sreg
        self.other.start(pc, sreg)

    def step(self, form: str, where: str) -> None:
        """One instruction on both, and their states compared; clocks of AVRxt, which simavr lacks."""
        more = self.more(form) if self.part.is_xt else 0
        run = self.ours.step()
        clocks = self.other.step() + more
        assert run.status == "steps", f"{where}: {run.message}"
        assert run.cycles == clocks, f"{where}: {run.cycles} clocks, simavr {clocks}"
        assert run.pc == self.other.pc, f"{where}: at {run.pc:05X}, simavr at {self.other.pc:05X}"
        assert f"{self.ours.registers['sreg']:08b}" == f"{self.other.sreg:08b}", where
        self.compare_memory(where)
        for address in (*self.part.spare, *((RAMPZ,) if self.part.flash > LPM_REACH else ())):
            assert self.ours.read(self.part.at(IO + address), 1)[0] == self.other.data[IO + address][0], where
        self.seen.step(form)

    def more(self, form: str) -> int:
        """Clocks that AVRxt takes more for the next instruction than AVRe+."""
        form = form or self.forms[self.ours.form_at(self.ours.registers["pc"])[0]].text
        name = form.split()[0]
        return XT_CLOCKS[name] - self.classic[form] if name in XT_CLOCKS else 0

    def compare_memory(self, where: str) -> None:
        """Registers, SP and RAM."""
        ram = self.part.ram
        for start, stop in ((0, 32), (IO + SPL, IO + SREG), (ram.start, ram.stop)):
            mine = self.ours.read(self.part.at(start), stop - start)
            assert mine == bytes(self.other.data[start:stop]), where


def place(part: AvrPart) -> int:
    """Where single instructions are: on small parts jumps from there wrap, on others they do not."""
    return 0x0200 if part.flash <= 0x2000 else 0x2000


def registers_for(form, part: AvrPart, chance: Random) -> bytes:
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


def operands_for(form, part: AvrPart, chance: Random) -> Operands:
    """Random operands that touch no I/O but CPU registers and bytes without a purpose."""
    o = choose(form, chance)
    if form.layout == "D5_K16":
        low = () if part.is_xt else (chance.randrange(32), IO + SPL + chance.randrange(3))
        k = chance.choice((*low, *([chance.choice(part.ram)] * 8)))
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


def every_form(part: AvrPart) -> Seen:
    """Each form 200 times with random registers and RAM."""
    chance, both, ram = Random(part.name), LockStep(part), part.ram
    for n, form in enumerate(chosen(part.forms(), chance, 200)):
        code = encode(form, operands_for(form, part, chance))
        both.load(place(part), code + chance.choice(NEXT_WORDS))
        stack = chance.randrange(ram.start + 4, ram.stop - 4)
        if n % RAM_LASTS == 0:
            both.write(ram.start, chance.randbytes(len(ram)))
        if form.text in ("RET", "RETI"):
            both.write(stack + 1, chance.randrange(part.flash // 2).to_bytes(2, "big"))
        both.write(0, registers_for(form, part, chance))
        both.write(IO + SPL, stack.to_bytes(2, "little"))
        for address in part.spare:
            both.write(IO + address, chance.randbytes(1))
        if part.flash > LPM_REACH:
            both.write(IO + RAMPZ, bytes([chance.randrange(2)]))
        both.start(place(part), chance.randrange(256))
        both.step(form.text, f"{form.text} {code.hex()}")
    return both.seen


def long_program(part: AvrPart, seed: int) -> Seen:
    chance = Random(seed)
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
    while both.other.pc < program.here():
        both.step("", f"step {both.seen.steps} at {both.other.pc:05X}")
    return both.seen


def routine(part: AvrPart, image: Image, entries: Sequence[str], chance: Random) -> int:
    """Each entry twice, from the same state of both: clocks, and what is left."""
    both, stack, instructions = LockStep(part), part.ram.stop - 1, 0
    for address, data in image.flash:
        both.load(address, data)
    both.write(part.ram.start, chance.randbytes(len(part.ram)))
    for address, data in image.static:
        both.write(address - DATA, data)
    block = image.free - DATA + 1 & ~1
    for entry in (*entries, *entries):
        start, stop = image.calls[entry]
        registers = bytearray(chance.randbytes(32))
        registers[1] = 0
        registers[24:26] = block.to_bytes(2, "little")
        both.write(0, bytes(registers))
        both.write(IO + SPL, stack.to_bytes(2, "little"))
        both.start(start, chance.randrange(256))
        run = both.ours.run(start, stop, cycle_limit=10**7)
        assert run.ok, run.message
        assert run.cycles == both.other.until(stop, run.cycles), entry
        both.compare_memory(entry)
        instructions += run.instructions
    return instructions


def simavr(part: AvrPart, *, long_seeds: Sequence[int] = range(6), routines: bool = False) -> Other:
    return Other(
        name=f"{part.name} and simavr",
        every_form=lambda seed, folder: every_form(part),
        seeds=(0,),
        wanted=lambda: {form.text for form in part.forms()} - set(ENDS),
        long_program=lambda seed, folder: long_program(part, seed),
        long_seeds=long_seeds,
        least=1000 if part.flash < 0x6000 else 5000,
        routine=(lambda image, entries, chance, _: routine(part, image, entries, chance))
        if routines
        else None,
        variants=3,
    )
