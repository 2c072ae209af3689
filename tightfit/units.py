"""Clocks and durations as people write them."""

import re
from typing import TYPE_CHECKING

from tightfit.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction

_HERTZ = {"hz": 0, "khz": 3, "mhz": 6, "ghz": 9}
_SECONDS = {"us": -6, "µs": -6, "ms": -3, "s": 0}
"""Units as powers of ten."""
_NUMBER = r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*"


def parse_clock(text: str | int) -> "Fraction":
    """Cycles in a second of a clock such as `8MHz` or `32.768 kHz`; UsageError where it is none."""
    return _parse(text, {**_HERTZ, "": 0}, "no clock: write it such as 8MHz, 32.768kHz or 8000000")


def parse_duration(text: str) -> "Fraction":
    """Seconds of a duration such as `5ms`, `250us` or `1.5s`; UsageError where it is none."""
    return _parse(text, _SECONDS, "no duration: write it such as 5ms, 250us or 1.5s")


def _parse(text: str | int, units: dict, problem: str) -> "Fraction":
    from fractions import Fraction

    units_there = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
    match = re.fullmatch(rf"{_NUMBER}({units_there})\s*", str(text).lower())
    value = Fraction(match[1]) * Fraction(10) ** units[match[2]] if match else Fraction(0)
    if value <= 0:
        raise UsageError(f"{str(text)!r} is {problem}")
    return value
