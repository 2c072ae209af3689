"""Random programs from ARMv6-M's table of forms, made so that they go on to their end."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightfit.harness.simulator import Form, Region

CODE, RAM = 0x08000000, range(0x20000000, 0x20001000)
FLASH_BYTES = 0x40000
MEMORY = (Region("flash", CODE, CODE + FLASH_BYTES), Region("ram", RAM.start, RAM.stop))
STACK = RAM.stop - 0x100
NOT_RUN = ("SVC #i", "BKPT #i", "WFE", "WFI")
NOP = 0x46C0


@dataclass
class Program:
    """Code in the making."""

    chance: random.Random
    code: bytearray = field(default_factory=bytearray)

    def emit(self, *halfwords: int) -> None:
        for halfword in halfwords:
            self.code += halfword.to_bytes(2, "little")

    def low(self, *other: int) -> int:
        """One of r0 to r7, and none of the others."""
        return self.chance.choice([n for n in range(8) if n not in other])

    def number(self, register: int) -> None:
        """A number where carries and signs change, or a small one."""
        chance = self.chance
        self.emit(
            0x2000 | register << 8 | chance.choice((0, 1, 31, 32, 33, 0x7F, 0xFF, chance.randrange(256)))
        )
        if chance.randrange(2):
            self.emit(chance.choice((0x0600, 0x07C0, 0x43C0, 0x4240)) | register << 3 | register)

    def pointer(self, register: int, *, align: int = 4, room: int = 0x200) -> None:
        """A place in RAM: MOVS #32, LSLS #24, ADDS, ADDS."""
        offset = self.chance.randrange(0, room, align)
        self.emit(
            0x2020 | register << 8, 0x0600 | register << 3 | register, 0x3000 | register << 8 | offset // 2
        )
        self.emit(0x3000 | register << 8 | offset - offset // 2)

    def after(self, register: int, halfwords: int) -> None:
        """The address behind so many halfwords, with bit 0 set: MOV, ADDS."""
        self.emit(0x4678 | register & 7, 0x3000 | register << 8 | 2 * halfwords + 1)


def every_form(forms: Sequence[Form], seed: int, *, times: int) -> bytes:
    """Each form some times, in random order."""
    chance = random.Random(seed)
    order = [*forms] * times
    chance.shuffle(order)
    return _made(order, chance)


def random_program(forms: Sequence[Form], seed: int, *, instructions: int) -> bytes:
    """A long one."""
    chance = random.Random(seed)
    return _made([chance.choice(forms) for _ in range(instructions)], chance)


def _made(order: Sequence[Form], chance: random.Random) -> bytes:
    program = Program(chance)
    for form in order:
        if chance.randrange(4) == 0:
            program.number(program.low())
        _emit(program, form)
    program.emit(NOP, 0xE7FE)
    assert len(program.code) < FLASH_BYTES
    return bytes(program.code)


def _emit(p: Program, form: Form) -> None:
    _MAKERS[form.layout](p, form)


def _two(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.low() << 3 | p.low())


def _three(p: Program, form: Form) -> None:
    if form.text.startswith(("LDR", "STR")):
        base, offset = p.low(), 4 * p.chance.randrange(8)
        index = p.low(base)
        p.pointer(base)
        p.emit(0x2000 | index << 8 | offset)
        p.emit(form.opcode | index << 6 | base << 3 | p.low())
    else:
        p.emit(form.opcode | p.low() << 6 | p.low() << 3 | p.low())


def _at_constant(p: Program, form: Form) -> None:
    base = p.low()
    p.pointer(base)
    p.emit(form.opcode | p.chance.randrange(32) << 6 | base << 3 | p.low())


def _by_constant(p: Program, form: Form) -> None:
    least = 1 if form.text.startswith("LSLS") else 0
    p.emit(form.opcode | p.chance.randrange(least, 32) << 6 | p.low() << 3 | p.low())


def _small(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.chance.randrange(8) << 6 | p.low() << 3 | p.low())


def _byte(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.low() << 8 | p.chance.randrange(256))


def _at_word(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.low() << 8 | p.chance.randrange(8))


def _high(p: Program, form: Form) -> None:
    """SP and PC among the sources; a result goes to r0 to r12."""
    d, m = p.chance.randrange(13), p.chance.randrange(13)
    if form.text.startswith("CMP"):
        d, m = p.chance.choice(((p.chance.randrange(8, 13), m), (d, p.chance.randrange(8, 14))))
    elif p.chance.randrange(6) == 0:
        m = p.chance.choice((13, 15))
    p.emit(form.opcode | (d & 8) << 4 | m << 3 | d & 7)


def _registers(p: Program) -> int:
    return p.chance.randrange(1, 256)


def _push(p: Program, form: Form) -> None:
    chosen = _registers(p) | 0x100 * p.chance.randrange(2)
    count = chosen.bit_count()
    p.emit(form.opcode | chosen, 0xB000 | count)  # add sp, #4 * count


def _pop(p: Program, form: Form) -> None:
    chosen = _registers(p)
    p.emit(0xB080 | chosen.bit_count(), form.opcode | chosen)  # sub sp


def _pop_pc(p: Program, form: Form) -> None:
    register = p.low()
    p.after(register, 2)
    p.emit(0xB400 | 1 << register, form.opcode)


def _stm(p: Program, form: Form) -> None:
    base, chosen = p.low(), _registers(p)
    if chosen & 1 << base:
        chosen &= ~((1 << base) - 1)  # the base is the lowest
    p.pointer(base)
    p.emit(form.opcode | base << 8 | chosen)


def _ldm(p: Program, form: Form) -> None:
    base = p.low()
    p.pointer(base)
    p.emit(form.opcode | base << 8 | _registers(p))


def _skip(p: Program, form: Form) -> None:
    p.emit(form.opcode, 0x3001 | p.low() << 8)


def _call(p: Program, form: Form) -> None:
    p.emit(0xF000, 0xF801, NOP)


def _register_jump(p: Program, form: Form) -> None:
    register = p.low()
    if form.text == "ADD PC,Rm":
        p.emit(0x2000 | register << 8, form.opcode | register << 3, NOP)
    else:
        p.after(register, 1)
        p.emit(form.opcode | register << 3)


def _stack_word(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.low() << 8 | p.chance.randrange(32))


def _move_stack(p: Program, form: Form) -> None:
    """Down and up again, whichever of the two it is."""
    words = p.chance.randrange(1, 32)
    p.emit(0xB080 | words, 0xB000 | words)


def _mrs(p: Program, form: Form) -> None:
    p.emit(form.opcode, 0x8000 | p.chance.randrange(13) << 8 | p.chance.choice((0, 8, 16)))


def _msr(p: Program, form: Form) -> None:
    which = p.chance.choice((0, 16))
    register = p.low()
    if which == 16:
        p.emit(0x2000 | register << 8 | p.chance.randrange(2))
    else:  # the flags alone: LSRS #28, LSLS #28
        p.emit(0x0F00 | register << 3 | register, 0x0700 | register << 3 | register)
    p.emit(form.opcode | register, 0x8800 | which)


def _alone(p: Program, form: Form) -> None:
    p.emit(form.opcode)


def _barrier(p: Program, form: Form) -> None:
    p.emit(form.opcode, {"DSB": 0x8F4F, "DMB": 0x8F5F, "ISB": 0x8F6F}[form.text])


_MAKERS = {
    **{"D_M": _two, "DD_M": _two, "D_N_M": _three, "D_N_I3": _small, "D_M_I5": _by_constant, "D_I8": _byte},
    **{"D_I8_W": _at_word, "DM_H": _high, "M4": _register_jump, "D_N_I5": _at_constant, "I7_W": _move_stack},
    **{
        "D_N_I5_H": _at_constant,
        "D_N_I5_W": _at_constant,
        "D_SP_I8_W": _stack_word,
        "LIST": _pop,
        "LIST_LR": _push,
    },
    **{"LIST_PC": _pop_pc, "N_LIST": lambda p, f: (_stm if f.text.startswith("STM") else _ldm)(p, f)},
    **{"TO8": _skip, "TO11": _skip, "TO24": _call, "D_SPEC": _mrs, "SPEC_N": _msr, "NONE": _alone},
    "NONE2": _barrier,
}
