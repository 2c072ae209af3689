"""Numbers and addresses as text: `0xfee0-0xf0`, `0x0f^0x11`, `_x_sbox+16`."""

import re
from functools import reduce
from operator import xor

from tightfit.exporter.dialects.lines import Value

_TERM = re.compile(r"([-+]?)([^-+]+)")
_NUMBER = re.compile(r"0x[0-9a-f]+|[0-9]+", re.IGNORECASE)
_LARGE = 1000
"""From here on numbers are written in hexadecimal."""


def parse(text: str, symbol: str) -> Value | None:
    """The value of a sum of numbers, of their `^` first, and at most one symbol; None for anything else.

    Parameters
    ----------
    symbol : regular expression of a symbol.
    """
    text = re.sub(r"\s+", "", text)
    if not re.fullmatch(r"[-+]?[^-+]+([-+][^-+]+)*", text):
        return None
    offset, name, hexadecimal = 0, None, False
    for sign, term in _TERM.findall(text):
        numbers = term.split("^")
        if all(map(_NUMBER.fullmatch, numbers)):
            joined = reduce(xor, (int(each, 0) for each in numbers))
            offset += -joined if sign == "-" else joined
            hexadecimal |= any(each[:2].lower() == "0x" for each in numbers)
        elif name is None and sign != "-" and re.fullmatch(symbol, term):
            name = term
        else:
            return None
    return Value(offset, name, hexadecimal)


def number(value: Value) -> str:
    """A number as every dialect writes it."""
    if value.offset < 0 or not (value.hexadecimal or value.offset >= _LARGE):
        return str(value.offset)
    return f"0x{value.offset:02X}"


def address(value: Value, name: str) -> str:
    """The address of a symbol, called `name`, with its offset."""
    return f"{name}{value.offset:+d}" if value.offset else name
