"""Examples of every form of the RL78's table, and what they cost."""

import itertools
import re
from collections.abc import Iterator, Sequence

from tightfit.harness.simulator import Form

from .forms import Example, Forms, Image, place

REGISTERS = "xacbedlh"
PAIRS = ("ax", "bc", "de", "hl")
FIELDS: dict[str, Sequence] = {
    "NONE": ("",), "R": REGISTERS, "R_NOT_A": "xcbedlh", "R_NOT_AX": "cbedlh", "R_XACB": "xacb",
    "RP": PAIRS, "RP_NOT_AX": PAIRS[1:], "RP_HIGH": PAIRS, "BIT": range(8), "BIT_IE": ("",),
    "COUNT8": range(1, 8), "COUNT16": range(1, 16), "BANK": range(4), "CALLT": range(0x80, 0xC0, 2),
}  # fmt: skip
RANK = {"S1": 1, "S2": 2, "S3": 3}
# Forms whose clocks the lock-step cannot judge, because the GNU simulator has others: docs/simulator.md.
RULINGS = {
    r"XCH A,(saddr|sfr|!addr16|\[.*\])": 2,
    r"(SET1|CLR1) (!addr16|saddr|sfr|\[HL\])\.bit": 2,
    r"MOV1 (saddr|sfr|\[HL\])\.bit,CY": 2,
    r"MOV PSW,(#byte|A)": 3,
    r"POP PSW": 3,
    r"(SET1|CLR1|MOV1) PSW\.bit(,CY)?": 4,
    r"EI|DI": 4,
    r"CALLT \[addr5\]|BRK": 5,
    r"RETI|RETB": 6,
    r"HALT|STOP": 3,
}


def examples(forms: Sequence[Form], *, address: str = "0xf020", base: str = "0xf000") -> Iterator[Example]:
    """Every form with every value of its field, plain and with ES:, which is what `more` says.

    `address` goes where the form has !addr16, `base` where it has word[...].
    """
    for form in forms:
        for value, es in itertools.product(FIELDS[form.field], range(form.es + 1)):
            yield Example(form, _text(form, value, es, address, base), es, prefix=es)


def _text(form: Form, value, es: int, address: str, base: str) -> str:
    mnemonic, _, operands = form.text.partition(" ")
    jump = mnemonic in ("CALL", "BR")
    operands = re.sub(r"\br\b|\brp\b|\bcnt\b", str(value), operands)
    operands = operands.replace(".bit", f".{value}").replace("RBn", f"rb{value}").replace("addr5", str(value))
    for pattern, operand in (
        ("#byte", "#0x12"),
        ("#word", "#0x1234"),
        ("saddrp", "0xffe40"),
        ("saddr", "0xffe40"),
        ("sfrp", "0xfff60"),
        ("sfr", "0xfff30"),
        ("$addr20", "$1f"),
        ("$!addr20", "$!1f"),
        ("!!addr20", "!!1f"),
        ("!addr16", "!1f" if jump else f"!{address}"),
        ("word[", f"{base}["),
        ("+byte]", "+4]"),
    ):
        operands = operands.replace(pattern, operand)
    return f"{mnemonic} {_with_es(operands) if es else operands}".strip().lower()


def _with_es(operands: str) -> str:
    parts = operands.split(",")
    memory = next(i for i, part in enumerate(parts) if "[" in part or part.startswith("!"))
    parts[memory] = f"es:{parts[memory]}"
    return ",".join(parts)


class Rl78Forms(Forms):
    """Data in RAM, and in flash for the forms that read it."""

    count = 348
    register = "psw"
    flags = {"Z": 0x40, "AC": 0x10, "CY": 0x01}
    aliases = {"EI": "SET1 PSW.bit", "DI": "CLR1 PSW.bit"}
    ended = {"HALT": "HALT reached", "STOP": "STOP reached", "BRK": "BRK reached"}
    repeats = 8
    always_steps = True

    def has(self, machine, form):
        return RANK[form.core] <= RANK.get(machine[-2:].upper(), 3)

    def images(self, core):
        table = list(core.simulator().forms())
        reading = [form for form in table if form.flash]
        ram = place(core, examples(table), after="nop\n1: nop")
        flash = place(core, examples(reading, address="0x3020", base="0x3000"), after="nop\n1: nop")
        in_ram = [
            {"psw": psw, "fill": fill, "data": 0xF000, "es": 15} for psw in (0x06, 0x47) for fill in (0, 255)
        ]
        in_flash = [{"psw": 0x06, "fill": 0, "flash": fill, "data": 0x3000, "es": 0} for fill in (0, 255)]
        return Image(*ram, in_ram), Image(*flash, in_flash)

    def prepare(self, sim, placed, state):
        if "flash" in state:
            sim.load(0x3000, bytes([state["flash"]]) * 0x300)
        sim.reset()
        sim.write(0xFEF00, bytes([state["fill"]]) * 0xFE0)
        sim.write(0xFFE00, bytes([0x00, 0x20, 0x00, state["psw"]]))
        registers = {
            "sp": 0xFE00,
            "ax": 0x1234,
            "bc": 0x0204,
            "de": state["data"] + 0x10,
            "hl": state["data"],
        }
        registers |= {name: state[name] for name in ("psw", "es", "a", "x") if name in state}
        for name, value in registers.items():
            sim.registers[name] = value

    def expected(self, core, placed, run, state):
        form, es = placed.form, placed.example.more
        taken = form.taken and run.pc != placed.after
        told = {"status": self.ended.get(form.text, "steps"), "es_waits": es, "hazard_waits": 0}
        if "flash" in state:
            return {**told, "cycles": form.flash + es + bool(taken), "flash_waits": 2 if taken else 3}
        skipped = form.text.startswith("SK") and run.pc != placed.after
        base = form.taken if taken else form.clocks
        return {**told, "base": base, "flash_waits": 0, "skip_waits": skipped, "cycles": base + es + skipped}

    def random_state(self, placed, chance):
        psw = chance.choice([0x00, 0x01, 0x10, 0x11, 0x40, 0x41, 0x50, 0x51]) | 0x06
        fill, a, x = (chance.randrange(256) for _ in range(3))
        return {"psw": psw, "fill": fill, "a": a, "x": x, "data": 0xF000, "es": 0x0F}

    def check_table(self, forms):
        assert sum(form.es for form in forms) == 127
        assert all(len(form.marks) == 4 for form in forms)
        assert all(form.flash == form.clocks + 3 for form in forms if form.flash)
        assert sum(1 for form in forms if form.flash) == 79
        for form in forms:
            told = [clocks for pattern, clocks in RULINGS.items() if re.fullmatch(pattern, form.text)]
            differs = "sim!" in form.sources.split("; flash")[0] or "sim:" in form.sources
            assert bool(told) == differs, form.text
            assert not told or told == [form.clocks], form.text
