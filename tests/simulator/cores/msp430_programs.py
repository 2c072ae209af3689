"""Random programs of the MSP430 form table's own words, made so that another simulator can run them too."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightfit.harness.simulator import Form, Region

DOUBLE, SINGLE, PLAIN, JUMP, EXTENSION, LONG_DOUBLE, LONG_SINGLE = range(1, 8)
CONSTANTS = {(3, 0): 0, (3, 1): 1, (3, 2): 2, (3, 3): 0xFFFF, (2, 2): 4, (2, 3): 8}
SOURCES = ("Rn", "#CG", "@Rn", "@Rn+", "#N", "x(Rn)", "EDE", "&EDE")
CODE = 0x0800
RAM = range(0x9000, 0xB000)
DATA = range(RAM.start, RAM.start + 0x1000, 2)
STACK = 0xAF00
NOT_RUN = (
    *("MOV #CG,PC", "MOVX #CG,PC"),
    *(f"{name} {source},PC" for name in ("DADD", "DADDX") for source in SOURCES),
)
"""Where PC could not go on with the next instruction."""
LONG_INDICES = (0, 2, 0x400, 0xFFFFE, 0xFFC00)
"""Of 20 bits; those of a format with one operand have no more than 16, where the assembler is not TI's."""
ADDRESS_INDICES = (0, 2, 0x123, 0x7FFF)
"""For MOVA and CALLA: in the GNU simulator they have no sign."""
END = 0x3FFF
"""A jump to itself."""
MEMORY = (Region("flash", CODE, RAM.start), Region("ram", RAM.start, RAM.stop))
"""Code below data: the GNU simulator does not let the sum of PC and an index wrap."""


@dataclass
class Operand:
    """Register, mode and index word of an operand; `index` is None where there is none."""

    register: int
    mode: int
    index: int | None = None


@dataclass
class Program:
    """Code in the making, at `CODE`; R4 to R15 and the data are free."""

    chance: random.Random
    words: list[int] = field(default_factory=list)

    def here(self) -> int:
        return CODE + 2 * len(self.words)

    def emit(self, *words: int) -> None:
        self.words += [word & 0xFFFF for word in words]

    def move(self, value: int, register: int) -> None:
        """MOV #value,register"""
        self.emit(0x4030 | register, value)

    def store(self, value: int, address: int) -> None:
        """MOV #value,&address"""
        self.emit(0x40B2, value, address)

    def word(self) -> int:
        """A random word, the extremes often."""
        return self.chance.choice(
            (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, self.chance.randrange(65536))
        )

    def register(self, *but: int | None) -> int:
        return self.chance.choice([n for n in range(4, 16) if n not in but])

    def code(self) -> bytes:
        return b"".join(word.to_bytes(2, "little") for word in self.words)


def random_program(forms: Sequence[Form], seed: int, *, size: int) -> bytes:
    """About `size` bytes of instructions drawn evenly from `forms`, then a jump to itself."""
    program = Program(random.Random(seed))
    program.move(STACK, 1)
    while 2 * len(program.words) < size:
        add_instruction(program, program.chance.choice(forms))
    program.emit(END)
    return program.code()


def every_form(forms: Sequence[Form], seed: int, *, times: int) -> bytes:
    """Each form `times` times in random order, then a jump to itself."""
    chosen = list(forms) * times
    program = Program(random.Random(seed))
    program.chance.shuffle(chosen)
    program.move(STACK, 1)
    for form in chosen:
        add_instruction(program, form)
    program.emit(END)
    return program.code()


def add_instruction(p: Program, form: Form) -> None:
    """The instruction with what must come before it: valid addresses, a stack, a target."""
    if form.map == DOUBLE:
        add = _to_pc if form.layout == "PC" else _double
    else:
        add = {
            SINGLE: _single,
            PLAIN: _reti,
            JUMP: _jump,
            EXTENSION: _extension,
            LONG_DOUBLE: _long_to_pc if form.layout == "PC" else _long_double,
            LONG_SINGLE: _long_single,
        }[form.map]
    add(p, form)


def _double(p: Program, form: Form) -> None:
    decimal = form.text.startswith("DADD")
    byte = p.chance.randrange(2)
    source = _source(p, form.field, byte, value=_decimal(p) if decimal else None)
    used = source.register if form.field not in ("#CG", "#N", "EDE", "&EDE") else None
    if form.layout == "Rn" and not decimal and form.field != "@Rn+":
        used = None  # the same register twice will do
    target = _destination(p, form.layout, byte, used, value=_decimal(p) if decimal else None)
    _emit_double(p, form, source, target, byte)


