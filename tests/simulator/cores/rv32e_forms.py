"""Examples of every form of RISC-V's table, and what the sources say that they cost."""

import re
from dataclasses import replace
from random import Random

from .forms import Example, Forms, Image, place
from .rv32e_encoding import Operands, choose, encode, text
from .rv32e_part import START

RAM = 0x20000000
STACK = RAM + 0x400
BRANCHES = {
    "BEQ": lambda a, b: a == b, "BNE": lambda a, b: a != b,
    "BLT": lambda a, b: signed(a) < signed(b), "BGE": lambda a, b: signed(a) >= signed(b),
    "BLTU": lambda a, b: a < b, "BGEU": lambda a, b: a >= b,
    "C.BEQZ": lambda a, b: a == 0, "C.BNEZ": lambda a, b: a != 0,
}  # fmt: skip
MEMORY = ("LB", "LH", "LW", "LBU", "LHU", "SB", "SH", "SW", "C.LW", "C.SW", "C.LWSP", "C.SWSP")
JUMPS = ("JAL", "JALR", "C.JAL", "C.J", "C.JR", "C.JALR")
# Clocks by the core: memory, jump, taken branch; a division, and one by zero; the upper half of a product.
IBEX = {"memory": 2, "jump": 2, "taken": 3, "DIV": 37, "by zero": 2, "MULH": 2}
CLOCKS = {"ibex": IBEX, "ibex-imc": IBEX, "qingke-v2": {"memory": 2, "jump": 3, "taken": 3}}
STATES = ({"a0": 5, "a1": 5}, {"a0": 0x80000000, "a1": 1}, {"a0": 1, "a1": 0x80000000}, {"a0": 0, "a1": 0})
EXAMPLES = 8
FEW_REGISTERS = {"d": 12, "a": 10, "b": 11}
"""What most examples name: a2, a0, a1. Pointers are in a4, the address of code in a5."""

# All zeros, constants of zero where they are reserved, words of RV64, of F and D, shifts by more than 31; ADD
# to x16, branches, loads and stores of a kind that is not, other status registers.
WITHOUT_MEANING = (
    *(0x0000, 0x0004, 0x6101, 0x6501, 0x8002, 0x4002, 0x9C01, 0x9C21, 0x2000, 0xA000, 0x6000, 0xE000),
    *(0x1002, 0x9001, 0x9401, 0x0833, 0x2063, 0x7003, 0x7023, 0x1073, 0x000B, 0x002F),
)

CHECK_LIST = {
    "addi a0, a0, 1": 1, "lw a2, 0(a4)": 2, "sw a2, 0(a4)": 2, "beq a0, a1, x": 3, "bne a0, a1, x": 1,
    "j x": 2, "jal x": 2, "ret": 2, "lui a0, 0x12345": 1, "auipc a0, 0": 1, "sltu a0, a1, a2": 1,
    "sra a0, a1, a2": 1, "fence": 1, "csrsi mstatus, 8": 1, "csrr a0, mstatus": 1, "lbu a0, 1(a4)": 2,
    "sh a0, 2(a4)": 2, "nop": 1, "li a0, -1": 1, "not a0, a0": 1, "jalr a5": 2,
    "mv a0, a1": 1, "bltu a0, a1, x": 1,
}  # fmt: skip


def signed(value: int) -> int:
    return value - (value >> 31 << 32)


def operands(form, o: Operands) -> Operands:
    """Such that the instruction can be run: a pointer, a target behind the next instruction."""
    name = form.text.split()[0]
    o = replace(o, **FEW_REGISTERS)
    if name in MEMORY:
        return replace(o, a=14, k=o.k & 0x1FC)
    if form.layout in ("B", "CB", "J", "CJ", "CJ_LINK"):
        return replace(o, d=1, k=form.length + 2)
    if name in ("JALR", "C.JR", "C.JALR"):
        return replace(o, d=1, a=15, k=0)
    return o


