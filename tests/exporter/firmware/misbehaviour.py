"""Routines that are right but for one thing: an exported one, called by an entry that does something wrong.

`answer`, `key` and `canary` go wrong in every call, the others only under supervision, which they know by the
pattern above their return address, so that the C round it lives to tell. `ruin` is the reverse: it leaves no
register as it was, but only where C calls it directly.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tightfit.targets import load_target

from .compilers import assemble
from .winners import Winner

MORE_STACK = 16
"""The stack of the calling entry, which is part of the claim."""


@dataclass(frozen=True)
class Caller:
    """Assembly of an entry: what calls `inner` and leaves the block's address in a register, and the faults.

    `watched` skips the fault where it was not called under supervision, `direct` where it was.
    """

    call: str
    watched: str
    direct: str
    faults: Mapping[str, str]


ARMV6M = Caller(
    call="push {{r0, lr}}; bl {inner}; pop {{r0, r1}}; mov lr, r1",
    watched="ldr r1, [sp]; ldr r2, =0xc9c9c9c9; cmp r1, r2; bne 9f",
    direct="ldr r1, [sp]; ldr r2, =0xc9c9c9c9; cmp r1, r2; beq 9f",
    faults={
        "answer": "movs r2, #{text}; ldrb r1, [r0, r2]; adds r1, #1; strb r1, [r0, r2]",
        "key": "movs r2, #{key}; ldrb r1, [r0, r2]; adds r1, #1; strb r1, [r0, r2]",
        "canary": "movs r1, #{size}; strb r1, [r0, r1]",
        "registers": "mvns r4, r4",
        "stack pointer": "push {{r1}}",
        "frame": "movs r1, #0; str r1, [sp]",
        "depth": ".rept {deep} / 4 + 1; push {{r1}}; .endr; add sp, #{deep} + 4",
        "status": "cpsid i",
        "ruin": "movs r1, #0; .irp n, 4, 5, 6, 7, 8, 9, 10, 11; mov r\\n, r1; .endr",
    },
)
AVR = Caller(
    call="push r24; push r25; rcall {inner}; pop r31; pop r30",
    watched="in r30, 0x3d; in r31, 0x3e; ldd r18, Z+3; cpi r18, 0xc9; breq .+2; ret",
    direct="in r30, 0x3d; in r31, 0x3e; ldd r18, Z+3; cpi r18, 0xc9; brne .+2; ret",
    faults={
        "answer": "ldd r18, Z+{text}; inc r18; std Z+{text}, r18",
        "key": "ldd r18, Z+{key}; inc r18; std Z+{key}, r18",
        "canary": "subi r30, lo8(-({size})); sbci r31, hi8(-({size})); st Z, r1",
        "registers": "inc r2",
        "stack pointer": "pop r18; pop r19; push r1; push r19; push r18",
        "frame": "std Z+3, r1",
        "depth": ".rept {deep}; push r1; .endr; .rept {deep}; pop r18; .endr",
        "status": "cli",
        "ruin": ".irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29; clr r\\n; .endr",
    },
)
MSP430 = Caller(
    call="push r12; call #{inner}; pop r15",
    watched="cmp #0xc9c9, 2(r1); jne 9f",
    direct="cmp #0xc9c9, 2(r1); jeq 9f",
    faults={
        "answer": "xor.b #1, {text}(r15)",
        "key": "xor.b #1, {key}(r15)",
        "canary": "mov.b #0, {size}(r15)",
        "registers": "inv r4",
        "stack pointer": "mov @r1, r15; push r15",
        "frame": "mov #0, 2(r1)",
        "depth": ".rept {deep} / 2; push r15; .endr; add #{deep}, r1",
        "status": "dint; nop",
        "ruin": ".irp n, 4, 5, 6, 7, 8, 9, 10; clr r\\n; .endr",
    },
)
RL78 = Caller(
    call="movw ax, [sp+4]; push ax; call $!{inner}; pop hl",
    watched="movw ax, [sp+6]; cmpw ax, #0xc9c9; bnz $9f",
    direct="movw ax, [sp+6]; cmpw ax, #0xc9c9; bz $9f",
    faults={
        "answer": "inc [hl+{text}]",
        "key": "inc [hl+{key}]",
        "canary": "movw ax, hl; addw ax, #{size}; movw hl, ax; clrb a; mov [hl], a",
        "registers": "incw 0xffeee",
        "stack pointer": "movw ax, [sp+2]; push ax; movw ax, [sp+2]; push ax",
        "frame": "clrw ax; movw [sp+6], ax",
        "depth": ".rept {deep} / 2; push ax; .endr; .rept {deep} / 2; pop ax; .endr",
        "status": "mov es, #1",
        "ruin": "clrw ax; .irp n, 0xffee8, 0xffeea, 0xffeec, 0xffeee; movw \\n, ax; .endr",
    },
)
RV32E = Caller(
    call="addi sp, sp, -8; sw a0, 4(sp); sw ra, (sp); jal {inner}; lw ra, (sp); lw a0, 4(sp); addi sp, sp, 8",
    watched="lw a1, 0(sp); li a2, 0xc9c9c9c9; bne a1, a2, 9f",
    direct="lw a1, 0(sp); li a2, 0xc9c9c9c9; beq a1, a2, 9f",
    faults={
        "answer": "lbu a1, {text}(a0); addi a1, a1, 1; sb a1, {text}(a0)",
        "key": "lbu a1, {key}(a0); addi a1, a1, 1; sb a1, {key}(a0)",
        "canary": "sb zero, {size}(a0)",
        "registers": "not s0, s0",
        "stack pointer": "addi sp, sp, -4",
        "frame": "sw zero, 0(sp)",
        "depth": "addi sp, sp, -({deep} + 4); sw zero, 0(sp); addi sp, sp, {deep} + 4",
        "status": ".option arch, +zicsr; csrsi mstatus, 8",
        "ruin": "li s0, 0; li s1, 0",
    },
)
CALLERS = {"armv6m": ARMV6M, "avr": AVR, "msp430": MSP430, "rl78": RL78, "rv32e": RV32E}
EVERYWHERE = ("answer", "key", "canary")


def broken(target: str, winner: Winner, fault: str, folder: Path) -> Winner:
    """The same winner with one thing wrong, or with none where `fault` is empty."""
    fields = {name: offset for name, offset, _ in winner.prepared.rendered.block.fields}
    caller = CALLERS[target]
    (entry,) = (
        f"{load_target(target).abi.symbol_prefix}{winner.name}_{entry_name}" for entry_name in winner.entries
    )
    wrong = caller.faults.get(fault, "")
    where = "" if fault in EVERYWHERE else caller.direct if fault == "ruin" else caller.watched
    lines = [caller.call, where, wrong]
    text = "; ".join(filter(None, lines)).format(
        inner="right",
        size=winner.block,
        deep=winner.stack + MORE_STACK,
        text=fields["text"],
        key=fields["key"],
    )
    source = re.sub(rf"(?<![\w.]){entry}(?!\w)", "right", winner.prepared.source).replace(".global right", "")
    instructions = "\n".join(f"        {instruction.strip()}" for instruction in text.split(";"))
    facts = load_target(target)
    head = f".global {entry}\n        .type {entry}, {facts.type_mark}function\n{entry}:"
    source += f"\n        .text\n        {head}\n{instructions}\n9:      {facts.returns}\n"
    file = folder / f"{winner.name}.s"
    file.write_text(source)
    return replace(winner, object=assemble(target, file, folder / "broken.o"), extra_stack=MORE_STACK)