_PREPARED = {"Rn": 2, "@Rn": 5, "@Rn+": 5, "#N": 0, "x(Rn)": 5, "EDE": 3, "&EDE": 3}
"""Words of the instructions that put a value where a field finds it."""


def _next(p: Program, form: Form) -> int:
    """What an operation on PC must find to go on with the next instruction; it sets the carry for it."""
    name = form.text.split()[0].removesuffix("X")
    if name in ("ADDC", "SUBC"):
        p.emit(0xC312 if name == "ADDC" else 0xD312)  # clrc, setc
    if name == "MOV":
        return p.here() + 2 * _PREPARED[form.field] + form.length
    return 0xFFFF if name == "AND" else 0


def _to_pc(p: Program, form: Form) -> None:
    """An operation on PC that goes on with the next instruction, whatever the source."""
    if form.text in NOT_RUN:
        return
    value = _next(p, form)
    source = _source(p, form.field, 0, value=value, stored=True)
    _emit_double(p, form, source, Operand(0, 0), 0)


def _single(p: Program, form: Form) -> None:
    name = form.text.split()[0]
    if name == "CALL":
        _call(p, form)
        return
    byte = p.chance.randrange(2) if form.es else 0
    operand = _source(p, form.field, byte)
    _emit_single(p, form, operand, byte)
    if name == "PUSH" and p.chance.randrange(2):
        p.emit(0x4130 | p.register())  # pop


def _call(p: Program, form: Form) -> None:
    """call; jmp over; ret; over:"""
    target = p.here() + 2 * _PREPARED[form.field] + form.length + 2
    operand = _source(p, form.field, 0, value=target, stored=True)
    _emit_single(p, form, operand, 0)
    p.emit(0x3C01, 0x4130)


def _reti(p: Program, form: Form) -> None:
    p.emit(0x1230, p.here() + 10)  # push #after
    p.emit(0x1230, p.chance.randrange(8))  # push #flags
    p.emit(form.opcode)
    assert p.here() % 2 == 0


def _jump(p: Program, form: Form) -> None:
    p.emit(form.opcode | p.chance.randrange(1, 3))
    p.emit(0x4303, 0x4303)


def _emit_double(p: Program, form: Form, source: Operand, target: Operand, byte: int) -> None:
    p.emit(
        form.opcode | source.register << 8 | target.mode << 7 | byte << 6 | source.mode << 4 | target.register
    )
    _emit_indices(p, source, target)


def _emit_single(p: Program, form: Form, operand: Operand, byte: int) -> None:
    p.emit(form.opcode | byte << 6 | operand.mode << 4 | operand.register)
    _emit_indices(p, operand)


def _emit_indices(p: Program, *operands: Operand) -> None:
    """Index words; what is relative to PC becomes so."""
    for operand in operands:
        if operand.index is not None:
            relative = p.here() if operand.register == 0 and operand.mode == 1 else 0
            p.emit(operand.index - relative)


def _decimal(p: Program) -> int:
    return int(str(p.chance.choice((0, 1, 99, 9999, 4999, 5000, p.chance.randrange(10000)))), 16)


def _source(p: Program, field: str, byte: int, *, value: int | None = None, stored: bool = False) -> Operand:
    """An operand that reads `value`, if given; `stored` puts it into memory even where it need not be."""
    address = p.chance.choice(DATA) + (0 if stored or value is not None else p.chance.randrange(byte + 1))
    if field not in ("Rn", "#CG", "#N") and value is not None:
        p.store(value, address)
    match field:
        case "Rn":
            register = p.register()
            p.move(p.word() if value is None else value, register)
            return Operand(register, 0)
        case "#CG":
            places = [place for place, constant in CONSTANTS.items() if value is None or constant <= 8]
            if stored:
                places = [place for place, constant in CONSTANTS.items() if constant == value]
            register, mode = p.chance.choice(places)
            return Operand(register, mode)
        case "#N":
            return Operand(0, 3, p.word() if value is None else value)
        case "@Rn" | "@Rn+":
            register = p.register()
            p.move(address, register)
            return Operand(register, 2 if field == "@Rn" else 3)
    return _indexed(p, field, address, None)


