"""The MSP430: the CPU as the MSP430F1611, the CPUX as the MSP430FG4618, the later CPUX as FRAM parts."""

from dataclasses import replace

from tightfit.harness.simulator import Region, regions_of

from .core import Calls, Case, Core, Firmware, Rule, drawn
from .msp430_forms import CHECK_LIST, LONG_DOUBLE, WITHOUT_MEANING, Msp430Forms
from .msp430_gnu import CPU as GNU
from .msp430_gnu import CPUX as GNU_X
from .msp430_mspdebug import MSPDEBUG
from .msp430_part import PARTS, START, TARGET, TOOLS

C, Z, N, V = 0x01, 0x02, 0x04, 0x100
SIZES = (("", 16), (".b", 8))
EDGES = (0, 1, 0x7F, 0x80, 0x7FFF, 0x8000)


def status(result, carry, overflow=0, bits=16):
    return C * bool(carry) | Z * (result == 0) | N * (result >> (bits - 1)) | V * bool(overflow)


def added(d, s, carry, bits):
    total = d + s + carry
    result, sign = total % (1 << bits), 1 << (bits - 1)
    return result, status(result, total >> bits, (d ^ result) & (s ^ result) & sign, bits)


def subtracted(d, s, carry, bits):
    """The borrow is the inverted carry."""
    exact = signed(d, bits) - signed(s, bits) - (1 - carry)
    result = exact % (1 << bits)
    outside = not -(1 << (bits - 1)) <= exact < 1 << (bits - 1)
    return result, status(result, d - s - (1 - carry) >= 0, outside, bits)


def signed(value, bits):
    return value - (value >> (bits - 1) << bits)


WORD = range(65536)
MIXED = (*EDGES, WORD)


def arithmetic(mnemonic, rule, carry, kept, size, bits):
    """A `carry` of None is the one of SR; `kept` says whether the result is written."""
    mask = (1 << bits) - 1

    def result(s):
        value, flags = rule(s["r6"] & mask, s["r5"] & mask, s["sr"] if carry is None else carry, bits)
        return {"r6": value if kept else s["r6"], "sr": flags}

    return Rule(f"{mnemonic}{size} r5, r6", drawn(300, r5=MIXED, r6=MIXED, sr=(0, 1)), result)


def logic(mnemonic, rule, size, bits):
    mask = (1 << bits) - 1

    def result(s):
        value = rule(s["r6"] & mask, s["r5"] & mask) & mask
        both = mnemonic == "xor" and s["r5"] & s["r6"] & 1 << (bits - 1)
        kept = mnemonic in ("bis", "bic")
        return {"r6": value, "sr": V | C if kept else status(value, value, both, bits)}

    return Rule(f"{mnemonic}{size} r5, r6", drawn(100, r5=(0, WORD), r6=(WORD,), sr=(V | C,)), result)


