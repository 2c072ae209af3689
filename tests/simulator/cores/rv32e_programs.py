"""Random programs of RISC-V's form table, made so that another simulator can run them too."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tightfit.harness.simulator import Form, Region

from .rv32e_encoding import SHORT, Operands, choose, encode

CODE = 0x1000
ROOM = 0x40000
RAM = range(0x20000000, 0x20002000)
MIDDLE = RAM.start + len(RAM) // 2
MEMORY = (Region("flash", CODE, CODE + ROOM), Region("ram", RAM.start, RAM.stop))
BYTES = {"LB": 1, "LBU": 1, "SB": 1, "LH": 2, "LHU": 2, "SH": 2}
EDGES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 31, 0x8000, 0xFFFF)


def is_memory(form: Form) -> bool:
    """Whether it reads or writes memory."""
    return form.text.split()[0].removeprefix("C.") in (*BYTES, "LW", "SW", "LWSP", "SWSP")


def word(chance: Random) -> int:
    """A random word, the extremes often."""
    return chance.choice((*EDGES, *[chance.randrange(1 << 32) for _ in range(6)]))


@dataclass
class Program:
    """Code in the making, at `CODE`."""

    forms: Sequence[Form]
    chance: Random
    registers: int
    code: bytearray = field(default_factory=bytearray)

    def form(self, text: str) -> Form:
        return next(form for form in self.forms if form.text == text)

    def emit(self, text: str, **operands: int) -> None:
        self.code += encode(self.form(text), Operands(**operands))

    def move(self, register: int, value: int) -> None:
        """LUI, ADDI."""
        low = (value & 0xFFF) - (value << 1 & 0x1000)
        self.emit("LUI rd,imm", d=register, k=value - low >> 12 & 0xFFFFF)
        self.emit("ADDI rd,rs1,imm", d=register, a=register, k=low)

    def here(self) -> int:
        return CODE + len(self.code)


def new_program(forms: Sequence[Form], chance: Random, registers: int) -> Program:
    """A program that begins with random registers."""
    program = Program(forms, chance, registers)
    for register in range(1, registers):
        program.move(register, word(chance))
    return program


def random_program(forms: Sequence[Form], seed: int, registers: int, *, size: int) -> bytes:
    """About `size` bytes of instructions drawn evenly from `forms`."""
    program = new_program(forms, Random(seed), registers)
    while len(program.code) < size:
        add_instruction(program, program.chance.choice(forms))
    return bytes(program.code)


def every_form(forms: Sequence[Form], seed: int, registers: int, *, times: int) -> bytes:
    """Each form `times` times in random order."""
    program = new_program(forms, Random(seed), registers)
    chosen = [*forms] * times
    program.chance.shuffle(chosen)
    for form in chosen:
        add_instruction(program, form)
        if program.chance.randrange(3) == 0:
            program.move(program.chance.randrange(1, registers), word(program.chance))
    return bytes(program.code)


def add_instruction(p: Program, form: Form) -> None:
    """The instruction with what must come before it, an address in RAM, or behind it, a target."""
    o, chance = choose(form, p.chance, p.registers), p.chance
    if is_memory(form):
        o = _in_memory(p, form, o)
    elif form.layout in ("B", "J", "CB", "CJ", "CJ_LINK"):
        o = replace(o, k=form.length + chance.choice((2, 4)))
        p.code += encode(form, o) + b"\x01\x00" * 2
        return
    elif form.text.split()[0] in ("JALR", "C.JR", "C.JALR"):
        _computed(p, form, o)
        return
    p.code += encode(form, o)


def _in_memory(p: Program, form: Form, o: Operands) -> Operands:
    """The base such that the sum is a multiple of what is read or written."""
    size = BYTES.get(form.text.split()[0], 4)
    base = 2 if form.layout in ("CI_LOAD", "CSS") else o.a
    if base == 0:
        base = p.chance.choice(SHORT)
    p.move(base, MIDDLE + size * p.chance.randrange(-64, 64) - o.k)
    return replace(o, a=base)


def _computed(p: Program, form: Form, o: Operands) -> None:
    """Over one or two instructions of 16 bits, also with bit 0 set."""
    k = o.k if form.layout == "I" else 0
    base = o.a or 15
    behind = p.here() + 8 + form.length + p.chance.choice((0, 2))
    p.move(base, behind - k + (p.chance.randrange(2) if k else 0))
    p.code += encode(form, replace(o, a=base, k=k)) + b"\x01\x00"
