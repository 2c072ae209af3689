"""A spelling that is both written and read: `SMRLW({address})[{register}]`."""

import re
from collections.abc import Iterable
from functools import cache

_FIELDS = {
    "symbol": r"[^\s,]+",
    "label": r"[^\s,:!$\[\]#]+",
    "address": r"[^\s,#\[\]()!:]+",
    "number": r"-?[0-9][-+0-9A-Fa-fx]*",
    "register": r"[A-Za-z]+",
    "count": r"\w+",
    "bytes": r"\w+",
    "power": r"\d+",
    "kind": r"\w+",
    "extent": r".+",
    "values": r".+",
}


def write(patterns: str | list[str], **fields: object) -> str:
    """The first of the spellings with its fields filled in."""
    first = patterns if isinstance(patterns, str) else patterns[0]
    return re.sub(r"\{(\w+)\}", lambda match: str(fields[match[1]]), first)


def read(patterns: str | list[str], text: str) -> dict[str, str] | None:
    """The fields of a text that any of the spellings fits; None where none does."""
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if match := _compiled(pattern).fullmatch(text):
            return match.groupdict()
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a spelling; blanks may be more or fewer, case is the keywords' own."""
    return re.compile("".join(_parts(pattern)), re.IGNORECASE)


def _parts(pattern: str) -> Iterable[str]:
    for piece in re.split(r"(\{\w+\}|\s+|\w+)", pattern):
        if field := re.fullmatch(r"\{(\w+)\}", piece):
            yield f"(?P<{field[1]}>{_FIELDS[field[1]]})"
        elif piece.isspace():
            yield r"\s+"
        elif piece:
            yield re.escape(piece) if re.fullmatch(r"\w+", piece) else rf"\s*{re.escape(piece)}\s*"
