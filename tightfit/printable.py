"""Texts of others on a terminal: what a terminal would obey rather than show is written as it is in code."""

import re

_CONTROL = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""Control characters, marks that turn the direction of writing, and bytes that are no text."""
_LONGEST = 1000


def printable(text: str) -> str:
    """A text without control characters: they are written as escapes, such as `\\x1b`."""
    return text if text.isprintable() else re.sub(_CONTROL, _escaped, text)


def printable_lines(text: str) -> str:
    """As `printable`, for a text of several lines; tabs stay."""
    if text.translate({9: None, 10: None}).isprintable():
        return text
    return re.sub(r"[^\n\t]+", lambda match: printable(match[0]), text)


def printable_json(text: str) -> str:
    """JSON in which such characters are escapes of JSON; those below 20h are already, or are white space."""
    return re.sub(_CONTROL, lambda match: match[0] if match[0] < " " else f"\\u{ord(match[0]):04x}", text)


def one_line(text: str) -> str:
    """A text as one printable line, its middle left out where it is very long."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 4 :]}"


def _escaped(match: re.Match[str]) -> str:
    return ascii(match[0])[1:-1]
