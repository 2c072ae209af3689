"""What a routine may not do on RISC-V: (the reason it is rejected with, what it does)."""

from .present_routines import AROUND

SIZE = AROUND["rv32e"].size
SPARE = " .bss\n .type spare, @object\nspare: .skip 6\n .size spare, 6\n"
CSR = ".option arch, +zicsr\n"
COUNT = "lbu a1, {0}(a0)\n addi a1, a1, 1\n sb a1, {0}(a0)"
OTHER_POISON = f"li a2, 0x1807f6e5\n bne a1, a2, .Lfine\n {COUNT.format(0)}\n.Lfine:"

WRONG_DOING = [
    ("S0 not preserved: encrypt turns 6F708192h into 6F708193h", {"after": "addi s0, s0, 1"}),
    ("S1 not preserved: encrypt turns A3B4C5D6h into 00D6h", {"after": "andi s1, s1, 0xff"}),
    ("GP not preserved", {"after": "addi gp, gp, 4"}),
    ("TP not preserved", {"after": "mv tp, zero"}),
    ("interrupt enable flag not preserved", {"after": f"{CSR} csrsi mstatus, 8"}),
    ("interrupt enable flag not preserved", {"after": f"{CSR} csrw mstatus, zero"}),
    ("SP not preserved", {"after": "addi sp, sp, -4"}),
    ("encrypt: stack above its region", {"after": "addi sp, sp, 4"}),
    ("encrypt: ", {"after": "mv ra, a0"}),
    ("1 bytes before the parameter block", {"after": "sb a0, -1(a0)"}),
    ("1 bytes behind the parameter block", {"after": f"sb a0, {SIZE}(a0)"}),
    ("below the deepest stack", {"after": "sw a0, -60(sp)"}),
    ("1 bytes into the caller's stack", {"after": "sb a0, 0(sp)"}),
    ("encrypt: read of never-written RAM", {"after": "lw a1, 4(sp)"}),
    ("encrypt: read of never-written RAM", {"before": "lbu a1, 18(a0)"}),
    ("encrypt: read of never-written RAM", {"after": f"lbu a1, {SIZE}(a0)"}),
    ("key not intact: encrypt changes it", {"after": COUNT.format(11)}),
    ("wrong answer: encrypt", {"after": COUNT.format(0)}),
    ("wrong answer: encrypt", {"before": OTHER_POISON}),
    ("static RAM: 0 bytes declared, 6 found (6 in .data and .bss)", {"extra": SPARE}),
    ("static RAM: 8 bytes declared, 0 found", {"static": 8}),
    ("encrypt: cycle limit", {"before": ".Lforever:\n nop\n j .Lforever"}),
    ("encrypt: branch to itself", {"before": ".Lforever:\n j .Lforever"}),
    ("encrypt: write to flash of 01000 at", {"after": "lui a1, 1\n sb a0, 0(a1)"}),
    ("encrypt: unmapped", {"after": "lui a1, 0x10000\n lw a1, 0(a1)"}),
    ("encrypt: odd word access", {"after": "lh a1, 1(a0)"}),
    ("encrypt: unaligned word access", {"after": "lw a1, 2(sp)"}),
    ("encrypt: HALT reached", {"after": "ecall"}),
    ("encrypt: BRK reached", {"after": "ebreak"}),
    ("encrypt: unknown opcode", {"after": ".word 0x00000833"}),
    ("special function register 40000000h is written", {"after": "lui a1, 0x40000\n sb a0, 0(a1)"}),
    ("outside every sized symbol: 4 of ", {"extra": " .text\n nop\n nop\n"}),
    ("linker: ", {"extra": ' .section .hidden, "a"\n .byte 1\n'}),
    ("undefined reference to `not_there'", {"after": "jal not_there"}),
    ("assembler: ", {"after": "add x16, a0, a0"}),
]  # fmt: skip

WHILE_INTERRUPTED = [
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "addi sp, sp, -4\n sw a0, 0(sp)\n addi sp, sp, 4\n lw a1, -4(sp)"),
    ("encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites",
     "sw a0, -4(sp)\n lw a0, -4(sp)"),
    ("encrypt: interrupts are disabled for 3 cycles from ",
     f"{CSR} csrr a1, mstatus\n csrci mstatus, 8\n nop\n csrw mstatus, a1\n nop\n nop"),
]  # fmt: skip
ALLOWED = "addi sp, sp, -8\n sw a1, 0(sp)\n sw a2, 4(sp)\n addi sp, sp, 4\n lw a1, 0(sp)\n addi sp, sp, 4"

_KEY = "\n".join(f"lbu a1, {8 + n}(a0)\n li a2, {{0:#x}}\n bne a1, a2, .Lgood" for n in range(10))
SPOILED_KEY = f"{_KEY}\n {COUNT.format(0)}\n.Lgood:"
