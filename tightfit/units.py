"""Clocks and durations as people write them."""

import re
from fractions import Fraction

from tightfit.errors import UsageError

_HERTZ = {"hz": 1, "khz": 10**3, "mhz": 10**6, "ghz": 10**9}
_SECONDS = {"us": Fraction(1, 10**6), "µs": Fraction(1, 10**6), "ms": Fraction(1, 10**3), "s": Fraction(1)}
_NUMBER = r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*"


def parse_clock(text: str | int) -> Fraction:
    """Cycles in a second of a clock such as `8MHz` or `32.768 kHz`; UsageError where it is none."""
    return _parse(text, {**_HERTZ, "": 1}, "no clock: write it such as 8MHz, 32.768kHz or 8000000")


def parse_duration(text: str) -> Fraction:
    """Seconds of a duration such as `5ms`, `250us` or `1.5s`; UsageError where it is none."""
    return _parse(text, _SECONDS, "no duration: write it such as 5ms, 250us or 1.5s")


def _parse(text: str | int, units: dict, problem: str) -> Fraction:
    units_there = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
    match = re.fullmatch(rf"{_NUMBER}({units_there})\s*", str(text).lower())
    value = Fraction(match[1]) * units[match[2]] if match else 0
    if value <= 0:
        raise UsageError(f"{str(text)!r} is {problem}")
    return Fraction(value)
