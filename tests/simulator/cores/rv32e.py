"""RISC-V: Ibex as the default part, Ibex with all registers and the multiplier, QingKe V2A."""

from dataclasses import replace

from tightfit.harness.simulator import Region, regions_of

from .core import Calls, Case, Core, Firmware, Rule, drawn, lesser
from .rv32e_forms import CHECK_LIST, WITHOUT_MEANING, Rv32eForms, signed
from .rv32e_part import IMC as IMC_PART
from .rv32e_part import PART, QINGKE, START, TARGET, TOOLS, TOOLS_IMC
from .rv32e_unicorn import unicorn

WORD = 1 << 32
DATA = 0x20000200
EDGES = (0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
MIXED = (*EDGES, range(WORD))

OPERATIONS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "xor": lambda a, b: a ^ b, "or": lambda a, b: a | b,
    "and": lambda a, b: a & b, "sll": lambda a, b: a << b % 32, "srl": lambda a, b: a >> b % 32,
    "sra": lambda a, b: signed(a) >> b % 32, "slt": lambda a, b: signed(a) < signed(b), "sltu": lambda a,
    b: a < b,
}  # fmt: skip
PRODUCTS = {
    "mul": lambda a, b: a * b, "mulh": lambda a, b: signed(a) * signed(b) >> 32, "mulhu": lambda a,
    b: a * b >> 32,
    "mulhsu": lambda a, b: signed(a) * b >> 32,
}  # fmt: skip


