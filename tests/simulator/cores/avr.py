"""The AVR: AVRe+ as the ATmega1284P, the largest part, and what ATmega328P and ATtiny85 have; AVRxt."""

from dataclasses import replace

from . import avr_parts
from .avr_forms import AvrForms, XtForms
from .avr_gnu import GNU
from .avr_lockstep import simavr
from .avr_parts import DATA, IO, TARGET, XT_REGISTERS, AvrPart
from .core import Calls, Case, Core, Firmware, lesser
from .tools import Tools

TOP, LIMIT = 0x03FF, 0x02FF
ANY = {"uninit": "off"}


def place(part: AvrPart) -> dict:
    """What a core's table says of the part: 256 bytes of stack up to 03FF, or to the end of RAM."""
    top = min(TOP, part.ram.stop - 1)
    return {
        "simulated": part.core,
        "part": part.part,
        "tools": Tools("avr", part.part.assemble, (f"-m{part.emulation}",)),
        "regions": part.regions,
        "stack": (top, top - TOP + LIMIT),
        "above": DATA + top + 1,
    }


def sp_is_at_the_end_of_ram(s):
    s.sim.reset()
    return DATA + s.sim.registers["sp"] == s.core.region("ram").end - 1


BACK, FORWARD = (b"\xff\xcf", b"\xff\xc7")  # rjmp .-2, rjmp .+0xffe


def jumps_wrap(s):
    end = s.core.flash_end
    s.sim.load(0x1000, FORWARD)
    assert s.sim.run(0x1000, 0, cycle_limit=9).ok
    s.sim.load(0, b"\xfe\xcf")
    assert s.sim.run(0, end - 2, cycle_limit=9).ok
    s.sim.load(0, BACK)
    return s.sim.run(0, 2, cycle_limit=9).status == "branch to itself"


def jumps_do_not_wrap(s):
    end = s.core.flash_end
    s.sim.load(end - 0x1000, FORWARD)
    run = s.sim.run(end - 0x1000, 0, cycle_limit=9)
    return (run.status, run.pc) == ("fetch from non-executable", end)


def sp_and_sreg_are_memory(s):
    s.sim.write(DATA + 0x5D, b"\x34\x12\x81")
    return (s.sim.registers["sp"], s.sim.registers["sreg"]) == (0x1234, 0x81)


def rampz_is_reset(s):
    s.sim.reset()
    return s.sim.registers["rampz"] == 0


def r20_is_memory(s):
    s.sim.write(DATA + 20, b"\x11")
    return s.sim.registers["r20"] == 0x11


