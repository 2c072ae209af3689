"""ARMv6-M: Cortex-M0+ as the STM32C011F4, Cortex-M0 as the STM32F030F4."""

from dataclasses import replace

from tightfit.harness.simulator import Region, regions_of

from .armv6m_forms import Armv6mForms
from .armv6m_part import PARTS, START, TARGET, TOOLS
from .armv6m_unicorn import UNICORN
from .core import Calls, Case, Core, Firmware, Rule, drawn, lesser

N, Z, C, V = (1 << bit for bit in (31, 30, 29, 28))
MASK = (1 << 32) - 1
WORD = range(1 << 32)
EDGES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, WORD)
AMOUNTS = (0, 1, 31, 32, 33, 255, 256, 257, range(40), WORD)
RAM, TOP = 0x20000000, 0x20001000
DATA = RAM + 0x800


def place(core: str) -> dict:
    """What a core's table says of its part."""
    part = PARTS[core]
    return {"name": core, "simulated": core, "part": part, "regions": regions_of(part)}


def status(result, carry=0, overflow=0):
    return N * (result >> 31) | Z * (result == 0) | C * bool(carry) | V * bool(overflow)


def signed(value):
    return value - (value >> 31 << 32)


def added(a, b, carry):
    total = a + b + carry
    result = total & MASK
    outside = signed(a) + signed(b) + carry != signed(result)
    return result, status(result, total >> 32, outside)


def subtracted(a, b, carry):
    """Of a carry of 0 one more is taken."""
    exact = signed(a) - signed(b) - 1 + carry
    result = exact & MASK
    return result, status(result, a - b - 1 + carry >= 0, exact != signed(result))


def arithmetic(source, rule, carry, kept=True):
    """A `carry` of None is the one of the flags."""

    def result(s):
        value, flags = rule(s["r2"], s["r3"], bool(s["apsr"] & C) if carry is None else carry)
        return {"r2": value if kept else s["r2"], "apsr": flags}

    return Rule(source, drawn(300, r2=EDGES, r3=EDGES, apsr=(0, C)), result)


def logic(source, rule):
    def result(s):
        value = rule(s["r2"], s["r3"]) & MASK
        return {"r2": value, "apsr": status(value, s["apsr"] & C, s["apsr"] & V)}

    return Rule(source, drawn(100, r2=EDGES, r3=EDGES, apsr=(0, C | V)), result)


def shifted(kind, value, by):
    """The result, and the last bit that leaves."""
    match kind:
        case "lsls":
            return value << by & MASK, value << by >> 32 & 1
        case "lsrs":
            return value >> by, value >> by - 1 & 1
        case "asrs":
            return signed(value) >> by & MASK, signed(value) >> by - 1 & 1
    by %= 32
    result = (value >> by | value << 32 - by) & MASK
    return result, result >> 31


def shift(kind):
    def result(s):
        by = s["r3"] & 0xFF
        value, carry = shifted(kind, s["r2"], by) if by else (s["r2"], s["apsr"] & C)
        return {"r2": value, "apsr": status(value, carry)}

    return Rule(f"{kind} r2, r3", drawn(400, r2=EDGES, r3=AMOUNTS, apsr=(0, C)), result)


def shift_constant(kind, by):
    def result(s):
        value, carry = shifted(kind, s["r3"], by)
        return {"r2": value, "apsr": status(value, carry)}

    return Rule(f"{kind} r2, r3, #{by}", drawn(60, r3=EDGES, apsr=(0, C)), result)


def bytes_of(value):
    return value.to_bytes(4, "little")


def spread(source, rule):
    """An extension or an exchange of bytes, which leaves the flags."""
    return Rule(
        source,
        drawn(60, r3=EDGES, apsr=(0, N | C)),
        lambda s: {"r2": rule(s["r3"]) & MASK, "apsr": s["apsr"]},
    )


def low(value, bits):
    value &= (1 << bits) - 1
    return value - (value >> (bits - 1) << bits)


