"""Numbers and addresses as text: `0xfee0-0xf0`, `_x_sbox+16`."""

import re

from tightfit.exporter.dialects.lines import Value

_TERM = re.compile(r"([-+]?)([^-+]+)")
_NUMBER = re.compile(r"0x[0-9a-f]+|[0-9]+", re.IGNORECASE)
_LARGE = 1000
"""From here on numbers are written in hexadecimal."""


def parse(text: str, symbol: str) -> Value | None:
    """The value of a sum of numbers and at most one symbol; None for anything else.

    Parameters
    ----------
    symbol : regular expression of a symbol.
    """
    text = re.sub(r"\s+", "", text)
    if not re.fullmatch(r"[-+]?[^-+]+([-+][^-+]+)*", text):
        return None
    offset, name, hexadecimal = 0, None, False
    for sign, term in _TERM.findall(text):
        if _NUMBER.fullmatch(term):
            offset += int(sign + term, 0)
            hexadecimal |= term[:2].lower() == "0x"
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
