"""Examples of every form of the MSP430's table, and what the fact sheets say that they cost."""

import re

from tightfit.harness.simulator import Form

from .forms import Example, Forms, Image, place

START, RAM = 0x4000, range(0x1100, 0x3100)
CG = (0, 1, 2, 4, 8, -1)
SOURCES = {
    "Rn": ("r5",), "#CG": tuple(f"#{n}" for n in CG), "@Rn": ("@r5",), "@Rn+": ("@r5+",),
    "#N": ("#0x4100",), "x(Rn)": ("6(r5)",), "EDE": ("data",), "&EDE": ("&0x1202",),
}  # fmt: skip
DESTINATIONS = {"Rn": "r6", "PC": "r0", "x(Rn)": "-2(r6)", "EDE": "data", "&EDE": "&0x1204"}
# Clocks as the fact sheets have them, by source: to Rm, to PC, to memory.
CPU = {
    "Rn": (1, 2, 4), "#CG": (1, 2, 4), "@Rn": (2, 2, 5), "@Rn+": (2, 3, 5), "#N": (2, 3, 5),
    "x(Rn)": (3, 3, 6), "EDE": (3, 3, 6), "&EDE": (3, 3, 6),
}  # fmt: skip
# To Rm, to PC, to memory, the last one less for some operations; to PC as TI has it for the later CPUX.
CPUX = {
    "Rn": (1, 3, 4), "#CG": (1, 3, 4), "@Rn": (2, 4, 5), "@Rn+": (2, 4, 5), "#N": (2, 3, 5),
    "x(Rn)": (3, 5, 6), "EDE": (3, 5, 6), "&EDE": (3, 5, 6),
}  # fmt: skip
# With an extension word: the same for operands of 8 and 16 bits, and of 20.
LONG = {
    "Rn": ((2, 2), (4, 4), (5, 7)), "@Rn": ((3, 4), (5, 6), (6, 9)), "#N": ((3, 3), (4, 4), (6, 8)),
    "x(Rn)": ((4, 5), (6, 7), (7, 10)),
}  # fmt: skip
LONG |= {"#CG": LONG["Rn"], "@Rn+": LONG["@Rn"], "EDE": LONG["x(Rn)"], "&EDE": LONG["x(Rn)"]}
LONG_SINGLE = {
    "SHIFT": {"Rn": (2, 2), "@Rn": (4, 6), "@Rn+": (4, 6), "x(Rn)": (5, 7), "EDE": (5, 7), "&EDE": (5, 7)},
    "PUSHX": {
        "Rn": (4, 5), "#CG": (4, 5), "@Rn": (4, 6), "@Rn+": (4, 6), "#N": (4, 5), "x(Rn)": (5, 7),
        "EDE": (5, 7), "&EDE": (5, 7),
    },
}  # fmt: skip
LONG_DOUBLE, LONG_OF_ONE = 6, 7
"""Formats of the table with an extension word."""
REPEATED = ("rpt #16 {", "rpt r7 {")
"""R7 says 5."""
PUSH = {
    "msp430": {"Rn": 3, "#CG": 3, "@Rn": 4, "@Rn+": 5, "#N": 4, "x(Rn)": 5, "EDE": 5, "&EDE": 5},
    "msp430xv2": {"Rn": 3, "#CG": 3, "@Rn": 3, "@Rn+": 3, "#N": 3, "x(Rn)": 4, "EDE": 4, "&EDE": 4},
}
CALL = {
    "msp430": {"Rn": 4, "@Rn": 4, "@Rn+": 5, "#N": 5, "x(Rn)": 5, "EDE": 5, "&EDE": 5},
    "msp430xv2": {"Rn": 4, "@Rn": 4, "@Rn+": 4, "#N": 4, "x(Rn)": 5, "EDE": 5, "&EDE": 6},
}
PUSH["msp430x"], CALL["msp430x"] = PUSH["msp430xv2"], CALL["msp430xv2"]
SHIFT = {"Rn": 1, "@Rn": 3, "@Rn+": 3, "x(Rn)": 4, "EDE": 4, "&EDE": 4}
LESS = {"PC": ("MOV", "ADD", "SUB"), "memory": ("MOV", "BIT", "CMP")}
BITS = {"RRCM": 1, "RRAM": 1, "RLAM": 1, "RRUM": 1}


# A constant or an immediate as the operand of a shift or call, a destination x(R3), a byte form that does not
# exist, RETI and CALLA with stray bits, extension words, SR and R3 in instructions of the CPUX.
WITHOUT_MEANING = (
    *(0x1043, 0x1293, 0x12A2, 0x1030, 0x40C3, 0x5583, 0x10C5, 0x11C5, 0x12C5, 0x1301, 0x133F, 0x13A0),
    *(0x1800, 0x1FFF, 0x0002, 0x0203, 0x0043, 0x1514, 0x17FF),
)