def _destination(
    p: Program, layout: str, byte: int, used: int | None, *, value: int | None = None
) -> Operand:
    if layout == "Rn":
        register = p.register(used)
        if value is not None:
            p.move(value, register)
        return Operand(register, 0)
    address = p.chance.choice(DATA) + (p.chance.randrange(byte + 1) if value is None else 0)
    if value is not None:
        p.store(value, address)
    return _indexed(p, layout, address, used)


def _indexed(p: Program, field: str, address: int, used: int | None) -> Operand:
    if field == "&EDE":
        return Operand(2, 1, address)
    if field == "EDE":
        return Operand(0, 1, address)
    register = p.register(used)
    index = p.chance.choice((0, 2, 0x7FFF, 0x8000, 0xFFFF, p.chance.randrange(65536)))
    p.move(address - index, register)
    return Operand(register, 1, index)


def _extension(p: Program, form: Form) -> None:
    name, _, operands = form.text.partition(" ")
    if name == "RETA":
        p.emit(0x1230, 0, 0x1230, p.here() + 10, form.opcode)  # push #0, push #after
    elif name == "CALLA":
        _calla(p, form, operands)
    elif operands.startswith("#n"):
        _counted(p, form, name)
    elif operands.startswith("Rn,") and form.length == 4:
        register = p.register()
        _move_address(p, p.chance.randrange(1 << 20), register)
        _address_to_memory(p, form, operands, register)
    else:
        _address(p, form, *operands.split(","))


def _move_address(p: Program, value: int, register: int) -> None:
    """MOVA #value,register"""
    p.emit(0x0080 | value >> 16 << 8 | register, value)


def _address(p: Program, form: Form, field: str, layout: str) -> None:
    """MOVA, CMPA, ADDA or SUBA to a register; one to PC goes on with the next instruction."""
    to_pc = layout == "PC"
    value = p.chance.choice((0, 1, 0x7FFFF, 0x80000, 0xFFFFF, p.chance.randrange(1 << 20)))
    if to_pc:
        prefix = {"Rn": 2, "#N": 0, "@Rn": 8, "@Rn+": 8, "x(Rn)": 8, "&EDE": 6}[field]
        value = p.here() + 2 * prefix + form.length if form.text.startswith("MOVA") else 0
    target = 0 if to_pc else p.register()
    source, index = _address_source(p, field, value, stored=to_pc)
    p.emit(form.opcode | source << 8 | target)
    if index is not None:
        p.emit(index)


def _address_source(p: Program, field: str, value: int, *, stored: bool) -> tuple[int, int | None]:
    """What stands in bits 11-8, and the second word."""
    if field == "#N":
        return value >> 16, value
    register = p.register()
    if field == "Rn":
        _move_address(p, value, register)
        return register, None
    address = p.chance.choice(DATA)
    if stored:
        p.store(value, address)
        p.store(value >> 16, address + 2)
    if field == "&EDE":
        return 0, address
    index = p.chance.choice(ADDRESS_INDICES) if field == "x(Rn)" else 0
    p.move(address - index, register)
    return register, index if field == "x(Rn)" else None


def _address_to_memory(p: Program, form: Form, operands: str, register: int) -> None:
    address = p.chance.choice(DATA)
    if operands.endswith("&EDE"):
        p.emit(form.opcode | register << 8, address)
        return
    base, index = p.register(register), p.chance.choice(ADDRESS_INDICES)
    p.move(address - index, base)
    p.emit(form.opcode | register << 8 | base, index)


def _calla(p: Program, form: Form, field: str) -> None:
    """calla; jmp over; reta; over:"""
    prefix = {"Rn": 2, "#N": 0, "@Rn": 8, "@Rn+": 8, "x(Rn)": 8, "&EDE": 6}[field]
    target = p.here() + 2 * prefix + form.length + 2
    source, index = _address_source(p, field, target, stored=True)
    p.emit(form.opcode | source)
    if index is not None:
        p.emit(index)
    p.emit(0x3C01, 0x0110)


