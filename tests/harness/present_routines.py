"""A correct PRESENT routine for AVR and for MSP430, and what to wrap round it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tightfit.harness.routine import Routine

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
    "avr": Around("push r24\n push r25\n rcall inner_encrypt\n pop r25\n pop r24", 4),
    "msp430": Around("push r12\n call #inner_encrypt\n pop r12", 12),
}


def correct(target: str) -> str:
    """Source of the routine that obeys every rule."""
    return (Path(__file__).parent / "data" / f"present_{target}.s").read_text()


def entry(name: str, body: str) -> str:
    """A global routine `tf_<name>`; a line of its body that ends with a colon is a label."""
    lines = (line if line.endswith(":") else f"        {line.strip()}" for line in body.splitlines())
    head = (
        f"        .text\n        .balign 2\n        .global tf_{name}\n        .type tf_{name}, @function\n"
    )
    return "\n".join([f"{head}tf_{name}:", *lines, f"        ret\n        .size tf_{name}, . - tf_{name}\n"])


def routine(target: str, before: str = "", after: str = "", extra: str = "", **promises) -> Routine:
    """A routine `encrypt`: `before`, the correct one, and `after`, both with the block's address at hand."""
    around = AROUND[target]
    source = entry("encrypt", "\n".join([before, around.call, after])) + correct(target) + extra
    return Routine(source, "tf", **{"entries": ("encrypt",), "layout": around.layout, **promises})