# The sheet's list for a new core, in words and clocks.
CHECK_LIST = {
    "mov #1, r7": 1, "bit #1, r7": 1, "add #4, 2(r5)": 4, "mov #x, r0": 3, "ret": 3, "push r7": 3,
    "pop r7": 2, "call #x": 5, "xor 2(r5), 4(r6)": 6, "mov &x, r7": 3, "jnz x": 2, "swpb r7": 1,
    "rrc @r5": 3, "rrc 2(r5)": 4, "clr r7": 1, "inc 2(r5)": 4, "tst 0(r5)": 4, "rla r7": 1, "rlc 2(r5)": 6,
    "inv r7": 1, "inv 2(r5)": 4, "setc": 1, "dint": 1, "eint": 1, "nop": 1, "adc r7": 1, "sbc 2(r5)": 4,
    "dadd r5, r7": 1, "mov sp, r7": 1, "mov r7, sp": 1, "add #2, sp": 1, "push sr": 3, "mov @sp+, sr": 2,
    "mov.b tab(r7), r6": 3, "xor.b tab(r7), 2(r5)": 6,
}  # fmt: skip


def _examples(form: Form) -> list[Example]:
    if form.core:
        return _extended(form)
    name, _, operands = form.text.partition(" ")
    if operands == "$":
        return [Example(form, f"{name} 1f", 1)]
    collected = []
    sources = SOURCES.get(form.field, ("",))
    if name == "PUSH" and form.field == "#CG":
        sources = ("#0", "#1", "#2", "#-1")  # GNU as keeps 4 and 8 from the generator: erratum CPU4
    for source in sources:
        for size in ("", ".b") if form.es else ("",):
            target = f", {DESTINATIONS[form.layout]}" if form.layout else ""
            if (size, source, target) != (".b", "#0", ", r3"):
                collected.append(Example(form, f"{name}{size} {source}{target}".strip(), 1))
    return collected


def _long(form: Form) -> list[Example]:
    """With an extension word: each size, on registers also repeated."""
    name = form.text.split()[0]
    target = f", {DESTINATIONS[form.layout]}" if form.layout else ""
    sources = SOURCES[form.field]
    if name == "PUSHX" and form.field == "x(Rn)":
        sources = (*sources, "4(sp)")
    collected = []
    for source in sources:
        for size in ("", ".b", ".a") if form.es else ("", ".a"):
            text = f"{name}{size} {source}{target}"
            if form.map == LONG_OF_ONE and source == "data":
                text = _relative(form, size)
            collected.append(Example(form, text, 1 + (source == "4(sp)")))
            if form.field == "Rn" and form.layout in ("Rn", "") and name != "PUSHX":
                counts = zip(REPEATED, (16, 5), strict=True)
                collected += [Example(form, f"{prefix} {text}", count) for prefix, count in counts]
    return collected


def _relative(form: Form, size: str) -> str:
    """EDE of a format with one operand, where the assembler is not TI's (M15); `images` fills it in."""
    byte = size == ".b" or (size == ".a" and form.es)
    return f".short {0x1800 if size == '.a' else 0x1840:#x}, {form.opcode | byte << 6 | 0x10:#x}, 0 ; {size}"


def _extended(form: Form) -> list[Example]:
    if form.map in (LONG_DOUBLE, LONG_OF_ONE):
        return _long(form)
    name, _, operands = form.text.partition(" ")
    if form.text == "CALLA x(Rn)":
        return [Example(form, "CALLA 6(r5)", 1), Example(form, "CALLA 4(sp)", 2)]
    if "#n" in operands:
        counts = (1, 2, 3, 4) if name[:4] in BITS else (1, 2, 7, 12)
        return [Example(form, f"{name} #{n}, r15", n) for n in counts]
    for pattern, operand in (
        (r"\bRn\b", "r5"),
        (r"\bRd\b", "r6"),
        (r"\bPC\b", "r0"),
        (r"#N", "#0x12344"),
        (r"\bx\(", "6("),
        (r"&EDE", "&0x1204"),
        (r"(?<!&)\bEDE", "data"),
    ):
        operands = re.sub(pattern, operand, operands)
    return [Example(form, f"{name} {operands}".strip(), 1)]


