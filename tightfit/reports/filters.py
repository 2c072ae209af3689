"""What may be asked besides a budget and conditions: marks, whole messages, a deadline, an interface."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightfit.errors import UsageError
from tightfit.units import parse_clock, parse_duration

if TYPE_CHECKING:
    from fractions import Fraction

LONGEST = 1 << 40
"""Bytes of the longest message that can be asked for."""


@dataclass(frozen=True)
class Filters:
    """Filters of a question; the default asks for nothing more than the budget does.

    Attributes
    ----------
    reentrant : only variants that write no static data and use no register bank.
    message : bytes of a message whose cycles are ranked in the place of a block's.
    clock : cycles in a second.
    under : seconds in which what is ranked must be done, at its slowest.
    toolchain : whose interface is counted; the portfolio's where it is None.
    """

    reentrant: bool = False
    message: int | None = None
    clock: "Fraction | None" = None
    under: "Fraction | None" = None
    toolchain: str | None = None

    def milliseconds(self, cycles: int | float) -> float | None:
        """What cycles take at the clock; None without one."""
        if self.clock is None:
            return None
        from fractions import Fraction

        return float(1000 * Fraction(cycles) / self.clock)

    @property
    def most_cycles(self) -> "Fraction | None":
        """The cycles that the deadline leaves."""
        return None if self.under is None else self.under * self.clock

    @property
    def selects(self) -> bool:
        """Whether they leave variants out or move figures; a clock alone does not."""
        return self != Filters(clock=self.clock)

    def titles(self) -> str:
        """The filters as words behind a comma, nothing where there are none."""
        said = []
        if self.reentrant:
            said.append("re-entrant")
        if self.message is not None:
            said.append(f"a message of {self.message:,} B")
        if self.under is not None:
            said.append(f"under {float(1000 * self.under):g} ms")
        if self.toolchain is not None:
            said.append(f"with the interface of {self.toolchain}")
        return "".join(f", {title}" for title in said)


NO_FILTERS = Filters()


def filters(
    *,
    reentrant: bool = False,
    message: int | None = None,
    clock: str | int | None = None,
    under: str | None = None,
    toolchain: str | None = None,
) -> Filters:
    """Filters from what people write, such as `8MHz` and `5ms`.

    Raises
    ------
    UsageError
        A clock, a duration or a length that is none, or a deadline without a clock.
    """
    if message is not None and not 0 < message <= LONGEST:
        raise UsageError(f"a message of {message} bytes: expected 1 to {LONGEST}")
    if under is not None and clock is None:
        raise UsageError("--under needs --clock: cycles are what is known, such as --clock 8MHz")
    return Filters(
        reentrant,
        message,
        None if clock is None else parse_clock(clock),
        None if under is None else parse_duration(under),
        toolchain,
    )