class Rv32eForms(Forms):
    """Each form with the same few registers and many constants; `more` are its operands."""

    count = 80
    register = "mstatus"
    flags = {"MIE": 8}
    ended = {"ECALL": "HALT reached", "EBREAK": "BRK reached", "C.EBREAK": "BRK reached"}

    def has(self, machine, form):
        return form.core != "M" or machine == "ibex-imc"

    def images(self, core):
        chance, chosen = Random(7), []
        for form in core.simulator().forms():
            if self.has(core.name, form):
                some = {operands(form, choose(form, chance)) for _ in range(EXAMPLES)}
                chosen += [Example(form, text(form, o), o) for o in sorted(some, key=repr)]
        code, placed = place(core, chosen, after="c.nop; c.nop", tail="nop")
        for each in placed:
            at = each.address - START
            assert code[at : at + each.form.length] == encode(each.form, each.example.more), each.text
        return [Image(code, placed, STATES)]

    def prepare(self, sim, placed, state):
        sim.reset()
        sim.write(RAM, state.get("fill", bytes(0x600)))
        for name, value in {"sp": STACK, "a4": RAM + 0x200, "a5": START, **STATES[0], **state}.items():
            if name != "fill":
                sim.registers[name] = value

    def expected(self, core, placed, run, state):
        form, costs = placed.form, CLOCKS[core.simulated]
        name = form.text.split()[0]
        clocks = costs["memory"] if name in MEMORY else costs["jump"] if name in JUMPS else 1
        if name in BRANCHES and BRANCHES[name](state["a0"], state["a1"]):
            clocks = costs["taken"]
        elif name in ("DIV", "DIVU", "REM", "REMU"):
            clocks = costs["DIV" if state["a1"] else "by zero"]
        elif name.startswith("MULH"):
            clocks = costs["MULH"]
        status = self.ended.get(form.text, "steps")
        return {"status": status, "cycles": clocks, "base": clocks, "target_waits": 0}

    def random_state(self, placed, chance):
        state = {"mstatus": chance.randrange(2) * 8, "a0": chance.randrange(1 << 32)}
        return {"fill": chance.randbytes(0x600), **state}

    def check_table(self, forms):
        assert sum(form.core == "M" for form in forms) == 8
        assert sum(form.length == 2 for form in forms) == 26

    def against_disassembler(self, core, folder):
        """Every one of the first halves of 16 bits, and random operands of each form of 32 bits."""
        table, chance = list(core.simulator().forms()), Random(9)
        halves = [half.to_bytes(2, "little") for half in range(0x10000) if half & 3 != 3]
        forms = [form for form in table if form.length == 4 and self.has(core.name, form)] * 40
        longs = [encode(form, choose(form, chance)) for form in forms]
        room = core.flash_end - START
        for code in (*_packed(halves, room), b"".join(longs)):
            self._compare(core, folder, code, table)

    def _compare(self, core, folder, code, table):
        (folder / "code.bin").write_bytes(code)
        options = ("-D", "-b", "binary", "-m", "riscv:rv32", f"--adjust-vma={START:#x}", "-M", "no-aliases")
        listing = core.tools.run("objdump", *options, folder / "code.bin")
        sim, seen = core.simulator(), 0
        sim.load(START, code)
        for line in re.finditer(r"^ +([0-9a-f]+):\t([0-9a-f]+) +\t(\S+)(.*)$", listing, re.M):
            found = sim.form_at(int(line[1], 16))
            ours = table[found[0]].text.split()[0].lower() if found else ""
            theirs = "" if lacks(line[3], line[4], core.simulated) else line[3].removesuffix("64")
            assert ours == theirs, line[0]
            seen += len(line[2]) // 2
        assert seen == len(code)


def _packed(pieces, room):
    """Images of as many pieces as there is room for."""
    size = room // 2 - 8
    return [b"".join(pieces[n : n + size]) for n in range(0, len(pieces), size)]


def lacks(name: str, operands: str, core: str) -> bool:
    """What the disassembler knows and RV32 without F and D has not, or the core."""
    if name.startswith((".", "c.f", "c.unimp")) or operands.strip() == "sp,0" and name == "c.addi16sp":
        return True
    if name in ("c.slli", "c.srli", "c.srai") and re.search(r",0x[2-9a-f]\w$", operands.strip()):
        return True
    return core != "ibex-imc" and bool(re.search(r"\b(a[67]|s[2-9]|s1[01]|t[3-6])\b", operands))
