"""Marks in rendered text that say which line of which template each line is from."""

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

_MARK = re.compile("\x03([^\x04]*):([0-9]+)\x04")


class LineMarks(Extension):
    """A mark before the text of every line, and before the end of a line that an expression begins.

    Blank lines have none, so that what trims a text trims it as before.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        before = ""
        for token in stream:
            if token.type == "data":
                value = _marked(token.value, stream.name or "", token.lineno, before == "variable_end")
                yield Token(token.lineno, token.type, value)
            else:
                yield token
            before = token.type


def without_marks(text: str) -> str:
    """The text as it is rendered without marks."""
    return _MARK.sub("", text)


def origins(text: str) -> list[tuple[str, int]]:
    """(template, line) of each line of a text with marks: its first mark, else the next one in the text."""
    found: list[tuple[str, int]] = []
    origin = ("", 0)
    for line in reversed(text.split("\n")):
        if mark := _MARK.search(line):
            origin = mark[1], int(mark[2])
        found.append(origin)
    return found[::-1]


def _marked(text: str, template: str, line: int, open_line: bool) -> str:
    parts = text.split("\n")
    for i, part in enumerate(parts):
        begun = i == 0 and open_line and len(parts) > 1
        if part.strip() or begun:
            indent = len(part) - len(part.lstrip())
            parts[i] = f"{part[:indent]}\x03{template}:{line + i}\x04{part[indent:]}"
    return "\n".join(parts)
