"""Random programs from the table of forms, made so that both simulators can run them."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightfit.harness.simulator import Form

PREFIX = {0: b"", 1: b"\x61", 2: b"\x71", 3: b"\x31", 4: b"\xce\xfb"}
FIELDS: dict[str, tuple[Sequence[int], int]] = {  # values, shift
    "NONE": ((0,), 0),
    "R": (range(8), 0),
    "R_NOT_A": ((0, 2, 3, 4, 5, 6, 7), 0),
    "R_NOT_AX": ((2, 3, 4, 5, 6, 7), 0),
    "R_XACB": (range(4), 0),
    "RP": (range(4), 1),
    "RP_NOT_AX": ((1, 2, 3), 1),
    "RP_HIGH": (range(4), 4),
    "BIT": (range(8), 4),
    "BIT_IE": ((0,), 0),
    "COUNT8": (range(1, 8), 4),
    "COUNT16": (range(1, 16), 4),
    "BANK": (range(4), 4),
}
NOT_RUN = ("CALLT [addr5]", "MACHU", "MACH", "BRK", "HALT", "STOP")
RAM = range(0xF000, 0xF7F0, 2)
FLASH = range(0x3000, 0x6FF0, 2)
WORD_OPERANDS = re.compile(r"^(MOVW|ADDW|SUBW|CMPW|INCW|DECW|XCHW)\b")


@dataclass
class Program:
    """Code in the making, at `start`."""

    chance: random.Random
    start: int
    code: bytearray = field(default_factory=bytearray)

    def here(self) -> int:
        return self.start + len(self.code)

    def emit(self, *parts: int | bytes) -> None:
        for part in parts:
            self.code += part if isinstance(part, bytes | bytearray) else bytes([part])

    def set_pair(self, pair: int, value: int) -> None:
        self.emit(0x30 | pair << 1, value.to_bytes(2, "little"))

    def set_byte(self, register: int, value: int) -> None:
        self.emit(0x50 | register, value)

    def set_sp(self, value: int) -> None:
        self.emit(b"\xcb\xf8", value.to_bytes(2, "little"))


X, A, C, B, E, D, L, H = range(8)
AX, BC, DE, HL = range(4)


def random_program(forms: Sequence[Form], seed: int, *, start: int, size: int) -> bytes:
    """About `size` bytes of instructions drawn evenly from `forms`, ending in HALT."""
    chance = random.Random(seed)
    program = Program(chance, start)
    program.set_sp(0xFE00)
    while len(program.code) < size:
        form = chance.choice(forms)
        if form.text not in NOT_RUN:
            add_instruction(program, form, chance.randrange(form.es + 1))
    program.emit(b"\x61\xed")
    return bytes(program.code)


def every_form(forms: Sequence[Form], seed: int, *, start: int, times: int) -> bytes:
    """Each form, plain and with ES:, `times` times in random order, ending in HALT."""
    chance = random.Random(seed)
    chosen = [(f, es) for f in forms if f.text not in NOT_RUN for es in range(f.es + 1)] * times
    chance.shuffle(chosen)
    program = Program(chance, start)
    program.set_sp(0xFE00)
    for form, es in chosen:
        add_instruction(program, form, es)
    program.emit(b"\x61\xed")
    return bytes(program.code)


def add_instruction(p: Program, form: Form, es: int) -> None:
    """The instruction, after code that gives it valid addresses, a stack and a target."""
    text = form.text
    if text.startswith(("CALL", "RET", "BR ")):
        _flow(p, form)
    elif text.startswith("SK") or form.taken:
        _conditional(p, form, es)
    else:
        _prepare(p, form, es)
        p.emit(encode(p, form, es))


def encode(p: Program, form: Form, es: int, *, displacement: int = 0) -> bytes:
    """The instruction's bytes with random operands; `displacement` for a branch."""
    values, shift = FIELDS[form.field]
    opcode = form.opcode | p.chance.choice(values) << shift
    operands = b"".join(
        _operand(p, form, part, displacement) for part in form.layout.split("_") if part != "NONE"
    )
    if form.layout == "NONE" or form.layout in ("K0", "K1"):
        operands = b""
    if form.fixed >= 0:
        operands = bytes([form.fixed]) + operands[1:]
    return (b"\x11" if es else b"") + PREFIX[form.map] + bytes([opcode]) + operands