STACK_AFTER_RESET = Case("after a reset the stack is at the end of RAM", "nop", also=sp_is_at_the_end_of_ram)
MEMORY = (
    STACK_AFTER_RESET,
    Case("never-written RAM is kept byte by byte",
         "st X+, r16; st X, r16; ld r17, -X; lds r18, 0x0200; lds r19, 0x0201", {"x": 0x0200, "r16": 7}),
    Case("the byte beside one that was written", "sts 0x0200, r16; lds r19, 0x0201",
         told={"status": "read of never-written RAM", "address": DATA + 0x0201}),
    Case("registers lie in the data space",
         "sts 0x0010, r20; lds r2, 0x0014; ldi r30, 3; ldi r31, 0; st Z+, r20; ld r5, Z",
         {"r20": 0x5A, "r4": 0xC3},
         {"r16": 0x5A, "r2": 0x5A, "r3": 0x5A, "r5": 0xC3, "z": 4, DATA + 20: b"\x5a"}, also=r20_is_memory),
    Case("registers have names for pairs", "nop", {f"r{n}": n for n in range(32)},
         {"w": 0x1918, "x": 0x1B1A, "y": 0x1D1C, "z": 0x1F1E}),
    Case("a pair is two registers", "nop", {"w": 0xABCD}, {"r24": 0xCD, "r25": 0xAB}),
    Case("RAMPZ is where the part has it", "nop", {"rampz": 1}, {DATA + 0x5B: b"\1"}, also=rampz_is_reset),
    Case("special registers are real",
         "ldi r16, 0xc3; out 0x3f, r16; in r17, 0x3f; lds r18, 0x5f; in r19, 0x3d; lds r20, 0x5e",
         left={"r17": 0xC3, "r18": 0xC3, "r19": TOP & 0xFF, "r20": TOP >> 8, "sreg": 0xC3,
               DATA + 0x5F: b"\xc3"}, also=sp_and_sreg_are_memory),
    Case("a return address is two bytes of words, the high one below",
         "rjmp g; .org 0x246; g: rcall f; end: nop; f: ret",
         left={DATA + TOP - 1: (0x248 // 2).to_bytes(2, "big"), "sp": TOP}),
    Case("far tables need ELPM",
         "ldi r16, 1; out 0x3b, r16; lpm r17, Z; elpm r18, Z+; in r19, 0x3b; elpm r20, Z",
         {"z": 0xFFFF}, {"r17": 0x11, "r18": 0x22, "r19": 2, "z": 0, "rampz": 2},
         {"status": "unmapped read", "address": 0x20000}, flash={0xFFFF: b"\x11", 0x1FFFF: b"\x22"}),
    Case("flash is not written", "ldi r30, 0; ldi r31, 0x10; st Z, r30", left={0x1000: b"\x55\xaa"},
         flash={0x1000: b"\x55\xaa"}, also=lambda s: s.sim.touched(DATA + 0x1000, 1) == b"\1"),
)  # fmt: skip

SKIPS = (("cpse r0, r1", "cpse r0, r1"), ("sbrc r0, 3", "sbrc r1, 0"), ("sbrs r1, 3", "sbrs r0, 0"),
         ("sbic 0x1e, 0", "sbic 0x1e, 1"), ("sbis 0x1e, 1", "sbis 0x1e, 0"))  # fmt: skip
SKIPPED = (("nop", 1), ("lds r16, 0x0200", 2), ("sts 0x0200, r16", 2), ("jmp 0", 2), ("call 0", 2))


def skipping(part):
    """Cases of skips; where the part has the byte of I/O that two of them look at."""
    place = part.at(IO + 0x1E)
    return (
        *(Case(f"{skip} skips {skipped}, a clock a word", f"{skip}; {skipped}",
               {place: b"\x02", "r0": 0, "r1": 0 if "cpse" in skip else 8},
               told={"base": 1, "skip_waits": words, "cycles": 1 + words, "instructions": 1})
          for skip, _ in SKIPS for skipped, words in SKIPPED),
        *(Case(f"{skip} that does not skip costs one", f"{skip}; nop", {place: b"\x02", "r0": 0, "r1": 1},
               told={"base": 2, "skip_waits": 0, "instructions": 2}) for _, skip in SKIPS),
    )  # fmt: skip


FIRMWARE = Firmware(
    source=".text; .global _start; .type _start, @function;"
    "_start: ldi r16, 3; again: rcall work; dec r16; brne again; {end}; .size _start, . - _start;"
    ".type work, @function; work: push r16; pop r16; ret; .size work, . - work",
    ends=(("sleep", "HALT reached"), ("break", "BRK reached"), ("rjmp .-2", "branch to itself")),
    again="rjmp _start",
    left={"r16": 0},
    stack=3,
    costs={"work": (3, 3 * (2 + 2 + 4), 3 * (2 + 2 + 4))},
    start=1 + 3 * (3 + 1) + 2 * 2 + 1 + 1,
    machine="EM_AVR",
)

UP = "ldi r16, 5; ldi r17, 0x80; out 0x3e, r16; out 0x3d, r17"
DOWN = "ldi r16, 2; ldi r17, 0xff; out 0x3e, r16; out 0x3d, r17"
# Source, masks of registers before it (the first byte of data has 3C), masks after it.
MOVES = (
    ("eor r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
    ("sub r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
    ("sbc r16, r16", {"r16": 0xFF, "sreg": 1}, {"r16": 0xFF}),
    ("sbc r16, r16", {"r16": 0xFF}, {"r16": 0, "sreg": 0}),
    ("andi r16, 0x0f", {"r16": 0x3C}, {"r16": 0x0C, "sreg": 0x02}),
    ("ori r16, 0x0f", {"r16": 0x3C}, {"r16": 0x30, "sreg": 0}),
    ("eor r16, r17", {"r16": 0x01, "r17": 0x80}, {"r16": 0x81}),
    ("com r16", {"r16": 0x11}, {"r16": 0x11}),
    ("swap r16", {"r16": 0x12}, {"r16": 0x21}),
    ("movw r18, r16", {"r16": 0x12, "r17": 0x34}, {"r18": 0x12, "r19": 0x34}),
    ("ldi r16, 0x10; add r16, r17", {"r17": 0x08}, {"r16": 0x08, "sreg": 0}),
    ("lsl r16; rol r17", {"r16": 0x81}, {"r16": 0x02, "r17": 0x01}),
    ("ldi r18, 0x1b; lsl r16; sbc r17, r17; and r17, r18; eor r16, r17", {"r16": 0x80}, {"r16": 0x1B}),
    ("asr r16", {"r16": 0x80}, {"r16": 0xC0}),
    ("ldi r17, 16; mul r16, r17", {"r16": 0x03}, {"r0": 0x30, "r1": 0}),
    ("bst r16, 3; bld r17, 5", {"r16": 0x08, "r17": 0xFF}, {"r17": 0xFF, "sreg": 0x40}),
    ("bst r16, 2; bld r17, 5", {"r16": 0x08, "r17": 0xFF}, {"r17": 0xDF, "sreg": 0}),
    ("lds r16, data; sts data+1, r16; lds r17, data+1", {}, {"r17": 0x3C}),
    ("push r16; pop r17", {"r16": 0x34}, {"r17": 0x34}),
    ("ldi r30, 16; ldi r31, 0; ld r17, Z", {"r16": 0x34}, {"r17": 0x34}),
    ("cpi r16, 1; in r17, 0x3f", {"r16": 0x10}, {"r17": 0x15, "sreg": 0x15}),
    ("out 0x3f, r16; clc", {"r16": 0xFF}, {"sreg": 0xFE}),
    ("ldi r16, 0", {"r16": 0xFF}, {"r16": 0}),
)
# Source with the instruction at the label `here`, secret registers, what is seen there.
LEAKS = (
    ("cpi r16, 3; here: breq f; nop; nop; f: nop", {"r16": 0xFF}, "branch"),
    ("cpi r16, 3; here: breq f; nop; f: nop", {"r16": 0xFF}, "balanced"),
    ("cpi r16, 3; here: breq f; nop; nop; f: nop", {"r16": 0xF0}, ""),  # bits 0 and 1 say that it differs
    ("here: brts f; nop; nop; f: nop", {"sreg": 0xBF}, ""),
    ("here: sbrc r16, 0; inc r17; nop", {"r16": 0x01}, "balanced"),
    ("here: sbrc r16, 0; inc r17; nop", {"r16": 0xFE}, ""),
    ("here: sbrc r16, 0; lds r17, data; nop", {"r16": 0x01}, "balanced"),
    ("here: sbrc r16, 0; adiw r24, 1; nop", {"r16": 0x01}, "skip"),
    ("here: cpse r16, r17; inc r18; nop", {"r16": 0x01}, "balanced"),
    ("here: cpse r16, r17; adiw r24, 1; nop", {"r16": 0x01}, "skip"),
    ("here: cpse r16, r16; adiw r24, 1; nop", {"r16": 0xFF}, ""),
    ("ldi r30, pm_lo8(end); ldi r31, pm_hi8(end); eor r30, r16; here: ijmp", {"r16": 0x01}, "jump"),
    ("ldi r30, pm_lo8(f); eor r30, r16; here: icall; rjmp end; f: ret; end: nop", {"r16": 1}, "call"),
    ("ldi r17, pm_lo8(end); push r17; push r16; here: ret", {"r16": 0x01}, "return"),
    (
        "ldi r30, lo8(t); add r30, r16; here: lpm r17, Z; rjmp end; t: .word 1; end: nop",
        {"r16": 1},
        "lookup",
    ),
    ("ldi r28, lo8(data); ldi r29, hi8(data); add r28, r16; here: st Y, r17", {"r16": 0x01}, "lookup"),
    ("here: push r16; pop r16", {"sp": 0x04}, "stack"),
)
# Source with a balanced branch or skip, secret registers, masks after it.
MERGED = (
    ("ldi r18, 0x1b; sbrc r16, 0; eor r17, r18", {"r16": 1}, {"r17": 0x1B, "r18": 0}),
    ("sbrc r16, 0; sts data, r17; lds r18, data", {"r16": 1}, {"r18": 0x5A}),
)

CORE = Core(
    **place(avr_parts.LARGE),
    name="avr",
    target=TARGET,
    space=0x810000,
    data=DATA + 0x0200,
    symbol=0x0200,
    word=2,
    forms=AvrForms(),
    nop=b"\0\0",
    cut=b"\x00\x90",  # lds
    section=("\n## AVR\n", "\n## MSP430\n"),
    counted=lambda forms: (f"All {len(forms)} forms of AVRe+",),
    digits=6,
    flags={"sreg": 0},
    ends={
        "unknown opcode": (
            ".word 0x9409 | 0x10",  # eijmp
            ".word 0x95e8",  # spm
            ".word 0x91ad",  # ld r26, X+
            ".word 0xffff",
            "ldi r30, 0xff; ldi r31, 0xff; ijmp; end: nop",
        ),
        "HALT reached": ("sleep",),
        "BRK reached": ("break",),
        "branch to itself": ("f: rjmp f", "f: jmp f"),
        "cycle limit": ("f: nop; rjmp f", "f: brcc g; rjmp f; g: brcc f", "f: breq f; rjmp f"),
        "fetch from non-executable": (
            ".word 0x940d, 0",  # jmp 0x20000
        ),
        "unmapped read": (
            "lds r16, 0x4100", "ldi r16, 2; out 0x3b, r16; elpm r16, Z",
            "ldi r16, 0xff; out 0x3b, r16; elpm r16, Z+",
        ),
        "unmapped write": ("sts 0x4100, r16",),
        "read of never-written RAM": ("lds r16, 0x0100", "pop r16", "ret"),
        "stack below its region": (
            "f: push r0; rjmp f", "f: rcall f", "ldi r16, 2; out 0x3e, r16; ldi r16, 0xfe; out 0x3d, r16",
            "ldi r16, 0xfe; out 0x3d, r16; ldi r16, 2; out 0x3e, r16",
            "ldi r16, 2; out 0x3e, r16; ldi r16, 0xfe; sts 0x5d, r16",
            "ldi r16, 1; out 0x3e, r16; pop r16",
            "ldi r16, 1; out 0x3e, r16; ldi r16, 3; out 0x3e, r16; push r0",
        ),
        "stack above its region": (
            "ldi r16, 4; out 0x3e, r16; ldi r16, 0; out 0x3d, r16", "ldi r16, 4; out 0x3e, r16",
            "ldi r16, 4; out 0x3e, r16; push r16", "ldi r16, 4; out 0x3e, r16; ldi r16, 3; out 0x3e, r16",
            f"{UP}; ldi r16, 3; out 0x3e, r16",
        ),
    },
    ends_above=(("pop r16", DATA + TOP + 1), ("ret", DATA + TOP + 2), ("reti", DATA + TOP + 2)),
    deepest=(
        ("nop", 0),
        ("push r0; push r1; pop r16; push r0; pop r16; pop r16", 2),
        ("rcall f; rjmp end; f: push r0; pop r0; ret; end: nop", 3),
        ("call f; rjmp end; f: ret; end: nop", 2),
        ("rcall .+0; rcall .+0; pop r16; pop r16; pop r16; pop r16", 4),
        ("in r28, 0x3d; in r29, 0x3e; sbiw r28, 20; out 0x3e, r29; out 0x3d, r28; push r0; adiw r28, 20; "
         "out 0x3e, r29; out 0x3d, r28", 21),
        ("in r28, 0x3d; subi r28, 20; out 0x3d, r28; subi r28, -20; out 0x3d, r28", 20),
        (f"{DOWN}; out 0x3e, r16; out 0x3d, r17", TOP - LIMIT),
    ),
    loop=("f: nop; rjmp f", 1002, 668),
    not_code=(DATA + 0x200, 1, 0x20000, 0xFFFFFFFF),
    steps=(
        ("inc r16; sbrc r16, 0; inc r16; inc r16; s: sleep", {"r16": 0}, 3, {"instructions": 3, "pc": 6},
         {"r16": 2}),
        ("inc r16; sbrc r16, 0; inc r16; inc r16; s: sleep", {"r16": 1}, 2,
         {"instructions": 2, "pc": 6, "skip_waits": 1, "cycles": 3}, {"r16": 2}),
    ),
    message=(("nop; nop; inner: nop; break", "BRK reached at 00006 (inner+2) after 4 cycles"),),
    errors_given={DATA + 0x0202: b"\0", "x": 0xFFF0, "y": 0x0202, "z": 0x0300, "sp": 0x037F},
    errors={
        "unmapped read": {"lds r16, 0x4100": DATA + 0x4100, "ld r16, X": DATA + 0xFFF0},
        "read of never-written RAM": {
            "ldd r16, Y+1": DATA + 0x0203, "ld r16, -Z": DATA + 0x02FF,
            "pop r16": DATA + 0x0380, "ret": DATA + 0x0380,
        },
        "unmapped write": {"st -X, r16": DATA + 0xFFEF},
    },
    load="lds r16, data+{}",
    loaded="r16",
    store="sts data+{}, r16",
    never_written="lds r16, data; lds r16, data+1; lds r16, data+2; sts data+4, r16; lds r16, data+4",
    touched=(
        "push r0; pop r0; sts 0x0200, r0; out 0x1e, r0; sbi 0x1e, 3; out 0x3f, r0; out 0x3b, r0; sts 9, r0",
        range(DATA, DATA + 0x4100), {DATA + 0x3E, DATA + 0x0200, DATA + TOP},
    ),
    replaced=("ldi r16, 0x12", "r16", 0x12, 0, b"\x05", 0x15, b"\x0f\xef", 0xFF),
    memory=MEMORY,
    no_registers=("r32", "r", "r01", "r100", "hl", "r-1", "xx"),
    misuse=(lambda s: s.guard(DATA + 0x5F, 1), lambda s: s.poison(DATA + 16, 1, 0)),
    clocks=(
        ("ldi r16, 1; mov r0, r16; movw r2, r0; eor r0, r2; swap r0; bst r0, 1; bld r0, 2", 7),
        ("adiw r24, 1; sbiw r30, 1", 4),
        ("mul r2, r3; muls r16, r17; mulsu r16, r17; fmul r16, r17", 8),
        ("in r0, 0x3e; out 0x1e, r0; sbi 0x1e, 1; cbi 0x1e, 1", 6),
        ("sts 0x0200, r0; lds r0, 0x0200; push r0; pop r0", 8),
        ("lpm; lpm r0, Z; lpm r0, Z+; elpm r0, Z", 12),
        ("rjmp f; f: rcall g; jmp end; g: ret; end: nop", 2 + 3 + 4 + 3),
        ("call g; jmp end; g: reti; end: nop", 4 + 4 + 3),
        ("sec; brcs f; f: brcc f; brcs end; end: nop", 1 + 2 + 1 + 2),
        ("ldi r30, lo8(gs(f)); ldi r31, hi8(gs(f)); icall; rjmp end; f: ret; end: nop", 2 + 3 + 4 + 2),
        ("ldi r30, lo8(gs(end)); ldi r31, hi8(gs(end)); ijmp; end: nop", 2 + 2),
    ),
    others=(simavr(avr_parts.LARGE, routines=True), GNU),
    timing=skipping(avr_parts.LARGE),
    path_hashes=(
        ("tst r16; breq f; nop; f: sbrs r16, 7; inc r17", [{"r16": n} for n in (0, 1, 2, 0x80)], "abbc"),
        ("ijmp; f: nop; g: nop; end: nop", [{"z": "f"}, {"z": "g"}], "ab"),
        ("push r16; push r17; ret; f: nop; g: nop; end: nop", [{"r16": "f"}, {"r16": "g"}], "ab"),
    ),
    firmware=FIRMWARE,
    calls=(
        Calls("rcall f; t: call f; u: rjmp end; f: nop; r: ret; end: nop", ["f 1", "f 1"],
              {0: {"start": (1, 3), "t": (1, 4), "u": (1, 2)},
               **{n: {"f": (1, 1), "r": (1, 4)} for n in (1, 2)}}),
        Calls("ldi r16, 3; loop: rcall f; dec r16; brne loop; rjmp end; f: rcall g; rcall g; ret;"
              "g: ret; end: nop", ["f 3", "f/g 3", "f/g 3"]),
        Calls("ldi r16, 3; rcall f; rjmp end; f: dec r16; breq out; rcall f; out: ret; end: nop",
              ["f 1", "f/f 1", "f/f/f 1"]),
        Calls("ldi r30, lo8(gs(f)); ldi r31, hi8(gs(f)); icall; rjmp end; f: ret; end: nop", ["f 1"]),
        # a skipped instruction has cycles, but no execution
        Calls("sbrs r0, 0; s: lds r16, 0x0200; t: nop", [], {0: {"start": (1, 1), "s": (0, 2), "t": (1, 1)}},
              given={"r0": 1}),
        # a jump through ret leaves the path alone
        Calls("rcall f; rjmp end; f: ldi r16, lo8(gs(g)); push r16; ldi r16, hi8(gs(g)); push r16; ret;"
              "g: ret; end: nop", ["f 1"]),
        # the callee drops its own return address and returns to the caller's caller
        Calls("rcall f; rcall last; rjmp end; f: rcall g; nop; g: pop r0; pop r0; ret; last: ret; end: nop",
              ["f 1", "f/g 1", "last 1"], {1: "f"}),
        # a jump in place of call and return
        Calls("rcall f; rcall g; rjmp end; f: rjmp g; g: ret; end: nop", ["f 1", "g 1"]),
        # room on the stack by a call to the next instruction, and one to a routine from there
        Calls("rcall .+0; next: rcall f; pop r0; pop r0; rjmp end; f: ret; end: nop", ["next 1", "next/f 1"]),
    ),
    call_g="rcall g",
    failing=("sleep", "break", ".word 0xffff", "lds r16, 0x4100", "f: rjmp f", "push r0; rjmp g"),
    recursion=(("f: rcall f", 0x40FF, 0, "unmapped write"),),
    pointer="w",
    xor=("rcall f; end: nop; f: movw r30, r24; ld r0, Z; ldd r1, Z+1; eor r0, r1; std Z+2, r0; breq g; nop; "
         "g: ret",
         "r0", 2, (17, 17, 17)),
    xor_given={"r9": 0x12},
    xor_left={"w": 0x0200, "z": 0x0200},
    fails_on_zero=("rcall f; end: nop; f: movw r30, r24; ld r16, Z; tst r16; breq b; ret; b: break",
                   "BRK reached"),
    fresh=("rcall f; end: nop; f: inc r2; sec; set; ret", {"r2": 1, "sreg": 0x41}),
    enabled={"sreg": 128},
    disabled={"sreg": 0},
    uses_stack="push r16; push r17; pop r17; pop r16",
    reads_below="push r16; in r30, 0x3d; in r31, 0x3e; pop r16; ldd r17, Z+1",
    stores_below="in r30, 0x3d; in r31, 0x3e; st Z, r16; ld r17, Z",
    blocks=("in r0, 0x3f; cli; nop; out 0x3f, r0; nop; nop", 1 + 1 + 1),
    moves=MOVES,
    leaks=LEAKS,
    merged=MERGED,
)  # fmt: skip

TINY = lesser(
    CORE,
    **place(avr_parts.TINY),
    name="ATtiny85",
    others=(simavr(avr_parts.TINY),),
    ends={"unmapped read": ("ldi r31, 0x20; lpm r16, Z",), "unmapped write": ("sts 0x0260, r0",)},
    deepest=(("rcall f; rjmp end; f: ret; end: nop", 2),),
    clocks=(("rcall f; rjmp end; f: ret; end: nop", 3 + 4 + 2),),
    no_registers=("rampz",),
    memory=(
        STACK_AFTER_RESET,
        Case("a small part's RAM", "sts 0x0060, r0; lds r0, 0x025f", options=ANY),
        Case("relative jumps wrap on a small flash", "nop", also=jumps_wrap),
    ),
)
MEGA = lesser(
    CORE,
    **place(avr_parts.MEGA),
    name="ATmega328P",
    others=(simavr(avr_parts.MEGA),),
    ends={"unmapped read": ("ldi r31, 0x80; lpm r16, Z",), "unmapped write": ("sts 0x0900, r0",)},
    memory=(STACK_AFTER_RESET, Case("relative jumps wrap on no larger one", "nop", also=jumps_do_not_wrap)),
)
SMALLEST = lesser(
    CORE,
    **place(avr_parts.SMALLEST),
    name="ATtiny45",
    others=(simavr(avr_parts.SMALLEST, long_seeds=()),),
)

# Where AVRxt shows flash, and where its EEPROM is; they read 11 and 22.
SHOWN, EEPROM = 0x8000, 0x5000
SLOW = {0x1000: b"\x11\x22", DATA + EEPROM: b"\x33"}


def xt_sp_and_sreg_are_memory(s):
    s.sim.write(DATA + 0x3D, b"\x34\x12\x81")
    return (s.sim.registers["sp"], s.sim.registers["sreg"]) == (0x1234, 0x81)


def no_register_was_reached(s):
    return not s.sim.reached_registers()


def registers_were_meant(s):
    return s.sim.reached_registers()


XT_MEMORY = (
    *(case for case in MEMORY if case.what not in (
        "registers lie in the data space", "RAMPZ is where the part has it", "special registers are real")),
    Case("registers do not lie in the data space",
         "sts 0x0010, r20; lds r2, 0x0014; ldi r30, 3; ldi r31, 0; st Z+, r20; ld r5, Z",
         {"r20": 0x5A, "r4": 0xC3, "r16": 0x77, "r3": 0x66},
         {"r16": 0x77, "r2": 0, "r3": 0x66, "r5": 0, DATA + 3: b"\x5a", DATA + 16: b"\x5a"},
         also=registers_were_meant),
    Case("registers have a place for the host", "mov r3, r4", {XT_REGISTERS + 4: b"\x2a"},
         {"r4": 0x2A, "r3": 0x2A, XT_REGISTERS + 3: b"\x2a"}, also=no_register_was_reached),
    Case("RAMPZ is where the part has it", "nop", {"rampz": 1}, {DATA + 0x3B: b"\1"}, also=rampz_is_reset),
    Case("special registers are real, and I/O is at the start of the data space",
         "ldi r16, 0xc3; out 0x3f, r16; in r17, 0x3f; lds r18, 0x3f; in r19, 0x3d; lds r20, 0x3e;"
         "out 0x34, r16; lds r21, 0x34",
         left={"r17": 0xC3, "r18": 0xC3, "r19": TOP & 0xFF, "r20": TOP >> 8, "r21": 0xC3, "sreg": 0xC3,
               DATA + 0x3F: b"\xc3"}, also=xt_sp_and_sreg_are_memory),
    Case("flash is among the data", f"lds r16, {SHOWN}; ld r17, X+; ldd r18, Y+1; lds r19, {EEPROM}",
         {"x": SHOWN, "y": SHOWN}, {"r16": 0x11, "r17": 0x11, "r18": 0x22, "r19": 0x33,
                                     DATA + SHOWN: b"\x11"},
         {"flash_waits": 4}, flash=SLOW),
    Case("what is shown is not written", f"nop; sts {SHOWN}, r16",
         told={"status": "write to flash", "address": DATA + SHOWN}),
)  # fmt: skip
READS = ("lds r16, {}", "ld r16, X", "ld r16, X+", "ld r16, -X", "ld r16, Y+", "ld r16, -Y", "ldd r16, Y+0",
         "ld r16, Z+", "ld r16, -Z", "ldd r16, Z+0")  # fmt: skip


def reads(what, place, waits):
    """Every load from a place, which its pointers are at or just behind."""
    for source in READS:
        at = place + (", -" in source)
        base = 3 if "lds" in source else 2
        yield Case(f"{source} from {what}", source.format(place), {"x": at, "y": at, "z": at},
                   told={"base": base, "flash_waits": waits, "cycles": base + waits},
                   options=ANY, flash=SLOW)  # fmt: skip


XT = replace(
    CORE,
    **place(avr_parts.XT),
    name="avrxt",
    section=("", ""),
    space=0x810020,
    forms=XtForms(),
    others=(simavr(avr_parts.XT),),
    ends={
        **CORE.ends,
        "stack below its region": tuple(
            source.replace("sts 0x5d", "sts 0x3d") for source in CORE.ends["stack below its region"]
        ),
        "write to flash": (f"sts {SHOWN}, r16", f"ldi r26, 0; ldi r27, {SHOWN >> 8}; st X+, r16"),
    },
    touched=(
        "push r0; pop r0; sts 0x0200, r0; sts 0x60, r0; out 0x2a, r0; out 0x3f, r0; out 0x3b, r0",
        range(DATA, DATA + 0x4100), {DATA + 0x60, DATA + 0x2A, DATA + 0x0200, DATA + TOP},
    ),
    memory=XT_MEMORY,
    misuse=(lambda s: s.guard(DATA + 0x3F, 1), lambda s: s.poison(DATA + 16, 1, 0),
            lambda s: s.poison(XT_REGISTERS, 1, 0), lambda s: s.load(DATA + SHOWN, b"\0" * 0x8001)),
    clocks=(
        CORE.clocks[0], CORE.clocks[1], CORE.clocks[2], CORE.clocks[5],
        ("in r0, 0x3e; out 0x1e, r0; sbi 0x1e, 1; cbi 0x1e, 1", 4),
        ("sts 0x0200, r0; lds r0, 0x0200", 2 + 3),
        ("push r0; pop r0", 1 + 2),
        ("ldi r27, 2; st X, r0; st X+, r0; st -X, r0; ld r0, X", 1 + 1 + 1 + 1 + 2),
        ("ldi r29, 2; st Y+, r0; st -Y, r0; std Y+3, r0; ldd r0, Y+3", 1 + 1 + 1 + 1 + 2),
        ("ldi r31, 2; st Z+, r0; st -Z, r0; std Z+3, r0; ldd r0, Z+3", 1 + 1 + 1 + 1 + 2),
        ("rjmp f; f: rcall g; jmp end; g: ret; end: nop", 2 + 2 + 4 + 3),
        ("call g; jmp end; g: reti; end: nop", 3 + 4 + 3),
        CORE.clocks[8],
        ("ldi r30, lo8(gs(f)); ldi r31, hi8(gs(f)); icall; rjmp end; f: ret; end: nop", 2 + 2 + 4 + 2),
        ("ldi r30, lo8(gs(end)); ldi r31, hi8(gs(end)); ijmp; end: nop", 2 + 2),
    ),
    timing=(*skipping(avr_parts.XT), *reads("flash", SHOWN, 1), *reads("EEPROM", EEPROM, 1),
            *reads("RAM", 0x0200, 0)),
    firmware=replace(
        FIRMWARE,
        costs={"work": (3, 3 * (1 + 2 + 4), 3 * (1 + 2 + 4))},
        start=1 + 3 * (2 + 1) + 2 * 2 + 1 + 1,
    ),
    calls=(
        replace(CORE.calls[0], cells={**CORE.calls[0].cells, 0: {"start": (1, 2), "t": (1, 3), "u": (1, 2)}}),
        Calls("f: lds r16, 0x8000; g: ld r17, X; h: lds r17, 0x60", [],
              {0: {"f": (1, 4), "g": (1, 3), "h": (1, 3)}}, given={"x": SHOWN}),
        *CORE.calls[1:],
    ),
    xor=(*CORE.xor[:3], (15, 15, 15)),
    moves=tuple(row for row in MOVES if "ldi r30, 16" not in row[0]),
    leaks=(
        *(row for row in LEAKS if "lds r17" not in row[0]),
        ("here: sbrc r16, 0; lds r17, data; nop", {"r16": 0x01}, "skip"),
        ("here: sbrc r16, 0; sts data, r17; nop", {"r16": 0x01}, "balanced"),
        ("ldi r26, 0; ldi r27, 0x80; eor r26, r16; here: ld r17, X", {"r16": 0x0F}, "lookup"),
        ("ldi r26, 0; ldi r27, 2; eor r26, r16; here: ld r17, X", {"r16": 0x0F}, "lookup"),
        ("ldi r26, 0; ldi r27, 0x02; or r27, r16; here: ld r17, X", {"r16": 0x80}, "address"),  # flash or RAM
        ("ldi r26, 0; ldi r27, 0x50; or r27, r16; here: ld r17, X", {"r16": 0x80}, "lookup"),  # EEPROM
    ),
)  # fmt: skip
XT_SMALL = lesser(
    XT,
    **place(avr_parts.XT_SMALL),
    name="ATtiny1614",
    section=("\n### AVRxt\n", "\n### How the AVR cores are tested\n"),
    ends={
        "unmapped read": ("ldi r31, 0x40; lpm r16, Z", "lds r16, 0xc000", "lds r16, 0x1500"),
        "write to flash": ("sts 0x8000, r0", "sts 0x1400, r0"),
        "unmapped write": ("sts 0x4000, r0",),
    },
    memory=(
        STACK_AFTER_RESET,
        Case("a small part's RAM", "sts 0x3800, r0; lds r0, 0x3fff; sts 0x1300, r0", options=ANY),
        Case("its flash among the data", "lds r16, 0xbfff", left={"r16": 9}, flash={0x3FFF: b"\x09"},
             told={"flash_waits": 1}),
        Case("relative jumps wrap on no larger one", "nop", also=jumps_do_not_wrap),
    ),
)  # fmt: skip
XT_SMALLEST = lesser(
    XT,
    **place(avr_parts.XT_SMALLEST),
    name="ATtiny814",
    ends={
        "unknown opcode": (".word 0x940e, 0", ".word 0x940c, 0", ".word 0x9006", ".word 0x95d8"),
        "unmapped read": ("ldi r31, 0x20; lpm r16, Z", "lds r16, 0xa000"),
        "unmapped write": ("sts 0x3dff, r0",),
    },
    clocks=(("rcall f; rjmp end; f: mul r2, r3; ret; end: nop", 2 + 2 + 4 + 2),),
    no_registers=("rampz",),
    memory=(
        STACK_AFTER_RESET,
        Case("relative jumps wrap on a small flash", "nop", also=jumps_wrap),
    ),
)  # fmt: skip
OTHERS = (TINY, SMALLEST, MEGA, XT_SMALL, XT_SMALLEST)
