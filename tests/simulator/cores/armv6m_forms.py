"""Examples of every form of ARMv6-M's table, and what the disassembler makes of every halfword."""

import re

from .armv6m_part import START
from .forms import Example, Forms, Image, place

RAM, STACK = range(0x20000000, 0x20001800), 0x20001000
FLAGS = {"N": 1 << 31, "Z": 1 << 30, "C": 1 << 29, "V": 1 << 28}
CODE = START + 1
# R1 points to RAM, R4 is zero, R5 points to code, R6 is a place for a stack.
GIVEN = {"r1": 0x20000800, "r4": 0, "r5": CODE, "r6": STACK, "lr": CODE, "sp": STACK}
TEXTS = {
    "MOVS Rd,Rm": ("movs r2, r3",),
    "LSLS Rd,Rm,#i": ("lsls r2, r3, #1", "lsls r2, r3, #31"),
    "LSRS Rd,Rm,#i": ("lsrs r2, r3, #1", "lsrs r2, r3, #32"),
    "ASRS Rd,Rm,#i": ("asrs r2, r3, #7", "asrs r2, r3, #32"),
    "ADDS Rd,Rn,#i": ("adds r2, r3, #0", "adds r2, r3, #7"),
    "SUBS Rd,Rn,#i": ("subs r2, r3, #7",),
    "MOVS Rd,#i": ("movs r2, #0", "movs r2, #255"),
    "CMP Rn,#i": ("cmp r2, #200",),
    "ADDS Rd,#i": ("adds r2, #8",),
    "SUBS Rd,#i": ("subs r2, #255",),
    "TST Rn,Rm": ("tst r2, r3",),
    "RSBS Rd,Rn,#0": ("rsbs r2, r3, #0",),
    "CMP Rn,Rm": ("cmp r2, r3",),
    "CMN Rn,Rm": ("cmn r2, r3",),
    "MULS Rd,Rn,Rd": ("muls r2, r3, r2",),
    "MVNS Rd,Rm": ("mvns r2, r3",),
    "ADD PC,Rm": ("add pc, r4",),
    "ADD Rd,Rm": ("add r2, r3", "add r8, r3", "add sp, r4", "add r2, pc", "add lr, sp"),
    "CMP Rn,Rm high": ("cmp r8, r3", "cmp r2, r9", "cmp r9, sp"),
    "MOV PC,Rm": ("mov pc, r5", "mov pc, pc"),
    "MOV Rd,Rm": ("mov r2, r3", "mov r2, r12", "mov r11, sp", "mov sp, r6", "mov r10, pc"),
    "BX Rm": ("bx lr", "bx r5"),
    "BLX Rm": ("blx r5",),
    "LDR Rt,[PC,#i]": ("ldr r2, [pc, #0]", "ldr r2, [pc, #8]"),
    "STR Rt,[SP,#i]": ("str r2, [sp, #8]",),
    "LDR Rt,[SP,#i]": ("ldr r2, [sp, #1020]",),
    "ADR Rd,label": ("add r2, pc, #16",),
    "ADD Rd,SP,#i": ("add r2, sp, #16",),
    "ADD SP,SP,#i": ("add sp, #8",),
    "SUB SP,SP,#i": ("sub sp, #508",),
    "PUSH {list}": ("push {r2}", "push {r0-r7, lr}", "push {lr}"),
    "POP {list}": ("pop {r2}", "pop {r0-r7}"),
    "POP {list,PC}": ("pop {pc}", "pop {r0-r7, pc}"),
    "STM Rn!,{list}": ("stm r1!, {r2}", "stm r1!, {r1-r7}"),
    "LDM Rn!,{list}": ("ldm r1!, {r0, r2-r7}", "ldm r1, {r1, r2}"),
    "SVC #i": ("svc #7",),
    "BKPT #i": ("bkpt #7",),
    "B label": ("b . + 6",),
    "BL label": ("bl . + 8",),
    "CPSIE i": ("cpsie i",),
    "CPSID i": ("cpsid i",),
    "MRS Rd,spec": ("mrs r2, apsr", "mrs r12, primask", "mrs r2, msp", "mrs r2, control", "mrs r2, ipsr"),
    "NOP": (".short 0xbf00",),
    "MSR spec,Rn": ("msr apsr_nzcvq, r3", "msr primask, r3", "msr msp, r6", "msr ipsr, r3"),
}
# Opcodes that the disassembler knows of later cores.
LATER = re.compile(r"(cbn?z|it[te]*|setend|setpan|hlt|sevl|nop\.?w?|hint|esb|csdb|cps)")
# What ARMv6-M leaves open.
OPEN = re.compile(
    r"<und>|UNDEFINED|<UNPREDICTABLE>|\{\}|bxns|blxns|b(l?)x\tpc|unpredictable|sp, pc$|udf|yield\.w", re.I
)


