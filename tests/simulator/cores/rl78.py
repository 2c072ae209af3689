"""The RL78: its S3 core with the memory of the R5F100xE, and what the S2 and S1 cores lack."""

from tightfit.harness.simulator import Region

from .core import Calls, Case, Core, Firmware, Rule, drawn, lesser
from .rl78_forms import Rl78Forms
from .rl78_gnu import GNU
from .rl78_part import CORE as S3
from .rl78_part import MEMORY, PART, TARGET, TOOLS

ANY = {"uninit": "off"}
Z, AC, CY = 0x40, 0x10, 0x01


def psw(zero, half, carry):
    return 0x06 | Z * bool(zero) | AC * bool(half) | CY * bool(carry)


def added(a, b, carry, bits=8):
    low = (1 << bits // 2) - 1 if bits == 8 else 0xFF
    total = a + b + carry
    result = total % (1 << bits)
    return result, psw(result == 0, (a & low) + (b & low) + carry > low, total >> bits)


def subtracted(a, b, borrow, bits=8):
    low = (1 << bits // 2) - 1 if bits == 8 else 0xFF
    result = (a - b - borrow) % (1 << bits)
    return result, psw(result == 0, (a & low) < (b & low) + borrow, a < b + borrow)


BYTE, WORD = range(256), range(65536)


def of_bytes(mnemonic, rule, uses_carry=False, keeps=True):
    def result(s):
        value, flags = rule(s["a"], s["b"], s["psw"] & CY if uses_carry else 0)
        return {"a": value if keeps else s["a"], "psw": flags}

    return Rule(f"{mnemonic} a, b", drawn(300, a=BYTE, b=BYTE, psw=(6, 7)), result)


def of_words(mnemonic, rule, keeps=True):
    def result(s):
        value, flags = rule(s["ax"], s["bc"], 0, bits=16)
        return {"ax": value if keeps else s["ax"], "psw": flags}

    return Rule(f"{mnemonic} ax, bc", drawn(300, ax=WORD, bc=(0, 1, 0xFF, 0x100, WORD), psw=(6,)), result)


def by_one(mnemonic, by):
    def result(s):
        value = (s["c"] + by) % 256
        half = s["c"] & 15 == (15 if by == 1 else 0)
        return {"c": value, "psw": psw(value == 0, half, s["psw"] & CY)}

    every = [{"c": value, "psw": 6 | carry} for value in BYTE for carry in (0, 1)]
    return Rule(f"{mnemonic} c", lambda _: every, result)


def factors(s, signed):
    return (value - 65536 * (signed and value >> 15) for value in (s["ax"], s["bc"]))


def product(mnemonic, signed):
    def result(s):
        x, y = factors(s, signed)
        return {"bc": x * y % 2**32 >> 16, "ax": x * y % 65536}

    return Rule(mnemonic, drawn(100, ax=WORD, bc=WORD), result)


def short_quotient(s):
    """Division by zero gives ones and the dividend."""
    quotient, rest = divmod(s["ax"], s["de"]) if s["de"] else (0xFFFF, s["ax"])
    return {"ax": quotient, "de": rest}


def long_quotient(s):
    quotient, rest = divmod(s["bc"] << 16 | s["ax"], s["hl"] << 16 | s["de"])
    return {"bc": quotient >> 16, "ax": quotient & 0xFFFF, "hl": rest >> 16, "de": rest & 0xFFFF}


def accumulated(mnemonic, signed):
    def states(chance):
        for state in drawn(200, ax=WORD, bc=WORD, psw=(6,))(chance):
            yield {**state, 0xFFFF0: chance.randbytes(4)}

    def result(s):
        a, b = factors(s, signed)
        exact = int.from_bytes(s[0xFFFF0], "little", signed=signed) + a * b
        outside = not -(2**31) <= exact < 2**31 if signed else exact >= 2**32
        sign = signed and exact >> 31 & 1
        return {0xFFFF0: (exact % 2**32).to_bytes(4, "little"), "psw": psw(0, sign, outside)}

    return Rule(mnemonic, states, result)


RULES = (
    *(of_bytes("add", added), of_bytes("addc", added, uses_carry=True)),
    *(of_bytes("sub", subtracted), of_bytes("subc", subtracted, uses_carry=True)),
    *(of_bytes("cmp", subtracted, keeps=False), of_words("addw", added), of_words("subw", subtracted)),
    *(of_words("cmpw", subtracted, keeps=False), by_one("inc", 1), by_one("dec", -1)),
    Rule("cmp0 b", drawn(20, b=(0, 1, 0xFF), psw=(0x57,)), lambda s: {"psw": psw(s["b"] == 0, 0, 0)}),
    *(product("mulhu", 0), product("mulh", 1), accumulated("machu", 0), accumulated("mach", 1)),
    Rule("divhu", drawn(100, ax=WORD, de=(0, 1, 7, WORD)), short_quotient),
    Rule("divwu", drawn(100, ax=WORD, bc=WORD, de=(1, range(1, 65536)), hl=(0, 1, WORD)), long_quotient),
    Rule("movs [hl+2], x", drawn(40, a=(0, 5), x=(0, 5, 6), hl=(0xF000,), psw=(6,)),
         lambda s: {0xFF002: bytes([s["x"]]), "psw": psw(s["x"] == 0, 0, s["a"] == 0 or s["x"] == 0)}),
)  # fmt: skip

CORNERS = (
    Case("callt reads a word of the table", "callt [0x9e]; br !!end; .org 0x20; f: inc c; ret; end: nop",
         {"c": 1}, {"c": 2}, {"cycles": 5 + 1 + 6 + 3, "stack": 4}, flash={0x9E: b"\x20\x10"}),
    Case("push psw puts it above a zero", "push psw; pop bc", {"psw": 0x47}, {"bc": 0x4700}),
    Case("reti restores flags and bank", "movw ax, #0x0900; push ax; movw ax, #end; push ax; reti; end: nop",
         left={"psw": 0x09}, also=lambda s: s.sim.touched_banks() == {1}),
)  # fmt: skip

FIRMWARE = Firmware(
    source='.section .vectors, "a"; .short _start; .text; .global _start; .type _start, @function;'
    "_start: movw sp, #0xfe20; movw hl, #0xf000; mov a, #5; mov [hl], a;"
    ".again: call !!_work; mov a, [hl]; inner: dec a; mov [hl], a; bnz $.again; {end};"
    ".size _start, . - _start; .type _work, @function; _work: call !!_leaf; nop; ret;"
    ".size _work, . - _work; _leaf: ret",
    ends=(("halt", "HALT reached"), ("brk", "BRK reached"), ("br $.", "branch to itself")),
    again="br $_start",
    left={"hl": 0xF000, "sp": 0xFE20},
    stack=8,
    costs={"_leaf": (5, 30, 30), "_work": (5, 50, 80)},
    start=4 + 5 * (3 + 1 + 1 + 1) + 4 * 4 + 2 + 3,
    machine="EM_RL78",
)

# What is written, what is used after it.
WAITS = (
    ("mov e, #0", "mov a, [de]"), ("mov d, #0xf0", "movw ax, [de+2]"), ("movw de, #0xf000", "mov [de], a"),
    ("mov l, #0", "mov a, [hl]"), ("mov h, #0xf0", "mov a, [hl+b]"), ("incw hl", "mov1 cy, [hl].3"),
    ("xch a, l", "cmp a, [hl+4]"), ("mov b, #0", "mov a, 0xf000[b]"), ("mov b, #0", "mov a, [hl+b]"),
    ("mov b, #0", "mov a, [hl+c]"), ("mov c, #0", "mov a, 0xf000[c]"), ("mov c, #0", "mov a, [hl+c]"),
    ("mov c, #0", "movw ax, 0xf000[bc]"), ("movw sp, #0xfd80", "push ax"), ("subw sp, #4", "mov a, [sp+2]"),
    ("movw ax, #f", "br ax"), ("xch a, x; xch a, x", "br ax"), ("movw hl, #f", "call hl"),
    ("mov cs, #0", "call hl"), ("mov cs, #0", "br ax"), ("sel rb0", "mov a, [hl]"),
    ("mov psw, #0x0e", "mov a, [hl]"), ("mov 0xffefe, #0", "mov a, [hl]"),
)  # fmt: skip
NO_WAIT = (
    ("mov c, #0", "mov a, 0xf000[b]"), ("mov b, #0", "mov a, 0xf000[c]"), ("mov b, #0", "mov a, [hl]"),
    ("mov e, #0", "mov a, [hl]"), ("mov a, #0", "mov a, [hl]"), ("movw ax, sp", "push ax"),
    ("push ax", "push ax"), ("push ax", "mov a, [sp+1]"), ("movw bc, #f", "call hl"),
    ("mov psw, #0x06", "mov a, [hl]"), ("mov 0xffef6, #0", "mov a, [hl]"),
    ("mov es, #0xf", "mov a, es:[hl]"), ("dec b", "mov a, [hl]"),
)  # fmt: skip


def hazard(written, used, waits, switched_on):
    jumps = used in ("call hl", "br ax")
    given = {"ax": "f", "hl": "f"} if jumps else {"ax": 0, "hl": 0xF000, "hl1": 0xF000}
    return Case(
        f"{written}; {used}; {'with' if switched_on else 'without'} address waits",
        f"{written}; {used}; nop; end: nop; f: br $end",
        {**given, "bc": 0, "de": 0xF000},
        told={"hazard_waits": waits if switched_on else 0},
        options={"address_waits": switched_on, **ANY},
    )


AT_HL = {"hl": 0xF000}
SKIPS = {  # PSW with which it skips, and does not
    "skc": ((0x01,), (0x00,)), "sknc": ((0x00,), (0x01,)), "skz": ((0x40,), (0x00,)),
    "sknz": ((0x00,), (0x40,)), "skh": ((0x00,), (0x40, 0x01)), "sknh": ((0x41,), (0x00,)),
}  # fmt: skip
BITS = (("bt", 1, True), ("bf", 0, True), ("bt", 0, False), ("bf", 1, False))
TIMING = (
    *(hazard(*row, 1, on) for row in WAITS for on in (True, False)),
    *(hazard(*row, 0, on) for row in NO_WAIT for on in (True, False)),
    Case("one instruction between removes the hazard", "mov l, #0; nop; mov a, [hl]", AT_HL,
         told={"hazard_waits": 0}, options=ANY),
    Case("a popped pointer waits", "push hl; pop hl; mov a, [hl]", AT_HL, told={"hazard_waits": 1},
         options=ANY),
    *(Case(f"a skipped write causes no hazard, {flags}", "skc; incw hl; mov a, [hl]", {**AT_HL, "psw": flags},
           told={"hazard_waits": waits}, options=ANY) for flags, waits in ((7, 0), (6, 1))),
    Case("a run starts without a hazard", "mov a, [hl]; incw hl", AT_HL, told={"hazard_waits": 0},
         options=ANY, also=lambda s: s.run().waits["hazard_waits"] == 0),
    *(Case(f"a skipped {skipped} runs as nop", f"skz; {skipped}; end: nop; f: ret", {"psw": 0x46},
           told={"base": 1, "skip_waits": waits, "cycles": 1 + waits, "instructions": 1})
      for skipped, waits in (("nop", 1), ("call !!f", 1), ("mov a, es:[hl]", 2), ("br $end", 1))),
    *(Case(f"{skip} with {flags:#x}", f"{skip}; inc c", {"psw": flags, "c": 0}, {"c": kept})
      for skip, both in SKIPS.items() for kept, every in enumerate(both) for flags in every),
    Case("flash reads cost three each",
         "mov a, !0x2000; movw ax, !0x2000; mov a, es:!0x2000; mov a, !0xf1000; mov a, !0xff000", {"es": 0},
         told={"base": 5, "flash_waits": 12, "es_waits": 1, "cycles": 18}, options=ANY),
    *(Case(f"{branch} on a bit in flash, {value}", f"{branch} [hl].2, $end; nop; nop; end: nop",
           {"hl": 0x3000}, told={"cycles": 7 if taken else 6 + 2}, flash={0x3000: bytes([4 * value])})
      for branch, value, taken in BITS),
    Case("waits are counted apart",
         "mov es, #0; mov l, #0; mov a, es:[hl]; clr1 cy; sknc; mov a, es:[hl]", {"hl": 0x3000},
         told={"base": 5, "flash_waits": 3, "es_waits": 1, "hazard_waits": 1, "skip_waits": 2, "cycles": 12}),
    Case("call and return are three and six", "call !!f; end: nop; f: ret", told={"cycles": 9, "stack": 4}),
)  # fmt: skip

MIRROR = (Region("flash", 0, 0x20000), Region("mirror", 0xF2000, 0xFEF00, 0x2000))
MIRROR += (Region("ram", 0xFEF00, 0xFFF00), Region("sfr", 0xFFF00, 0x100000))


def forgotten(s):
    s.sim.reset()
    return s.sim.touched_banks() == frozenset()


def written_from_outside(s):
    s.sim.write(0xFFEF0, b"\1")
    return s.sim.touched_banks() == frozenset()


def mirror_is_back(s):
    s.sim.reset()
    return s.sim.read(0xF3000, 1) == b"\x11"


CASES = (
    Case("data without ES lie in the last 64 KB, and addresses wrap", "mov a, [hl+0x10]", {"hl": 0xFFF8},
         told={"status": "unmapped read", "address": 0xF0008}, options=ANY),
    Case("short addresses", "mov 0xffe20, #1; mov 0xffeff, #2; mov 0xfff1f, #3",
         left={0xFFE20: b"\1", 0xFFEFF: b"\2", 0xFFF1F: b"\3", "h": 2}),
    Case("register banks are RAM", "movw ax, #0x1234; sel rb2; movw hl, #0x5678; sel rb0; mov 0xffef2, #9",
         left={0xFFEF8: b"\x34\x12", 0xFFEEE: b"\x78\x56", "hl2": 0x5678, "c1": 9},
         also=lambda s: s.sim.touched_banks() == {1, 2} and forgotten(s)),
    Case("bank zero is not among the touched", "mov a, #1; mov 0xffefa, #1; sel rb0",
         also=lambda s: s.sim.touched_banks() == frozenset() and written_from_outside(s)),
    Case("register banks may be read before they are written", "mov a, 0xffee0; sel rb3; mov a, h"),
    Case("special registers are real",
         "mov es, #3; mov cs, #5; mov a, es; mov b, a; mov a, cs; movw de, sp;"
         "mov psw, #0x41; push psw; pop hl",
         left={"b": 3, "a": 5, "de": 0xFE00, "psw": 0x41, "hl": 0x4100, "es": 3, "cs": 5}),
    Case("upper bits of ES do not exist", "mov es, #0xf5; mov a, es", left={"a": 5}),
    Case("bit zero of SP does not exist", "movw ax, #0xfd81; movw sp, ax; movw bc, sp", left={"bc": 0xFD80}),
    Case("the mirror shows the flash", "mov a, !0xf2345", left={"a": 0x77, 0xF2345: b"\x77"},
         flash={0x2345: b"\x77"}),
    Case("PMC moves the mirror", "mov 0xffffe, #1; mov a, !0xf3000", left={"a": 0x22},
         told={"flash_waits": 3}, options={"regions": MIRROR}, flash={0x3000: b"\x11", 0x13000: b"\x22"},
         also=mirror_is_back),
    Case("the spare byte of a return address may be read", "call !!f; end: nop; f: mov a, [sp+3]; ret"),
)  # fmt: skip

# Source, masks of registers before it (the first byte of data has 3C), masks after it.
MOVES = (
    ("xor a, a", {"a": 0xFF}, {"a": 0, "psw": 0}),
    ("sub a, a", {"a": 0xFF}, {"a": 0, "psw": 0}),
    ("subc a, a", {"a": 0xFF, "psw": 1}, {"a": 0xFF}),
    ("clrb a", {"a": 0xFF}, {"a": 0}),
    ("and a, #0x0f", {"a": 0x3C}, {"a": 0x0C, "psw": 0x40}),
    ("or a, #0x0f", {"a": 0x3C}, {"a": 0x30, "psw": 0}),
    ("xor a, x", {"a": 0x01, "x": 0x80}, {"a": 0x81}),
    ("xch a, x", {"a": 0x12, "x": 0x34}, {"a": 0x34, "x": 0x12}),
    ("mov b, #0x10; mov a, b; add a, x", {"x": 0x08}, {"a": 0x08, "psw": 0}),
    ("mov a, #0x0f; add a, x", {"x": 0x02}, {"a": 0xFE - 0xE0, "psw": 0x10}),
    ("shl a, 3", {"a": 0x21}, {"a": 0x08, "psw": 0x01}),
    ("shlw ax, 3", {"a": 0x01, "x": 0x81}, {"ax": 0x0C08, "psw": 0}),
    ("sar a, 2", {"a": 0x80}, {"a": 0xE0, "psw": 0}),
    ("rolwc ax, 1", {"a": 0x80, "x": 0x01}, {"ax": 0x0002, "psw": 0x01}),
    ("mov a, #8; mulu x", {"x": 0x03}, {"ax": 0x0018}),
    ("mov a, !data; mov !data+1, a; movw ax, !data", {}, {"ax": 0x3C3C}),
    ("movw hl, #data; mov1 cy, [hl].2; mov1 a.7, cy", {"a": 0xFF}, {"a": 0xFF, "psw": 0x01}),
    ("movw hl, #data; mov1 cy, [hl].0; mov1 a.7, cy", {"a": 0xFF}, {"a": 0x7F, "psw": 0}),
    ("push ax; pop bc", {"ax": 0x1234}, {"bc": 0x1234}),
    ("sel rb1; mov a, 0xffef9", {"a": 0x3C}, {"a1": 0x3C}),
    ("mov 0xffef8, #0", {"x": 0xFF}, {"x": 0}),
    ("cmp a, #0x10; mov a, psw", {"a": 0x01}, {"psw": 0, "a": 0}),
)
# Source with the instruction at the label `here`, secret registers, what is seen there.
LEAKS = (
    ("cmp a, #3; here: bz $f; nop; f: nop", {"a": 0xFF}, "branch"),
    ("cmp a, #3; here: bz $f; nop; nop; f: nop", {"a": 0xFF}, "balanced"),
    ("xor a, a; here: bnh $f; nop; f: nop", {"psw": 0x01}, ""),  # Z is known
    ("here: bt a.1, $f; nop; f: nop", {"a": 0x02}, "branch"),
    ("here: bt a.1, $f; nop; nop; f: nop", {"a": 0x02}, "balanced"),
    ("here: bt a.1, $f; nop; f: nop", {"a": 0xFD}, ""),
    ("here: btclr a.1, $f; nop; nop; f: nop", {"a": 0x02}, "branch"),
    ("here: skc; inc !data; nop", {"psw": 0x01}, "skip"),
    ("here: skc; inc x; nop", {"psw": 0x01}, "balanced"),
    ("movw hl, #data; here: skc; inc l; mov a, [hl]", {"psw": 0x01}, "skip"),  # the address hazard
    ("movw hl, #data; here: skc; inc l; nop; mov a, [hl]", {"psw": 0x01}, "balanced"),
    ("movw ax, #end; here: br ax", {"cs": 0x01}, "jump"),
    ("movw hl, #f; here: call hl; br $end; f: ret; end: nop", {"cs": 0x01}, "call"),
    ("movw ax, #end; push bc; push ax; here: ret", {"c": 0x01}, "return"),
    ("or a, #0xd0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x20}, "address"),  # mirror or RAM
    ("or a, #0xd0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x01}, "lookup"),
    ("or a, #0xf0; mov h, a; mov l, #0; here: mov a, [hl]", {"a": 0x04}, "lookup"),
    ("movw hl, #0xfee0; mov c, a; here: mov [hl+c], a", {"a": 0x10}, "address"),  # a register perhaps
    ("here: mov psw, a", {"a": 0x08}, "control"),
    ("here: mov !0xfffe, a", {"a": 0x01}, "control"),
    ("here: push ax; pop ax", {"sp": 0x04}, "stack"),
)
# Source with a balanced branch or skip, secret registers, masks after it.
MERGED = (("oneb x; clrb a; skc; mov x, a; nop", {"psw": 0x01}, {"x": 0x01, "a": 0}),)

CORE = Core(
    name="rl78",
    simulated=S3,
    target=TARGET,
    part=PART,
    tools=TOOLS,
    regions=MEMORY,
    stack=(0xFE00, 0xFD00),
    space=0x100000,
    above=0xFFE00,
    data=0xFF000,
    symbol=0xF000,
    section=("", "\n## AVR\n"),
    counted=lambda forms: (
        f"All {len(forms)} forms of the table, {sum(form.es for form in forms)} of them also with ES",
    ),
    no_sources=("flash", "rule"),
    digits=5,
    forms=Rl78Forms(),
    flags={"psw": 0x46},
    ends={
        "unknown opcode": (".byte 0xff", ".byte 0x11, 0x50, 0x00", ".byte 0xce, 0xfb, 0x7f"),
        "HALT reached": ("halt",),
        "STOP reached": ("stop",),
        "BRK reached": ("brk",),
        "branch to itself": ("f: br $f",),
        "cycle limit": ("f: nop; br $f", "f: bz $g; br $f; g: bz $f"),
        "fetch from non-executable": ("br !!0xff000", "br !!0xf3000", "br !!0x20000"),
        "stack below its region": (
            "f: push ax; br $f", "f: call !!f", "movw sp, #0xfc00; push ax",
            "subw sp, #0xff; subw sp, #0xff",
        ),
        "stack above its region": ("movw sp, #0xfe02", "addw sp, #2", "push ax; addw sp, #4"),
    },
    ends_above=(("mov a, [sp+2]; pop ax", 0xFFE02),),
    deepest=(
        ("subw sp, #6; addw sp, #6", 6),
        ("movw ax, sp; addw ax, #-20; movw sp, ax; push ax", 22),
        ("push ax; pop bc; push ax; push bc; pop de", 4),
        ("subw sp, #8; call !!f; br !!end; f: push ax; pop ax; ret; end: nop", 14),
        ("nop", 0),
    ),
    loop=("f: nop; br $f", 1004, 502),
    nop=b"\x00",
    cut=b"\xec",
    not_code=(0xFF000, 0xF3000, 0x20000),
    return_outside=(("movw ax, #0x000e; push ax; movw ax, #0x4321; push ax; ret", 0xE4321),),
    steps=(
        ("inc a; skc; inc a; s: inc a; halt", {"psw": 0x01, "a": 0}, 2,
         {"instructions": 2, "pc": "s", "skip_waits": 1}, {"a": 1}),
    ),
    message=(("nop; nop; inner: nop; brk", "BRK reached at 01003 (inner+1) after 8 cycles"),),
    errors_given={0xFF002: b"\0\0", "es": 5, "hl": 0xF001, "sp": 0xFE00},
    errors={
        "unmapped read": {"mov a, !0xf0800": 0xF0800, "mov a, es:!0x0000": 0x50000},
        "unmapped write": {"mov !0xf0800, a": 0xF0800, "mov es:!0x3000, a": 0x53000},
        "write to flash": {"mov !0xf3000, a": 0xF3000, "inc !0xf1000": 0xF1000},
        "read of never-written RAM": {
            "mov a, !0xff000": 0xFF000, "movw ax, !0xff000": 0xFF000, "inc !0xff000": 0xFF000,
            "set1 !0xff000.3": 0xFF000, "pop ax": 0xFFE00,
        },
        "odd word access": {"movw ax, [hl]": 0xFF001, "movw [hl], ax": 0xFF001, "incw [hl+2]": 0xFF003},
    },
    load="mov a, !data+{}",
    loaded="a",
    store="mov !data+{}, a",
    never_written="mov a, !data; movw ax, !data+2; mov !data+4, a; mov a, !data+4",
    touched=("mov !data, a; push ax; call !!f; pop bc; end: nop; f: ret", range(0xFEF00, 0xFFF00),
             {0xFF000, *range(0xFFDFA, 0xFFE00)}),
    replaced=("movw ax, #0x1234", "ax", 0x1234, 2, b"\x55", 0x5534, b"\xf6\x00\x00", 0),
    memory=CASES,
    no_registers=("r7", "ip"),
    misuse=(
        lambda s: s.poison(0xFFEF8, 1, 0),  # a register
        lambda s: s.set_stack(0xFD01, 0xFC00),
    ),
    timing=TIMING,
    path_hashes=(
        ("cmp0 a; bz $f; nop; f: sknz; inc c", [{"a": 0}, {"a": 1}, {"a": 2}], "abb"),
        ("br ax; f: nop; g: nop; end: nop", [{"ax": "f"}, {"ax": "g"}], "ab"),
        ("skc; nop", [{"psw": 6}, {"psw": 7}], "ab"),
    ),
    others=(GNU,),
    rules=RULES,
    corners=CORNERS,
    firmware=FIRMWARE,
    calls=(
        Calls("call !!f; t: call !!f; u: br !!end; f: nop; r: ret; end: nop", ["f 1", "f 1"],
              {0: {"start": (1, 3), "t": (1, 3), "u": (1, 3)},
               **{n: {"f": (1, 1), "r": (1, 6)} for n in (1, 2)}}),
        Calls("mov b, #3; loop: call !!f; dec b; bnz $loop; br !!end; f: call !!g; call !!g; ret;"
              "g: ret; end: nop", ["f 3", "f/g 3", "f/g 3"]),
        Calls("mov b, #3; call !!f; br !!end; f: dec b; skz; call !!f; ret; end: nop",
              ["f 1", "f/f 1", "f/f/f 1"]),
        # a wait belongs to the instruction that waits
        Calls("movw hl, #0xfef0; w: mov a, [hl]", [], {0: {"start": (1, 1), "w": (1, 2)}}),
        # a skipped instruction has cycles, but no execution
        Calls("skc; s: mov a, es:[hl]; t: nop", [], {0: {"start": (1, 1), "s": (0, 2), "t": (1, 1)}},
              given={"psw": 7}),
        # the return address moved past an inline byte
        Calls("call !!f; .byte 0; br !!end; f: pop ax; incw ax; push ax; ret; end: nop", ["f 1"]),
        # a computed jump through ret leaves the path alone
        Calls("call !!f; t: br !!end; f: movw bc, #0; f2: push bc; f3: movw bc, #g; f4: push bc; f5: ret;"
              "g: nop; g2: ret; end: nop", ["f 1"], {0: "start t", 1: "f f2 f3 f4 f5 g g2"}),
        # the callee drops its own return address and returns to the caller's caller
        Calls("call !!f; t: call !!last; u: br !!end; f: call !!g; nop; g: addw sp, #4; g2: ret;"
              "last: ret; end: nop", ["f 1", "f/g 1", "last 1"], {0: "start t u", 1: "f", 2: "g g2"}),
        # a branch in place of call and return
        Calls("call !!f; call !!g; br !!end; f: br !!g; g: ret; end: nop", ["f 1", "g 1"]),
        # a frame that is left without a return ends at the next call
        Calls("mov b, #3; loop: call !!f; back: dec b; bnz $loop; br !!end; f: addw sp, #4; br !!back;"
              "end: nop", ["f 3"]),
    ),
    failing=("halt", "brk", ".byte 0xff", "mov a, !0xff000", "f: br $f"),
    recursion=(("f: call !!f; end: nop", 0xFFFE, 0, "write to flash"),),
    call_g="call !!g",
    pointer="ax",
    xor=("call !!f; end: nop; f: movw hl, ax; mov a, [hl]; xor a, [hl+1]; mov [hl+2], a; bz $z; nop; z: ret",
         "a", 4, (17, 18, 17)),
    xor_waits={"hazard_waits": 1},
    xor_given={"bc": 0x1234},
    xor_left={"sp": 0xFE00, "hl": 0xF000, "es": 0xF, "cs": 0},
    fails_on_zero=("call !!f; end: nop; f: movw hl, ax; mov a, [hl]; cmp0 a; bz $bad; ret; bad: brk",
                   "BRK reached"),
    fresh=("call !!f; end: nop; f: inc c; mov es, #1; set1 cy; ret",
           {"c": 1, "es": 1, "psw": 0x07, "pc": "end"}),
    enabled={"psw": 134},
    disabled={"psw": 6},
    uses_stack="push hl; movw hl, ax; pop hl; nop",
    reads_below="push ax; movw ax, sp; movw de, ax; pop ax; nop; movw ax, [de]",
    stores_below="movw ax, sp; subw ax, #2; movw de, ax; movw ax, #1; movw [de], ax; movw ax, [de]",
    blocks=("di; nop; nop; ei; nop", 1 + 1 + 4 + 1),
    moves=MOVES,
    leaks=LEAKS,
    merged=MERGED,
)  # fmt: skip

S2 = lesser(CORE, name="rl78-s2", simulated="rl78-s2")
S1 = lesser(CORE, name="rl78-s1", simulated="rl78-s1", verified=False)
OTHERS = (S2, S1)
