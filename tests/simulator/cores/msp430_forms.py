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
# To Rm, to PC, to memory; the last two are one less for some operations.
CPUX = {
    "Rn": (1, 3, 4), "#CG": (1, 3, 4), "@Rn": (2, 4, 5), "@Rn+": (2, 4, 5), "#N": (2, 3, 5),
    "x(Rn)": (3, 5, 6), "EDE": (3, 5, 6), "&EDE": (3, 5, 6),
}  # fmt: skip
PUSH = {
    "msp430": {"Rn": 3, "#CG": 3, "@Rn": 4, "@Rn+": 5, "#N": 4, "x(Rn)": 5, "EDE": 5, "&EDE": 5},
    "msp430x": {"Rn": 3, "#CG": 3, "@Rn": 3, "@Rn+": 3, "#N": 3, "x(Rn)": 4, "EDE": 4, "&EDE": 4},
}
CALL = {
    "msp430": {"Rn": 4, "@Rn": 4, "@Rn+": 5, "#N": 5, "x(Rn)": 5, "EDE": 5, "&EDE": 5},
    "msp430x": {"Rn": 4, "@Rn": 4, "@Rn+": 4, "#N": 4, "x(Rn)": 5, "EDE": 5, "&EDE": 6},
}
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


def _extended(form: Form) -> list[Example]:
    name, _, operands = form.text.partition(" ")
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
    if form.core:
        return _extended_clocks(form, name, example.more)
    if form.layout:
        kind = {"Rn": "Rn", "PC": "PC"}.get(form.layout, "memory")
        row = (CPU if core == "msp430" else CPUX)[form.field]
        clocks = row[("Rn", "PC", "memory").index(kind)]
        return clocks - (core == "msp430x" and name in LESS.get(kind, ()))
    if name in ("PUSH", "CALL"):
        return {"PUSH": PUSH, "CALL": CALL}[name][core][form.field]
    return 5 if name == "RETI" else 2 if form.text.endswith("$") else SHIFT[form.field]


def _extended_clocks(form: Form, name: str, count: int) -> int:
    if name in BITS:
        return count
    if name in ("PUSHM", "POPM"):
        return 2 + count * (2 if ".A" in form.text else 1)
    if name == "CALLA":
        source = form.text.split()[1]
        return {"Rn": 5, "#N": 5, "x(Rn)": 5, "@Rn": 6, "@Rn+": 6}.get(source, 7)
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

    count = 570
    register = "sr"
    flags = {"V": 0x100, "N": 0x04, "Z": 0x02, "C": 0x01}
    repeats = 6

    def has(self, machine, form):
        return not form.core or machine == "msp430x"

    def images(self, core):
        forms = [form for form in core.simulator().forms() if self.has(core.name, form)]
        tail = "nop\n.data\n.space 0x100\ndata: .space 64"
        chosen = [example for form in forms for example in _examples(form)]
        return [Image(*place(core, chosen, after="\n1:", tail=tail), [{}])]

    def prepare(self, sim, placed, state):
        sim.reset()
        sim.write(0x1200, state.get("fill", bytes(0x200)))
        for name, value in {"sp": 0x1300, "r5": 0x1220, "r6": 0x1230, **state}.items():
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
        assert sum(bool(form.core) for form in forms) == 42

    def against_disassembler(self, core, folder):
        """It sees the same instructions."""
        (image,) = self.images(core)
        (folder / "code.bin").write_bytes(image.code)
        elf = core.tools.link(f'.text\n.incbin "{folder}/code.bin"\n', folder)
        listing = core.tools.run("objdump", "-d", elf)
        lines = re.finditer(r"^ +([0-9a-f]+):\t(?:.. )+ *\t\S", listing, re.M)
        assert {int(match[1], 16) for match in lines} >= {placed.address for placed in image.placed}
