"""Proof of the checkers: routines that misbehave on purpose, each rejected for what it does."""

from dataclasses import replace

import pytest

from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected
from tightfit.harness.simulator import Handler
from tightfit.primitives import load_primitive

from .routines import CORRECT, ENCRYPT, KEY, SIZE, WORK, Layout, entry, routine


@pytest.fixture(scope="module")
def bench():
    with Bench("rl78", None, "aes-128") as bench:
        yield bench


def reason(bench: Bench, candidate, gate: str = "search") -> str:
    with pytest.raises(Rejected) as rejected:
        bench.examine(candidate, ("encrypt",), gate)
    return str(rejected.value)


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


@pytest.mark.parametrize(("expected", "doing"), WRONG_DOING)
def test_rejected_for_what_it_does(bench, expected, doing):
    message = reason(bench, routine(**{**doing, **_lines(doing)}))
    assert expected in message
    assert "\n" not in message


READ_BELOW = "push ax\n movw ax, sp\n movw de, ax\n pop ax\n nop\n mov a, [de]"
STORE_BELOW = (
    "movw bc, ax\n movw ax, sp\n subw ax, #2\n movw de, ax\n movw ax, bc\n movw [de], ax\n movw ax, [de]"
)
BELOW = (
    "encrypt: reads RAM below the stack pointer, which an interrupt handler overwrites: read of never-written"
)
BLOCKED = "encrypt: interrupts are disabled for 6 cycles from "


@pytest.mark.parametrize(
    ("expected", "after"),
    [(BELOW, READ_BELOW), (BELOW, STORE_BELOW), (BLOCKED, "push psw\n di\n nop\n nop\n pop psw\n nop")],
)
def test_what_an_interrupt_handler_spoils(bench, expected, after):
    """These pass where no interrupt comes."""
    message = reason(bench, routine(after=_lines({"after": after})["after"]))
    assert message.startswith(expected) and "\n" not in message


def _lines(doing: dict) -> dict[str, str]:
    return {
        name: "".join(
            line if line.endswith(":") else f"        {line}\n" for line in doing[name].splitlines()
        )
        for name in ("before", "after")
        if name in doing
    }


def test_wrong_for_a_single_input(bench):
    """One of the 64 random inputs, recognised by two bytes of its answer, comes out wrong."""
    kind = bench._gate.kind
    answer = kind.inputs("encrypt", 64).answers[57]
    first_two = int.from_bytes(answer[:2].tobytes(), "little")
    test_two = f"movw de, ax\n movw ax, [de]\n cmpw ax, #{first_two}\n bnz $.Lgood"
    spoil = " movw ax, [de+4]\n incw ax\n movw [de+4], ax\n.Lgood:\n"
    message = reason(bench, routine(after=f"        {test_two}\n{spoil}"))
    assert "wrong answer: encrypt" in message
    assert answer.tobytes().hex() in message


def test_names_pc_address_and_symbol(bench):
    message = reason(bench, routine(after=" mov a, !0x0800\n"))
    assert "F0800" in message
    assert "_tf_encrypt+" in message


def test_what_is_found_after_the_calls_names_their_entries(bench):
    stray = reason(bench, routine(after=NO_CARRY))
    assert stray.startswith("stray write: ") and stray.endswith(", by encrypt")


STALE_KEY = """
        .section .bss
        .type saved, @object
saved:  .zero 16
        .size saved, 16
"""
COPY = """
        mov c, #16
.Lcopy{n}:
        dec c
        mov a, {source}
        mov {destination}, a
        cmp0 c
        bnz $.Lcopy{n}
"""


def test_context_kept_in_static_data(bench):
    """`setup` keeps the key in static data, so the second context's key replaces the first one's."""
    save = "        push hl\n        movw hl, ax\n" + f"        addw ax, #{KEY}\n        movw hl, ax\n"
    save += COPY.format(n=1, source="[hl+c]", destination="saved[c]") + "        pop hl"
    load = "        push hl\n        push ax\n" + f"        addw ax, #{KEY}\n        movw hl, ax\n"
    load += COPY.format(n=2, source="saved[c]", destination="[hl+c]") + "        pop ax\n        pop hl\n"
    source = entry("setup", save) + entry("encrypt_next", load + ENCRYPT) + CORRECT + STALE_KEY
    message = reason(bench, replace(routine(), source=source, entries=("setup", "encrypt_next"), static=16))
    assert message.startswith(("wrong answer: encrypt_next", "key not intact"))


def test_key_destroyed_and_declared(bench):
    _, findings = bench.examine(
        routine(after=_lines({"after": WRITE_KEY})["after"], destroys_key=True), ("encrypt",)
    )
    assert findings.by_entry["encrypt"].total > 0


def test_iterated_answers_belong_to_the_full_gate(bench):
    vectors = load_primitive("aes-128").vectors()
    assert {vector.iterations for vector in vectors} >= {1, 100, 1000}
    image, findings = bench.examine(routine(), ("encrypt",), "full")
    assert findings == bench.examine(routine(), ("encrypt",))[1]


