"""A correct PRESENT routine for AVR, MSP430, ARMv6-M and RISC-V, and what to wrap round it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tightfit.harness.routine import Routine
from tightfit.targets import load_target

from .routines import Layout


@dataclass(frozen=True)
class Around:
    """How a target's wrapper calls the correct routine, with the block's address in its place."""

    call: str
    work: int

    @property
    def layout(self) -> Layout:
        """Text, key and work area."""
        return Layout((("text", 0, 8), ("key", 8, 10), ("work", 18, self.work)), self.size)

    @property
    def size(self) -> int:
        return 18 + self.work


AROUND: Mapping[str, Around] = {
    "armv6m": Around("push {r0, lr}\n bl inner_encrypt\n pop {r0, r1}\n mov lr, r1", 14),
    "avr": Around("push r24\n push r25\n rcall inner_encrypt\n pop r25\n pop r24", 4),
    "msp430": Around("push r12\n call #inner_encrypt\n pop r12", 12),
    "rv32e": Around(
        "addi sp, sp, -8\n sw ra, 0(sp)\n sw a0, 4(sp)\n jal inner_encrypt\n"
        " lw ra, 0(sp)\n lw a0, 4(sp)\n addi sp, sp, 8",
        22,
    ),
}


def correct(target: str) -> str:
    """Source of the routine that obeys every rule."""
    return (Path(__file__).parent / "data" / f"present_{target}.s").read_text()


def entry(target: str, name: str, body: str) -> str:
    """A global routine `tf_<name>`; a line of its body that ends with a colon is a label."""
    facts = load_target(target)
    opened = (
        *facts.head,
        ".text",
        ".balign 2",
        f".global tf_{name}",
        f".type tf_{name}, {facts.type_mark}function",
        f"tf_{name}:",
    )
    closed = (facts.returns, f".size tf_{name}, . - tf_{name}")
    lines = (line.strip() for line in (*opened, *body.splitlines(), *closed))
    return "".join(f"{line}\n" if line.endswith(":") else f"        {line}\n" for line in lines)


def routine(target: str, before: str = "", after: str = "", extra: str = "", **promises) -> Routine:
    """A routine `encrypt`: `before`, the correct one, and `after`, both with the block's address at hand."""
    around = AROUND[target]
    source = entry(target, "encrypt", "\n".join([before, around.call, after])) + correct(target) + extra
    return Routine(source, "tf", **{"entries": ("encrypt",), "layout": around.layout, **promises})