RULES = (
    arithmetic("adds r2, r2, r3", added, 0),
    arithmetic("adcs r2, r3", added, None),
    arithmetic("subs r2, r2, r3", subtracted, 1),
    arithmetic("sbcs r2, r3", subtracted, None),
    arithmetic("cmp r2, r3", subtracted, 1, kept=False),
    arithmetic("mov r8, r2; cmp r8, r3", subtracted, 1, kept=False),
    arithmetic("cmn r2, r3", added, 0, kept=False),
    arithmetic("rsbs r2, r3, #0", lambda a, b, c: subtracted(0, b, 1), 1),
    arithmetic("adds r2, #200", lambda a, b, c: added(a, 200, 0), 0),
    arithmetic("subs r2, #200", lambda a, b, c: subtracted(a, 200, 1), 1),
    arithmetic("adds r2, r3, #7", lambda a, b, c: added(b, 7, 0), 0),
    arithmetic("cmp r2, #255", lambda a, b, c: subtracted(a, 255, 1), 1, kept=False),
    logic("ands r2, r3", lambda a, b: a & b),
    logic("eors r2, r3", lambda a, b: a ^ b),
    logic("orrs r2, r3", lambda a, b: a | b),
    logic("bics r2, r3", lambda a, b: a & ~b),
    logic("mvns r2, r3", lambda a, b: ~b),
    logic("muls r2, r3, r2", lambda a, b: a * b),
    logic("movs r2, r3", lambda a, b: b),
    logic("movs r2, #129", lambda a, b: 129),
    *(shift(kind) for kind in ("lsls", "lsrs", "asrs", "rors")),
    *(shift_constant(kind, by) for kind in ("lsls", "lsrs", "asrs") for by in (1, 8, 31)),
    *(shift_constant(kind, 32) for kind in ("lsrs", "asrs")),
    spread("sxth r2, r3", lambda v: low(v, 16)),
    spread("sxtb r2, r3", lambda v: low(v, 8)),
    spread("uxth r2, r3", lambda v: v & 0xFFFF),
    spread("uxtb r2, r3", lambda v: v & 0xFF),
    spread("rev r2, r3", lambda v: int.from_bytes(bytes_of(v), "big")),
    spread("rev16 r2, r3", lambda v: (v & 0x00FF00FF) << 8 | v >> 8 & 0x00FF00FF),
    spread("revsh r2, r3", lambda v: low((v & 0xFF) << 8 | v >> 8 & 0xFF, 16)),
)  # fmt: skip

CORNERS = (
    Case("PC is four bytes on", "mov r2, pc; nop; f: mov r3, r2; end: nop", left={"r2": "f", "r3": "f"}),
    Case("a literal is found from the word of PC on",
         "nop; ldr r2, [pc, #4]; nop; b end; .word 0x12345678; end: nop", left={"r2": 0x12345678}),
    Case("ADR is of words", "nop; add r2, pc, #4; nop; end: nop", left={"r2": START + 8}),
    Case("the two lowest bits of SP do not exist",
         "ldr r2, =0x20000f87; mov sp, r2; mov r3, sp; add sp, r2; mov r4, sp",
         {"r2": 0}, {"r3": 0x20000F84}, told={"status": "stack above its region"}),
    Case("registers of a list are stored from the lowest on",
         "stm r1!, {r2, r4}; push {r4, r5, lr}; pop {r2, r3}; pop {r6}",
         {"r1": DATA, "r2": 0x11223344, "r4": 0x55667788, "r5": 0x99AABBCC, "lr": 0xDDEEFF01},
         {DATA: bytes.fromhex("4433221188776655"), "r1": DATA + 8, "r2": 0x55667788, "r3": 0x99AABBCC,
          "r6": 0xDDEEFF01, "sp": TOP}),
    Case("a loaded base is not moved on", "ldm r1, {r0, r1, r2}; ldm r3!, {r4}",
         {DATA: bytes(range(12)), "r1": DATA, "r3": DATA},
         {"r0": 0x03020100, "r1": 0x07060504, "r2": 0x0B0A0908, "r3": DATA + 4, "r4": 0x03020100}),
    Case("the base that is stored is the one before", "stm r1!, {r1, r2}", {"r1": DATA, "r2": 5},
         {DATA: bytes_of(DATA) + bytes_of(5), "r1": DATA + 8}),
    Case("bytes and halfwords are extended",
         "ldrb r2, [r1]; ldrsb r3, [r1, r0]; ldrh r4, [r1]; ldrsh r5, [r1, r0]; strb r2, [r1, #4];"
         "strh r5, [r1, #6]",
         {DATA: b"\xfe\xff\0\0\xaa\xbb\xcc\xdd", "r0": 0, "r1": DATA},
         {"r2": 0xFE, "r3": 0xFFFFFFFE, "r4": 0xFFFE, "r5": 0xFFFFFFFE, DATA + 4: b"\xfe\xbb\xfe\xff"}),
    Case("a call keeps where it returns to, with bit 0 set", "bl f; t: b end; f: mov r2, lr; bx lr; end: nop",
         left={"r2": START + 5}),
    Case("MOV and ADD to PC need no bit 0",
         "mov r2, pc; adds r2, #2; mov pc, r2; nop; movs r3, #4; add pc, r3; nop; nop; nop; movs r4, #1",
         left={"r3": 4, "r4": 1}),
    Case("special registers",
         "msr apsr_nzcvq, r2; mrs r3, apsr; mrs r4, primask; cpsid i; mrs r5, primask; mrs r6, msp; cpsie i;"
         "mrs r7, primask; mrs r1, control",
         {"r2": 0xFFFFFFFF}, {"r3": 0xF0000000, "r4": 0, "r5": 1, "r6": TOP, "r7": 0, "r1": 0, "primask": 0}),
)  # fmt: skip