def _texts(form):
    if form.text in TEXTS:
        return TEXTS[form.text]
    name, _, operands = form.text.partition(" ")
    name = name.lower()
    if operands == "label":
        return (f"{name} . + 6",)
    if operands.endswith("[Rn,Rm]"):
        return (f"{name} r2, [r1, r4]",)
    if operands.endswith("[Rn,#i]"):
        return (f"{name} r2, [r1, #0]", f"{name} r2, [r1, #12]")
    if operands == "Rd,Rn,Rm":
        return (f"{name} r2, r3, r4",)
    return (f"{name} r2, r3",) if operands else (name,)


AFTER_IT = range(0xBF09, 0xC004)
"""Words that the disassembler takes for conditional ones."""


class Armv6mForms(Forms):
    count = 98
    register = "apsr"
    flags = FLAGS
    ended = {"SVC #i": "BRK reached", "BKPT #i": "BRK reached", "WFE": "HALT reached", "WFI": "HALT reached"}
    no_flags = ("MSR spec,Rn",)
    repeats = 40
    always_steps = True
    every_flag_shows = True

    def has(self, machine, form):
        return True

    def images(self, core):
        examples = [Example(form, text) for form in core.simulator().forms() for text in _texts(form)]
        code, placed = place(core, examples, tail=".rept 8\n nop\n .endr")
        return [Image(code, placed, [{"apsr": apsr} for apsr in (0, 0xF << 28)])]

    def prepare(self, sim, placed, state):
        sim.reset()
        sim.write(RAM.start, CODE.to_bytes(4, "little") * (len(RAM) // 4))
        for name, value in {**GIVEN, **state}.items():
            sim.registers[name] = value

    def expected(self, core, placed, run, state):
        form = placed.form
        base = form.taken if form.taken and run.pc != placed.after else form.clocks
        return {"status": self.ended.get(form.text, "steps"), "cycles": base + listed(placed.text)}

    def random_state(self, placed, chance):
        numbers = (0, 1, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, chance.getrandbits(32))
        state = {"apsr": chance.getrandbits(4) << 28}
        uses_r4 = placed.form.text in ("ADDS Rd,Rn,Rm", "SUBS Rd,Rn,Rm")
        names = ("r2", "r3", "r4", "r8", "r9") if uses_r4 else ("r2", "r3", "r8", "r9")
        return state | {name: chance.choice(numbers) for name in names}

    def check_table(self, forms):
        assert all(len(form.flags) == 4 for form in forms)
        assert [form.text for form in forms if form.marks == "M"] == ["SVC #i", "BKPT #i"]

    def against_disassembler(self, core, folder):
        """Every halfword of those that stand alone."""
        sim, table = core.simulator(), list(core.simulator().forms())
        words = range(0xE800)
        (folder / "code.bin").write_bytes(b"".join(word.to_bytes(2, "little") for word in words))
        shown = core.tools.run(
            "objdump", "-D", "-z", "-bbinary", "-marm", "-Mforce-thumb", folder / "code.bin"
        )
        told = {
            int(at, 16) // 2: text for at, text in re.findall(r"^ *([0-9a-f]+):\t\S+ +\t(.*)$", shown, re.M)
        }
        assert len(told) == len(words)
        for word in words:
            sim.load(START, word.to_bytes(2, "little"))
            form, text = sim.form_at(START), told[word]
            if form is None:
                assert LATER.match(text) or OPEN.search(text) or open_here(text), f"{word:04X} {text}"
            else:
                ours = table[form[0]].text.split()[0].lower()
                theirs = "mov" if "(mov r8, r8)" in text else re.split(r"[\s.]", text)[0]
                same = SAME.get(theirs, theirs) == ours or theirs == SAME.get(ours)
                assert same or (word in AFTER_IT and theirs.startswith(ours)), f"{word:04X} {text}"


SAME = {
    **{"negs": "rsbs", "bcs.n": "bcs", "ldmia": "ldm", "stmia": "stm", "nop": "nop"},
    **{"adr": "add", "bkpt": "bkpt", "undefined": "udf"},
}


def listed(text: str) -> int:
    """Registers in a list."""
    match = re.search(r"\{(.*)\}", text)
    if not match:
        return 0
    names = [name.strip() for name in match[1].split(",")]
    return sum(1 + int(n.split("-")[1][1:]) - int(n.split("-")[0][1:]) if "-" in n else 1 for n in names)


def open_here(text: str) -> bool:
    """Jumps with other bits set, CMP of low registers or PC, SP taken from PC, a base that is stored last."""
    name, _, operands = text.partition("\t")
    if name.startswith("stm"):
        base, _, registers = operands.partition("!")
        numbers = re.findall(r"r(\d)", registers)
        return f"r{min(numbers)}" != base
    return name in ("bx", "blx", "cmp") or (name in ("add", "mov") and "pc" in operands)
