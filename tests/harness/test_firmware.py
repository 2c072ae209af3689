"""`tightfit run` on other targets: images of the target run to their end, others are refused in one line."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness.simulator import run_elf
from tightfit.reports.run import form, text
from tightfit.targets import load_target

from .programs import program

PROGRAMS = {
    "armv6m": """
        .syntax unified
        .text
        .global _start
        .type _start, %function
_start: ldr     r0, =0x20001800
        mov     sp, r0
        movs    r4, #5
.again: bl      work
        subs    r4, #1
        bne     .again
        {end}
        .pool
        .size _start, . - _start
        .type work, %function
work:   push    {r4, lr}
        lsrs    r4, r4, #1
        pop     {r4, pc}
        .size work, . - work
""",
    "avr": """
        .text
        .global _start
        .type _start, @function
_start: ldi     r16, 0xff
        out     0x3d, r16
        ldi     r16, 0x40
        out     0x3e, r16
        ldi     r24, 5
.again: rcall   work
        dec     r24
        brne    .again
        {end}
        .size _start, . - _start
        .type work, @function
work:   push    r24
        pop     r24
        sbrc    r24, 0
        nop
        ret
        .size work, . - work
""",
    "msp430": """
        .text
        .global _start
        .type _start, @function
_start: mov     #0x3900, sp
        mov     #5, r12
.again: call    #work
        dec     r12
        jnz     .again
        {end}
        .size _start, . - _start
        .type work, @function
work:   push    r12
        pop     r12
        bit     #1, r12
        nop
        ret
        .size work, . - work
""",
    "rv32e": """
        .text
        .global _start
        .type _start, @function
_start: lui     t0, 0x20001
        addi    sp, t0, -0x800
        li      s0, 5
.again: jal     work
        addi    s0, s0, -1
        bnez    s0, .again
        {end}
        .size _start, . - _start
        .type work, @function
work:   addi    sp, sp, -4
        sw      s0, 0(sp)
        lw      s0, 0(sp)
        addi    sp, sp, 4
        ret
        .size work, . - work
""",
}
ENDS = [
    ("armv6m", "wfi", "HALT reached"),
    ("armv6m", "bkpt #0", "BRK reached"),
    ("armv6m", ".loop: b .loop", "branch to itself"),
    ("avr", "sleep", "HALT reached"),
    ("avr", "break", "BRK reached"),
    ("avr", ".loop: rjmp .loop", "branch to itself"),
    ("msp430", "bis #0x10, sr", "HALT reached"),
    ("msp430", ".loop: jmp .loop", "branch to itself"),
    ("rv32e", "ecall", "HALT reached"),
    ("rv32e", "ebreak", "BRK reached"),
    ("rv32e", ".loop: j .loop", "branch to itself"),
]
CYCLES = {"armv6m": 80, "avr": 85, "msp430": 96, "rv32e": 3 + 5 * (2 + 8 + 1) + 4 * (3 + 1) + 1 + 1}
STACK = {"armv6m": 8, "avr": 3, "msp430": 4, "rv32e": 4}
# What ends a run, the parts of its cycles as shown and beyond the base in `--json`, a register that is shown.
HALTS = {"armv6m": "wfi", "avr": "sleep", "msp430": "bis #0x10, sr", "rv32e": "ecall"}
SHOWN = {
    "armv6m": ["base"],
    "avr": ["base", "skips"],
    "msp430": ["base"],
    "rv32e": ["base", "unaligned targets"],
}
OWN = {"armv6m": [], "avr": ["skip_waits"], "msp430": [], "rv32e": ["target_waits"]}
LEFT = {"armv6m": "r4=00000000", "avr": "r16=40", "msp430": "r12=0000", "rv32e": "t0=20001000"}


@pytest.fixture
def image(tmp_path):
    def make(target_id: str, end: str):
        return program(target_id, PROGRAMS[target_id].replace("{end}", end), tmp_path)

    return make


def run(path, target_id: str, part: str | None = None, **options):
    chosen = {"profile": False, "uninit": "error", "cycle_limit": 10_000, **options}
    target = load_target(target_id)
    return run_elf(path, target, target.part(part), **chosen)


@pytest.mark.parametrize(("target", "end", "status"), ENDS)
def test_runs_to_its_end(image, target, end, status):
    outcome = run(image(target, end), target, profile=True)
    assert outcome.ended and outcome.run.status == status
    assert outcome.run.stack == STACK[target]
    costs = {cost.name: cost for cost in outcome.symbols}
    assert costs["work"].calls == 5
    assert costs["_start"].total_cycles == outcome.run.cycles
    stack = {"armv6m": 0x20001800, "avr": 0x40FF, "msp430": 0x3900, "rv32e": 0x20000800}
    assert outcome.registers["sp"] == stack[target]


@pytest.mark.parametrize("target", PROGRAMS)
def test_cycles_are_split_as_the_core_knows_them(image, target):
    path = image(target, HALTS[target])
    outcome = run(path, target)
    assert outcome.run.cycles == sum(outcome.parts.values()) == CYCLES[target]
    assert list(outcome.parts) == SHOWN[target]
    shown = text(path, outcome)
    assert "ES prefixes" not in shown and "hazard" not in shown
    assert LEFT[target] in shown
    parts = form(path, outcome)["cycles_parts"]
    assert list(parts) == ["base", *OWN[target]] and sum(parts.values()) == outcome.run.cycles
    assert set(OWN[target]) <= load_target(target).waits.keys()


def test_an_image_for_another_machine_is_refused_in_one_line(image):
    for of, on in (("avr", "msp430"), ("msp430", "avr"), ("avr", "rl78")):
        with pytest.raises(UsageError) as caught:
            run(image(of, "nop"), on)
        wanted = f"t.elf is ET_EXEC for EM_{of.upper()}: expected an ET_EXEC for EM_{on.upper()}"
        assert str(caught.value).endswith(wanted)


def test_a_core_whose_clocks_are_not_sourced_says_so(image):
    path = image("msp430", "bis #0x10, sr")
    assert run(path, "msp430").timing_tested
    outcome = run(path, "msp430", "MSP430FG4618")
    assert not outcome.timing_tested and "not verified" in text(path, outcome)


def test_a_stack_outside_the_part_is_an_error(image):
    outcome = run(image("avr", "sleep"), "avr", "ATtiny45")
    assert not outcome.ended and outcome.run.status == "unmapped write"
