"""From the text of a dialect to lines."""

import re
from collections.abc import Mapping
from dataclasses import replace

from tightfit.exporter.dialects import pattern
from tightfit.exporter.dialects.instructions import REGISTERS, Sizes
from tightfit.exporter.dialects.lines import CONDITIONAL, Directive, Instruction, Line, Operand, Value, wrong
from tightfit.exporter.dialects.spelling import Patterns, Spelling, to_gnu
from tightfit.exporter.dialects.values import number, parse

_POINTED = re.compile(r"\[(\w+)(?:\+(.+))?\]")
_BIT = re.compile(r"(.+)\.([0-7])")
_NUMERIC = ("count", "bytes", "power")
_DATA = ("byte", "short", "long")


class Reader:
    """Reads the lines of one dialect by its grammar."""

    def __init__(self, spelling: Spelling, sizes: Sizes):
        self._spelling = spelling
        self._sizes = sizes

    def read(self, text: str) -> tuple[Line, ...]:
        """The lines of a text, up to its end directive where the dialect has one.

        Raises
        ------
        UsageError
            A line is not in the dialect, or not known here; the message names it.
        """
        lines = []
        for place, line in enumerate(text.splitlines(), 1):
            if self._spelling.end and line.split(";")[0].strip().upper() == self._spelling.end:
                break
            lines.append(self._line(place, line))
        return tuple(lines)

    def _line(self, place: int, text: str) -> Line:
        code, semicolon, comment = text.partition(";")
        label, rest = self._label(place, code)
        item = self._item(place, rest.strip()) if rest.strip() else None
        return Line(place, label, item, semicolon + comment.rstrip() if semicolon else None)

    def _label(self, place: int, code: str) -> tuple[str | None, str]:
        """The label, and the text behind it; the colon of `BR S:??next` does not end a label."""
        name, colon, rest = code.partition(":")
        name = name.strip()
        if not colon or not re.fullmatch(r"[^\s,#\[]+", name):
            return None, code
        return self._symbol(place, code, name), rest

    def _item(self, place: int, text: str) -> Instruction | Directive:
        word, *operands = text.split(None, 1)
        mnemonic = word.lower()
        if mnemonic in self._sizes:
            return self._instruction(place, text, mnemonic, "".join(operands))
        return self._section(place, text) or self._directive(place, text)

    def _section(self, place: int, text: str) -> Directive | None:
        for name, patterns in self._spelling.sections.items():
            if pattern.read(patterns, text) is not None:
                return Directive("section", (("name", name),))
        if self._spelling.subsection and (fields := pattern.read(self._spelling.subsection, text)):
            if any(fields["symbol"].startswith(f"{name}.") for name in self._spelling.sections):
                return Directive("section", (("name", fields["symbol"]),))
            raise wrong(place, text, f"no known section; there are: {', '.join(self._spelling.sections)}")
        return None

    def _directive(self, place: int, text: str) -> Directive:
        for name, patterns in self._spelling.directives.items():
            fields = pattern.read(patterns, text)
            if fields is not None:
                return Directive(name, tuple(self._fields(place, text, name, fields).items()))
        raise wrong(
            place, text, f"neither an instruction nor a directive that {self._spelling.words} has here"
        )

    def _fields(self, place: int, text: str, name: str, fields: Mapping[str, str]) -> dict[str, str]:
        plain = dict(fields)
        if "symbol" in plain:
            plain["symbol"] = self._symbol(place, text, plain["symbol"])
        if "power" in plain:
            plain["bytes"] = str(1 << int(plain.pop("power")))
        for key in _NUMERIC:
            if key in plain:
                plain[key] = str(self._plain(place, text, plain[key]).offset)
        if name in _DATA:
            values = [self._plain(place, text, value) for value in plain["values"].split(",")]
            plain["values"] = ", ".join(map(number, values))
        return plain

    def _plain(self, place: int, text: str, part: str) -> Value:
        value = parse(part, self._spelling.symbol)
        if value is None or value.symbol:
            raise wrong(place, text, f"{part.strip()!r} is no number")
        return value

    def _instruction(self, place: int, text: str, mnemonic: str, operands: str) -> Instruction:
        parts = [re.sub(r"\s+", "", operand) for operand in operands.split(",")] if operands else []
        bits = self._sizes.takes_bit(mnemonic)
        read = []
        for index, part in enumerate(parts):
            target = mnemonic in (*CONDITIONAL, "br", "call") and index == len(parts) - 1
            operand = self._target(mnemonic, part) if target else None
            operand = operand or self._bit(part) if bits else operand
            operand = operand or self._operand(part)
            if operand is None:
                raise wrong(place, text, f"{part!r} is no operand that {self._spelling.words} has here")
            read.append(self._named(place, text, operand))
        return Instruction(mnemonic, tuple(read))

    def _named(self, place: int, text: str, operand: Operand) -> Operand:
        if operand.value and operand.value.symbol:
            symbol = self._symbol(place, text, operand.value.symbol)
            return replace(operand, value=replace(operand.value, symbol=symbol))
        return operand

    def _target(self, mnemonic: str, part: str) -> Operand | None:
        if part.lower() in REGISTERS:
            return None
        kind = "conditional" if mnemonic in CONDITIONAL else mnemonic
        reaches = sorted(self._spelling.targets[kind].items(), key=lambda reach: -_keywords(reach[1]))
        for reach, patterns in reaches:
            if (fields := pattern.read(patterns, part)) and (value := self._value(fields["label"])):
                return Operand(reach, value) if value.symbol else None
        return None

    def _bit(self, part: str) -> Operand | None:
        match = _BIT.fullmatch(part)
        operand = self._operand(match[1]) if match else None
        return replace(operand, bit=int(match[2])) if operand else None

    def _operand(self, part: str) -> Operand | None:
        if part.lower() in REGISTERS:
            return Operand("register", register=part.lower())
        return (
            self._addressed("immediate", "#", part)
            or self._addressed("absolute", "!", part)
            or self._addressed("indexed", "n[]", part)
            or self._pointed(part)
            or self._direct(part)
        )

    def _addressed(self, key: str, kind: str, part: str) -> Operand | None:
        """An operand whose spelling may depend on where its symbol is."""
        patterns: Mapping[str, Patterns] = getattr(self._spelling, key)
        if (fields := pattern.read(patterns["number"], part)) and (value := self._value(fields["number"])):
            return Operand(kind, value, register=fields.get("register", "").lower())
        by_space = {
            space: fields for space in ("flash", "ram") if (fields := pattern.read(patterns[space], part))
        }
        for space, fields in by_space.items():
            value = self._value(fields["address"])
            if value and value.symbol and self._spelling.is_symbol(value.symbol):
                value = replace(value, claims=space if len(by_space) == 1 else None)
                return Operand(kind, value, register=fields.get("register", "").lower())
        return None

    def _pointed(self, part: str) -> Operand | None:
        match = _POINTED.fullmatch(part)
        if not match or match[1].lower() not in REGISTERS:
            return None
        base, inner = match[1].lower(), match[2]
        if inner is None:
            return Operand("[]", Value(0) if base == "sp" else None, register=base)
        if inner.lower() in REGISTERS:
            return Operand("[]", register=base, index=inner.lower())
        value = self._value(inner)
        return Operand("[]", value, register=base) if value and not value.symbol else None

    def _direct(self, part: str) -> Operand | None:
        for patterns in self._spelling.direct.values():
            if (fields := pattern.read(patterns, part)) and (value := self._value(fields["number"])):
                return Operand("n", value)
        return None

    def _value(self, text: str) -> Value | None:
        return parse(text, self._spelling.symbol)

    def _symbol(self, place: int, text: str, name: str) -> str:
        if not self._spelling.is_symbol(name):
            raise wrong(place, text, f"{name!r} is no symbol of {self._spelling.words}")
        return to_gnu(self._spelling, name)


def _keywords(patterns: Patterns) -> int:
    """How much of a spelling is fixed: `$!x` is read before `$x`, and `S:x` before `x`."""
    first = patterns if isinstance(patterns, str) else patterns[0]
    return len(re.sub(r"\{\w+\}", "", first))