FIRMWARE = Firmware(
    source=".text; .global _start; .type _start, %function;"
    "_start: ldr r0, =0x20001000; mov sp, r0; movs r4, #3; again: bl work; subs r4, #1; bne again; {end};"
    ".ltorg;"
    ".size _start, . - _start;"
    ".type work, %function; work: push {r4, lr}; pop {r4, pc}; .size work, . - work",
    ends=(("wfi", "HALT reached"), ("here: b here", "branch to itself"), ("bkpt #0", "BRK reached")),
    again="b _start",
    left={"r4": 0, "sp": 0x20001000},
    stack=8,
    costs={"work": (3, 3 * (3 + 5), 3 * (3 + 5))},
    start=2 + 1 + 1 + 3 * (3 + 1) + 2 + 2 + 1 + 2,
    machine="EM_ARM",
)

# Source, masks of registers before it (the first byte of data has 3C), masks after it.
MOVES = (
    ("eors r2, r2", {"r2": MASK}, {"r2": 0, "apsr": 0}),
    ("subs r2, r2, r2", {"r2": MASK}, {"r2": 0, "apsr": 0}),
    ("bics r2, r2", {"r2": MASK}, {"r2": 0}),
    ("sbcs r2, r2", {"r2": MASK, "apsr": C}, {"r2": MASK}),
    ("movs r2, #0", {"r2": MASK}, {"r2": 0, "apsr": 0}),
    ("ldr r3, =0x0f0f; ands r2, r3", {"r2": 0x3C00}, {"r2": 0x0C00, "apsr": Z}),
    ("ldr r3, =0x0f0f; orrs r2, r3", {"r2": 0x3C00}, {"r2": 0x3000, "apsr": 0}),
    ("lsls r2, r3, #4", {"r3": 0xF000000F}, {"r2": 0xF0, "apsr": Z | C}),
    ("lsrs r2, r3, #4", {"r3": 0xF000000F}, {"r2": 0x0F000000, "apsr": Z | C}),
    ("asrs r2, r3, #4", {"r3": 0x80000000}, {"r2": 0xF8000000, "apsr": Z | N}),
    ("movs r3, #8; rors r2, r3", {"r2": 0x12345678}, {"r2": 0x78123456}),
    ("movs r3, #0; lsls r2, r3", {"r2": 0xFF, "apsr": C}, {"r2": 0xFF, "apsr": C | Z}),
    ("movs r2, #1; lsls r2, r3", {"r3": 1}, {"r2": MASK, "apsr": N | Z | C}),
    ("movs r2, #0; lsls r2, r3", {"r3": 1}, {"r2": 0}),
    ("movs r2, #16; adds r2, r2, r3", {"r3": 8}, {"r2": 8, "apsr": 0}),
    ("adds r2, r3, r3", {"r3": 0x80000001}, {"r2": 2, "apsr": Z | C | V}),
    ("rev r2, r3", {"r3": 0x12345678}, {"r2": 0x78563412}),
    ("rev16 r2, r3", {"r3": 0x12345678}, {"r2": 0x34127856}),
    ("revsh r2, r3", {"r3": 0x80}, {"r2": 0xFFFF8000}),
    ("sxtb r2, r3", {"r3": 0x80}, {"r2": 0xFFFFFF80}),
    ("sxth r2, r3", {"r3": 0x1234}, {"r2": 0x1234}),
    ("uxtb r2, r3", {"r3": 0x12345678}, {"r2": 0x78}),
    ("uxth r2, r3", {"r3": 0x12345678}, {"r2": 0x5678}),
    ("movs r2, #3; muls r2, r3, r2", {"r3": 1}, {"r2": 3}),
    ("mov r8, r3; mov r2, r8", {"r3": 0x1234}, {"r2": 0x1234, "r8": 0x1234}),
    ("push {r2, r3}; pop {r4, r5}", {"r2": 1, "r3": 2}, {"r4": 1, "r5": 2}),
    ("ldr r1, =data; ldrb r2, [r1]; strb r2, [r1, #1]; ldr r3, [r1]; ldm r1!, {r4}", {},
     {"r2": 0x3C, "r3": 0x3C3C, "r4": 0x3C3C, "r1": 0}),
    ("ldr r1, =data; stm r1!, {r2}; subs r1, #4; ldrsb r3, [r1, r0]; ldrsh r4, [r1, r0]",
     {"r2": 0x8080}, {"r3": 0xFFFFFF80, "r4": 0xFFFF8080}),
    ("mrs r2, apsr", {"apsr": C}, {"r2": C}),
    ("msr apsr_nzcvq, r2", {"r2": C | 5}, {"apsr": C}),
    ("mov lr, r2; bl f; f: mov r3, lr", {"r2": MASK}, {"r3": 0, "lr": 0}),
)  # fmt: skip
# Source with the instruction at the label `here`, secret registers, what is seen there.
LEAKS = (
    ("here: beq f; nop; nop; f: nop", {"apsr": Z}, "branch"),
    ("here: beq f; nop; nop; f: nop", {"apsr": C | V}, ""),
    ("here: bhi f; nop; nop; f: nop", {"apsr": Z}, ""),
    ("cmp r2, r2; here: bhi f; nop; nop; f: nop", {"apsr": Z}, ""),
    ("movs r2, #2; cmp r2, #1; here: bhi f; nop; nop; f: nop", {"r2": 4}, ""),
    ("movs r2, #2; cmp r2, #1; here: bhi f; nop; nop; f: nop", {"r3": 4}, ""),
    ("here: blt f; nop; nop; f: nop", {"apsr": V}, "branch"),
    ("here: bgt f; nop; nop; f: nop", {"apsr": Z}, "branch"),
    ("here: beq f; adds r2, #1; b g; f: subs r3, #1; nop; g: nop", {"apsr": Z}, "balanced"),
    ("ldr r2, =f + 1; eors r2, r3; here: bx r2; f: b end; end: nop", {"r3": 2}, "jump"),
    ("ldr r2, =f + 1; eors r2, r3; here: blx r2; b end; f: bx lr; end: nop", {"r3": 2}, "call"),
    ("ldr r2, =f; eors r2, r3; here: mov pc, r2; f: b end; end: nop", {"r3": 2}, "jump"),
    ("ldr r2, =f + 1; eors r2, r3; mov lr, r2; here: bx lr; f: b end; end: nop", {"r3": 2}, "return"),
    ("ldr r2, =f + 1; eors r2, r3; push {r2}; here: pop {pc}; f: b end; end: nop", {"r3": 2}, "return"),
    ("ldr r1, =data; here: ldrb r2, [r1, r3]", {"r3": 1}, "lookup"),
    ("ldr r1, =data; here: strb r2, [r1, r3]", {"r3": 1}, "lookup"),
    ("ldr r1, =data; here: ldrb r2, [r1, r3]", {"r3": MASK}, "flash lookup"),
    ("ldr r1, =t; here: ldrb r2, [r1, r3]; b end; t: .word 1; end: nop", {"r3": 1}, "flash lookup"),
    ("here: push {r2}; pop {r2}", {"sp": 4}, "stack"),
    ("here: msr primask, r3", {"r3": 1}, "control"),
)
# Source with a balanced branch, secret registers, masks after it.
MERGED = (("beq f; adds r2, #1; b g; f: subs r3, #1; nop; g: nop", {"apsr": Z}, {"r2": 1, "r3": MASK}),)

