"""A whole MSP430 image: loading, ending, cost by function."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness.simulator import run_elf
from tightfit.targets import load_target

from .msp430 import CORES, PARTS, TARGET, link

PROGRAM = """
        .text
        .global _start
        .type _start, @function
_start: mov #0x3000, sp
        mov #3, r10
again:  call #work
        dec r10
        jnz again
        {end}
        .size _start, . - _start
        .type work, @function
work:   push r10
        pop r10
        ret
        .size work, . - work
"""


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    "end, status", [("bis #0xf0, sr", "HALT reached"), (".short 0x3fff", "branch to itself")]
)
def test_ends_and_costs(tmp_path, core, end, status):
    result = run_elf(link(PROGRAM.format(end=end), tmp_path, core=core), TARGET, PARTS[core], profile=True)
    assert result.ended and result.run.status == status
    assert result.registers["r10"] == 0 and result.registers["sp"] == 0x3000
    assert result.run.stack == 4
    costs = {cost.name: (cost.calls, cost.cycles) for cost in result.symbols}
    assert costs["work"] == (3, 3 * (3 + 2 + 3))
    assert sum(cost.cycles for cost in result.symbols) == result.run.cycles
    calls = 5 if core == "msp430" else 4
    assert costs["_start"][1] == 2 + 2 + 3 * (calls + 1 + 2) + 2


def test_an_image_for_another_machine_is_one_clear_line(tmp_path):
    elf = link(PROGRAM.format(end="nop"), tmp_path)
    with pytest.raises(UsageError, match="EM_MSP430"):
        run_elf(elf, load_target("avr"), load_target("avr").part())
