"""RISC-V instructions as bits and as text, from the table of forms; encodings by the manual's figures."""

import re
from dataclasses import dataclass
from random import Random

from tightfit.harness.simulator import Form

NAMES = (
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
).split()
SHORT = range(8, 16)
MSTATUS = 0x300


@dataclass(frozen=True)
class Operands:
    """Registers rd, rs1, rs2 and a constant, displacement, count or distance."""

    d: int = 0
    a: int = 0
    b: int = 0
    k: int = 0


def bits(value: int, order: str) -> int:
    """The bits of a value in the order in which an instruction has them, as in `5|4:0`."""
    result = 0
    for part in order.split("|"):
        high, _, low = part.partition(":")
        count = int(high) - int(low or high) + 1
        result = result << count | value >> int(low or high) & (1 << count) - 1
    return result


def encode(form: Form, o: Operands) -> bytes:
    word = form.opcode | _bits(form.layout, o)
    return word.to_bytes(form.length, "little")


def _bits(layout: str, o: Operands) -> int:
    d, a, b, k = o.d << 7, o.a << 15, o.b << 20, o.k
    p, q, r = (o.a - 8) << 7, (o.b - 8) << 2, o.b << 2
    split = bits(k, "5") << 12 | bits(k, "4:0") << 2
    match layout:
        case "NONE" | "C_NONE":
            return 0
        case "ANY":
            return k << 20
        case "R":
            return d | a | b
        case "I":
            return d | a | bits(k, "11:0") << 20
        case "SHIFT":
            return d | a | k << 20
        case "S":
            return a | b | bits(k, "11:5") << 25 | bits(k, "4:0") << 7
        case "B":
            return a | b | bits(k, "12|10:5") << 25 | bits(k, "4:1|11") << 7
        case "U" | "U_PC":
            return d | bits(k, "19:0") << 12
        case "J":
            return d | bits(k, "20|10:1|11|19:12") << 12
        case "CSR":
            return d | a
        case "CSR_I":
            return d | k << 15
        case "CIW":
            return bits(k, "5:4|9:6|2|3") << 5 | (o.d - 8) << 2
        case "CL":
            return p | (o.d - 8) << 2 | bits(k, "5:3") << 10 | bits(k, "2|6") << 5
        case "CS":
            return p | q | bits(k, "5:3") << 10 | bits(k, "2|6") << 5
        case "CI" | "CI_ZERO" | "CI_UPPER":
            return d | split
        case "CI_SP":
            return bits(k, "9") << 12 | bits(k, "4|6|8:7|5") << 2
        case "CI_SHIFT":
            return d | k << 2
        case "CI_LOAD":
            return d | bits(k, "5") << 12 | bits(k, "4:2|7:6") << 2
        case "CSS":
            return r | bits(k, "5:2|7:6") << 7
        case "CB":
            return p | bits(k, "8|4:3") << 10 | bits(k, "7:6|2:1|5") << 2
        case "CB_SHIFT":
            return p | k << 2
        case "CB_IMM":
            return p | split
        case "CA":
            return p | q
        case "CJ" | "CJ_LINK":
            return bits(k, "11|4|9:8|10|6|7|3:1|5") << 2
        case "CR_JUMP":
            return o.a << 7
        case "CR_MOVE" | "CR":
            return d | r
    raise AssertionError(layout)


def text(form: Form, o: Operands) -> str:
    """The instruction as text, of the length of the form; distances count from the instruction."""
    mnemonic, _, operands = form.text.partition(" ")
    constant = f".{o.k:+d}" if form.layout in ("B", "J", "CB", "CJ", "CJ_LINK") else str(o.k)
    if form.layout in ("CI_UPPER", "U", "U_PC"):
        constant = str(o.k & 0xFFFFF)
    names = {"rd": NAMES[o.d], "rd'": NAMES[o.d], "rs1": NAMES[o.a], "rs1'": NAMES[o.a], "rs2": NAMES[o.b]}
    names |= {"rs2'": NAMES[o.b], **dict.fromkeys(("imm", "off", "sh", "u"), constant)}
    if form.layout in ("CB_SHIFT", "CB_IMM", "CA"):
        names["rd'"] = NAMES[o.a]
    if form.layout == "CI_SP":
        operands = "sp," + operands
    filled = re.sub(r"\b(rd'?|rs1'?|rs2'?|imm|off|sh|u)(?![\w'])", lambda match: names[match[0]], operands)
    line = f"{mnemonic} {filled}".strip().lower()
    return line if form.length == 2 else f".option norvc; {line}; .option rvc"


def choose(form: Form, chance: Random, registers: int = 16) -> Operands:
    """Random operands that the manual defines for a core with so many registers; no hints of 16 bits."""
    layout = form.layout
    any_register, short = range(registers), SHORT
    d, a, b = (chance.choice(short if layout in _SHORT else any_register) for _ in range(3))
    if layout in ("CI_LOAD", "CI", "CI_ZERO", "CI_UPPER", "CI_SHIFT", "CR_MOVE", "CR"):
        d = chance.choice([n for n in any_register if n != 0 and (layout != "CI_UPPER" or n != 2)])
    if layout in ("CR_JUMP",):
        a = chance.choice(any_register[1:])
    if layout in ("CR_MOVE", "CR"):
        b = chance.choice(any_register[1:])
    return Operands(d, a, b, _constant(layout, chance))


_SHORT = ("CIW", "CL", "CS", "CB", "CB_SHIFT", "CB_IMM", "CA")
_RANGES = {
    "ANY": (0xFF,), "I": range(-2048, 2048), "S": range(-2048, 2048), "B": range(-4096, 4096, 2),
    "J": range(-(1 << 20), 1 << 20, 2),
    "U": range(1 << 20), "U_PC": range(1 << 20), "SHIFT": range(32), "CSR_I": range(32),
    "CIW": range(4, 1024, 4),
    "CL": range(0, 128, 4), "CS": range(0, 128, 4), "CI": range(-32, 32), "CI_ZERO": range(-32, 32),
    "CI_SP": [k for k in range(-512, 512, 16) if k], "CI_UPPER": [k for k in range(-32, 32) if k],
    "CI_SHIFT": range(1, 32), "CI_LOAD": range(0, 256, 4), "CSS": range(0, 256, 4), "CB": range(-256, 256, 2),
    "CB_SHIFT": range(1, 32), "CB_IMM": range(-32, 32), "CJ": range(-2048, 2048, 2),
    "CJ_LINK": range(-2048, 2048, 2),
}  # fmt: skip


def _constant(layout: str, chance: Random) -> int:
    values = _RANGES.get(layout, (0,))
    if layout == "CI":
        values = [k for k in values if k]
    return chance.choice((values[0], values[-1], chance.choice(values), chance.choice(values)))
