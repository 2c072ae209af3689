"""The data of a dialect, from its YAML file, and the names of its symbols and sections."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tightfit.exporter.dialects.lines import LOCAL
from tightfit.yamlfile import load_yaml, mapping, named

Patterns = str | list[str]
_WORD = {"type": "string"}
_WORDS = {"type": "array", "items": _WORD}
_PATTERNS = {"anyOf": [_WORD, _WORDS]}
_ADDRESSES = mapping(dict.fromkeys(("number", "flash", "ram"), _PATTERNS))
_SCHEMA = mapping(
    {
        **dict.fromkeys(("name", "words", "extension", "local", "symbol"), _WORD),
        "case": {"enum": ["lower", "upper"]},
        "sections": named(_PATTERNS),
        "directives": named(_PATTERNS),
        **dict.fromkeys(("immediate", "absolute", "indexed"), _ADDRESSES),
        "direct": mapping(dict.fromkeys(("saddr", "sfr", "count"), _PATTERNS)),
        "targets": named(named(_PATTERNS)),
    },
    {
        "comments": {"enum": ["above"]},
        "end": _WORD,
        "subsection": _WORD,
        "zeros": {"enum": ["written"]},
        **dict.fromkeys(("tools", "command_lines", "notes", "reserved"), _WORDS),
    },
)


@dataclass(frozen=True)
class Spelling:
    """How a dialect spells what the lines hold; a pattern is a text with `{fields}`.

    `local` is the prefix of labels that are local to the file, `symbol` the regular expression of a symbol,
    `reserved` the words that are no symbols, in upper or lower case. `comments` is `above` where a comment
    gets a line of its own, `zeros` is `written` where space in flash is written as bytes.
    """

    name: str
    words: str
    extension: str
    local: str
    symbol: str
    case: str
    sections: Mapping[str, Patterns]
    directives: Mapping[str, Patterns]
    immediate: Mapping[str, Patterns]
    absolute: Mapping[str, Patterns]
    indexed: Mapping[str, Patterns]
    direct: Mapping[str, Patterns]
    targets: Mapping[str, Mapping[str, Patterns]]
    comments: str = "behind"
    end: str | None = None
    subsection: str | None = None
    zeros: str = "reserved"
    tools: tuple[str, ...] = ()
    command_lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reserved: tuple[str, ...] = field(default=())

    def cased(self, word: str) -> str:
        """A mnemonic or a register in the dialect's case."""
        return word.upper() if self.case == "upper" else word

    def is_symbol(self, name: str) -> bool:
        """Whether the dialect takes a name for a symbol."""
        return bool(re.fullmatch(self.symbol, name)) and name.upper() not in self.reserved


@cache
def load_spelling(path: Path) -> Spelling:
    """The dialect that a file describes.

    Raises
    ------
    UsageError
        The file is not in order.
    """
    data = load_yaml(path, _SCHEMA)
    lists = ("tools", "command_lines", "notes", "reserved")
    return Spelling(**data | {key: tuple(data[key]) for key in lists if key in data})


def to_dialect(spelling: Spelling, symbol: str) -> str:
    """A GNU symbol as another dialect spells it."""
    return spelling.local + symbol[len(LOCAL) :] if symbol.startswith(LOCAL) else symbol


def to_gnu(spelling: Spelling, symbol: str) -> str:
    """A symbol of another dialect as GNU spells it."""
    if spelling.local != LOCAL and symbol.startswith(spelling.local):
        return LOCAL + symbol[len(spelling.local) :]
    return symbol
