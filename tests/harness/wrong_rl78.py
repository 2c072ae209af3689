"""What a routine may not do on RL78: (the reason it is rejected with, what it does)."""

from .routines import KEY, SIZE, WORK, Layout, entry, lines, routine

STORE_AT_DE = "movw de, ax\n mov a, #0x77\n mov [de], a"
ONE_BEFORE = "movw de, ax\n decw de\n mov a, #0x77\n mov [de], a"
BEHIND = f"movw bc, ax\n movw ax, #{SIZE}\n addw ax, bc\n {STORE_AT_DE}"
BELOW_STACK = "push ax\n movw ax, sp\n subw ax, #60\n movw de, ax\n mov a, #1\n mov [de], a\n pop ax"
CALLERS_STACK = "push ax\n movw ax, sp\n addw ax, #6\n movw de, ax\n mov a, #1\n mov [de], a\n pop ax"
READ_CALLERS_STACK = "push ax\n mov a, [sp+6]\n pop ax"
EXTRA_WORD_LEFT = "pop bc\n pop de\n push hl\n push de\n push bc"
WORD_TOO_FEW = "pop bc\n pop de\n movw ax, sp\n addw ax, #2\n movw sp, ax\n push de\n push bc"
READ_WORK = f"movw de, ax\n mov b, a\n mov a, [de+{WORK}]\n mov a, b"
READ_BEHIND = f"movw de, ax\n mov b, a\n mov a, [de+{SIZE}]\n mov a, b"
NO_CARRY = "movw de, ax\n mov a, e\n add a, #40\n mov e, a\n mov a, #0\n mov [de], a"
WRITE_KEY = f"movw de, ax\n mov a, [de+{KEY + 3}]\n inc a\n mov [de+{KEY + 3}], a"
OTHER_BANK = "sel rb1\n mov b, #1\n sel rb0"
BANK_BY_ADDRESS = "movw de, #0xfeea\n mov a, #1\n mov [de], a"
READ_UNSET_BANK = "movw de, ax\n sel rb1\n mov a, b\n sel rb0\n mov a, 0xffef3\n cmp a, #0x5a\n bnz $.Lfine\n"
WRONG_WITH_OTHER_POISON = f"{READ_UNSET_BANK} mov a, [de]\n inc a\n mov [de], a\n.Lfine:"

SPARE = " .section .bss\n .type spare, @object\nspare: .zero 6\n .size spare, 6\n"
FOUND_8 = "static RAM: 0 bytes declared, 8 found (0 in .data and .bss, register banks "
NO_KEY = Layout((("text", 0, 16),), 16)

WRONG_DOING = [
    ("HL not preserved: encrypt turns 5F60h into 1234h", {"after": "movw hl, #0x1234"}),
    ("ES not preserved: encrypt turns 000Fh into 0001h", {"after": "mov es, #1"}),
    ("CS not preserved: encrypt turns 0000h into 0001h", {"after": "mov cs, #1"}),
    ("register bank not preserved", {"after": "push hl\n sel rb1\n pop hl", "static": 8}),
    ("interrupt enable flag not preserved", {"after": "ei"}),
    ("interrupt enable flag not preserved", {"after": "di"}),
    ("SP not preserved: encrypt turns FEC0h into FEBEh", {"after": EXTRA_WORD_LEFT}),
    ("encrypt: stack above its region", {"after": WORD_TOO_FEW}),
    ("encrypt: ", {"after": "push bc"}),
    ("1 bytes before the parameter block", {"after": ONE_BEFORE}),
    ("1 bytes behind the parameter block", {"after": BEHIND}),
    ("below the deepest stack", {"after": BELOW_STACK}),
    ("1 bytes into the caller's stack", {"after": CALLERS_STACK}),
    ("encrypt: read of never-written RAM", {"after": READ_CALLERS_STACK}),
    ("encrypt: read of never-written RAM", {"before": READ_WORK}),
    ("encrypt: read of never-written RAM", {"after": READ_BEHIND}),
    ("stray write: ", {"after": NO_CARRY}),
    ("key not intact: encrypt changes it", {"after": WRITE_KEY}),
    ("wrong answer: encrypt", {"after": "movw de, ax\n mov a, [de]\n inc a\n mov [de], a"}),
    (FOUND_8 + "1)", {"after": OTHER_BANK}),
    (FOUND_8 + "2)", {"after": BANK_BY_ADDRESS}),
    ("static RAM: 8 bytes declared, 0 found", {"static": 8}),
    ("static RAM: 0 bytes declared, 6 found (6 in .data and .bss)", {"extra": SPARE}),
    ("wrong answer: encrypt", {"after": WRONG_WITH_OTHER_POISON, "static": 8}),
    ("encrypt: cycle limit", {"before": ".Lforever: nop\n br $.Lforever"}),
    ("encrypt: write to flash of F3000 at", {"after": "movw de, #0x3000\n mov a, #1\n mov [de], a"}),
    ("encrypt: unmapped", {"after": "mov a, !0x0800"}),
    ("encrypt: odd word access", {"after": "incw ax\n movw de, ax\n movw ax, [de]"}),
    ("encrypt: BRK reached", {"after": "brk"}),
    ("special function register FFF05h is written", {"after": "mov a, #5\n mov !0xfff05, a"}),
    ("special function register F0078h is written", {"after": "mov a, #5\n mov !0x0078, a"}),
    ("PMC not preserved", {"after": "set1 0xffffe.0"}),
    ("outside every sized symbol: 2 of 244 bytes of .text", {"extra": " .text\n nop\n nop\n"}),
    ("linker: ", {"extra": ' .section .hidden, "a"\n .byte 1\n'}),
    ("linker: ", {"after": "call !!_not_there"}),
    ("linker: ", {"entries": ("encrypt", "decrypt")}),
    ("assembler: ", {"after": "movw de, [hl"}),
    ("entry 'encode': expected setup,", {"entries": ("encrypt", "encode"), "extra": entry("encode", "")}),
    ("entry 'decrypt_next': expected setup or decrypt beside it",
     {"entries": ("encrypt", "decrypt_next"), "extra": entry("decrypt_next", "")}),
    ("parameter block: expected a field 'key' of 16 bytes", {"layout": NO_KEY}),
]  # fmt: skip

READ_BELOW = "push ax\n movw ax, sp\n movw de, ax\n pop ax\n nop\n mov a, [de]"
STORE_BELOW = "movw bc, ax\n movw ax, sp\n subw ax, #2\n movw de, ax\n movw ax, bc\n movw [de], ax"
OVERWRITTEN = "encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites"
BELOW = f"{OVERWRITTEN}: read of never-written"
BLOCKED = "encrypt: interrupts are disabled for 6 cycles from "


WHILE_INTERRUPTED = [
    (BELOW, READ_BELOW),
    (BELOW, f"{STORE_BELOW}\n movw ax, [de]"),
    (BLOCKED, "push psw\n di\n nop\n nop\n pop psw\n nop"),
]

SPOIL = "mov a, [de]\n inc a\n mov [de], a\n.Lgood:"
_WORD = "movw ax, [de+{}]\n cmpw ax, #0x{{0:02x}}{{0:02x}}\n bnz $.Lgood\n"
SPOILED_KEY = f"movw de, ax\n {''.join(_WORD.format(KEY + n) for n in range(0, 16, 2))} {SPOIL}"


def doing_wrong(before="", after="", **promises):
    return routine(before=lines(before), after=lines(after), **promises)