def _operand(p: Program, form: Form, part: str, displacement: int) -> bytes:
    chance, word = p.chance, WORD_OPERANDS.match(form.text)
    match part:
        case "BYTE":
            small = form.text.startswith(("MOV ES", "MOV CS"))
            return bytes([chance.randrange(16 if small else 4 if " SP" in form.text else 256)])
        case "WORD":
            value = (
                0xFE00
                if " SP" in form.text
                else chance.choice((0, 1, 0x7FFF, 0xFFFF, chance.randrange(65536)))
            )
            return value.to_bytes(2, "little")
        case "SADDR":
            return bytes([chance.randrange(0x20, 0x100) & (0xFE if word else 0xFF)])
        case "SFR":
            return bytes([chance.randrange(0x30, 0x80) & (0xFE if word else 0xFF)])
        case "OFFSET":
            return bytes([p.offset])
        case "ADDR16":
            return (
                p.address.to_bytes(2, "little")
                if form.text != f"{form.text[:4]} {form.text[5:7]},SP"
                else b"\xf8\xff"
            )
        case "REL8":
            return displacement.to_bytes(1, "little", signed=True)
        case "REL16":
            return displacement.to_bytes(2, "little", signed=True)
        case "ES" | "K0" | "K1":
            return b""
    raise AssertionError(part)


def _prepare(p: Program, form: Form, es: int) -> None:
    """Registers such that the operand lies in RAM, or in flash where the form can read it."""
    chance, text = p.chance, form.text
    if text in ("MOV ES,A", "MOV CS,A"):
        p.set_byte(A, chance.randrange(16))
    if text == "MOV ES,saddr":
        p.emit(0xCD, 0x40, chance.randrange(16))
    if text == "POP PSW":
        p.set_pair(HL, chance.randrange(256) * 0x101)
        p.emit(0xC7)
    elif text.startswith("POP"):
        p.emit(0xC1)
    if text.startswith("PUSH") or "[SP" in text or text.startswith("POP rp") or "SP," in text:
        p.set_sp(0xFD00 + 2 * chance.randrange(64))
    if text.startswith("MOVW SP,AX"):
        p.set_pair(AX, 0xFD00 + 2 * chance.randrange(64))
    _aim(p, form, es)


def _aim(p: Program, form: Form, es: int) -> None:
    chance, text = p.chance, form.text
    flash = bool(form.flash) and chance.random() < 0.4
    at = chance.choice(FLASH if flash else RAM)
    if not WORD_OPERANDS.match(text):
        at += chance.randrange(2)
    if es:
        p.emit(0x41, chance.choice((0, 0xF)) if flash else 0xF)
    index = chance.randrange(256)
    p.offset = index if "+byte]" in text else 0
    p.address = at
    if "[SP" in text:
        p.offset = chance.randrange(32) * 2
    if "[DE" in text:
        p.set_pair(DE, at - p.offset)
    elif "[HL+B]" in text or "[HL+C]" in text:
        p.set_byte(B if "+B" in text else C, index)
        p.set_pair(HL, at - index)
    elif "[HL" in text:
        p.set_pair(HL, at - p.offset)
    elif "word[BC]" in text:
        p.address = chance.randrange(at) & 0xFFFE if es else chance.randrange(65536) & 0xFFFE
        p.set_pair(BC, (at - p.address) & 0xFFFF)
    elif "word[" in text:
        p.set_byte(B if "[B]" in text else C, index)
        p.address = at - index


def _conditional(p: Program, form: Form, es: int) -> None:
    """A branch over one simple instruction, or a skip of it."""
    _prepare(p, form, es)
    over = p.chance.choice(
        (b"\x00", b"\x80", b"\x52\x12", b"\x11\x8f\x10\xf0", b"\x36\x00\xf2", b"\xcf\x10\xf0\x55")
    )
    branch = encode(p, form, es, displacement=len(over))
    if not es:
        p.emit(b"\x41\x0f")
    p.emit(branch, over)


def _flow(p: Program, form: Form) -> None:
    """Calls and returns in pairs; computed jumps with their target in the register."""
    text = form.text
    p.set_sp(0xFD00 + 2 * p.chance.randrange(64))
    if text.startswith("RET"):
        ret = encode(p, form, 0)
        p.emit(0xFE, b"\x02\x00", 0xEF, len(ret), ret)  # call over a br that jumps over the return
        return
    pair = p.chance.randrange(4) if text == "CALL rp" else AX
    if text in ("CALL rp", "BR AX"):
        p.emit(b"\xce\xfc\x00")
        target = p.here() + 3 + 2 + 1
        p.set_pair(pair, target)
        opcode = form.opcode | (pair << 4 if text == "CALL rp" else 0)
        p.emit(0x61, opcode, 0x00)
        return
    absolute = p.here() + form.length + 1
    size = {"ABS16": 2, "ABS20": 3}.get(form.layout)
    if size:
        p.emit(form.opcode, absolute.to_bytes(size, "little"), 0x00)
    else:
        p.emit(encode(p, form, 0, displacement=1), 0x00)
