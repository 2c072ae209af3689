"""What variants of several primitives are compared by, as in the XBX study: the least is the best."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tightfit.primitives import load_primitive
from tightfit.records import Contender, Cost, Measurement

RAM_WEIGHT = 4
"""How much a byte of RAM counts in the area, in bytes of ROM."""


Measured = Measurement | Contender


class Costed(Protocol):
    """Whatever has a cost."""

    cost: Cost


@dataclass(frozen=True)
class Criterion:
    """A figure of a measured variant or contender, the less the better.

    `name` is what the command line calls it, `title` what pages do; `unit` is what it is shown in.
    """

    name: str
    title: str
    unit: str
    figure: Callable[[Measured], float]


def cycles_a_byte(one: Measured) -> float:
    """Ranked cycles for a byte of a block."""
    primitive = one.primitive if isinstance(one, Contender) else one.variant.primitive
    return one.cost.cycles / load_primitive(primitive).block_bytes


def throughput(one: Measured) -> float:
    """Bytes in 1000 cycles."""
    return 1000 / cycles_a_byte(one)


def area(one: Costed) -> int:
    """ROM, and RAM four times, in bytes."""
    return one.cost.rom + RAM_WEIGHT * one.cost.ram


CRITERIA = {
    one.name: one
    for one in (
        Criterion("speed", "speed", "cycles a byte", cycles_a_byte),
        Criterion("rom", "ROM", "bytes of ROM", lambda one: one.cost.rom),
        Criterion("ram", "RAM", "bytes of RAM", lambda one: one.cost.ram),
        Criterion("area", "area", "bytes of area", area),
        Criterion(
            "area-time",
            "area times time",
            "area times cycles a byte",
            lambda one: area(one) * cycles_a_byte(one),
        ),
    )
}
