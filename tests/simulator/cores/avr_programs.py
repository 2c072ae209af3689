"""Random programs of the table's forms, made so that every simulator can run them."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tightfit.harness.simulator import Form

from .avr_encoding import ENDS, POINTERS, Operands, choose, encode
from .avr_parts import LPM_REACH, RAMPZ, SPH, SPL, SREG, AvrPart

TABLE = range(0x1000, 0x1400)
FAR_TABLE = range(LPM_REACH, LPM_REACH + 0x400)
"""Flash that programs read: constants, the far ones with ELPM. Code lies below the first and above it."""
MIXED = (0x00, 0x01, 0x7F, 0x80, 0xFF)


@dataclass
class Program:
    """Code in the making, at `start`, a byte address."""

    part: AvrPart
    chance: random.Random
    start: int
    code: bytearray = field(default_factory=bytearray)

    def __post_init__(self):
        self._forms = {form.text: form for form in self.part.forms()}

    def here(self) -> int:
        return self.start + len(self.code)

    def emit(self, text: str, d: int = 0, *, r: int = 0, k: int = 0, b: int = 0) -> None:
        """An instruction by the text of its form."""
        self.code += encode(self._forms[text], Operands(d, r, k, b))

    def put(self, form: Form, operands: Operands) -> None:
        self.code += encode(form, operands)

    def set_register(self, register: int, value: int) -> None:
        """LDI, and a move where LDI does not reach."""
        if register >= 16:
            self.emit("LDI Rd,K", register, k=value)
        else:
            self.emit("LDI Rd,K", 23, k=value)
            self.emit("MOV Rd,Rr", register, r=23)

    def set_pair(self, low: int, value: int) -> None:
        self.set_register(low, value & 0xFF)
        self.set_register(low + 1, value >> 8)

    def out(self, address: int, value: int) -> None:
        self.emit("LDI Rd,K", 23, k=value)
        self.emit("OUT A,Rr", 23, k=address)

    def set_sp(self) -> None:
        """The stack pointer somewhere in RAM, with room on both sides."""
        at = self.chance.randrange(self.part.ram.start + 8, self.part.ram.stop - 8)
        self.out(SPH, at >> 8)
        self.out(SPL, at & 0xFF)


def new_program(part: AvrPart, seed: int, start: int) -> Program:
    """A program that begins with random registers."""
    chance = random.Random(seed)
    program = Program(part, chance, start)
    for register in range(32):
        program.set_register(register, chance.choice((*MIXED, chance.randrange(256))))
    program.set_sp()
    return program


def chosen(forms: Iterable[Form], chance: random.Random, times: int) -> Sequence[Form]:
    """Each form that can be run `times` times, in random order."""
    every = [form for form in forms if form.text not in ENDS] * times
    chance.shuffle(every)
    return every


def add_instruction(p: Program, form: Form) -> None:
    """The instruction with what must come before it: valid addresses, a stack, a target."""
    text = form.text
    if text.startswith(("RET", "RCALL", "CALL", "ICALL", "RJMP", "JMP", "IJMP")):
        _flow(p, form)
    elif form.taken or text.startswith(("CPSE", "SBRC", "SBRS", "SBIC", "SBIS")):
        _conditional(p, form)
    else:
        operands = _prepare(p, form)
        p.put(form, operands)


def _prepare(p: Program, form: Form) -> Operands:
    """Operands, and registers such that what they address is there."""
    o, chance, text = choose(form, p.chance), p.chance, form.text
    pointer = next((n for n in "XYZ" if n in text.partition(" ")[2]), "Z" if "LPM" in text else "")
    if "LPM" in text:
        far = text.startswith("E") and chance.random() < 0.5
        at = chance.choice(FAR_TABLE if far else TABLE)
        if text.startswith("E"):
            p.out(RAMPZ, at >> 16)
        p.set_pair(POINTERS["Z"], at & 0xFFFF)
    elif pointer:
        p.set_pair(POINTERS[pointer], chance.randrange(p.part.ram.start + 1, p.part.ram.stop - 64))
    if text.startswith(("PUSH", "POP")):
        p.set_sp()
    k = o.k
    if form.layout == "D5_K16":
        k = chance.choice(p.part.ram)
    elif form.layout == "A5_B":
        k = p.part.spare[0]
    elif text == "IN Rd,A":
        k = chance.choice((*p.part.spare, SREG, SPL, SPH))
    elif text == "OUT A,Rr":
        k = chance.choice((*p.part.spare, SREG))
    return Operands(o.d, o.r, k, o.b)


def _conditional(p: Program, form: Form) -> None:
    """A branch over a simple instruction, or a skip of it."""
    operands = _prepare(p, form)
    if form.text.startswith("CPSE") and p.chance.random() < 0.5:
        operands = Operands(operands.d, operands.d)
    over = Program(p.part, p.chance, 0)
    choice = p.chance.randrange(3)
    if choice == 0:
        over.emit("NOP")
    elif choice == 1:
        over.emit("LDI Rd,K", 20, k=p.chance.randrange(256))
    else:
        over.emit("STS k,Rr", p.chance.randrange(32), k=p.chance.choice(p.part.ram))
    if form.taken:
        operands = Operands(k=len(over.code) // 2)
    p.put(form, operands)
    p.code += over.code


def _flow(p: Program, form: Form) -> None:
    """Jumps, calls and returns over one instruction."""
    p.set_sp()
    if form.text.startswith("RET"):
        back = (p.here() + 4 * 2 + 2 + 2) // 2
        for part in (back & 0xFF, back >> 8):
            p.emit("LDI Rd,K", 16, k=part)
            p.emit("PUSH Rr", 16)
        p.put(form, Operands())
    elif form.layout == "NONE":
        p.set_pair(POINTERS["Z"], (p.here() + 4 + 2 + 2) // 2)
        p.put(form, Operands())
    else:
        target = (p.here() + form.length + 2) // 2
        p.put(form, Operands(k=target if form.layout == "K22" else 1))
    p.emit("INC Rd", 0)