COUNTS_CALLS = """
        .section .bss
        .type calls, @object
calls:  .zero 2
        .size calls, 2
"""
WRONG_FROM_THE_600TH_CALL = """
        movw de, ax
        incw !calls
        movw ax, !calls
        cmpw ax, #600
        bc $.Lright
        mov a, [de]
        inc a
        mov [de], a
.Lright:
"""


def test_full_gate_sees_what_the_search_gate_does_not(bench):
    candidate = routine(after=WRONG_FROM_THE_600TH_CALL, extra=COUNTS_CALLS, static=2)
    assert bench.examine(candidate, ("encrypt",))[1].static == 2
    assert reason(bench, candidate, "full").startswith("wrong answer: encrypt of text")


WEARS_OUT = f"""
        push ax
        call !!_inner_encrypt
        pop ax
        movw de, ax
        movw ax, [de+{SIZE}]
        addw ax, #1
        movw [de+{SIZE}], ax
        cmpw ax, #600
        bc $.Lfresh
        mov a, [de]
        inc a
        mov [de], a
.Lfresh:
"""


def test_a_context_that_wears_out(bench):
    """The calls of an iterated answer are made in one context, each on what the one before left."""
    layout = Layout((*Layout().fields, ("calls", SIZE, 2)), SIZE + 2)
    prepare = f"movw de, ax\n movw ax, #0\n movw [de+{SIZE}], ax"
    source = entry("setup", prepare) + entry("encrypt_next", WEARS_OUT) + CORRECT
    entries = ("setup", "encrypt_next")
    candidate = replace(routine(), source=source, entries=entries, layout=layout, kept=frozenset({"calls"}))
    bench.examine(candidate, ("encrypt_next",))
    with pytest.raises(Rejected, match="wrong answer: encrypt_next of text"):
        bench.examine(candidate, ("encrypt_next",), "full")


def test_iterated_answer_that_comes_out_wrong(bench):
    """The iterated vectors are compared with what was published, not only with the oracle."""
    kind = bench._gate.kind
    right = kind.iterated
    wrong = [
        replace(vector, plaintext=vector.ciphertext, ciphertext=vector.plaintext) for vector in right[:1]
    ]
    kind.iterated = wrong
    try:
        assert reason(bench, routine(), "full").startswith("wrong answer: encrypt iterated")
    finally:
        kind.iterated = right


LAST_BLOCK = """
        .section .bss
        .type last, @object
last:   .zero 2
        .size last, 2
"""
MARK_LAST_BLOCK = f"""
        push ax
        movw ax, !last
        cmpw ax, #0
        bz $.Lfirst
        movw de, ax
        mov a, #0x55
        mov [de+{WORK}], a
.Lfirst:
        pop ax
        movw !last, ax
"""


def test_writes_into_the_block_of_the_call_before(bench):
    message = reason(bench, routine(after=MARK_LAST_BLOCK, extra=LAST_BLOCK, static=2))
    assert message == "contexts not independent: encrypt on one parameter block changes another"


KEY_IN_HEX = "".join(f"movw ax, [de+{KEY + n}]\n cmpw ax, #{{0:#x}}\n bnz $.Lgood\n" for n in range(0, 16, 2))
SPOIL = "mov a, [de]\n inc a\n mov [de], a\n.Lgood:"


@pytest.mark.parametrize("word", [0xAAAA, 0x5555, 0x7F7F, 0x0101])
def test_wrong_for_a_key_of_equal_bytes(bench, word):
    wrong = f"movw de, ax\n {KEY_IN_HEX.format(word)} {SPOIL}"
    message = reason(bench, routine(after=_lines({"after": wrong})["after"]))
    assert message.startswith("wrong answer: encrypt of text")
    assert f"under key {word & 0xFF:02x}{word & 0xFF:02x}" in message


BANK_AS_MEMORY = (
    "mov a, #0x5a\n mov 0xffee{low:x}, a\n nop\n mov a, 0xffee{low:x}\n cmp a, #0x5a\n bz $.Lgood\n"
)


@pytest.mark.parametrize("bank", [1, 2, 3])
def test_handlers_and_register_banks(bench, bank):
    """Data in a bank is lost to a handler that uses the bank, and to no other; without banks nothing is."""
    byte = 0xFFEF8 - 8 * bank
    uses = f"movw de, ax\n mov a, #0x5a\n mov {byte:#x}, a\n nop\n mov a, {byte:#x}\n"
    uses += f" cmp a, #0x5a\n bz $.Lgood\n {SPOIL}"
    banked, plain = routine(after=_lines({"after": uses})["after"], static=8), routine()
    image, findings = bench.examine(banked, ("encrypt",))
    assert findings.banks == 8 and not findings.reentrant
    machine = bench._gate.machine
    try:
        for other in (1, 2, 3):
            machine.handler = Handler(((0xFFEF8 - 8 * other, 8, None),))
            bench.examine(plain, ("encrypt",))
            if other == bank:
                assert reason(bench, banked).startswith("wrong answer: encrypt")
            else:
                bench.examine(banked, ("encrypt",))
    finally:
        machine.handler = None
