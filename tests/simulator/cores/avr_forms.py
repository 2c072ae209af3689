"""Examples of every form of the AVR's table, and what they cost."""

import random
import re

from tightfit.harness.simulator import Simulator

from .avr_encoding import ENDS, Operands, choose, encode, examples, text
from .avr_parts import DATA, XT_REGISTERS
from .forms import Example, Forms, Image, Placed, place

FLAGS = "ITHSVNZC"
ALIASES = {
    "lsl": "add", "rol": "adc", "tst": "and", "clr": "eor", "ser": "ldi", "sbr": "ori", "cbr": "andi",
    "brlo": "brcs", "brsh": "brcc", "std": "st", "ldd": "ld",
    **{f"se{flag.lower()}": "bset" for flag in FLAGS}, **{f"cl{flag.lower()}": "bclr" for flag in FLAGS},
}  # fmt: skip
NOT_MODELLED = ("spm", "eijmp", "eicall", "des", "xch", "las", "lac", "lat")
SKIPS = ("CPSE", "SBRC", "SBRS", "SBIC", "SBIS")
SMALL = ("MUL", "MULS", "MULSU", "FMUL", "FMULS", "FMULSU", "JMP", "CALL", "ELPM")
LACKING = {
    "ATtiny45": SMALL, "ATtiny85": SMALL, "ATmega328P": ("ELPM",), "ATtiny1614": ("ELPM",),
    "ATtiny814": ("JMP", "CALL", "ELPM"),
}  # fmt: skip
XT_CLOCKS = {"ST": 1, "STD": 1, "PUSH": 1, "SBI": 1, "CBI": 1, "RCALL": 2, "ICALL": 2, "CALL": 3, "LDS": 3}
"""All that costs AVRxt other than AVRe+ (DS40002198A, tables 4-2 to 4-6)."""
FIXED = {"D5_K16": 0x0200, "K7": 5, "K12": 5, "K22": 0x1234}
"""An address in RAM, and targets elsewhere in the flash."""
GAP = b"\0\0\0\0"


def mnemonic(text: str) -> str:
    """As the table has it."""
    name = text.split()[0].lower() if text else ".word"
    return ".word" if name in NOT_MODELLED else ALIASES.get(name, name)


class AvrForms(Forms):
    """Random operands of each form against the assembler; harmless ones to be run."""

    count = 102
    register = "sreg"
    flags = {flag: 0x80 >> n for n, flag in enumerate(FLAGS)}
    ended = {"SLEEP": "HALT reached", "BREAK": "BRK reached"}
    no_flags = ("OUT A,Rr",)
    every_flag_shows = True
    registers = DATA
    """Where they are for the host."""

    def has(self, machine, form):
        return form.text.split()[0] not in LACKING.get(machine, ())

    def images(self, core):
        table, chance = list(core.simulator().forms()), random.Random(3)
        chosen = [(form, o) for form in table for o in examples(form, 40, chance)]
        chosen = [(form, o) for form, o in chosen if form.layout != "K22" or o.k < 0x10000]
        code, placed = place(core, (Example(form, text(form, o), o) for form, o in chosen))
        for each in placed:
            assert code[each.address : each.after] == encode(each.form, each.example.more), each.text
        return Image(code, placed), self._harmless(table, chance)

    def _harmless(self, table, chance):
        """Sixty times every form, so that each is also at the beginning, where there is flash on any part."""
        code, placed = bytearray(), []
        for form in [form for n in range(60) for form in table if n == 0 or form.layout != "NONE"]:
            o = choose(form, chance)
            o = Operands(o.d, o.r, FIXED.get(form.layout, o.k), o.b)
            placed.append(Placed(Example(form, text(form, o), o), len(code), len(code) + form.length))
            code += encode(form, o) + GAP
        states = [{"sreg": sreg, "fill": fill} for sreg in (0, 0xFF) for fill in (0, 0x7F)]
        return Image(bytes(code), placed, states)

    def prepare(self, sim, placed, state):
        sim.reset()
        sim.write(self.registers, bytes([state["fill"]]) * 26 + b"\x00\x02" * 3)
        sim.write(DATA + 0x100, bytes([state["fill"]]) * 0x400)
        sim.registers["sp"] = 0x0300
        for name, value in state.get("registers", {}).items():
            sim.registers[name] = value
        for pair in "xyz" if "registers" in state else "":
            sim.registers[pair] = 0x0200
        sim.registers["sreg"] = state["sreg"]

    def expected(self, core, placed, run, state):
        form = placed.form
        skipped = form.text.startswith(SKIPS) and run.pc == placed.after + 2
        base = form.taken if form.taken and run.pc != placed.after else form.clocks
        status = self.ended.get(form.text, "steps")
        waits = {**dict.fromkeys(run.waits, 0), "skip_waits": skipped}
        return {"status": status, "base": base, "waits": waits, "cycles": base + skipped}

    def random_state(self, placed, chance):
        names = ("r16", "r24", f"r{placed.example.more.r}")
        registers = {name: chance.choice((0, 0x7F, 0x80, chance.randrange(256))) for name in names}
        return {"sreg": chance.randrange(256), "fill": chance.randrange(256), "registers": registers}

    def rule(self, placed, flag):
        if placed.form.layout == "S" and 0x80 >> flag != 1 << placed.example.more.b:
            return "-"
        return placed.form.flags[flag]

    def check_table(self, forms):
        assert all(form.marks in ("CC", "MC") and len(form.flags) == 8 for form in forms)
        assert [form.text for form in forms if form.marks == "MC"] == list(ENDS)

    def against_disassembler(self, core, folder):
        """Every one of the 65,536 first words, undefined combinations too."""
        sim, table, start = core.simulator(), list(core.simulator().forms()), 0x0800
        told = {}
        for high in range(0, 0x10000, 0x4000):
            code = b"".join(word.to_bytes(2, "little") + b"\0\0" for word in range(high, high + 0x4000))
            told |= {high + at // 4: line for at, line in _disassembled(core, code, folder) if at % 4 == 0}
        assert len(told) == 0x10000
        for word, line in told.items():
            sim.load(start, word.to_bytes(2, "little") + b"\0\0")
            form = sim.form_at(start)
            ours = mnemonic(table[form[0]].text) if form else ".word"
            assert ours == mnemonic(line), f"{word:04X} {line}"


class XtForms(AvrForms):
    """The same forms with the clocks of AVRxt."""

    registers = XT_REGISTERS

    def check_table(self, forms):
        super().check_table(forms)
        classic = {form.text: form.clocks for form in Simulator("avre+", regions=()).forms()}
        expected = {text: XT_CLOCKS.get(text.split()[0], clocks) for text, clocks in classic.items()}
        assert {form.text: form.clocks for form in forms} == expected


def _disassembled(core, code, folder):
    """(address, text) of each instruction; no text where the disassembler calls it undefined."""
    path = folder / "code.bin"
    path.write_bytes(code)
    for line in core.tools.run("objdump", "-D", "-z", "-bbinary", "-mavr:51", path).splitlines():
        match = re.match(r" *([0-9a-f]+):\t[^\t]+\t(.*)", line)
        if match:
            words = match[2].partition(";")
            yield int(match[1], 16), "" if words[2].strip() == "undefined" else words[0].strip()
