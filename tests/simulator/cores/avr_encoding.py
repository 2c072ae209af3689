"""Instructions as bits and as text, from the table of forms."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tightfit.harness.simulator import Form

POINTERS = {"X": 26, "Y": 28, "Z": 30}
ENDS = ("SLEEP", "BREAK")


@dataclass(frozen=True)
class Operands:
    """Values of an instruction's operands: two registers, a constant, address or displacement, and a bit."""

    d: int = 0
    r: int = 0
    k: int = 0
    b: int = 0


def encode(form: Form, o: Operands) -> bytes:
    """The instruction's bytes, by the manual's encodings."""
    word, more = form.opcode, b""
    match form.layout:
        case "NONE":
            pass
        case "D5":
            word |= o.d << 4
        case "D5_R5":
            word |= o.d << 4 | (o.r & 15) | (o.r & 16) << 5
        case "D4_R4" | "D3_R3":
            word |= (o.d - 16) << 4 | (o.r - 16)
        case "DP_RP":
            word |= o.d // 2 << 4 | o.r // 2
        case "D4_K8":
            word |= (o.d - 16) << 4 | (o.k & 15) | (o.k & 0xF0) << 4
        case "D2_K6":
            word |= (o.d - 24) // 2 << 4 | (o.k & 15) | (o.k & 0x30) << 2
        case "D5_B":
            word |= o.d << 4 | o.b
        case "S":
            word |= o.b << 4
        case "D5_A6":
            word |= o.d << 4 | (o.k & 15) | (o.k & 0x30) << 5
        case "A5_B":
            word |= o.k << 3 | o.b
        case "D5_Q":
            word |= o.d << 4 | (o.k & 7) | (o.k & 0x18) << 7 | (o.k & 0x20) << 8
        case "D5_K16":
            word |= o.d << 4
            more = o.k.to_bytes(2, "little")
        case "K7":
            word |= (o.k & 0x7F) << 3
        case "K12":
            word |= o.k & 0xFFF
        case "K22":
            word |= (o.k >> 17) << 4 | (o.k >> 16 & 1)
            more = (o.k & 0xFFFF).to_bytes(2, "little")
        case other:
            raise AssertionError(other)
    return word.to_bytes(2, "little") + more


def text(form: Form, o: Operands) -> str:
    """The instruction as text; for the assembler `.` is the address after the instruction."""
    mnemonic, _, operands = form.text.partition(" ")
    first = re.search(r"R[dr]", operands)
    names = {first[0]: f"r{o.d}"} if first else {}
    names.setdefault("Rr", f"r{o.r}")
    names |= {"K": o.k, "A": o.k, "q": o.k, "b": o.b, "s": o.b}
    if form.layout in ("K7", "K12"):
        names["k"] = f".{2 * o.k:+d}"
    else:
        names["k"] = 2 * o.k if form.layout == "K22" else o.k
    filled = re.sub(r"\b(R[dr]|[KAqbsk])\b", lambda match: str(names[match[0]]), operands)
    return f"{mnemonic} {filled}".strip().lower()


def choose(form: Form, chance: random.Random) -> Operands:
    """Random operands that the manual defines."""
    allowed = _registers(form)
    k_bits = {"D4_K8": 8, "D2_K6": 6, "D5_A6": 6, "A5_B": 5, "D5_Q": 6, "D5_K16": 16, "K22": 22}
    k = chance.randrange(1 << k_bits.get(form.layout, 1))
    if form.layout in ("K7", "K12"):
        reach = 1 << (6 if form.layout == "K7" else 11)
        k = chance.randrange(-reach, reach)
    return Operands(chance.choice(allowed), chance.choice(allowed), k, chance.randrange(8))


@cache
def _registers(form: Form) -> tuple[int, ...]:
    """Those that the form can name, but for the ones with which it is undefined."""
    registers = {"D4_R4": range(16, 32), "D4_K8": range(16, 32), "D3_R3": range(16, 24)}
    registers |= {"DP_RP": range(0, 32, 2), "D2_K6": range(24, 32, 2)}
    undefined = _undefined(form)
    return tuple(n for n in registers.get(form.layout, range(32)) if n not in undefined)


def _undefined(form: Form) -> tuple[int, ...]:
    """Registers with which a form that steps its pointer is undefined."""
    pointer = re.search(r"-([XYZ])|([XYZ])\+(?!q)", form.text)
    if not pointer:
        return ()
    low = POINTERS[pointer[1] or pointer[2]]
    return (low, low + 1)


def examples(form: Form, times: int, chance: random.Random) -> Iterator[Operands]:
    """Random operands of a form; a form without operands is given once."""
    for _ in range(1 if form.layout == "NONE" else times):
        yield choose(form, chance)