def _clocks(core: str, example: Example) -> int:
    form = example.form
    name = re.split(r"[ .]", form.text)[0]
    if form.map in (LONG_DOUBLE, LONG_OF_ONE):
        return _long_clocks(form, name, example) + example.more - 1
    if form.core:
        return _extended_clocks(form, name, example.more)
    if form.layout:
        kind = {"Rn": "Rn", "PC": "PC"}.get(form.layout, "memory")
        row = (CPU if core == "msp430" else CPUX)[form.field]
        clocks = row[("Rn", "PC", "memory").index(kind)]
        less = {"msp430": (), "msp430x": ("PC", "memory"), "msp430xv2": ("memory",)}[core]
        return clocks - (kind in less and name in LESS[kind])
    if name in ("PUSH", "CALL"):
        return {"PUSH": PUSH, "CALL": CALL}[name][core][form.field]
    return 5 if name == "RETI" else 2 if form.text.endswith("$") else SHIFT[form.field]


def _long_clocks(form: Form, name: str, example: Example) -> int:
    address = f"{name}.a" in example.text or example.text.endswith("; .a")
    if form.map == LONG_OF_ONE:
        return LONG_SINGLE.get(name, LONG_SINGLE["SHIFT"])[form.field][address]
    kind = {"Rn": "Rn", "PC": "PC"}.get(form.layout, "memory")
    clocks = LONG[form.field][("Rn", "PC", "memory").index(kind)][address]
    if name.removesuffix("X") not in LESS.get(kind, ()):
        return clocks
    if kind == "PC":
        return clocks - (form.field in ("#N", "x(Rn)", "EDE", "&EDE"))
    return clocks - (2 if address else 1)


def _extended_clocks(form: Form, name: str, count: int) -> int:
    if name in BITS:
        return count
    if name in ("PUSHM", "POPM"):
        return 2 + count * (2 if ".A" in form.text else 1)
    if name == "CALLA":
        source = form.text.split()[1]
        return {"Rn": 5, "#N": 5, "x(Rn)": 4 + count, "@Rn": 6, "@Rn+": 6}.get(source, 7)
    if name == "RETA":
        return 5
    source, target = form.text.split()[1].split(",")
    memory = {"@Rn": 3, "@Rn+": 3, "&EDE": 4, "x(Rn)": 4}
    if source in memory:
        return memory[source] + 2 * (target == "PC")
    if source == "#N":
        return 2 if name == "MOVA" and target != "PC" else 3
    return {"Rd": 1, "PC": 3}.get(target, 4)


class Msp430Forms(Forms):
    """Every form with every constant, byte and word; "
    "`more` is the number of registers or bits that it names."""

    count = 1083
    register = "sr"
    flags = {"V": 0x100, "N": 0x04, "Z": 0x02, "C": 0x01}
    repeats = 6

    def has(self, machine, form):
        return not form.core or machine != "msp430"

    def images(self, core):
        forms = [form for form in core.simulator().forms() if self.has(core.name, form)]
        tail = "nop\n.data\n.space 0x100\ndata: .space 64"
        chosen = [example for form in forms for example in _examples(form)]
        code, placed = place(core, chosen, after="\n1:", tail=tail)
        filled = bytearray(code)
        for each in placed:
            if each.text.startswith(".short"):
                at, index = each.address - START, 0x1200 - (each.address + 4) & 0xFFFFF
                filled[at] |= index >> 16
                filled[at + 4 : at + 6] = (index & 0xFFFF).to_bytes(2, "little")
        return [Image(bytes(filled), placed, [{}])]

    def prepare(self, sim, placed, state):
        sim.reset()
        sim.write(0x1200, state.get("fill", bytes(0x200)))
        for name, value in {"sp": 0x1300, "r5": 0x1220, "r6": 0x1230, "r7": 4, **state}.items():
            if name != "fill":
                sim.registers[name] = value

    def expected(self, core, placed, run, state):
        clocks = _clocks(core.name, placed.example)
        leaves = run.status == "fetch from non-executable"  # what was written to PC
        return {"status": run.status if leaves else "steps", "cycles": clocks, "base": clocks}

    def random_state(self, placed, chance):
        sr = sum(bit for bit in self.flags.values() if chance.randrange(2))
        return {"fill": chance.randbytes(0x200), "r5": chance.choice(RAM[0x120:0x180:2]), "sr": sr}

    def check_table(self, forms):
        assert sum(form.core == "CPUX" and form.map < LONG_DOUBLE for form in forms) == 43
        assert sum(form.map >= LONG_DOUBLE for form in forms) == 12 * 40 + 4 * 6 + 8

    def against_disassembler(self, core, folder):
        """It sees the same instructions."""
        (image,) = self.images(core)
        (folder / "code.bin").write_bytes(image.code)
        elf = core.tools.link(f'.text\n.incbin "{folder}/code.bin"\n', folder)
        listing = core.tools.run("objdump", "-d", elf)
        lines = re.finditer(r"^ +([0-9a-f]+):\t(?:.. )+ *\t\S", listing, re.M)
        assert {int(match[1], 16) for match in lines} >= {placed.address for placed in image.placed}
