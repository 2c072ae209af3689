"""What a routine may not do on MSP430: (the reason it is rejected with, what it does)."""

from .present_routines import AROUND

SIZE = AROUND["msp430"].size
SPARE = " .bss\n .type spare, @object\nspare: .skip 6\n .size spare, 6\n"
TOO_MUCH_LEFT = "pop r13\n push r14\n push r13"
TOO_LITTLE_LEFT = "pop r13\n incd sp\n push r13"
OTHER_POISON = "cmp #0xd4c3, r13\n jne .Lfine\n inc.b 0(r12)\n.Lfine:"

WRONG_DOING = [
    ("R4 not preserved: encrypt turns 1B2Ch into 1B2Dh", {"after": "inc r4"}),
    ("R10 not preserved: encrypt turns D7E8h into 00E8h", {"after": "mov.b r10, r10"}),
    ("interrupt enable flag not preserved", {"after": "nop\n eint\n nop"}),
    ("interrupt enable flag not preserved", {"after": "dint\n nop"}),
    ("SCG0 not preserved", {"after": "bic #0x40, sr"}),
    ("SP not preserved", {"after": TOO_MUCH_LEFT}),
    ("encrypt: stack above its region", {"after": TOO_LITTLE_LEFT}),
    ("encrypt: ", {"after": "push r13"}),
    ("1 bytes before the parameter block", {"after": "mov.b r12, -1(r12)"}),
    ("1 bytes behind the parameter block", {"after": f"mov.b r12, {SIZE}(r12)"}),
    ("below the deepest stack", {"after": "mov r12, -60(sp)"}),
    ("1 bytes into the caller's stack", {"after": "mov.b r12, 2(sp)"}),
    ("encrypt: read of never-written RAM", {"after": "mov 2(sp), r13"}),
    ("encrypt: read of never-written RAM", {"before": "mov 18(r12), r13"}),
    ("encrypt: read of never-written RAM", {"after": f"mov.b {SIZE}(r12), r13"}),
    ("key not intact: encrypt changes it", {"after": "inc.b 11(r12)"}),
    ("wrong answer: encrypt", {"after": "inc.b 0(r12)"}),
    ("wrong answer: encrypt", {"before": OTHER_POISON}),
    ("static RAM: 0 bytes declared, 6 found (6 in .data and .bss)", {"extra": SPARE}),
    ("static RAM: 8 bytes declared, 0 found", {"static": 8}),
    ("encrypt: cycle limit", {"before": ".Lforever:\n nop\n jmp .Lforever"}),
    ("encrypt: branch to itself", {"before": ".Lforever:\n jmp .Lforever"}),
    ("encrypt: write to flash of 05000 at", {"after": "mov r12, &0x5000"}),
    ("encrypt: unmapped", {"after": "mov &0x0c00, r13"}),
    ("encrypt: odd word access", {"after": "mov 1(r12), r13"}),
    ("encrypt: HALT reached", {"after": "bis #0x10, sr"}),
    ("special function register 00021h is written", {"after": "mov.b r12, &0x21"}),
    ("outside every sized symbol: 4 of ", {"extra": " .text\n nop\n nop\n"}),
    ("linker: ", {"extra": ' .section .hidden, "a"\n .byte 1\n'}),
    ("undefined reference to `not_there'", {"after": "call #not_there"}),
    ("assembler: ", {"after": "mov r4, #5"}),
]  # fmt: skip

WHILE_INTERRUPTED = [
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "push r12\n pop r12\n mov -2(sp), r13"),
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "mov r12, -2(sp)\n mov -2(sp), r12"),
    ("encrypt: interrupts are disabled for 3 cycles from ",
     "mov sr, r13\n dint\n nop\n mov r13, sr\n nop\n nop"),
]  # fmt: skip
ALLOWED = "push r13\n push r14\n incd sp\n pop r13"

_KEY = "\n".join(f"cmp.b #{{0:#x}}, {8 + n}(r12)\n jne .Lgood" for n in range(10))
SPOILED_KEY = f"{_KEY}\n inc.b 0(r12)\n.Lgood:"