def quotient(a, b):
    """Towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


DIVISIONS = {
    "div": lambda a, b: quotient(signed(a), signed(b)) if b else -1,
    "divu": lambda a, b: a // b if b else -1,
    "rem": lambda a, b: signed(a) - signed(b) * quotient(signed(a), signed(b)) if b else a,
    "remu": lambda a, b: a % b if b else a,
}


def of_registers(name, rule):
    return Rule(f"{name} a2, a0, a1; {name} a0, a0, a1", drawn(200, a0=MIXED, a1=MIXED),
                lambda s: dict.fromkeys(("a0", "a2"), int(rule(s["a0"], s["a1"])) % WORD))  # fmt: skip


def of_constant(name, rule, k):
    return Rule(f"{name} a2, a0, {k}; {name} a0, a0, {k}", drawn(30, a0=MIXED),
                lambda s: dict.fromkeys(("a0", "a2"), int(rule(s["a0"], k % WORD)) % WORD))  # fmt: skip


def branched(name, rule):
    """a2 says whether it was taken, by each of the instructions of two lengths where there are two."""
    return Rule(f"li a2, 1; {name} a0, a1, f; li a2, 0; f: nop", drawn(60, a0=MIXED, a1=MIXED),
                lambda s: {"a2": int(rule(s["a0"], s["a1"]))})  # fmt: skip


CONDITIONS = {
    "beq": lambda a, b: a == b, "bne": lambda a, b: a != b, "bltu": lambda a, b: a < b, "bgeu": lambda a,
    b: a >= b,
    "blt": lambda a, b: signed(a) < signed(b), "bge": lambda a, b: signed(a) >= signed(b),
}  # fmt: skip
RULES = (
    *(of_registers(*row) for row in OPERATIONS.items()),
    *(of_constant(f"{name}i", OPERATIONS[name], k)
      for name in ("add", "xor", "or", "and", "slt") for k in (-2048, -1, 0, 1, 15, 2047)),
    *(of_constant("sltiu", OPERATIONS["sltu"], k) for k in (-2048, -1, 1, 2047)),
    *(of_constant(f"{name}i", OPERATIONS[name], k) for name in ("sll", "srl", "sra") for k in (1, 7, 31)),
    *(branched(*row) for row in CONDITIONS.items()),
)  # fmt: skip
CORNERS = (
    Case("x0 takes nothing", "addi zero, a0, 1; lw zero, 0(a1); li a2, 5; mv a2, zero; .word 0x00150013; "
         ".short 0x4005",
         {"a0": 7, "a1": DATA, DATA: b"\1\2\3\4"}, {"zero": 0, "a2": 0}),
    Case("loads extend", "lb a2, 0(a1); lbu a3, 0(a1); lh a4, 0(a1); lhu a5, 0(a1); lw a0, 0(a1)",
         {"a1": DATA, DATA: b"\x80\x81\x82\x83"},
         {"a2": 0xFFFFFF80, "a3": 0x80, "a4": 0xFFFF8180, "a5": 0x8180, "a0": 0x83828180}),
    Case("stores leave the bytes beside", "sb a0, 1(a1); sh a0, 4(a1); sw a0, 8(a1)",
         {"a0": 0x11223344, "a1": DATA, DATA: b"\xff" * 12},
         {DATA: b"\xff\x44\xff\xff\x44\x33\xff\xff\x44\x33\x22\x11"}),
    Case("an address wraps", "lw a0, -4(a1); lw a2, 0(a1)", {"a1": DATA + 4, DATA: bytes(range(8))},
         {"a0": 0x03020100, "a2": 0x07060504}),
    Case("the base may be the destination", "lw a1, 0(a1); jal f; f: nop", {"a1": DATA, DATA: b"\1\2\3\4"},
         {"a1": 0x04030201, "ra": "f"}),
    Case("upper constants", "lui a0, 0x80000; f: auipc a1, 1; auipc a2, 0xfffff; c.lui a3, 0xfffe1; "
         "lui a4, 0",
         left={"a0": 0x80000000, "a1": START + 4 + 0x1000, "a2": START + 8 - 0x1000, "a3": 0xFFFE1000,
               "a4": 0}),
    Case("bit 0 of a computed target does not count", "jalr a2, 1(a1); nop; end: nop", {"a1": START + 6},
         {"a2": START + 4}),
    Case("a link may be the register that is jumped by", "jalr a1, 0(a1); nop; end: nop", {"a1": START + 6},
         {"a1": START + 4}),
    Case("immediates of compressed instructions", "addi a0, sp, 1020; c.addi16sp sp, -16; c.addi a1, -32; "
         "c.li a2, 31; c.andi a3, -2; c.slli a4, 31; c.srai a5, 31; mv t0, sp",
         {"sp": 0x20000700, "a1": 1, "a3": 7, "a4": 3, "a5": 0x80000000},
         {"a0": 0x20000700 + 1020, "t0": 0x200006F0, "a1": 0xFFFFFFE1, "a2": 31, "a3": 6, "a4": 0x80000000,
          "a5": 0xFFFFFFFF}),
    Case("any instruction can move the stack", "addi sp, a1, -16; sw a0, 0(sp); mv a2, sp; lw sp, 0(a3); "
         "add sp, sp, a4; xor sp, sp, zero; mv a5, sp",
         {"a0": 9, "a1": 0x20000700, "a3": DATA, "a4": 4, DATA: b"\xf0\x06\0\x20"},
         {"a2": 0x200006F0, "a5": 0x200006F4, 0x200006F0: b"\x09\0\0\0"}, {"stack": 16}),
    Case("the status is one flag", "csrw mstatus, a0; csrr a1, mstatus; csrrci a2, mstatus, 8; "
         "csrrsi a3, mstatus, 31; csrrc a4, mstatus, a0; csrrs a5, mstatus, a0; csrrwi a0, mstatus, 0",
         {"a0": 0xFFFFFFFF}, {"a1": 8, "a2": 8, "a3": 0, "a4": 8, "a5": 0, "a0": 8, "mstatus": 0}),
)  # fmt: skip
PRODUCTS_AND_QUOTIENTS = (
    *(of_registers(*row) for row in PRODUCTS.items()),
    *(of_registers(*row) for row in DIVISIONS.items()),
)

FIRMWARE = Firmware(
    source=".text; .global _start; .type _start, @function;"
    "_start: lui t0, 0x20001; addi sp, t0, -0x800; li s0, 3; nop; again: jal work; addi s0, s0, -1; "
    "bnez s0, again;"
    "{end}; .size _start, . - _start;"
    ".type work, @function; work: addi sp, sp, -4; sw s0, 0(sp); lw s0, 0(sp); addi sp, sp, 4; ret;"
    ".size work, . - work",
    ends=(("ecall", "HALT reached"), ("ebreak", "BRK reached"), ("f: j f", "branch to itself")),
    again="j _start",
    left={"s0": 0, "sp": 0x20000800},
    stack=4,
    costs={"work": (3, 3 * (1 + 2 + 2 + 1 + 2), 3 * (1 + 2 + 2 + 1 + 2))},
    start=1 + 1 + 1 + 1 + 3 * (2 + 1) + 3 + 3 + 1 + 1,
    machine="EM_RISCV",
)

AT_DATA = "lui a5, %hi(data); "
SAVED = "addi sp, sp, -4; sw ra, 0(sp); {} lw ra, 0(sp); addi sp, sp, 4; ret; "

# Source, masks of registers before it (the first byte of data has 3C), masks after it.
MOVES = (
    ("xor a0, a0, a0", {"a0": 0xFFFFFFFF}, {"a0": 0}),
    ("sub a0, a0, a0", {"a0": 0xFFFFFFFF}, {"a0": 0}),
    ("slt a0, a0, a0", {"a0": 0xFFFFFFFF}, {"a0": 0}),
    ("add a0, a0, a0", {"a0": 0x80000001}, {"a0": 2}),
    ("and a0, a0, a0; or a0, a0, a0", {"a0": 0x12345678}, {"a0": 0x12345678}),
    ("li a0, 0", {"a0": 0xFFFFFFFF}, {"a0": 0}),
    ("andi a0, a0, 0x0f", {"a0": 0x3C}, {"a0": 0x0C}),
    ("ori a0, a0, 0x0f", {"a0": 0x3C}, {"a0": 0x30}),
    ("not a0, a0", {"a0": 0x12345678}, {"a0": 0x12345678}),
    ("slli a0, a0, 4", {"a0": 0xF000000F}, {"a0": 0xF0}),
    ("srli a0, a0, 4", {"a0": 0xF000000F}, {"a0": 0x0F000000}),
    ("srai a0, a0, 4", {"a0": 0x80000000}, {"a0": 0xF8000000}),
    ("li a1, 1; sll a0, a1, a2", {"a2": 1}, {"a0": 3}),
    ("li a1, 1; sll a0, a1, a2", {"a2": 0x20}, {"a0": 0}),
    ("lui a1, 0x80000; sra a0, a1, a2", {"a2": 1}, {"a0": 0x40000000}),
    ("li a0, 16; add a0, a0, a1", {"a1": 8}, {"a0": 8}),
    ("addi a0, a0, 8", {"a0": 8}, {"a0": 0x18}),
    ("seqz a0, a0", {"a0": 6}, {"a0": 1}),
    ("ori a0, a0, 1; snez a0, a0", {"a0": 6}, {"a0": 0}),
    ("slti a0, a0, 0", {"a0": 0x7FFFFFFF}, {"a0": 0}),
    ("slti a0, a0, 0", {"a0": 0x80000000}, {"a0": 1}),
    (f"{AT_DATA}lbu a0, %lo(data)(a5); lb a1, %lo(data)(a5); lw a2, %lo(data)(a5)", {},
     {"a0": 0x3C, "a1": 0x3C, "a2": 0x3C}),
    (f"{AT_DATA}sb a0, %lo(data)(a5); lb a1, %lo(data)(a5)", {"a0": 0xF80}, {"a1": 0xFFFFFF80}),
    (f"{AT_DATA}sh a0, %lo(data)(a5); lh a1, %lo(data)(a5)", {"a0": 0xF8001}, {"a1": 0xFFFF8001}),
    ("addi sp, sp, -4; sw a0, 0(sp); lw a1, 0(sp); addi sp, sp, 4", {"a0": 0x12345678}, {"a1": 0x12345678}),
    ("jal f; f: nop", {"ra": 0xFF}, {"ra": 0}),
    ("csrr a0, mstatus", {"mstatus": 8}, {"a0": 8}),
    ("csrci mstatus, 8; csrr a0, mstatus", {"mstatus": 8}, {"a0": 0}),
    ("csrw mstatus, a0; csrr a1, mstatus", {"a0": 0xFF}, {"a1": 8}),
)  # fmt: skip
# Source with the instruction at the label `here`, secret registers, what is seen there.
LEAKS = (
    ("here: beqz a0, f; nop; f: nop", {"a0": 1}, "branch"),
    ("here: beqz a0, f; nop; f: nop", {"a1": 1}, ""),
    ("ori a0, a0, 1; here: beqz a0, f; nop; f: nop", {"a0": 0xFE}, ""),
    ("here: beq a0, a0, f; nop; f: nop", {"a0": 1}, ""),
    ("here: blt a0, a1, f; nop; f: nop", {"a0": 0x80000000}, "branch"),
    ("here: bltu a0, a1, f; nop; f: nop", {"a0": 0x80000000}, ""),
    ("here: bgeu a0, a1, f; nop; f: nop", {"a1": 0x80000000}, "branch"),
    ("here: beqz a0, f; addi a1, a1, 1; j g; f: addi a2, a2, 1; g: nop", {"a0": 1}, "balanced"),
    # the target is an instruction of 32 bits in two words
    ("here: beqz a0, f; addi a1, a1, 1; j g; f: xori a2, a2, 1; g: nop", {"a0": 1}, "branch"),
    ("lui a1, %hi(end); addi a1, a1, %lo(end); xor a1, a1, a0; here: jr a1; end: nop", {"a0": 2}, "jump"),
    ("lui a1, %hi(end); addi a1, a1, %lo(end); xor a1, a1, a0; here: jr a1; end: nop", {"a0": 1}, ""),
    ("lui a1, %hi(f); addi a1, a1, %lo(f); xor a1, a1, a0; here: jalr a1; j end; f: ret; end: nop",
     {"a0": 2}, "call"),
    ("lui ra, %hi(end); addi ra, ra, %lo(end); xor ra, ra, a0; here: ret; end: nop", {"a0": 2}, "return"),
    (f"{AT_DATA}add a5, a5, a0; here: lbu a2, %lo(data)(a5)", {"a0": 1}, "lookup"),
    (f"{AT_DATA}add a5, a5, a0; here: sb a2, %lo(data)(a5)", {"a0": 1}, "lookup"),
    (f"{AT_DATA}addi a5, a5, %lo(data); add a5, a5, a0; here: lbu a2, 4(a5)", {"a0": 0x18}, "lookup"),
    ("here: sw a0, -16(sp)", {"sp": 0x04}, "stack"),
)  # fmt: skip
# Source with a balanced branch, secret registers, masks after it.
MERGED = (
    ("beqz a0, f; addi a1, a1, 1; j g; f: addi a2, a2, -1; g: nop", {"a0": 1}, {"a1": 1, "a2": 0xFFFFFFFF}),
)

CORE = Core(
    name="ibex",
    simulated="ibex",
    target=TARGET,
    part=PART,
    tools=TOOLS,
    regions=regions_of(PART),
    stack=(0x20000700, 0x20000600),
    space=WORD,
    above=0x20000700,
    data=DATA,
    symbol=DATA,
    section=("\n## RISC-V\n", ""),
    counted=lambda forms: (
        f"The table has {len(forms)} forms",
        f"{sum(form.length == 2 for form in forms)} of them of 16 bits",
        f"and {sum(form.core == 'M' for form in forms)} of M",
    ),
    no_sources=("QingKe",),
    digits=8,
    forms=Rv32eForms(),
    no_instruction=WITHOUT_MEANING,
    check_list=CHECK_LIST,
    ends={
        "unknown opcode": (".short 0", ".short 0x9c01", ".word 0x00000833", ".word 0x34002573",
                           ".short 0x8802",
                           ".word 0x02b50533"),
        "HALT reached": ("ecall",),
        "BRK reached": ("c.ebreak", ".word 0x00100073"),
        "branch to itself": ("f: j f", "f: .word 0x0000006f", "f: jal f"),
        "cycle limit": ("f: nop; j f", "f: beqz zero, f", "lui a0, 1; jr a0"),
        "fetch from non-executable": ("lui a0, 0x20000; jr a0", "li a0, -2; jr a0", "lui a0, 4; jalr a0",
                                      "lui a0, 0x40000; jr a0"),
        "stack below its region": ("f: addi sp, sp, -4; j f", "addi sp, sp, -0x104", "lui sp, 0x20000",
                                   "mv sp, zero",
                                   "f: addi sp, sp, -16; jal f", "jal sp, f; f: nop", "csrr sp, mstatus"),
        "stack above its region": ("addi sp, sp, 4", "li sp, -4", "lui sp, 0x20001", "xori sp, sp, -1"),
    },
    ends_above=(("lw a0, 0(sp); addi sp, sp, 4", 0x20000704),),
    deepest=(
        ("addi sp, sp, -16; addi sp, sp, 16", 16),
        ("mv a0, sp; addi a0, a0, -20; mv sp, a0; sw a0, 0(sp)", 20),
        ("addi sp, sp, -4; sw ra, 0(sp); jal f; lw ra, 0(sp); addi sp, sp, 4; j end; f: addi sp, sp, -8; "
         "addi sp, sp, 8; ret; end: nop", 12),
        ("jal f; j end; f: ret; end: nop", 0),
        ("sw a0, -4(sp)", 0),
    ),
    loop=("f: nop; j f", 1002, 668),
    nop=b"\x01\x00",
    cut=b"\x13\x05",
    not_code=(DATA, 0x40000000, 0x4000, 0xFFFFFFFE),
    return_outside=(("lui ra, 8; ret", 0x8000),),
    steps=(
        ("addi a0, a0, -1; beqz a0, f; addi a0, a0, 1; f: addi a0, a0, 1; ecall", {"a0": 5}, 3,
         {"instructions": 3, "cycles": 3}, {"a0": 5}),
        ("addi a0, a0, -1; beqz a0, f; addi a0, a0, 1; f: addi a0, a0, 1; ecall", {"a0": 1}, 3,
         {"instructions": 3, "cycles": 5}, {"a0": 1}),
    ),
    message=(("nop; inner: nop; ecall", "HALT reached at 01004 (inner+2) after 3 cycles"),),
    errors_given={DATA + 0x100: b"\0", "a1": DATA, "a2": DATA + 1, "a3": DATA + 0x100, "a4": 0x8000,
                  "a5": START},
    errors={
        "unmapped read": {"lw a0, 0(a4)": 0x8000, "lbu a0, 1(a4)": 0x8001, "lh a0, -2(a4)": 0x7FFE,
                          "lw a0, -4(zero)": 0xFFFFFFFC},
        "unmapped write": {"sw a0, 0(a4)": 0x8000, "sb a0, -1(zero)": 0xFFFFFFFF},
        "write to flash": {"sb a0, 0(a5)": START, "sh a0, 8(a5)": START + 8, "sw a0, 4(a5)": START + 4},
        "read of never-written RAM": {
            "lw a0, 0(a1)": DATA, "lb a0, 1(a1)": DATA + 1, "lh a0, 0(a3)": DATA + 0x101,
            "lw a0, 0(a3)": DATA + 0x101, "lw sp, 0(a1)": DATA, "lw zero, 4(a1)": DATA + 4,
        },
        "odd word access": {"lh a0, 0(a2)": DATA + 1, "lhu a0, 1(a1)": DATA + 1, "sh a0, 0(a2)": DATA + 1},
        "unaligned word access": {"lw a0, 0(a2)": DATA + 1, "lw a0, 2(a1)": DATA + 2,
                                  "sw a0, 1(a2)": DATA + 2,
                                  "sw a0, 0(a2)": DATA + 1},
    },
    load=AT_DATA + "lbu a0, %lo(data+{})(a5)",
    loaded="a0",
    store=AT_DATA + "sb a0, %lo(data+{})(a5)",
    never_written=AT_DATA + "lbu a0, %lo(data)(a5); lh a1, %lo(data+2)(a5); sh a1, %lo(data+4)(a5); "
    "lh a2, %lo(data+4)(a5)",
    touched=(AT_DATA + "sb a0, %lo(data+1)(a5); addi sp, sp, -4; sw a0, 0(sp); lw a0, 0(sp); addi sp, sp, 4",
             range(0x20000000, 0x20000800), {DATA + 1, *range(0x200006FC, 0x20000700)}),
    replaced=("addi a0, zero, 0x123", "a0", 0x123, 3, b"\x55", 0x553, b"\x7d\x55\x01\x00", 0xFFFFFFFF),
    memory=(
        Case("no instruction starts at an odd address", "nop; nop",
             also=lambda s: s.sim.form_at(START) and not s.sim.form_at(START + 1)),
        Case("peripherals hold what was written", "lui a1, 0x40021; sw a0, 0(a1); lhu a2, 2(a1); "
             "lbu a3, 4(a1)",
             {"a0": 0x12345678}, {"a2": 0x1234, "a3": 0}),
        Case("flash is read as data", "lui a1, 1; lw a0, 0(a1); lbu a2, 1(a1)",
             left={"a0": 0x41886585, "a2": 0x65},
             told={"cycles": 1 + 2 + 2}),
        Case("a jump goes where code was replaced", "f: j f", told={"status": "branch to itself"},
             also=lambda s: s.sim.load(START, b"\x01\x00") or s.run().ok),
    ),
    no_registers=("x16", "x32", "x01", "r0", "s2", "hl"),
    misuse=(
        lambda s: s.poison(0x40000000, 1, 0),
        lambda s: s.set_stack(0x20000702, 0x20000600),
        lambda s: s.map(Region("ram", 0xF0000000, WORD + 1)),
    ),
    clocks=(
        ("addi a0, a0, 1", 1),
        ("lui a5, 1; lw a0, 0(a5)", 1 + 2),
        ("sw a0, -4(sp)", 2),
        ("bne a0, a0, end", 1),
        ("beq a0, a0, f; nop; f: nop", 3 + 1),
        ("j f; nop; f: nop", 2 + 1),
        ("jal f; j end; f: ret; end: nop", 2 + 2 + 2),
        ("li a0, 1; sw a0, -4(sp); addi a1, sp, -4; f: addi a2, a2, 1; xor a3, a3, a2; lw a4, 0(a1); "
         "addi a0, a0, -1; bnez a0, f", 1 + 2 + 1 + 6),
        # the loop of the check list: 8 cycles a pass, but for the last one
        ("li a0, 11; sw a0, -4(sp); addi a1, sp, -4; f: addi a2, a2, 1; xor a3, a3, a2; lw a4, 0(a1); "
         "addi a0, a0, -1; bnez a0, f", 1 + 2 + 1 + 10 * 8 + 6),
        ("lui a0, 0x12345; auipc a1, 1; xori a0, a0, 1; sra a0, a0, a1; fence; csrr a0, mstatus", 6),
        # unaligned instructions of 32 bits that are not jumped to
        ("nop; lui a0, 0x12345; xori a0, a0, 1", 3),
    ),
    timing=(
        Case("a taken branch to 32 bits in two words", "beqz a0, f; nop; nop; f: lw a2, 0x100(a1)",
             {"a1": DATA, DATA + 0x100: bytes(4)}, told={"cycles": 4 + 2, "base": 5, "target_waits": 1}),
        Case("to 32 bits in one word", "beqz a0, f; nop; f: lw a2, 0x100(a1)",
             {"a1": DATA, DATA + 0x100: bytes(4)},
             told={"cycles": 3 + 2, "target_waits": 0}),
        Case("to 16 bits in an upper half", "beqz a0, f; nop; nop; f: nop",
             told={"cycles": 3 + 1, "target_waits": 0}),
        Case("a branch that is not taken", "bnez a0, f; f: lui a2, 0x12345",
             told={"cycles": 1 + 1, "target_waits": 0}),
        Case("a branch of 32 bits", "nop; beq a0, a1, f; nop; nop; f: lui a2, 0x12345",
             told={"cycles": 1 + 4 + 1, "target_waits": 1}),
        Case("a jump", "j f; nop; nop; f: lui a2, 0x12345", told={"cycles": 3 + 1, "target_waits": 1}),
        Case("a call, and a return", "nop; jal f; g: lui a2, 0x12345; j end; f: nop; ret; end: nop",
             told={"cycles": 1 + 2 + 1 + 2 + 1 + 1 + 2, "target_waits": 1}),
        Case("a computed call", "nop; jalr a1; nop; f: lui a2, 0x12345", {"a1": START + 6},
             told={"cycles": 1 + 3 + 1, "target_waits": 1}),
        Case("a jump to where no code is", "j 0x8002",
             told={"status": "fetch from non-executable", "cycles": 2}),
        Case("reads of flash cost nothing more", "lw a0, 0(a1); lbu a2, 1(a1)", {"a1": START},
             told={"cycles": 4, "base": 4}),
    ),
    path_hashes=(
        ("beqz a0, f; nop; f: li a2, 2; bge a1, a2, end; nop",
         [{"a0": 0, "a1": 5}, {"a0": 1, "a1": 5}, {"a0": 2, "a1": 5}, {"a0": 1, "a1": 1}], "abbc"),
        ("lui a1, %hi(f); addi a1, a1, %lo(f); add a1, a1, a0; jr a1; nop; f: nop; g: nop",
         [{"a0": 0, "a2": 0}, {"a0": 2}, {"a0": 0, "a2": 2}], "aba"),
        ("lui a1, %hi(f); addi a1, a1, %lo(f); add a1, a1, a0; jalr a1; nop; f: nop; g: nop",
         [{"a0": 0, "a2": 0}, {"a0": 2}, {"a0": 1}], "aba"),
    ),
    others=(unicorn("ibex"),),
    rules=RULES,
    corners=CORNERS,
    firmware=FIRMWARE,
    calls=(
        Calls("jal f; t: jal f; u: j end; f: nop; r: ret; end: nop", ["f 1", "f 1"],
              {n: {"f": (1, 1), "r": (1, 2)} for n in (1, 2)}, {"cycles": 2 * (2 + 1 + 2) + 2}),
        Calls(f"jal f; j end; f: {SAVED.format('jal g; jal g;')} g: ret; end: nop", ["f 1", "f/g 1", "f/g 1"],
              told={"stack": 4}),
        Calls("li a0, 3; jal f; j end; f: addi sp, sp, -4; sw ra, 0(sp); addi a0, a0, -1; beqz a0, g; jal f; "
              "g: lw ra, 0(sp); addi sp, sp, 4; ret; end: nop", ["f 1", "f/f 1", "f/f/f 1"]),
        # a jump to another routine stays in the path
        Calls("jal f; t: j end; f: j g; g: ret; end: nop", ["f 1"], {0: "start t", 1: "f g"}),
        # a computed jump, though through the register of the second kind of calls
        Calls("jal f; t: j end; f: lui t0, %hi(g); f2: addi t0, t0, %lo(g); f3: jr t0; g: ret; end: nop",
              ["f 1"],
              {0: "start t", 1: "f f2 f3 g"}),
        Calls("lui a1, %hi(f); t: addi a1, a1, %lo(f); u: jalr a1; v: j end; f: ret; end: nop", ["f 1"],
              {0: "start t u v", 1: "f"}),
        # calls through t0
        Calls("jal t0, f; t: j end; f: jr t0; end: nop", ["f 1"], {0: "start t", 1: "f"}),
        Calls("jal f; t: j end; f: jal t0, g; r: ret; g: jr t0; end: nop", ["f 1", "f/g 1"],
              {0: "start t", 1: "f r", 2: "g"}),
    ),
    call_g="jal g",
    failing=("ecall", ".short 0", "lw a0, 0(sp)", "f: j f", "addi sp, sp, 4", "lui a0, 8; jr a0"),
    recursion=(("f: addi sp, sp, -4; sw ra, 0(sp); jal f", 0x20000800, 0, "unmapped write"),),
    pointer="a0",
    xor=("jal f; end: nop; nop; f: lbu a1, 0(a0); lbu a2, 1(a0); xor a1, a1, a2; sb a1, 2(a0); beqz a1, z; "
         "nop; z: ret",
         "a1", 0, (13, 14, 13)),
    xor_given={"t0": 0x12345678},
    xor_left={"a0": DATA},
    fails_on_zero=("jal f; end: nop; f: lbu a1, 0(a0); beqz a1, bad; ret; bad: ecall", "HALT reached"),
    fresh=("jal f; end: nop; f: addi t0, t0, 1; csrsi mstatus, 8; ret", {"t0": 1, "mstatus": 8}),
    enabled={"mstatus": 8},
    disabled={"mstatus": 0},
    uses_stack="addi sp, sp, -4; sw a0, 0(sp); lw a1, 0(sp); addi sp, sp, 4",
    reads_below="addi sp, sp, -4; sw a0, 0(sp); addi sp, sp, 4; lw a1, -4(sp)",
    stores_below="sw a0, -4(sp); lw a1, -4(sp)",
    blocks=("csrci mstatus, 8; nop; nop; csrsi mstatus, 8; nop; nop", 1 + 1 + 1 + 1),
    moves=MOVES,
    leaks=LEAKS,
    merged=MERGED,
)  # fmt: skip

IMC = replace(
    CORE,
    name="ibex-imc",
    simulated="ibex-imc",
    part=IMC_PART,
    tools=TOOLS_IMC,
    others=(unicorn("ibex-imc"),),
    section=("", ""),
    ends={"unknown opcode": (".short 0", ".word 0x34002573")},
    ends_above=(),
    no_registers=("x32", "r0"),
    check_list={"mul a0, a1, a2": 1, "mulhu a0, a1, a2": 2, "divu a0, a4, a4": 37, "divu a0, a4, zero": 2},
    rules=PRODUCTS_AND_QUOTIENTS,
    corners=(
        Case("there are 32 registers", "add a6, a0, s11; mv t6, a6; addi t3, t6, 1; c.mv a1, t3; "
             "jalr s2, 0(s3); end: nop",
             {"a0": 1, "s11": 2, "s3": START + 14}, {"a6": 3, "x31": 3, "x28": 4, "a1": 4, "x18": "end"}),
        Case("the least number by -1", "div a2, a0, a1; rem a3, a0, a1", {"a0": 0x80000000, "a1": 0xFFFFFFFF},
             {"a2": 0x80000000, "a3": 0}, {"cycles": 2 * 37}),
    ),
    clocks=(
        ("mul a0, a1, a2; mulh a0, a1, a2; mulhsu a0, a1, a2; mulhu a0, a1, a2", 1 + 2 + 2 + 2),
        ("li a0, 1; div a1, a0, a0; rem a1, a0, a0; divu a1, a0, zero; remu a1, a0, zero",
         1 + 37 + 37 + 2 + 2),
    ),
    timing=(),
    path_hashes=(("divu a2, a0, a1", [{"a0": 1, "a1": 1}, {"a0": 5, "a1": 2}, {"a0": 5, "a1": 0}], "aac"),),
    moves=(
        ("li a1, 3; mul a0, a0, a1", {"a0": 1}, {"a0": 3}),
        ("li a1, 3; mul a0, a0, a1", {"a0": 3}, {"a0": 15}),
        ("lui a1, 0x80000; mulhu a0, a0, a1", {"a0": 2}, {"a0": 1}),
        ("li a1, -1; mulh a2, a0, a1; mulhsu a3, a1, a0", {"a0": 1}, {"a2": 0xFFFFFFFF, "a3": 0xFFFFFFFF}),
        ("li a1, 3; divu a2, a0, a1; rem a3, a1, a1", {"a0": 1}, {"a2": 0xFFFFFFFF, "a3": 0}),
        ("mv t6, a0; mv a1, t6", {"a0": 0xF00F}, {"t6": 0xF00F, "a1": 0xF00F}),
    ),
    leaks=(
        ("here: divu a2, a0, a1", {"a1": 0xFF}, "branch"),
        ("here: rem a2, a0, a1", {"a1": 0x100}, "branch"),
        ("ori a1, a1, 1; here: divu a2, a0, a1", {"a1": 0xFE, "a0": 0xFF}, ""),
        ("here: mulh a2, a0, a1", {"a1": 0xFF, "a0": 0xFF}, ""),
    ),
    merged=(),
)  # fmt: skip
V2 = lesser(
    CORE,
    name="qingke-v2",
    simulated="qingke-v2",
    part=QINGKE,
    regions=regions_of(QINGKE),
    verified=False,
    clocks=(
        ("addi a0, a0, 1; lui a1, 0x12345", 2),
        ("lui a5, 1; lw a0, 0(a5)", 1 + 2),
        ("sw a0, -4(sp)", 2),
        ("bne a0, a0, end", 1),
        ("beq a0, a0, f; nop; f: nop", 3 + 1),
        ("jal f; j end; f: ret; end: nop", 3 + 3 + 3),
    ),
    timing=(
        Case("a jump to 32 bits in two words", "j f; nop; nop; f: lui a2, 0x12345",
             told={"cycles": 4 + 1, "target_waits": 1}),
    ),
    leaks=(
        ("lui a1, %hi(t); add a1, a1, a0; here: lbu a2, %lo(t)(a1); j end; t: .word 1; end: nop", {"a0": 1},
         "flash lookup"),
        (f"{AT_DATA}add a5, a5, a0; here: lbu a2, %lo(data)(a5)", {"a0": 1}, "lookup"),
    ),
    memory=(
        Case("system peripherals", "lui a1, 0xe000e; sw a0, 0x100(a1); lw a2, 0x100(a1)", {"a0": 5},
             {"a2": 5}),
    ),
    ends={"unmapped read": ("lui a0, 0x10000; lw a0, 0(a0)",), "unknown opcode": (".word 0x02b50533",)},
)  # fmt: skip
OTHERS = (V2,)
