"""What a routine may not do on AVR: (the reason it is rejected with, what it does)."""

from .present_routines import AROUND

SIZE = AROUND["avr"].size
X = "movw r26, r24"
SPARE = ' .section .bss, "aw", @nobits\n .type spare, @object\nspare: .skip 6\n .size spare, 6\n'
BELOW_STACK = "in r30, 0x3d\n in r31, 0x3e\n sbiw r30, 60\n st Z, r24"
CALLERS_STACK = "in r30, 0x3d\n in r31, 0x3e\n std Z+3, r24"
READ_CALLERS_STACK = "in r30, 0x3d\n in r31, 0x3e\n ldd r18, Z+3"
TOO_MUCH_LEFT = "pop r18\n pop r19\n push r20\n push r19\n push r18"
UP = "in r30, 0x3d\n in r31, 0x3e\n adiw r30, 1\n out 0x3e, r31\n out 0x3d, r30"
TOO_LITTLE_LEFT = f"pop r18\n pop r19\n {UP}\n push r19\n push r18"
BEHIND = f"{X}\n subi r26, lo8(-({SIZE}))\n sbci r27, hi8(-({SIZE}))\n st X, r24"
WRITE_KEY = "movw r30, r24\n ldd r18, Z+11\n inc r18\n std Z+11, r18"
OTHER_POISON = f"{X}\n cpi r18, 0x71\n brne .Lfine\n ld r19, X\n inc r19\n st X, r19\n.Lfine:"

WRONG_DOING = [
    ("R2 not preserved: encrypt turns 001Eh into 001Fh", {"after": "inc r2"}),
    ("R17 not preserved", {"after": "ldi r17, 5"}),
    ("R28 not preserved", {"after": "adiw r28, 1"}),
    ("R1 not preserved: encrypt turns 0000h into 0001h", {"after": "inc r1"}),
    ("interrupt enable flag not preserved", {"after": "sei"}),
    ("interrupt enable flag not preserved", {"after": "cli"}),
    ("SP not preserved", {"after": TOO_MUCH_LEFT}),
    ("encrypt: stack above its region", {"after": TOO_LITTLE_LEFT}),
    ("encrypt: ", {"after": "push r18"}),
    ("1 bytes before the parameter block", {"after": f"{X}\n st -X, r24"}),
    ("1 bytes behind the parameter block", {"after": BEHIND}),
    ("below the deepest stack", {"after": BELOW_STACK}),
    ("1 bytes into the caller's stack", {"after": CALLERS_STACK}),
    ("encrypt: read of never-written RAM", {"after": READ_CALLERS_STACK}),
    ("encrypt: read of never-written RAM", {"before": "movw r30, r24\n ldd r18, Z+18"}),
    ("encrypt: read of never-written RAM", {"after": f"movw r30, r24\n ldd r18, Z+{SIZE}"}),
    ("stray write: ", {"after": f"{X}\n subi r26, -40\n st X, r24"}),
    ("key not intact: encrypt changes it", {"after": WRITE_KEY}),
    ("wrong answer: encrypt", {"after": f"{X}\n ld r18, X\n inc r18\n st X, r18"}),
    ("wrong answer: encrypt", {"before": OTHER_POISON}),
    ("static RAM: 0 bytes declared, 6 found (6 in .data and .bss)", {"extra": SPARE}),
    ("static RAM: 8 bytes declared, 0 found", {"static": 8}),
    ("encrypt: cycle limit", {"before": ".Lforever:\n nop\n rjmp .Lforever"}),
    ("encrypt: branch to itself", {"before": ".Lforever:\n rjmp .Lforever"}),
    ("encrypt: unknown opcode", {"after": "spm"}),
    ("encrypt: unmapped", {"after": "lds r18, 0x5000"}),
    ("encrypt: BRK reached", {"after": "break"}),
    ("encrypt: HALT reached", {"after": "sleep"}),
    ("special function register 80002Bh is written", {"after": "out 0x0b, r18"}),
    ("special function register 8000B0h is written", {"after": "sts 0xb0, r18"}),
    ("RAMPZ not preserved", {"after": "ldi r18, 1\n out 0x3b, r18"}),
    ("outside every sized symbol: 4 of ", {"extra": " .text\n nop\n nop\n"}),
    ("linker: ", {"extra": ' .section .hidden, "a"\n .byte 1\n'}),
    ("undefined reference to `not_there'", {"after": "rcall not_there"}),
    ("relocation truncated to fit", {"after": "breq far", "extra": " .text\n .skip 200\nfar:\n"}),
    ("assembler: ", {"after": "ldi r2, 3"}),
]  # fmt: skip

READ_BELOW = "push r24\n in r30, 0x3d\n in r31, 0x3e\n pop r24\n ldd r18, Z+1"
STORE_BELOW = "in r30, 0x3d\n in r31, 0x3e\n st Z, r24\n ld r18, Z"
FRAME = "in r30, 0x3d\n in r31, 0x3e\n {}\n in r0, 0x3f\n cli\n out 0x3e, r31\n out 0x3f, r0\n out 0x3d, r30"
BLOCKED = "in r18, 0x3f\n cli\n nop\n nop\n nop\n out 0x3f, r18"

WHILE_INTERRUPTED = [
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites", READ_BELOW),
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites", STORE_BELOW),
    ("encrypt: interrupts are disabled for 8 cycles from ", BLOCKED),
]
ALLOWED = FRAME.format("sbiw r30, 16") + "\n" + FRAME.format("adiw r30, 16")

_KEY = "\n".join(f"ldd r18, Z+{8 + n}\n cpi r18, {{0:#x}}\n brne .Lgood" for n in range(10))
SPOILED_KEY = f"movw r30, r24\n {_KEY}\n ld r18, Z\n inc r18\n st Z, r18\n.Lgood:"
