"""Criteria that compare variants of several primitives, as in the XBX study: the least figure is the best."""

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

    `name` is its name on the command line, `title` the one on pages; `unit` is the unit of the figure.
    """

    name: str
    title: str
    unit: str
    figure: Callable[[Measured], float]


def cycles_a_byte(measured: Measured) -> float:
    """Ranked cycles, divided by the bytes that they are for."""
    primitive = measured.primitive if isinstance(measured, Contender) else measured.variant.primitive
    return measured.cost.cycles / load_primitive(primitive).ranked_bytes


def throughput(measured: Measured) -> float:
    """Bytes in 1000 cycles."""
    return 1000 / cycles_a_byte(measured)


def area(costed: Costed) -> int:
    """ROM plus four times RAM, in bytes."""
    return costed.cost.rom + RAM_WEIGHT * costed.cost.ram


CRITERIA = {
    criterion.name: criterion
    for criterion in (
        Criterion("speed", "speed", "cycles a byte", cycles_a_byte),
        Criterion("rom", "ROM", "bytes of ROM", lambda measured: measured.cost.rom),
        Criterion("ram", "RAM", "bytes of RAM", lambda measured: measured.cost.ram),
        Criterion("area", "area", "bytes of area", area),
        Criterion(
            "area-time",
            "area times time",
            "area times cycles a byte",
            lambda measured: area(measured) * cycles_a_byte(measured),
        ),
    )
}