def _long_double(p: Program, form: Form) -> None:
    decimal = form.text.startswith("DADD")
    bits = p.chance.choice((8, 16) if decimal else (8, 16, 20))
    value = _decimal(p) if decimal else None
    source, high = _long_source(p, form.field, bits, value)
    used = source.register if form.field not in ("#CG", "#N", "EDE", "&EDE") else None
    registers = form.field == "Rn" and form.layout == "Rn"
    count = p.chance.choice((0, 0, p.chance.randrange(16))) if registers and not decimal else 0
    if form.layout == "Rn":
        target, above = Operand(p.register(used if decimal or form.field == "@Rn+" else None), 0), count
        if decimal:
            p.move(value, target.register)
    else:
        target, above = _long_indexed(p, form.layout, _long_address(p, bits, value), used)
    p.emit(_extension_word(bits, high, above))
    _emit_double(p, form, source, target, bits != 16)


def _long_to_pc(p: Program, form: Form) -> None:
    """Of 16 bits; goes on with the next instruction, whatever the source."""
    if form.text in NOT_RUN:
        return
    value = _next(p, form)
    source, high = _long_source(p, form.field, 16, value, stored=True)
    p.emit(_extension_word(16, high, 0))
    _emit_double(p, form, source, Operand(0, 0), 0)


def _long_single(p: Program, form: Form) -> None:
    name = form.text.split()[0]
    bits = p.chance.choice((8, 16, 20) if form.es else (16,) if name == "SWPBX" else (16, 20))
    turns = name == "SXTX"
    count = p.chance.randrange(16) if form.field == "Rn" and name != "PUSHX" else 0
    source, high = _long_source(p, form.field, bits, None, indices=LONG_INDICES[:3])
    carry = 0x100 * p.chance.randrange(2) if name == "RRCX" and form.field == "Rn" else 0
    p.emit(_extension_word(bits, 0, count | high) | carry)
    _emit_single(p, form, source, bits == 8 or (bits == 20 and not turns))
    if name == "PUSHX":
        p.emit(0x4031, STACK)  # mov #STACK, sp


def _extension_word(bits: int, high: int, low: int) -> int:
    return 0x1800 | high << 7 | (bits < 20) << 6 | low


def _long_source(
    p: Program,
    field: str,
    bits: int,
    value: int | None,
    *,
    stored: bool = False,
    indices: Sequence[int] = LONG_INDICES,
) -> tuple[Operand, int]:
    """As `_source`, and bits 19 to 16 of its index or immediate."""
    if field == "#CG":
        return _source(p, field, 0, value=value, stored=stored), 0
    if field == "#N":
        number = value if value is not None else p.chance.choice((p.word(), p.chance.randrange(1 << 20)))
        number &= 0xFFFFF if bits == 20 and indices is LONG_INDICES else 0xFFFF
        return Operand(0, 3, number & 0xFFFF), number >> 16
    if field == "Rn":
        register = p.register()
        _move_address(p, p.chance.randrange(1 << 20) if value is None else value, register)
        return Operand(register, 0), 0
    address = _long_address(p, bits, value)
    if field in ("@Rn", "@Rn+"):
        register = p.register()
        p.move(address, register)
        return Operand(register, 2 if field == "@Rn" else 3), 0
    return _long_indexed(p, field, address, None, indices)


def _long_address(p: Program, bits: int, value: int | None) -> int:
    """Of data, which is `value`, if given."""
    address = p.chance.choice(DATA) + (p.chance.randrange(2) if bits == 8 and value is None else 0)
    if value is not None:
        p.store(value, address)
    return address


def _long_indexed(
    p: Program, field: str, address: int, used: int | None, indices: Sequence[int] = LONG_INDICES
) -> tuple[Operand, int]:
    if field == "&EDE":
        return Operand(2, 1, address), 0
    if field == "EDE":
        return Operand(0, 1, address), 0
    register, index = p.register(used), p.chance.choice(indices)
    p.move(address - index & 0xFFFF, register)
    return Operand(register, 1, index & 0xFFFF), index >> 16


def _counted(p: Program, form: Form, name: str) -> None:
    if not name.startswith(("PUSHM", "POPM")):
        register = p.register()
        _move_address(p, p.chance.randrange(1 << 20), register)
        p.emit(form.opcode | p.chance.randrange(4) << 10 | register)
        return
    count = p.chance.randrange(1, 13)
    lowest = p.chance.randrange(4, 17 - count)
    if name.startswith("POPM"):
        p.move(p.chance.choice(DATA), 1)
        p.emit(form.opcode | count - 1 << 4 | lowest)
    else:
        p.emit(form.opcode | count - 1 << 4 | lowest + count - 1)
    p.move(STACK, 1)