def decimal(size, bits):
    limit = 10 ** (bits // 4)
    numbers = [int(str(n), 16) for n in range(limit)]

    def result(s):
        total = numbers.index(s["r5"]) + numbers.index(s["r6"]) + s["sr"]
        value = numbers[total % limit]
        return {"r6": value, "sr": status(value, total >= limit, bits=bits)}

    return Rule(f"dadd{size} r5, r6", drawn(300, r5=numbers, r6=numbers, sr=(0, 1)), result)


def shift(mnemonic, size, bits):
    mask = (1 << bits) - 1

    def result(s):
        d = s["r5"] & mask
        value = signed(d, bits) >> 1 & mask if mnemonic == "rra" else d >> 1 | (s["sr"] & C) << (bits - 1)
        return {"r5": value, "sr": status(value, d & 1, bits=bits)}

    return Rule(f"{mnemonic}{size} r5", drawn(100, r5=(0, 1, WORD), sr=(V, V | C)), result)


def sign_extension(bits):
    """SXT of a register fills it, on the CPUX up to bit 19."""

    def result(s):
        extended = signed(s["r5"] & 0xFF, 8)
        low, swapped = extended % 65536, s["r5"] >> 8 | (s["r5"] & 0xFF) << 8
        word = low.to_bytes(2, "little")
        return {"r5": swapped, "r6": extended % (1 << bits), "r7": status(low, extended), 0x1200: word}

    values = [{"r5": value, "sr": V} for value in (0, 0x7F, 0x80, 0x1234, 0xFF00, 0xFFFF)]
    return Rule("mov r5, r6; swpb r5; sxt r6; mov r6, &data; mov sr, r7; sxt &data", lambda _: values, result)


ADDRESSES = (0, 1, 0x7FFFF, 0x80000, range(1 << 20))
LONG_SUMS = (
    "mova r6, r8; mova r6, r10; addx.a r5, r6; mov sr, r7; subx.a r5, r8; mov sr, r9; cmpx.a r5, r10; "
    "mov sr, r11"
)
SUMS = "mova r6, r8; mova r6, r10; adda r5, r6; mov sr, r7; suba r5, r8; mov sr, r9; cmpa r5, r10;mov sr, r11"


def sums_of_addresses(s):
    (sum_, flags), (rest, borrow) = (
        rule(s["r6"], s["r5"], n, 20) for n, rule in ((0, added), (1, subtracted))
    )
    return {"r6": sum_, "r7": flags, "r8": rest, "r9": borrow, "r10": s["r6"], "r11": borrow}


def shifts_of_addresses(s):
    """RRCX.A, RRAX.A, then RRUX.A three times, each with the flags after it."""
    d, carry = s["r5"], s["sr"] & C
    left = {
        "r5": (d >> 1 | carry << 19, d & 1),
        "r7": (d >> 1 | d & 0x80000, d & 1),
        "r9": (d >> 3, d >> 2 & 1),
    }
    flags = {f"r{int(name[1:]) + 1}": status(*result, bits=20) for name, result in left.items()}
    return {name: value for name, (value, _) in left.items()} | flags


RULES = (
    *(arithmetic(*row, *size) for size in SIZES for row in (
        ("add", added, 0, True), ("addc", added, None, True), ("sub", subtracted, 1, True),
        ("subc", subtracted, None, True), ("cmp", subtracted, 1, False))),
    *(logic(*row, *size) for size in SIZES for row in (
        ("and", lambda d, s: d & s), ("xor", lambda d, s: d ^ s), ("bis", lambda d, s: d | s),
        ("bic", lambda d, s: d & ~s))),
    *(decimal(*size) for size in SIZES),
    *(shift(name, *size) for size in SIZES for name in ("rra", "rrc")),
    sign_extension(16),
)  # fmt: skip

COMMON_CORNERS = (
    Case("the stack pointer as an operand",
         "push #7; push sp; pop r5; push 2(sp); pop r6; push sp; pop sp; mov sp, r7",
         # r5 and r6: what SP was after the push
         {"sp": 0x2FF0}, {"r5": 0x2FEC, "r6": 7, "r7": 0x2FEC}),
    Case("addresses below 64 KB stay there", "mov 0x2000(r5), r6; mov r6, -2(r7)",
         {0x1200: b"\x34\x12", "r5": 0xF200, "r7": 0x1204}, {0x1202: b"\x34\x12"}),
)  # fmt: skip
CORNERS = (
    *COMMON_CORNERS,
    *(Case(f"{name} of what a pointer passes over", f"{name} @r5+",
           {0x1200: b"\x86\x12\x34\x56", "r5": 0x1200},
           {0x1200: after.to_bytes(2, "little") + b"\x34\x56", "r5": 0x1202})
      for name, after in (("rra", 0x0943), ("rrc", 0x0943), ("swpb", 0x8612), ("sxt", 0xFF86))),
    Case("a byte operation clears the upper byte of a register, but not of memory",
         "mov.b #0x12, r5; add.b #1, r6; mov.b r5, &data; cmp.b #0, r7; mov sr, r9; bis.b #1, r8",
         {0x1200: b"\xaa\xbb", "r5": 0xFFFF, "r6": 0xFFFF, "r7": 0xFF00, "r8": 0xFF00},
         {"r5": 0x12, "r6": 0, "r7": 0xFF00, "r8": 1, "r9": Z | C, 0x1200: b"\x12\xbb"}),
    Case("the source moves on before the destination is looked at",
         "mov @r5+, 0(r5); add @r6+, r6; mov.b @r7+, 1(r7)",
         {0x1200: bytes.fromhex("11223344050066778899"), "r5": 0x1200, "r6": 0x1204, "r7": 0x1206},
         {0x1200: bytes.fromhex("11221122"), "r6": 0x1206 + 5, 0x1206: bytes.fromhex("66776699")}),
    Case("push of a byte leaves the one above", "push.b r5", {0x2FFE: b"\xaa\xbb", "r5": 0x1234},
         {0x2FFE: b"\x34\xbb"}),
    Case("bit zero of SP and PC does not exist",
         "mov #0x2f81, sp; mov sp, r5; mov #f + 1, r6; mov r6, r0; f: mov r0, r7; g: nop; end: nop",
         left={"r5": 0x2F80, "r7": "g"}),
    Case("what is written to SR stays",
         "and #0x0e, sr; mov sr, r5; xor #0x0b, sr; mov sr, r6; mov #0x101, sr; mov sr, r7", {"sr": 0x0F},
         {"r5": 0x0E, "r6": 0x05, "r7": 0x101}),
    Case("SR as a source",
         "mov sr, &data; mov.b sr, &data+2; add sr, &data+4; add.b sr, r5; cmp.b sr, &data+6; and #15, sr; "
         "mov sr, r6",
         {0x1204: bytes.fromhex("10000901"), "r5": 0x1201, "sr": 0x109},
         {0x1200: bytes.fromhex("090109001901"), "r5": 1 + 8, "r6": 8 | C}),
    Case("R3 takes nothing", "mov r5, r3; mov r3, r6; add #1, r3; mov r3, r7; cmp #0, r3; mov sr, r8",
         {"r5": 0x1234, "r6": 9, "r7": 9}, {"r3": 0, "r6": 0, "r7": 0, "r8": Z | C}),
    *(Case(f"a computed jump over {n}", "add r5, r0; inc r6; inc r6; inc r6", {"r5": 2 * n, "r6": 0},
           {"r6": 3 - n})
      for n in range(4)),
    Case("a word after the instruction is read through PC", "mov @r0, r5; nop", left={"r5": 0x4303},
         told={"cycles": 3}),
)  # fmt: skip
CORNERS_OF_THE_CPUX = (
    *COMMON_CORNERS,
    Case("indexes above 64 KB are signed",
         "mova #0x12346, r5; mov -2(r5), r6; mov 2(r5), r7; adda #1, r5; mov r5, r8",
         left={"r5": 0x12347, "r6": 0x1111, "r7": 0x2222, "r8": 0x2347},
         flash={0x12344: b"\x11\x11\0\0\x22\x22"}),
    Case("the relative address of a call counts from its own word",
         ".short 0x1390, 6; end: nop; nop; .short 0x5006, 0; f: reta", flash={0x5006: b"\x10\x01"}),
    Case("operands of 20 bits are two words in memory",
         "movx.a #0x12345, &data; movx.a &data, r6; addx.a #0xfffff, &data; movx.a @r5+, r7; pushx.a r7; "
         "popx.a r8",
         {"r5": 0x1200},
         {"r5": 0x1204, "r6": 0x12345, "r7": 0x12344, "r8": 0x12344, 0x1200: b"\x44\x23\x01\0"},
         told={"cycles": 6 + 5 + 8 + 4 + 5 + 4, "stack": 4}),
    Case("an index of 20 bits is added to all of a register",
         "movx 0x10000(r5), r6; movx -4(r7), r8; mov r8, r9",
         {0x1200: b"\x34\x12", "r5": 0x2344, "r7": 0x1204}, {"r6": 0x1111, "r8": 0x1234, "r9": 0x1234},
         flash={0x12344: b"\x11\x11"}),
    Case("an address relative to PC counts from its own word",
         ".short 0x1840, 0x4015, 4; jmp end; .short 0x5678; end: nop", left={"r5": 0x5678}),
    Case("instructions are repeated", "rpt #3 { rlax r5; rpt r7 { rrux r6; rpt #2 { addx r8, r8; mov sr, r9",
         {"r5": 0xF1111, "r6": 0x8421, "r7": 3, "r8": 0x4000},
         {"r5": 0x8888, "r6": 0x0842, "r8": 0, "r9": C | Z | V}, told={"cycles": 4 + 5 + 3 + 1}),
    Case("a repetition may use no carry", ".short 0x1940, 0x6506; .short 0x1841, 0x6508; mov sr, r9",
         {"r5": 1, "r6": 1, "r8": 1, "sr": C}, {"r6": 2, "r8": 3, "r9": 0}),
    Case("bytes are swapped and signs extended", "swpbx.a r5; swpbx r6; sxtx.a r7; mov sr, r9; sxtx.a &data",
         {"r5": 0x51234, "r6": 0x51234, "r7": 0x80, "r8": 0x80, 0x1200: b"\x80\x11\xff\xff"},
         {"r5": 0x53412, "r6": 0x3412, "r7": 0xFFF80, "r9": N | C, 0x1200: b"\x80\xff\x0f\0"}),
    Case("five digits are added", "daddx.a r5, r6; mov sr, r7; daddx.a r5, r6",
         {"r5": 0x99999, "r6": 2, "sr": 0}, {"r6": 0x00001, "r7": C}, told={"cycles": 2 + 1 + 2}),
    Case("PUSHX through the stack pointer", "pushx.a 4(sp); popx.a r5",
         {"sp": 0x2FF0, 0x2FF0: b"\x34\x12\x05\0"}, {"sp": 0x2FF0, "r5": 0x51234},
         told={"cycles": 8 + 4}),
    Case("it runs above 64 KB", "calla #0x10000", left={0x2FFC: (START + 4).to_bytes(4, "little")},
         told={"cycles": 5 + 1 + 5, "stack": 4}, flash={0x10000: b"\x03\x43\x10\x01"}),  # nop; reta
)  # fmt: skip
COMPUTED = ("add r5, r0", "mov table(r5), r0", "push table(r5); ret", "call table(r5)")

FIRMWARE = Firmware(
    source=".text; .global _start; .type _start, @function;"
    "_start: mov #0x3000, sp; mov #3, r10; again: call #work; dec r10; jnz again; {end}; "
    ".size _start, . - _start;"
    ".type work, @function; work: push r10; pop r10; ret; .size work, . - work",
    ends=(("bis #0xf0, sr", "HALT reached"), (".short 0x3fff", "branch to itself")),
    again="jmp _start",
    left={"r10": 0, "sp": 0x3000},
    stack=4,
    costs={"work": (3, 3 * (3 + 2 + 3), 3 * (3 + 2 + 3))},
    start=2 + 2 + 3 * (5 + 1 + 2) + 2,
    machine="EM_MSP430",
)

# Source, masks of registers before it (the first byte of data has 3C), masks after it.
MOVES = (
    ("xor r5, r5", {"r5": 0xFFFF}, {"r5": 0, "sr": 0x100}),
    ("sub r5, r5", {"r5": 0xFFFF}, {"r5": 0, "sr": 0}),
    ("subc r5, r5", {"r5": 0xFFFF, "sr": 1}, {"r5": 0xFFFF}),
    ("clr r5", {"r5": 0xFFFF}, {"r5": 0}),
    ("and #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x0C00, "sr": 3}),
    ("bis #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x3000}),
    ("bic #0x0f0f, r5", {"r5": 0x3C00}, {"r5": 0x3000}),
    ("mov.b r5, r6", {"r5": 0x3CFF}, {"r6": 0x00FF}),
    ("swpb r5", {"r5": 0x1234}, {"r5": 0x3412}),
    ("sxt r5", {"r5": 0x0080}, {"r5": 0xFF80}),
    ("rra r5", {"r5": 0x8000}, {"r5": 0xC000}),
    ("rla r5; rlc r6", {"r5": 0x8001}, {"r5": 2, "r6": 1}),
    ("clrc; rrc r5", {"r5": 0x0003}, {"r5": 1, "sr": 3}),
    ("mov #0x10, r5; add r6, r5", {"r6": 8}, {"r5": 8, "sr": 0}),
    ("mov.b &data, &data+1; mov &data, r5", {}, {"r5": 0x3C3C}),
    ("push r5; pop r6", {"r5": 0x1234}, {"r6": 0x1234}),
    ("mov sr, r5", {"sr": 3}, {"r5": 3}),
    ("mov #0, r5", {"r5": 0xFFFF}, {"r5": 0}),
    ("inv r5", {"r5": 0x1234}, {"r5": 0x1234}),
)
# Source with the instruction at the label `here`, secret registers, what is seen there.
LEAKS = (
    ("here: jz f; nop; f: nop", {"sr": 0x02}, "branch"),
    ("here: jz f; nop; f: nop", {"sr": 0x101}, ""),
    ("here: jl f; nop; f: nop", {"sr": 0x04}, "branch"),
    ("here: jz f; inc r5; jmp g; f: dec r6; nop; nop; g: nop", {"sr": 0x02}, "balanced"),
    ("mov #end, r5; xor r6, r5; here: br r5", {"r6": 0x02}, "jump"),
    ("mov #f, r5; xor r6, r5; here: call r5; jmp end; f: ret; end: nop", {"r6": 0x02}, "call"),
    ("mov #end, r5; xor r6, r5; push r5; here: ret", {"r6": 0x02}, "return"),
    ("here: mov.b t(r5), r6; jmp end; t: .word 1; end: nop", {"r5": 0x01}, "lookup"),
    ("here: mov.b r6, data(r5)", {"r5": 0x01}, "lookup"),
    ("here: bis r5, sr", {"r5": 0x10}, "control"),
    ("here: push r5; pop r5", {"sp": 0x04}, "stack"),
)
# Source with a balanced branch or skip, secret registers, masks after it.
MERGED = (("jz f; inc r5; jmp g; f: dec r6; nop; nop; g: nop", {"sr": 2}, {"r5": 1, "r6": 0xFFFF}),)

CORE = Core(
    name="msp430",
    simulated="msp430",
    target=TARGET,
    part=PARTS["msp430"],
    tools=TOOLS["msp430"],
    regions=regions_of(PARTS["msp430"]),
    stack=(0x3000, 0x2F00),
    space=0x10000,
    above=0x3000,
    data=0x1200,
    symbol=0x1200,
    section=("\n## MSP430\n", "\n## ARMv6-M\n"),
    counted=lambda forms: (
        f"The table has {len(forms)} forms",
        f"{sum(form.core == 'CPUX' and form.map < LONG_DOUBLE for form in forms)} forms that only the CPUX",
        f"{sum(form.map >= LONG_DOUBLE for form in forms)} with an extension word",
    ),
    no_sources=("CPUX",),
    forms=Msp430Forms(),
    no_instruction=WITHOUT_MEANING,
    check_list=CHECK_LIST,
    flags={"sr": 2},
    ends={
        "unknown opcode": (".short 0x1301", ".short 0x1800, 0x4305"),
        "HALT reached": ("bis #0x10, sr", "mov #0xf0, sr", "push #0; push #0x10; reti"),
        "branch to itself": ("f: jmp f", "f: .short 0x4030, f"),
        "cycle limit": ("f: nop; jmp f", "f: jz g; jmp f; g: jz f"),
        "fetch from non-executable": ("mov #0x1200, r0", "mov #0x1000, r0", "mov #0x0a00, r0"),
        "stack below its region": (
            "f: push r5; jmp f", "f: call #f", "mov #0x2f00, sp; push r5", "sub #0x102, sp",
        ),
        "stack above its region": ("mov #0x3002, sp", "incd sp", "push r5; add #4, sp"),
    },
    ends_above=(("push r5; push r5; pop r5; pop r5; pop r5", 0x3002),),
    deepest=(
        ("sub #6, sp; add #6, sp", 6),
        ("mov sp, r5; sub #20, r5; mov r5, sp; push r5", 22),
        ("push r5; pop r6; push r5; push r6; pop r7", 4),
        ("sub #8, sp; call #f; jmp end; f: push r5; pop r5; ret; end: nop", 12),
        ("push r5; call #f; pop r6; jmp end; f: ret; end: nop", 4),
        ("push.b r5", 2),
        ("nop", 0),
    ),
    loop=("f: nop; jmp f", 1002, 668),
    nop=b"\x03\x43",
    cut=b"\x35\x40",
    not_code=(0x1200, 0x1000, 0x0A00),
    return_outside=(("push #0x0100; ret", 0x0100),),
    steps=(
        ("inc r5; jc f; inc r5; f: inc r5; bis #0x10, sr", {"r5": 0}, 3, {"instructions": 3, "cycles": 4},
         {"r5": 2}),
        ("inc r5; jc f; inc r5; f: inc r5; bis #0x10, sr", {"r5": 0}, 4, {"instructions": 4}, {"r5": 3}),
    ),
    message=(("nop; inner: nop; bis #16, sr", "HALT reached at 04004 (inner+2) after 4 cycles"),),
    errors_given={0x1300: b"\0", "r5": 0x1111, "r6": 0x1200, "r7": 0x1201},
    errors={
        "unmapped read": {"mov &0x0a00, r5": 0x0A00},
        "unmapped write": {"mov r5, &0x0a00": 0x0A00},
        "write to flash": {"mov.b r5, &0x4000": 0x4000, "mov r5, &0x1000": 0x1000, "inc &0x5000": 0x5000},
        "read of never-written RAM": {
            "mov &0x1200, r5": 0x1200, "mov.b &0x1201, r5": 0x1201, "mov &0x1300, r5": 0x1301,
            "xor r5, &0x1200": 0x1200, "cmp #1, 2(r6)": 0x1202, "rrc @r6": 0x1200, "swpb 0(r6)": 0x1200,
        },
        "odd word access": {
            "mov @r7, r5": 0x1201, "mov @r7+, r5": 0x1201, "mov r5, 2(r7)": 0x1203,
            "add r5, 0(r7)": 0x1201, "call @r7": 0x1201,
        },
    },
    load="mov.b &data+{}, r5",
    loaded="r5",
    store="mov.b r5, &data+{}",
    never_written="mov.b &data, r5; mov &data+2, r6; mov r6, &data+4; mov &data+4, r7",
    touched=("mov.b r5, &data+1; push r5; call #f; pop r6; jmp end; f: ret; end: nop", range(0x1100, 0x3100),
             {0x1201, *range(0x2FFC, 0x3000)}),
    replaced=("mov #0x1234, r5; mov r5, &data", "r5", 0x1234, 3, b"\x55", 0x5534,
              b"\x35\x43\x03\x43", 0xFFFF),
    memory=(
        Case("popping what nobody pushed", "pop r5", {"sp": 0x2FF0},
             told={"status": "read of never-written RAM", "address": 0x2FF0}),
        Case("no instruction starts at an odd address", "nop; nop",
             also=lambda s: s.sim.form_at(START) and not s.sim.form_at(START + 1)),
        Case("special function registers hold what was written",
             "mov #0x5a80, &0x0120; mov &0x0120, r5; mov.b &0x0021, r6", left={"r5": 0x5A80, "r6": 0}),
    ),
    no_registers=("r16", "hl", "ax"),
    misuse=(
        lambda s: s.poison(0x0100, 1, 0),
        lambda s: s.set_stack(0x2F01, 0x2E00),
        lambda s: s.map(Region("ram", 0x8000, 0x10001)),
    ),
    timing=(
        Case("reads of flash cost nothing more", "mov &0x5000, r5; mov.b &0x5001, r6; mov @r7+, r8",
             {"r7": 0x5000}, told={"cycles": 8, "base": 8, "waits": {}}),
    ),
    path_hashes=(
        ("tst r5; jz f; nop; f: cmp #2, r6; jge end; nop",
         [{"r5": 0, "r6": 5}, {"r5": 1, "r6": 5}, {"r5": 2, "r6": 5}, {"r5": 1, "r6": 1}], "abbc"),
        *((f"{jump}; nop; nop; f: nop; g: nop; jmp end; table: .short f, g; end: nop",
           [{"r5": 0, "r6": 0}, {"r5": 2}, {"r5": 0, "r6": 2}], "aba") for jump in COMPUTED),
    ),
    others=(GNU, MSPDEBUG),
    rules=RULES,
    corners=CORNERS,
    firmware=FIRMWARE,
    calls=(
        Calls("call #f; t: call #f; u: jmp end; f: nop; r: ret; end: nop", ["f 1", "f 1"],
              {n: {"f": (1, 1), "r": (1, 3)} for n in (1, 2)}, {"cycles": 2 * (5 + 1 + 3) + 2}),
        Calls("mov #f, r5; mov #table, r6; call r5; call @r6; call @r6+; call 0(r6); jmp end;"
              "f: call #g; ret; g: ret; table: .short f, g; end: nop", [*("f 1", "f/g 1") * 3, "g 1"],
              told={"stack": 4}),
        Calls("mov #3, r5; call #f; jmp end; f: dec r5; jz g; call #f; g: ret; end: nop",
              ["f 1", "f/f 1", "f/f/f 1"]),
        # a jump to another routine stays in the path
        Calls("call #f; t: jmp end; f: mov #g, r0; g: ret; end: nop", ["f 1"], {0: "start t", 1: "f g"}),
        # push and return is a jump
        Calls("call #f; t: jmp end; f: push #g; f2: ret; g: ret; end: nop", ["f 1"],
              {0: "start t", 1: "f f2 g"}),
        # the callee drops its own return address and returns to the caller's caller
        Calls("call #f; t: jmp end; f: call #g; nop; g: incd sp; g2: ret; end: nop", ["f 1", "f/g 1"],
              {0: "start t", 1: "f", 2: "g g2"}),
        # a return from an interrupt ends a path
        Calls("call #f; t: jmp end; f: push sr; f2: reti; end: nop", ["f 1"], {0: "start t"},
              {"cycles": 5 + 3 + 5 + 2}),
    ),
    call_g="call #g",
    failing=("bis #16, sr", ".short 0", "mov &0x1200, r5", "f: jmp f", "mov #0x10, sp", "push &0x1200"),
    recursion=(("f: call #f", 0x3000, 0, "write to flash"),),
    pointer="r12",
    xor=("call #f; end: nop; f: mov.b @r12+, r13; xor.b @r12+, r13; mov.b r13, 0(r12); jz z; nop; z: ret",
         "r13", 2, (19, 18, 19)),
    xor_given={"r4": 0x1234},
    xor_left={"r12": 0x1202},
    fails_on_zero=("call #f; end: nop; f: mov.b @r12, r5; tst.b r5; jz bad; ret; bad: bis #16, sr",
                   "HALT reached"),
    fresh=("call #f; end: nop; f: inc r4; setc; ret", {"r4": 1, "sr": C}),
    enabled={"sr": 8},
    disabled={"sr": 0},
    uses_stack="push r4; push r5; pop r5; pop r4",
    reads_below="push r4; pop r5; mov -2(sp), r6",
    stores_below="mov r4, -2(sp); mov -2(sp), r6",
    blocks=("dint; nop; nop; eint; nop; nop", 1 + 1 + 1 + 1),
    moves=MOVES,
    leaks=LEAKS,
    merged=MERGED,
)  # fmt: skip

CPUX = replace(
    CORE,
    name="msp430x",
    simulated="msp430x",
    part=PARTS["msp430x"],
    regions=regions_of(PARTS["msp430x"]),
    tools=TOOLS["msp430x"],
    others=(GNU_X,),
    verified=False,
    deepest=(("calla #f; jmp end; f: pushm.a #3, r10; popm.a #3, r10; reta; end: nop", 16),),
    clocks=(("calla #f; jmp end; f: pushm.a #3, r10; popm.a #3, r10; reta; end: nop", 5 + 8 + 8 + 5 + 2),),
    space=0x100000,
    section=("", ""),
    check_list={},
    firmware=replace(FIRMWARE, start=2 + 2 + 3 * (4 + 1 + 2) + 2),
    memory=(),
    misuse=(),
    timing=(),
    path_hashes=(),
    rules=(
        sign_extension(20),
        Rule(SUMS, drawn(200, r5=ADDRESSES, r6=ADDRESSES), sums_of_addresses),
        Rule(LONG_SUMS, drawn(200, r5=ADDRESSES, r6=ADDRESSES), sums_of_addresses),
        Rule("mova r5, r7; mova r5, r9; rrcx.a r5; mov sr, r6; rrax.a r7; mov sr, r8; rpt #3 { rrux.a r9; "
             "mov sr, r10", drawn(200, r5=ADDRESSES, sr=(V, V | C)), shifts_of_addresses),
    ),
    corners=CORNERS_OF_THE_CPUX,
    calls=(
        Calls("call #f; t: call #f; u: jmp end; f: nop; r: ret; end: nop", ["f 1", "f 1"]),
        CORE.calls[1],
        Calls("calla #f; jmp end; f: call #g; reta; g: ret; end: nop", ["f 1", "f/g 1"],
              told={"stack": 6, "cycles": 5 + 4 + 3 + 5 + 2}),
    ),
    failing=(),
    moves=(
        ("rpt #4 { rrux r5", {"r5": 0x0FF0}, {"r5": 0x00FF, "sr": Z}),
        ("rpt #8 { rlax.a r5", {"r5": 0x001FF}, {"r5": 0x1FF00, "sr": Z}),
        ("rpt #2 { addx r6, r5", {"r6": 0}, {"r5": 0, "sr": 0}),
        ("movx.a &data, r5; swpbx.a r5", {}, {"r5": 0x3C00}),
        ("xorx.a r5, r5", {"r5": 0xFFFFF}, {"r5": 0}),
        ("pushx.a r5; popx.a r6", {"r5": 0x12345}, {"r6": 0x12345}),
        ("bisx.b #0x0f, r5", {"r5": 0x123FF}, {"r5": 0xF0}),
    ),
    leaks=(
        ("here: rpt r6 { rlax r5", {"r6": 0x01}, "branch"),
        ("here: rpt r6 { rlax r5", {"r6": 0x10, "r5": 0xFF}, ""),
        ("here: movx.b t(r5), r6; jmp end; t: .word 1; end: nop", {"r5": 0x01}, "lookup"),
        ("here: pushx.a r5; popx.a r5", {"sp": 0x04}, "stack"),
    ),
    merged=(),
    xor=(*CORE.xor[:3], (17, 16, 17)),
)  # fmt: skip
CPUX2 = replace(
    CPUX,
    name="msp430xv2",
    simulated="msp430xv2",
    part=PARTS["msp430xv2"],
    tools=TOOLS["msp430xv2"],
    others=(),
    verified=True,
    firmware=replace(CPUX.firmware, costs={"work": (3, 3 * (3 + 2 + 4), 3 * (3 + 2 + 4))}),
    clocks=(
        *CPUX.clocks,
        ("call #f; jmp end; f: ret; end: nop", 4 + 4 + 2),
        ("mov #f, r0; nop; f: nop", 3 + 1),
    ),
    calls=(
        *CPUX.calls[:2],
        Calls("calla #f; jmp end; f: call #g; reta; g: ret; end: nop", ["f 1", "f/g 1"],
              told={"stack": 6, "cycles": 5 + 4 + 4 + 5 + 2}),
    ),
    xor=(*CORE.xor[:3], (18, 17, 18)),
)  # fmt: skip
OTHERS = ()