CORE = Core(
    **place("cortex-m0+"),
    target=TARGET,
    tools=TOOLS,
    stack=(TOP, TOP - 0x100),
    space=1 << 32,
    above=TOP,
    data=DATA,
    symbol=DATA,
    section=("\n## ARMv6-M\n", "\n## RISC-V\n"),
    counted=lambda forms: (f"The table has {len(forms)} forms",),
    digits=8,
    forms=Armv6mForms(),
    no_instruction=(
        *(0x4485 | 15 << 3, 0x47F8, 0x4777 & ~7 | 1, 0x45FF, 0x4508, 0xB400, 0xBC00, 0xC000, 0xC806 & ~0xFF),
        *(0xC203 | 0x4, 0xB100, 0xB900, 0xBF08, 0xDE00, 0xE800, 0xFFFF, 0xBA80, 0xB650, 0x44FF),
    ),
    check_list={
        "movs r2, #1": 1, "ldr r2, [pc, #0]": 2, "push {r4-r7, lr}": 6, "pop {r4-r7, pc}": 8,
        "pop {r0-r3}": 5,
        "ldm r1!, {r4-r7}": 5, "beq x": 1, "bne x": 2, "b x": 2, "bl x": 3, "bx lr": 2, "add pc, r4": 2,
        "muls r2, r3, r2": 1, "rev16 r2, r3": 1,
    },
    flags={"apsr": Z},
    ends={
        "unknown opcode": (".short 0xde00", ".short 0xe800, 0", ".short 0xb400"),
        "HALT reached": ("wfi", "wfe"),
        "BRK reached": ("bkpt #1", "svc #2"),
        "branch to itself": ("f: b f",),
        "cycle limit": ("f: nop; b f", "f: beq g; b f; g: beq f"),
        "fetch from non-executable": (
            "ldr r2, =0x20000801; bx r2", "movs r2, #2; bx r2", "ldr r2, =f; bx r2; f: nop; end: nop",
            "ldr r2, =f; push {r2}; pop {pc}; f: nop; end: nop", "ldr r2, =0x30000000; mov pc, r2",
        ),
        "stack below its region": (
            "f: push {r2}; b f", "f: push {lr}; bl f", "sub sp, #0x104", "ldr r2, =0x20000ef0; mov sp, r2",
        ),
        "stack above its region": (
            "add sp, #4", "ldr r2, =0x20001004; mov sp, r2", "push {r2}; add sp, #8",
            "movs r2, #4; add sp, r2",
        ),
    },
    ends_above=(("push {r2}; push {r2}; pop {r2}; pop {r2, r3}", TOP + 4),),
    deepest=(
        ("sub sp, #8; add sp, #8", 8),
        ("mov r2, sp; subs r2, #20; mov sp, r2; push {r2}", 24),
        ("push {r2}; pop {r3}; push {r2, r3}; push {r3}; pop {r2}", 12),
        ("bl f; b end; f: push {r2-r5, lr}; pop {r2-r5, pc}; end: nop", 20),
        ("bl f; b end; f: bx lr; end: nop", 0),
        ("nop", 0),
    ),
    loop=("f: nop; b f", 1002, 668),
    nop=b"\xc0\x46",
    cut=b"\x00\xf0",
    not_code=(0x20000800, 0x100, 0x30000000),
    return_outside=(("movs r2, #0x81; bx r2", 0x80),),
    steps=(
        ("adds r2, #1; bcs f; adds r2, #1; f: adds r2, #1; wfi", {"r2": 0}, 3,
         {"instructions": 3, "cycles": 3}, {"r2": 2}),
        ("adds r2, #1; bcs f; adds r2, #1; f: adds r2, #1; wfi", {"r2": 0}, 4, {"instructions": 4},
         {"r2": 3}),
    ),
    message=(("nop; inner: nop; wfi", "HALT reached at 8000004 (inner+2) after 4 cycles"),),
    errors_given={
        DATA + 0x100: b"\0\0", "r0": 0, "r1": 0x30000000, "r2": DATA, "r3": DATA + 1, "r4": DATA + 2,
        "r5": START,
        "r6": DATA + 0x100,
    },
    errors={
        "unmapped read": {"ldr r7, [r1]": 0x30000000, "ldrb r7, [r1, #3]": 0x30000003},
        "unmapped write": {"strh r7, [r1, r0]": 0x30000000, "stm r1!, {r2, r3}": 0x30000000},
        "write to flash": {"strb r7, [r5]": START, "str r7, [r5, #8]": START + 8},
        "read of never-written RAM": {
            "ldr r7, [r2]": DATA, "ldrb r7, [r3]": DATA + 1, "ldr r7, [r6]": DATA + 0x102,
            "ldm r2!, {r7}": DATA,
            "ldrsh r7, [r2, r0]": DATA, "ldr r7, [sp, #4]": TOP + 4,
        },
        "odd word access": {"ldrh r7, [r3]": DATA + 1, "strh r7, [r3, #2]": DATA + 3},
        "unaligned word access": {"ldr r7, [r4]": DATA + 2, "str r7, [r3]": DATA + 1,
                                  "ldm r4!, {r7}": DATA + 2},
    },
    load="ldr r1, =data+{}; ldrb r2, [r1]",
    loaded="r2",
    store="ldr r1, =data+{}; strb r2, [r1]",
    never_written="ldr r1, =data; ldrb r2, [r1]; ldrh r3, [r1, #2]; strh r3, [r1, #4]; ldrh r4, [r1, #4]",
    touched=("ldr r1, =data; strb r2, [r1, #1]; push {r2}; bl f; pop {r2}; b end; f: bx lr; end: nop",
             range(RAM, RAM + 0x1800), {DATA + 1, *range(TOP - 4, TOP)}),
    replaced=("movs r5, #0x34; nop; nop", "r5", 0x34, 0, b"\x55", 0x55, b"\xff\x25\xed\x43", 0xFFFFFF00),
    memory=(
        Case("popping what nobody pushed", "pop {r2}", {"sp": TOP - 16},
             told={"status": "read of never-written RAM", "address": TOP - 16}),
        Case("no instruction starts at an odd address", "nop; nop",
             also=lambda s: s.sim.form_at(START) and not s.sim.form_at(START + 1)),
        Case("peripherals hold what was written", "ldr r1, =0xe000e010; str r2, [r1]; ldr r3, [r1]",
             {"r2": 0x12345678}, {"r3": 0x12345678}),
    ),
    no_registers=("r16", "hl", "ax"),
    misuse=(
        lambda s: s.poison(0x0100, 1, 0),
        lambda s: s.set_stack(0x20000F02, 0x20000E00),
        lambda s: s.map(Region("ram", 0x8000, (1 << 32) + 1)),
    ),
    timing=(
        Case("reads of flash cost nothing more", "ldr r2, =0x1234; ldr r3, [r1]; ldrb r4, [r1, #1]",
             {"r1": START + 0x200}, told={"cycles": 6, "base": 6, "waits": {}}),
        Case("a loaded register is there at once", "ldr r2, [r1]; adds r2, #1; adds r2, #1", {"r1": START},
             told={"cycles": 4}),
    ),
    path_hashes=(
        ("cmp r5, #0; beq f; nop; f: cmp r6, #2; bge end; nop",
         [{"r5": 0, "r6": 5}, {"r5": 1, "r6": 5}, {"r5": 2, "r6": 5}, {"r5": 1, "r6": 1}], "abbc"),
        *((f"adr r2, f; adds r2, #1; adds r2, r5; {jump}; .balign 4; f: nop; g: nop; end: nop",
           [{"r5": 0, "r6": 0}, {"r5": 2}, {"r5": 0, "r6": 2}], "aba")
          for jump in ("bx r2", "blx r2", "mov pc, r2", "push {r2}; pop {pc}")),
    ),
    others=(UNICORN,),
    rules=RULES,
    corners=CORNERS,
    firmware=FIRMWARE,
    calls=(
        Calls("bl f; t: bl f; u: b end; f: nop; r: bx lr; end: nop", ["f 1", "f 1"],
              {n: {"f": (1, 1), "r": (1, 2)} for n in (1, 2)}, {"cycles": 2 * (3 + 1 + 2) + 2}),
        Calls("adr r2, f; adds r2, #1; blx r2; bl f; b end; .balign 4; f: push {r2, lr}; bl g; pop {r2, pc};"
              "g: bx lr; end: nop", [*("f 1", "f/g 1") * 2], told={"stack": 8}),
        Calls("movs r5, #3; bl f; b end; f: push {r2, lr}; subs r5, #1; beq g; bl f; g: pop {r2, pc};"
              "end: nop", ["f 1", "f/f 1", "f/f/f 1"]),
        # a jump to another routine stays in the path
        Calls("bl f; t: b end; f: b g; nop; g: bx lr; end: nop", ["f 1"], {0: "start t", 1: "f g"}),
        # a computed jump is no return
        Calls("bl f; t: b end; f: mov r3, lr; f2: mov r2, pc; f3: adds r2, #5; f4: bx r2; nop;"
              "g: bx r3; end: nop",
              ["f 1"], {0: "start t", 1: "f f2 f3 f4 g"}),
        # a return through another register, and one to the caller's caller
        Calls("bl f; t: b end; f: mov r3, lr; f2: bl g; nop; g: bx r3; end: nop", ["f 1", "f/g 1"],
              {0: "start t", 1: "f f2", 2: "g"}),
    ),
    call_g="bl g",
    failing=("wfi", ".short 0xde00", "ldr r2, [sp]", "f: b f", "movs r2, #0; mov sp, r2"),
    recursion=(("f: push {lr}; bl f", TOP, 0, "unmapped write"),),
    pointer="r0",
    xor=("bl f; end: nop; f: ldrb r2, [r0]; ldrb r3, [r0, #1]; eors r2, r3; strb r2, [r0, #2]; beq z; nop;"
         "z: bx lr",
         "r2", 0, (14, 14, 14)),
    xor_given={"r4": 0x12345678},
    xor_left={"r0": DATA},
    fails_on_zero=("bl f; end: nop; f: ldrb r2, [r0]; cmp r2, #0; beq bad; bx lr; bad: wfi", "HALT reached"),
    fresh=("bl f; end: nop; f: adds r4, #1; msr apsr_nzcvq, r4; cpsid i; bx lr",
           {"r4": 1, "apsr": 0, "primask": 1, "lr": START + 5}),
    enabled={"primask": 0},
    disabled={"primask": 1},
    uses_stack="push {r4}; push {r5}; pop {r5}; pop {r4}",
    reads_below="push {r4}; pop {r5}; mov r2, sp; subs r2, #4; ldr r3, [r2]",
    stores_below="mov r2, sp; subs r2, #4; str r4, [r2]; ldr r3, [r2]",
    blocks=("cpsid i; nop; nop; cpsie i; nop; nop", 1 + 1 + 1 + 1),
    moves=MOVES,
    leaks=LEAKS,
    merged=MERGED,
)  # fmt: skip
ZERO = lesser(
    CORE,
    **place("cortex-m0"),
    clocks=(
        ("movs r2, #1; ldr r3, =5; b f; f: nop", 1 + 2 + 3 + 1),
        ("bl f; b end; f: push {r4-r7, lr}; pop {r4-r7, pc}; end: nop", 4 + 6 + 9 + 3),
        ("movs r2, #2; f: subs r2, #1; bne f", 1 + 2 + 3 + 1),
        ("bl f; b end; f: bx lr; end: nop", 4 + 3 + 3),
        ("push {r0-r3}; pop {r0-r3}; movs r4, #0; add pc, r4; nop; end: nop", 5 + 5 + 1 + 3),
        ("muls r2, r3, r2; mrs r2, apsr; dsb", 1 + 4 + 4),
    ),
)
SLOW = replace(
    ZERO,
    **place("cortex-m0-mul32"),
    clocks=(("muls r2, r3, r2; movs r2, #1", 32 + 1),),
)
OTHERS = (ZERO, SLOW)
