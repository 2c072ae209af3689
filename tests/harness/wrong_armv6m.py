"""What a routine may not do on ARMv6-M: (the reason it is rejected with, what it does)."""

from .present_routines import AROUND

SIZE = AROUND["armv6m"].size
SPARE = " .bss\n .type spare, %object\nspare: .skip 6\n .size spare, 6\n"
MORE = "ldrb r1, [r0]\n adds r1, #1\n strb r1, [r0]"
OTHER_POISON = f"ldr r2, =0xe4d3c2b0\n cmp r1, r2\n bne .Lfine\n {MORE}\n.Lfine:"

WRONG_DOING = [
    ("R4 not preserved: encrypt turns 718293A5h into 718293A6h", {"after": "adds r4, #1"}),
    ("R11 not preserved: encrypt turns 5E6F7081h into 0005h", {"after": "movs r1, #5\n mov r11, r1"}),
    ("interrupt disable flag not preserved", {"after": "cpsid i"}),
    ("interrupt disable flag not preserved", {"after": "cpsie i"}),
    ("interrupt disable flag not preserved", {"after": "movs r1, #1\n msr primask, r1"}),
    ("SP not preserved", {"after": "push {r1}"}),
    ("encrypt: stack above its region", {"after": "add sp, #4"}),
    ("encrypt: ", {"after": "mov lr, r0"}),
    ("encrypt: fetch from non-executable", {"after": "mov r1, lr\n subs r1, #1\n bx r1"}),
    ("1 bytes before the parameter block", {"after": "subs r1, r0, #1\n strb r0, [r1]"}),
    ("1 bytes behind the parameter block", {"after": f"movs r1, #{SIZE}\n strb r0, [r0, r1]"}),
    ("below the deepest stack", {"after": "mov r1, sp\n subs r1, #60\n str r0, [r1]"}),
    ("1 bytes into the caller's stack", {"after": "mov r1, sp\n strb r0, [r1]"}),
    ("encrypt: read of never-written RAM", {"after": "ldr r1, [sp]"}),
    ("encrypt: read of never-written RAM", {"before": "ldrb r1, [r0, #18]"}),
    ("encrypt: read of never-written RAM", {"after": f"movs r1, #{SIZE}\n ldrb r1, [r0, r1]"}),
    ("key not intact: encrypt changes it", {"after": MORE.replace("[r0]", "[r0, #11]")}),
    ("wrong answer: encrypt", {"after": MORE}),
    ("wrong answer: encrypt", {"before": OTHER_POISON}),
    ("static RAM: 0 bytes declared, 6 found (6 in .data and .bss)", {"extra": SPARE}),
    ("static RAM: 8 bytes declared, 0 found", {"static": 8}),
    ("encrypt: cycle limit", {"before": ".Lforever:\n nop\n b .Lforever"}),
    ("encrypt: branch to itself", {"before": ".Lforever:\n b .Lforever"}),
    ("encrypt: write to flash of 8000000 at", {"after": "ldr r1, =0x08000000\n str r1, [r1]"}),
    ("encrypt: unmapped", {"after": "ldr r1, =0x10000000\n ldr r1, [r1]"}),
    ("encrypt: unaligned word access", {"after": "adds r1, r0, #2\n ldr r1, [r1]"}),
    ("encrypt: odd word access", {"after": "adds r1, r0, #1\n ldrh r1, [r1]"}),
    ("encrypt: unknown opcode", {"after": ".short 0xde00"}),
    ("encrypt: HALT reached", {"after": "wfi"}),
    ("encrypt: BRK reached", {"after": "bkpt #0"}),
    ("special function register E000E010h is written", {"after": "ldr r1, =0xe000e010\n str r0, [r1]"}),
    ("outside every sized symbol: 4 of ", {"extra": " .text\n nop\n nop\n"}),
    ("linker: ", {"extra": ' .section .hidden, "a"\n .byte 1\n'}),
    ("undefined reference to `not_there'", {"after": "bl not_there"}),
    ("assembler: ", {"after": "adds r8, #5"}),
]  # fmt: skip

WHILE_INTERRUPTED = [
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "push {r1}\n pop {r1}\n mov r1, sp\n subs r1, #4\n ldr r1, [r1]"),
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "mov r1, sp\n subs r1, #4\n str r0, [r1]\n ldr r0, [r1]"),
    ("encrypt: interrupts are disabled for 5 cycles from ",
     "mrs r1, primask\n cpsid i\n nop\n msr primask, r1\n nop"),
]  # fmt: skip
ALLOWED = "push {r1, r2}\n add sp, #4\n pop {r1}"

_KEY = "\n".join(f"ldrb r1, [r0, #{8 + n}]\n cmp r1, #{{0:#x}}\n bne .Lgood" for n in range(10))
SPOILED_KEY = f"{_KEY}\n {MORE}\n.Lgood:"
