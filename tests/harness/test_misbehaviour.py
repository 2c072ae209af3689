"""Proof of the checkers: routines of RL78 that are wrong once in a while, late, or for the next call."""

from dataclasses import replace

import pytest

from tightfit.harness.bench import Bench
from tightfit.harness.routine import Rejected
from tightfit.harness.simulator import Handler
from tightfit.primitives import load_primitive

from .routines import ENCRYPT, KEY, SIZE, WORK, Layout, of_entries, routine
from .wrong_rl78 import NO_CARRY, SPOIL, WRITE_KEY, doing_wrong


def reason(bench: Bench, candidate, gate: str = "search") -> str:
    with pytest.raises(Rejected) as rejected:
        bench.examine(candidate, ("encrypt",), gate)
    return str(rejected.value)


def test_wrong_for_a_single_input(bench):
    """One of the 64 random inputs, recognised by two bytes of its answer, comes out wrong."""
    kind = bench._gate.kind
    answer = kind.inputs("encrypt", 64).answers[57]
    first_two = int.from_bytes(answer[:2].tobytes(), "little")
    found = f"movw de, ax\n movw ax, [de]\n cmpw ax, #{first_two}\n bnz $.Lgood"
    spoil = "movw ax, [de+4]\n incw ax\n movw [de+4], ax\n.Lgood:"
    message = reason(bench, doing_wrong(after=f"{found}\n{spoil}"))
    assert "wrong answer: encrypt" in message
    assert answer.tobytes().hex() in message


def test_names_pc_address_and_symbol(bench):
    message = reason(bench, routine(after=" mov a, !0x0800\n"))
    assert "F0800" in message and "_tf_encrypt+" in message


def test_what_is_found_after_the_calls_names_their_entries(bench):
    stray = reason(bench, routine(after=NO_CARRY))
    assert stray.startswith("stray write: ") and stray.endswith(", by encrypt")


STATIC = """
        .section .bss
        .type saved, @object
saved:  .zero {size}
        .size saved, {size}
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
    stale = STATIC.format(size=16)
    message = reason(bench, of_entries(stale, setup=save, encrypt_next=load + ENCRYPT, static=16))
    assert message.startswith(("wrong answer: encrypt_next", "key not intact"))


def test_key_destroyed_and_declared(bench):
    findings = bench.examine(doing_wrong(after=WRITE_KEY, destroys_key=True), ("encrypt",))[1]
    assert findings.by_entry["encrypt"].total > 0


def test_iterated_answers_belong_to_the_full_gate(bench):
    vectors = load_primitive("aes-128").vectors()
    assert {vector.iterations for vector in vectors} >= {1, 100, 1000}
    image, findings = bench.examine(routine(), ("encrypt",), "full")
    assert findings == bench.examine(routine(), ("encrypt",))[1]


WRONG_FROM_THE_600TH_CALL = """
        movw de, ax
        incw !saved
        movw ax, !saved
        cmpw ax, #600
        bc $.Lright
        mov a, [de]
        inc a
        mov [de], a
.Lright:
"""


def test_full_gate_sees_what_the_search_gate_does_not(bench):
    candidate = routine(after=WRONG_FROM_THE_600TH_CALL, extra=STATIC.format(size=2), static=2)
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
    kept = frozenset({"calls"})
    candidate = of_entries(layout=layout, setup=prepare, encrypt_next=WEARS_OUT, kept=kept)
    bench.examine(candidate, ("encrypt_next",))
    with pytest.raises(Rejected, match="wrong answer: encrypt_next of text"):
        bench.examine(candidate, ("encrypt_next",), "full")


def test_iterated_answer_that_comes_out_wrong():
    """The iterated vectors are compared with what was published, not only with the oracle."""
    with Bench("rl78", None, "aes-128") as bench:
        right = bench.kind.chains[0]
        bench.kind.chains = [replace(right, plaintext=right.ciphertext, ciphertext=right.plaintext)]
        assert reason(bench, routine(), "full").startswith("wrong answer: encrypt iterated")


MARK_LAST_BLOCK = f"""
        push ax
        movw ax, !saved
        cmpw ax, #0
        bz $.Lfirst
        movw de, ax
        mov a, #0x55
        mov [de+{WORK}], a
.Lfirst:
        pop ax
        movw !saved, ax
"""


def test_writes_into_the_block_of_the_call_before(bench):
    message = reason(bench, routine(after=MARK_LAST_BLOCK, extra=STATIC.format(size=2), static=2))
    assert message == "contexts not independent: encrypt on one parameter block changes another"


@pytest.mark.parametrize("bank", [1, 2, 3])
def test_handlers_and_register_banks(bench, bank):
    """Data in a bank is lost to a handler that uses the bank, and to no other; without banks nothing is."""
    byte = 0xFFEF8 - 8 * bank
    uses = f"movw de, ax\n mov a, #0x5a\n mov {byte:#x}, a\n nop\n mov a, {byte:#x}\n"
    uses += f" cmp a, #0x5a\n bz $.Lgood\n {SPOIL}"
    banked, plain = doing_wrong(after=uses, static=8), routine()
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
